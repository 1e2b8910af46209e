"""The command line.  A command parses, calls one function, prints; it loads what it needs when called."""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable
from typing import Annotated

import typer
from typer.exceptions import TyperException

from ladder import __version__
from ladder.cli import bench, bots, check, home, leaderboard, merge, replay, run, selftest, verify, worker
from ladder.cli.options import refuse
from ladder.cli.parse_errors import EXAMPLE, said
from ladder.cli.program_name import as_called
from ladder.cli.streams import silence

__all__ = ["COMMANDS", "run_command_line"]

app = typer.Typer(
    name="ladder",
    help="Tournaments between bots that play games of hidden information.",
    epilog=as_called(
        "Start here: ladder run --games 1000\n\nThen: ladder submit my_bot.py\n\n"
        "And again and again: ladder run --games 10000, ladder leaderboard"
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

COMMANDS: dict[str, tuple[Callable[..., None], ...]] = {
    "Bots and runs": (run.run, check.check, bots.submit, bots.bots, bots.house, home.games),
    "Results": (
        leaderboard.leaderboard,
        leaderboard.matches,
        replay.replay,
        replay.faults,
        leaderboard.matrix,
        leaderboard.export,
        verify.rate,
        verify.digest,
        verify.verify,
        merge.merge,
        merge.compact,
    ),
    "The ladder itself": (home.init, home.doctor, selftest.selftest, bench.bench, worker.worker),
}
"""The commands by the heading under which the help lists them.  A docstring is the help of its command."""


def _register(command: Callable[..., None], heading: str) -> None:
    """Make *command* known, with the example at the end of its docstring at the end of its help."""
    text, mark, example = inspect.cleandoc(command.__doc__ or "").partition(EXAMPLE)
    app.command(help=text.rstrip(), epilog=as_called(mark + example), rich_help_panel=heading)(command)


for heading, commands in COMMANDS.items():
    for command in commands:
        _register(command, heading)


def _print_version(value: bool) -> None:
    if value:
        print(f"ladder {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _ladder(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_print_version, is_eager=True, metavar="", help="Print the version."
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        context.get_help()  # which prints it


def run_command_line(arguments: list[str] | None = None) -> int:
    """Run the command that *arguments* (default: those of the program) name; return its exit code.

    Every error becomes one line that says what happened, and one with what to type next.
    """
    try:
        result = app(arguments, prog_name="ladder", standalone_mode=False)
        if result == 130:  # what typer makes of Ctrl-C
            raise KeyboardInterrupt
        sys.stdout.flush()
    except TyperException as error:
        return refuse(*said(error, _typed(arguments)), error.exit_code)
    except BrokenPipeError:
        return _read_enough()
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # what typer makes of one
            return _read_enough()
        raise
    except KeyboardInterrupt:
        return refuse("stopped", "the same command again", 130)
    except Exception as error:
        code = getattr(error, "exit_code", None)
        if code is not None:
            return refuse(str(error), getattr(error, "hint", ""), code)
        if isinstance(error, MemoryError):
            return refuse("there is not enough memory", "give it more, then type the same command again", 1)
        if isinstance(error, OSError):
            return refuse(str(error), "see to the file or the disk, then type the same command again", 1)
        return _refuse_unexpected(error)
    return result if isinstance(result, int) else 0


def _refuse_unexpected(error: Exception) -> int:
    """Report an unexpected error in one line, with the file that holds the details."""
    from ladder.unexpected import summarize

    logging.getLogger(__name__).debug("what happened:", exc_info=error)
    hint = "send that file to those who mend the ladder; what is committed of a run is kept"
    return refuse(f"this should not have happened: {summarize(error)}", hint, 1)


def _read_enough() -> int:
    """Be content that whoever read our stdout has closed it: as after `| head`."""
    silence(sys.__stdout__, 1)
    return 0


def _typed(arguments: list[str] | None) -> str:
    """Return the program and the command that *arguments* begin with."""
    first = next(iter(sys.argv[1:] if arguments is None else arguments), "")
    names = [command.__name__ for commands in COMMANDS.values() for command in commands]
    return f"ladder {first}" if first in names else "ladder"
