"""Make the parser of the command line.  It knows all commands by name and builds those that are used."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from ladder.cli.commands import ALIASES, BY_NAME, COMMANDS, GROUPS, SECTIONS, load_command
from ladder.cli.help import Command, help_of_group, help_of_program, is_brief
from ladder.cli.signature import flatten
from ladder.cli.values import PlainValues
from ladder.machine.build import version_line

_PLAIN: dict[str, Any] = {"pretty_exceptions_enable": False, "rich_markup_mode": None}


class _Group(PlainValues, TyperGroup):
    """A group of commands.  Called alone, it lists; called with a name, it shows what has that name."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read *args*; `help COMMAND` is `COMMAND --help`, unless the word may be a name."""
        self._is_brief = is_brief(args)
        if args[:1] == ["help"] and self.name not in BY_NAME:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, without building them."""
        return list(GROUPS[self.name or ""])

    def get_command(self, ctx: Any, word: str) -> Any:
        """Return the command that is typed as *word*, or None."""
        return _build(f"{self.name} {word}", word) if word in self._list_callable() else None

    def _list_callable(self) -> tuple[str, ...]:
        """Return the names of all commands, also of one that no help shows."""
        shown = BY_NAME.get(self.name or "")
        return (*GROUPS[self.name or ""], *([shown] if shown else []))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the name, command and arguments in *args*; an option before the name counts as behind it."""
        # `ladder bots greedy` runs `bots info`, which is typed for a bot that is called like a command
        if self.name in BY_NAME and args[0] not in self._list_callable():
            args = [BY_NAME[self.name], *args]
        name, command, rest = super().resolve_command(ctx, args)
        shared = {parameter.name for parameter in command.params} if command else set()
        for parameter in self.params:
            value, source = ctx.params.get(parameter.name), ctx.get_parameter_source(parameter.name)
            if parameter.name in shared and source is not None and source.name == "COMMANDLINE":
                rest = [parameter.opts[0], str(value), *rest]
        return name, command, rest

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the commands that begin with *incomplete*, and the names that BY_NAME completes."""
        found = super().shell_complete(ctx, incomplete)
        if self.name in BY_NAME:
            command = self.get_command(ctx, BY_NAME[self.name])
            found += command.params[0].shell_complete(ctx, incomplete)
        return found

    def get_help(self, ctx: Any) -> str:
        return help_of_group(self, ctx, brief=self._is_brief)


class _Program(_Group):
    """The program: its help names every command in one line, by what people do."""

    sections = {**SECTIONS, "More": tuple(GROUPS)}  # noqa: RUF012 - a constant

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands but the aliases, without building them."""
        return [name for name in COMMANDS if " " not in name]

    def get_command(self, ctx: Any, word: str) -> Any:
        name = ALIASES.get(word, word)
        return _build(name, word) if " " not in word and name in COMMANDS else None

    def get_help(self, ctx: Any) -> str:
        return help_of_program(self, ctx, self.sections)


def _build(name: str, word: str) -> Any:
    """Return the command *name*, which is typed as *word*, with its options."""
    function = flatten(load_command(name))
    if name in GROUPS:
        return _group(_Group, name, function, inspect.getdoc(function) or "")
    app = typer.Typer(add_completion=False, **_PLAIN)
    app.command(word, cls=Command)(function)
    return get_command(app)


def _group(
    kind: type[TyperGroup], name: str, callback: Callable[..., None], help_: str, *, completion: bool = False
) -> TyperGroup:
    """Return a group of commands; *callback* runs if it is called without one of them."""
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
    return cast("TyperGroup", get_command(app))


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
    home: Annotated[Path | None, typer.Option("--home", hidden=True)] = None,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def make_program() -> TyperGroup:
    """Return the parser of all command lines; called with the words of one, it runs their command."""
    what = "Tournaments between bots that play games of hidden information."
    return _group(_Program, "ladder", _ladder, what, completion=True)
