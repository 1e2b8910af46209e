"""The command line.  A command parses, calls one function, prints; it loads what it needs when called."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from ladder import __version__
from ladder.cli import bench, bots, homes, playing, replays, tables

__all__ = ["app", "run_command_line"]

app = typer.Typer(
    name="ladder",
    help="Tournaments between bots that play games of hidden information.",
    epilog="Start here:  ladder run --games 1000    ladder submit my_bot.py    ladder leaderboard",
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

PLAY, RESULTS, PLACE = "Bots and runs", "Results", "The ladder itself"

for panel, commands in {
    PLAY: (playing.run, bots.submit, bots.bots, homes.games),
    RESULTS: (tables.leaderboard, tables.matches, replays.replay, tables.matrix, tables.export),
    PLACE: (homes.init, homes.doctor, bench.bench),
}.items():
    for command in commands:
        app.command(rich_help_panel=panel)(command)


def _print_version(value: bool) -> None:
    if value:
        print(f"ladder {__version__}")
        raise typer.Exit


@app.callback()
def _ladder(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def run_command_line(arguments: list[str] | None = None) -> int:
    """Run the command that *arguments* (default: those of the program) name; return its exit code.

    Every error becomes one line that says what happened, and one with what to type next.
    """
    try:
        result = app(arguments, standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "ladder"
        return _say(error.format_message(), f"{path} --help", error.exit_code)
    except BrokenPipeError:  # whoever read our stdout has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        code = getattr(error, "exit_code", None)
        if code is None:
            raise
        return _say(str(error), getattr(error, "hint", ""), code)
    return result if isinstance(result, int) else 0


def _say(message: str, hint: str, code: int) -> int:
    print(f"ladder: {message}", file=sys.stderr)
    if hint:
        print(f"  next: {hint}", file=sys.stderr)
    return code
