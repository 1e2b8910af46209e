"""Make typer's signature of a command: each of its parameters, or fields of the struct that it takes.

ladder.run.option says how one declares an argument or an option.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from functools import wraps
from types import UnionType
from typing import Annotated, Any, TypeGuard, Union, get_args, get_origin, get_type_hints

import typer

from ladder.cli.completion import COMPLETERS
from ladder.cli.extras import check_workbook
from ladder.cli.streams import use_utf8
from ladder.run.option import Argument, Option, Section, WrongOption


def flatten(command: Callable[..., None]) -> Callable[..., None]:
    """Return *command* as typer reads it, with a parameter for each field if it takes a struct."""
    struct = _struct_of(command)

    @wraps(command)
    def call(**values: Any) -> None:
        given = {name: value for name, value in values.items() if value is not None}
        if given.get("format", "table") != "table" or given.get("json") or given.get("html"):
            use_utf8()
        if given.get("format") == "xlsx":
            check_workbook()
        try:
            command(struct(**given)) if struct else command(**given)
        except WrongOption as wrong:
            raise typer.BadParameter(wrong.reason, param_hint=wrong.option) from None

    source = struct or command
    call.__signature__ = inspect.Signature(_parameters(source))  # type: ignore[attr-defined]  # functions have a dict
    call.options = _options(source)  # type: ignore[attr-defined]  # as above; ladder.cli.help reads it
    return call


def _options(source: Callable[..., Any]) -> dict[str, Option]:
    declared = {
        name: get_args(kind)[1:2] for name, kind in get_type_hints(source, include_extras=True).items()
    }
    options = {name: each for name, found in declared.items() for each in found if isinstance(each, Option)}
    typed = {name: each for name, each in options.items() if not each.python_only}
    return {flag: each for name, each in typed.items() for flag in _flags(each, name)}


def options_with_values(command: Callable[..., None]) -> dict[str, Option]:
    """Return the options of *command* that take a value, by their flags."""
    found: dict[str, Option] = {}
    for name, hint in get_type_hints(_struct_of(command) or command, include_extras=True).items():
        kind, option = (*get_args(hint), None, None)[:2]
        if _is_typed(option) and kind is not bool:
            found |= dict.fromkeys(_flags(option, name), option)
    return found


def _is_typed(option: Any) -> TypeGuard[Option]:
    """Return whether it is an option of a command line."""
    return isinstance(option, Option) and not (isinstance(option, Argument) or option.python_only)


def _struct_of(command: Callable[..., None]) -> Any:
    return next((kind for kind in get_type_hints(command).values() if is_dataclass(kind)), None)


def _flags(option: Option, name: str) -> tuple[str, ...]:
    return option.flags or (f"--{name.replace('_', '-')}",)


def _parameters(source: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return the parameters of *source*, a function or a struct: arguments first, then section by section.

    Those that no Option declares stay as they are.
    """
    hints = get_type_hints(source, include_extras=True)
    order = list(Section)
    found: list[tuple[bool, int, inspect.Parameter]] = []
    for parameter in inspect.signature(source).parameters.values():
        kind, option = (*get_args(hints[parameter.name]), None, None)[:2]
        if isinstance(option, Option) and option.python_only:
            continue
        if isinstance(option, Option):
            place = not isinstance(option, Argument), order.index(option.section)
            found.append((*place, _parameter(parameter, kind, option)))
        else:
            annotated = parameter.replace(annotation=hints[parameter.name], kind=parameter.KEYWORD_ONLY)
            found.append((True, order.index(Section.OPTIONS), annotated))
    return [parameter for *_, parameter in sorted(found, key=lambda each: each[:2])]


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
    for member in get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,):
        if get_origin(member) is Sequence:
            return list[str if option.read else get_args(member)[0]] | None  # type: ignore[misc]  # made at run time
    return str | None if option.read else kind
