"""Make typer's signature of a command: each of its parameters, or fields of the struct that it takes.

ladder.run.option says how one declares an argument or an option.
"""

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import wraps
from operator import itemgetter
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeGuard, Union, get_args, get_origin, get_type_hints

import typer

from ladder.cli.streams import use_utf8
from ladder.machine.extras import check_workbook
from ladder.run.option import Argument, Completed, Option, Section, WrongOption

MOST_COMPLETED = 20
"""The most matches offered to the shell: they fit a screen."""


def _complete_bots(context: typer.Context, incomplete: str) -> Iterable[str]:
    """Return the names of bots, for the shell; behind an @ their versions."""
    from ladder.home.home import find_home
    from ladder.registry.roster import Roster

    folder = find_home(context.params.get("home"))
    roster = Roster(folder / "bots", folder / "results")
    if "@" in incomplete:
        return [f"{name}@{number}" for (name, _), number in roster.numbers().items()]
    today = roster.names
    return sorted({today.get(path.name, path.name) for path in roster.path.glob("[!.]*") if path.is_dir()})


def complete_matches(context: typer.Context, incomplete: str) -> list[str]:
    """Return `last` and the newest matches, RUN/NUMBER, that begin with *incomplete*, for the shell."""
    from ladder.home.home import find_home
    from results.storage.newest import list_newest
    from results.storage.unrated import unrated_stores

    results = find_home(context.params.get("home")) / "results"
    name, slash, number = incomplete.partition("/")
    if slash and name.startswith("d"):
        if name not in unrated_stores(results):  # a secret tournament has one that is not among them
            return []
        unrated = list_newest(results / "unrated" / name, f"1/{number}", MOST_COMPLETED)
        return [f"{name}/{match.partition('/')[2]}" for match in unrated]
    return ["last", *list_newest(results, incomplete, MOST_COMPLETED)]


def complete_duels(context: typer.Context) -> Iterable[str]:
    """Return the duels and unrated runs, newest first, for the shell."""
    from ladder.home.home import find_home
    from results.storage.unrated import unrated_stores

    return reversed(unrated_stores(find_home(context.params.get("home")) / "results"))


def _seasons(context: typer.Context) -> Iterable[str]:
    """Return the seasons, newest first."""
    from ladder.home.home import find_home
    from results.storage.store import Store

    seasons = Store(find_home(context.params.get("home")) / "results").seasons()
    return [season.name for season in reversed(seasons)]


def _games() -> Iterable[str]:
    from engines import GAMES

    return GAMES


def _languages() -> Iterable[str]:
    from ladder.kits.languages import LANGUAGES

    return LANGUAGES


def _rules() -> Iterable[str]:
    """Return the rules that may end a run."""
    from ladder.run.until.by_name import named_rules

    return named_rules()


def _house_bots() -> Iterable[str]:
    from ladder.home.home import house_bots, reference_bots

    return [*house_bots(), *reference_bots()]


COMPLETERS: Mapping[Completed, Callable[..., Iterable[str]]] = {
    "bots": _complete_bots,
    "duels": complete_duels,
    "games": _games,
    "house bots": _house_bots,
    "languages": _languages,
    "matches": complete_matches,
    "rules": _rules,
    "seasons": _seasons,
}
"""What is offered for an argument or an option, by what its declaration says."""


LAST = ("home", "format")
"""What stands last in its section, whichever struct declares it."""


def flatten(command: Callable[..., None]) -> Callable[..., None]:
    """Return *command* as typer reads it: where it takes a struct, with a parameter for each field."""
    struct = _struct_of(command)
    fields = inspect.signature(struct).parameters if struct else {}

    @wraps(command)
    def call(**values: Any) -> None:
        given = {name: value for name, value in values.items() if value is not None}
        if given.get("format", "table") != "table" or given.get("json") or given.get("html"):
            use_utf8()
        if given.get("format") == "xlsx":
            check_workbook()
        try:
            asked = [struct(**{name: given.pop(name) for name in fields if name in given})] if struct else []
            command(*asked, **given)
        except WrongOption as wrong:
            raise typer.BadParameter(wrong.reason, param_hint=wrong.option) from None

    call.__signature__ = inspect.Signature(_parameters(command))  # type: ignore[attr-defined]  # functions have a dict
    call.options = _options(command)  # type: ignore[attr-defined]  # as above; ladder.cli.help reads it
    return call


def _declarations(command: Callable[..., None]) -> Iterator[tuple[inspect.Parameter, Any, Any]]:
    """Yield each parameter of *command* and field of its struct, with its type and its Option, or None."""
    struct = _struct_of(command)
    for source in (struct, command) if struct else (command,):
        hints = get_type_hints(source, include_extras=True)
        for name, parameter in inspect.signature(source).parameters.items():
            if struct is None or hints[name] is not struct:
                kind, option = (*get_args(hints[name]), None, None)[:2]
                is_declared = isinstance(option, Option)
                yield parameter, kind if is_declared else hints[name], option if is_declared else None


def _options(command: Callable[..., None]) -> dict[str, Option]:
    declared = [(parameter.name, option) for parameter, _, option in _declarations(command)]
    typed = [(name, option) for name, option in declared if option and not option.python_only]
    return {flag: option for name, option in typed for flag in _flags(option, name)}


def options_with_values(command: Callable[..., None]) -> dict[str, Option]:
    """Return the options of *command* that take a value, by their flags."""
    found: dict[str, Option] = {}
    for parameter, kind, option in _declarations(command):
        if _is_typed(option) and kind is not bool:
            found |= dict.fromkeys(_flags(option, parameter.name), option)
    return found


def _is_typed(option: Any) -> TypeGuard[Option]:
    """Return whether it is an option of a command line."""
    return isinstance(option, Option) and not (isinstance(option, Argument) or option.python_only)


def _struct_of(command: Callable[..., None]) -> Any:
    return next((kind for kind in get_type_hints(command).values() if is_dataclass(kind)), None)


def _flags(option: Option, name: str) -> tuple[str, ...]:
    return option.flags or (f"--{name.replace('_', '-')}",)


def _parameters(command: Callable[..., None]) -> list[inspect.Parameter]:
    """Return the parameters of *command* as typer reads them: arguments first, then section by section."""
    order, found = list(Section), []
    for parameter, kind, option in _declarations(command):
        if option is None:
            annotated = parameter.replace(annotation=kind, kind=parameter.KEYWORD_ONLY)
            found.append(((True, order.index(Section.OPTIONS), 0), annotated))
        elif not option.python_only:
            behind = LAST.index(parameter.name) if parameter.name in LAST else -1
            place = not isinstance(option, Argument), order.index(option.section), behind
            found.append((place, _parameter(parameter, kind, option)))
    return [parameter for _, parameter in sorted(found, key=itemgetter(0))]


def _refusing(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return *read* as a parser of typer's: in place of ValueError it raises BadParameter."""

    def parse(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    return parse


def _parameter(parameter: inspect.Parameter, kind: Any, option: Option) -> inspect.Parameter:
    """Return *parameter*, which is of this *kind* and is declared by *option*, as typer describes it."""
    described: dict[str, Any] = {
        "metavar": "" if kind is bool else option.metavar,
        "help": option.help,
        "show_default": option.default or True,
        "parser": _refusing(option.read) if option.read else None,
        "autocompletion": COMPLETERS[option.completes] if option.completes else None,
        "envvar": option.variable,
    }
    if isinstance(option, Argument):
        info = typer.Argument(**described)
    else:
        flags = _flags(option, parameter.name)
        info = typer.Option(*flags, rich_help_panel=option.section.value, hidden=option.hidden, **described)
    return parameter.replace(
        kind=parameter.KEYWORD_ONLY,
        default=None if parameter.default == () else parameter.default,
        annotation=Annotated[_typer_type(kind, option), info],
    )


def _typer_type(kind: Any, option: Option) -> Any:
    """Return the type that typer reads for a field of the type *kind*: of several only the first is typed."""
    members = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    for member in members:
        if get_origin(member) is Sequence:
            return list[str if option.read else get_args(member)[0]] | None  # type: ignore[misc]  # made at run time
    if get_origin(members[0]) is os.PathLike:
        return Path | None
    return str | None if option.read else kind
