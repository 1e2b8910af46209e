"""The rules that `--until` can name: those of the files beside this one that have a name."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple

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


class Ends(NamedTuple):
    """What ends a run early, each as a run keeps it."""

    rule: str | None = None
    """The rule that looks at results, as `--until` takes it."""
    faults: int | None = None
    cost: float | None = None
    tokens: int | None = None

    @property
    def first(self) -> str:
        """The first rule, as `--until` takes it; empty if there is none."""
        named = {"faults": self.faults, "cost": self.cost, "tokens": self.tokens}
        given = [f"{name}={value:.15g}" for name, value in named.items() if value]
        return self.rule or next(iter(given), "")


def read_ends(texts: Sequence[str]) -> Ends:
    """Return what `--until` with each of *texts* means.  Raises ValueError for two of a kind."""
    found: dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        kind = name if name in Ends._fields else "rule"
        if kind in found:
            raise ValueError(f"give {found[kind]} or {text}" if kind == "rule" else f"{name} is given twice")
        takes = None if kind == "rule" else named_rules()[kind].takes
        found[kind] = takes(value) if takes else text
    return Ends(**found)


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
            f"--until: expected {expected}, got: {short(text)!r}{suggest(name, known)}", "--until order"
        )
    return known[name].read(value)
