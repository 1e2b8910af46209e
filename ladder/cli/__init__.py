"""The command line.  A command parses, calls one function, prints; it loads what it needs when called."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Annotated

import typer
from typer.exceptions import TyperException

from ladder.cli import (
    archive,
    bench,
    bots,
    bots_ask,
    bots_ban,
    bots_diff,
    bots_feedback,
    bots_info,
    bots_rename,
    bots_retire,
    check,
    compact,
    digest,
    doctor,
    duel,
    duels,
    export,
    faults,
    games,
    history,
    home,
    house,
    init,
    leaderboard,
    matches,
    matrix,
    merge,
    new,
    play,
    rate,
    replay,
    restore,
    run,
    season,
    selftest,
    serve,
    site,
    submit,
    verify,
    worker,
)
from ladder.cli.help import Command, Group, Program
from ladder.cli.options import FIRST_RUN, refuse
from ladder.cli.parse_errors import explain
from ladder.cli.streams import silence
from ladder.machine.installation import __version__

__all__ = ["ALIASES", "COMMANDS", "run_command_line"]

SECTIONS: dict[str, tuple[Callable[..., None], ...]] = {
    "Play": (run.run, duel.duel, play.play),
    "Bots": (new.new, check.check, submit.submit),
    "Results": (
        leaderboard.leaderboard,
        matches.matches,
        replay.replay,
        faults.faults,
        matrix.matrix,
        history.history,
        export.export,
        serve.serve,
        site.site,
    ),
    "Machine": (doctor.doctor, bench.bench, selftest.selftest, worker.worker),
}
"""The everyday commands, in the order in which people need them.  A docstring is the help of its command."""
GROUPS: dict[Callable[..., None], tuple[Callable[..., None], ...]] = {
    bots.bots: (
        bots_info.info,
        bots_ask.ask,
        bots_diff.diff,
        bots_feedback.feedback,
        bots_retire.retire,
        bots_retire.activate,
        bots_ban.ban,
        bots_rename.rename,
        house.house,
    ),
    games.games: (games.rules, games.files, games.new),
    home.home: (
        init.init,
        season.season,
        archive.archive,
        restore.restore,
        duels.duels,
        verify.verify,
        digest.digest,
        rate.rate,
        merge.merge,
        compact.compact,
    ),
}
"""The other commands, by the one that runs when their group is called alone."""
BY_NAME = {"bots": "info", "games": "rules"}
"""The command that a group runs for a word that does not name a command."""

COMMANDS = {command.__name__: command for commands in SECTIONS.values() for command in commands} | {
    f"{group.__name__}{name}": command
    for group, commands in GROUPS.items()
    for name, command in [("", group), *((f" {command.__name__}", command) for command in commands)]
}
"""Every command, by the words that are typed for it."""
ALIASES = {
    name: f"{group} {name}"
    for group, names in {
        "bots": ["house"],
        "home": ["init", "verify", "digest", "rate", "merge", "compact"],
    }.items()
    for name in names
}
"""Commands that stood on the top level once.  They go on working there, and no help shows them."""


class _Ladder(Program):
    """The program."""

    sections = {  # noqa: RUF012 - a constant
        **{section: [command.__name__ for command in commands] for section, commands in SECTIONS.items()},
        "More": [group.__name__ for group in GROUPS],
    }
    example = FIRST_RUN


app = typer.Typer(
    cls=_Ladder,
    name="ladder",
    help="Tournaments between bots that play games of hidden information.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _register() -> None:
    """Make the commands known to the parser."""
    groups = {}
    for group, commands in GROUPS.items():
        name = group.__name__
        kind = type("_Group", (Group,), {"by_name": BY_NAME.get(name, "")})
        groups[name] = typer.Typer(cls=kind, callback=group, help=group.__doc__, invoke_without_command=True)
        for command in commands:
            groups[name].command(cls=Command)(command)
    for commands in SECTIONS.values():
        for command in commands:
            app.command(cls=Command)(command)
    for name, typed in ALIASES.items():
        app.command(name, cls=Command, hidden=True)(COMMANDS[typed])
    for name, group_app in groups.items():
        app.add_typer(group_app, name=name)


_register()


def _print_version(value: bool) -> None:
    if value:
        print(f"ladder {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _ladder(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def run_command_line(arguments: list[str] | None = None) -> int:
    """Run the command that *arguments* (default: those of the program) name; return its exit code.

    An error becomes one line that says what happened, and one line that says what to type next.
    """
    try:
        result = app(arguments, prog_name="ladder", standalone_mode=False)
        if result == 130:  # what typer makes of Ctrl-C
            raise KeyboardInterrupt
        sys.stdout.flush()
    except TyperException as error:
        return refuse(*explain(error, _command_of(arguments)), error.exit_code)
    except BrokenPipeError:
        return _end_quietly()
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # what typer makes of one
            return _end_quietly()
        raise
    except KeyboardInterrupt:
        return refuse("stopped", "the same command again", 130)
    except Exception as error:
        code = getattr(error, "exit_code", None)
        if code is not None:
            return refuse(str(error), getattr(error, "hint", ""), code)
        if isinstance(error, MemoryError):
            return refuse("there is not enough memory", "free some memory, then the same command again", 1)
        if isinstance(error, OSError):
            return refuse(str(error), "check the file or the disk, then the same command again", 1)
        return _refuse_unexpected(error)
    return result if isinstance(result, int) else 0


def _refuse_unexpected(error: Exception) -> int:
    """Report an unexpected error in one line, with the file that holds the details."""
    from ladder.machine.unexpected import summarize

    logging.getLogger(__name__).debug("what happened:", exc_info=error)
    hint = "send that file to the authors of the ladder; the committed part of a run is kept"
    return refuse(f"this should not have happened: {summarize(error)}", hint, 1)


def _end_quietly() -> int:
    """End without an error after the reader of stdout has closed it, as `| head` does."""
    silence(sys.__stdout__, 1)
    return 0


def _command_of(arguments: list[str] | None) -> str:
    """Return the program and the command that *arguments* begin with."""
    words = (sys.argv[1:] if arguments is None else arguments)[:2]
    for name in (" ".join(words), *words[:1]):
        if name in COMMANDS or name in ALIASES:
            return f"ladder {name}"
    return "ladder"
