"""The rules that `--until` can name: those of the files beside this one that have a name."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import ladder.run.until as rules
from ladder.errors import UsageProblem, short, suggest
from ladder.run.until.rule import StoppingRule


@cache
def named_rules() -> dict[str, type[StoppingRule]]:
    """Return the rules by name, in alphabetical order."""
    modules = [import_module(f"{rules.__name__}.{file.name}") for file in iter_modules(rules.__path__)]
    found = [value for module in modules for value in vars(module).values() if isinstance(value, type)]
    named = {rule.name: rule for rule in found if issubclass(rule, StoppingRule) and rule.name}
    return dict(sorted(named.items()))


def form_of(rule: type[StoppingRule]) -> str:
    """Return how *rule* is typed."""
    return rule.form or rule.name


def check_rule(text: str) -> str:
    """Return *text*, which names a rule.  Raises ValueError for any other."""
    try:
        read_rule(text)
    except UsageProblem as problem:
        raise ValueError(str(problem).removeprefix("--until: ")) from None
    return text


def read_rule(text: str) -> StoppingRule:
    """Return the rule that `--until` *text* means: NAME or NAME=VALUE.  Raises UsageProblem."""
    name, _, value = text.partition("=")
    known = named_rules()
    if name not in known:
        expected = " or ".join(map(form_of, known.values()))
        raise UsageProblem(
            f"--until: expected {expected}, got: {short(text)!r}{suggest(name, known)}",
            f"--until {next(iter(known))}",
        )
    return known[name].read(value)
