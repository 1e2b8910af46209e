"""Make typer's signature of a command that takes a struct: each field is an argument or an option.

ladder.run.option says how a field declares one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

import typer

from ladder.cli.completion import complete_bots, complete_games, complete_rules
from ladder.run.option import Argument, Option, Section, WrongOption

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["flatten", "refusing", "typer_option"]

COMPLETERS: dict[str | None, Callable[..., list[str]] | None] = {
    None: None,
    "bots": complete_bots,
    "games": complete_games,
    "rules": complete_rules,
}


def flatten(command: Callable[..., None]) -> Callable[..., None]:
    """Return *command* with a parameter for each field of the struct that it takes.

    A command whose parameters are typer's own is returned as it is.
    """
    kinds: list[Any] = [kind for kind in get_type_hints(command).values() if is_dataclass(kind)]
    if not kinds:
        return command
    (struct,) = kinds

    @wraps(command)
    def call(**values: Any) -> None:
        given = {name: value for name, value in values.items() if value is not None}
        try:
            command(struct(**given))
        except WrongOption as wrong:
            raise typer.BadParameter(wrong.reason, param_hint=wrong.option) from None

    call.__signature__ = inspect.Signature(_parameters(struct))  # type: ignore[attr-defined]  # functions have a dict
    return call


def _parameters(struct: type[DataclassInstance]) -> list[inspect.Parameter]:
    """Return the parameters of a command that takes *struct*: arguments first, then section by section."""
    hints = get_type_hints(struct, include_extras=True)
    declared = [(field, *get_args(hints[field.name])) for field in fields(struct)]
    order = list(Section)
    declared.sort(key=lambda each: (not isinstance(each[2], Argument), order.index(each[2].section)))
    return [_parameter(*each) for each in declared]


def refusing(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return *read* as a parser of typer's: in place of ValueError it raises BadParameter."""

    def parse(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    return parse


def typer_option(option: Option, name: str, *, is_flag: bool = False) -> Any:
    """Return *option*, of a field called *name*, as typer describes it."""
    described: dict[str, Any] = {
        "metavar": "" if is_flag else option.metavar,
        "help": option.help,
        "show_default": option.default or True,
        "parser": refusing(option.read) if option.read else None,
        "autocompletion": COMPLETERS[option.completes],
        "envvar": option.variable,
    }
    if isinstance(option, Argument):
        return typer.Argument(**described)
    flags = option.flags or (f"--{name.replace('_', '-')}",)
    return typer.Option(*flags, rich_help_panel=option.section.value, **described)


def _parameter(field: Field[Any], kind: Any, option: Option) -> inspect.Parameter:
    """Return a field as a parameter for typer."""
    info = typer_option(option, field.name, is_flag=kind is bool)
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    return inspect.Parameter(
        field.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None if default == () else default,
        annotation=Annotated[_typer_type(kind, option), info],
    )


def _typer_type(kind: Any, option: Option) -> Any:
    """Return the type that typer reads for a field of the type *kind*: of several only the first is typed."""
    for member in get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,):
        if get_origin(member) is Sequence:
            return list[str if option.read else get_args(member)[0]] | None  # type: ignore[misc]  # made at run time
    return str | None if option.read else kind
