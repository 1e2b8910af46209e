"""Make the parser of the command line.  It knows all commands by name and builds those that are used."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from types import MappingProxyType
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from ladder.cli.commands import ALIASES, COMMANDS, GROUPS, SECTIONS, load_command
from ladder.cli.help import Command, Group, ProgramGroup
from ladder.cli.options import FIRST_RUN
from ladder.cli.signature import flatten
from ladder.machine.build import version_line

__all__ = ["make_program"]

BY_NAME = {"bots": "info", "games": "rules"}
"""The command that a group runs for a word that does not name a command."""
_PLAIN: dict[str, Any] = {"pretty_exceptions_enable": False, "rich_markup_mode": None}


class _Commands(MutableMapping[str, Any]):
    """Commands by name, each built when it is asked for."""

    def __init__(self, names: Mapping[str, str], hidden: Mapping[str, str] = MappingProxyType({})) -> None:
        """Take the words that are typed, and which of COMMANDS each means; no help shows *hidden* ones."""
        self._names = {**names, **hidden}
        self._hidden = frozenset(hidden)
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            self._built[name] = _build(self._names[name], name, hidden=name in self._hidden)
        return self._built[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._built[name] = command

    def __delitem__(self, name: str) -> None:
        raise NotImplementedError("the commands are fixed")

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _build(name: str, word: str, *, hidden: bool) -> Any:
    """Return the command *name*, which is typed as *word*, with its options."""
    function = flatten(load_command(name))
    if name in GROUPS:
        kind = type("_Group", (Group,), {"by_name": BY_NAME.get(name, "")})
        commands = _Commands({each: f"{name} {each}" for each in GROUPS[name]})
        return _group(kind, name, function, inspect.getdoc(function) or "", commands, completion=False)
    app = typer.Typer(add_completion=False, **_PLAIN)
    app.command(word, cls=Command, hidden=hidden)(function)
    return get_command(app)


def _group(
    kind: type[TyperGroup],
    name: str,
    callback: Callable[..., None],
    help_: str,
    commands: _Commands,
    *,
    completion: bool,
) -> TyperGroup:
    """Return a group of *commands*; *callback* runs if it is called without one of them."""
    app = typer.Typer(
        name=name,
        cls=kind,
        callback=callback,
        help=help_,
        invoke_without_command=True,
        add_completion=completion,
        context_settings={"help_option_names": ["-h", "--help"]},
        **_PLAIN,
    )
    group = cast("TyperGroup", get_command(app))
    group.commands = commands
    return group


class _Ladder(ProgramGroup):
    """The program."""

    sections = {**SECTIONS, "More": tuple(GROUPS)}  # noqa: RUF012 - a constant
    example = FIRST_RUN


def _print_version(value: bool) -> None:
    if value:
        print(version_line())
        raise typer.Exit


def _ladder(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def make_program() -> ProgramGroup:
    """Return the parser of all command lines; called with the words of one, it runs their command."""
    top = {name: name for name in COMMANDS if " " not in name}
    what = "Tournaments between bots that play games of hidden information."
    program = _group(_Ladder, "ladder", _ladder, what, _Commands(top, ALIASES), completion=True)
    return cast("ProgramGroup", program)
