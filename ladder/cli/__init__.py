"""The command line.  A command parses, calls one function, prints; it loads what it needs when called."""

from __future__ import annotations

import sys

from ladder.cli.ending import CODE, EndedBySignal, ending_at_signals
from ladder.machine.build import version_line


def _is_about_version(arguments: list[str]) -> bool:
    """Return whether *arguments* ask for the version alone, which needs no parser."""
    return arguments in (["--version"], ["-V"])


def _say_version() -> int:
    """Print the version; return the exit code."""
    try:
        print(version_line())
        sys.stdout.flush()
    except BrokenPipeError:
        _end_quietly()
    return 0


def run_program() -> int:
    """Make this process, which is the whole program, ready; run its command line and return the exit code."""
    from ladder.cli.streams import outlive_readers

    outlive_readers()
    if not _is_about_version(sys.argv[1:]):
        from ladder.machine.capacity import spare_addresses
        from ladder.machine.unexpected import say_one_line
        from ladder.machine.without_pandas import leave_out_pandas

        leave_out_pandas()
        spare_addresses()
        say_one_line()
    return run_command_line()


def run_command_line(arguments: list[str] | None = None) -> int:
    """Run the command that *arguments* (default: those of the program) name; return its exit code.

    An error becomes one line that says what happened, and one line that says what to type next.
    """
    words = sys.argv[1:] if arguments is None else arguments
    if _is_about_version(words):
        return _say_version()
    try:
        with ending_at_signals():
            result = _parse_and_run(words)
            sys.stdout.flush()
    except BrokenPipeError:
        return _end_quietly()
    except EndedBySignal:
        return _refuse("stopped", "run the same command again", CODE)
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # what typer makes of one
            return _end_quietly()
        raise
    except KeyboardInterrupt:
        return _refuse("stopped", "run the same command again", 130)
    except Exception as error:
        return _refuse_error(error)
    return result


def _parse_and_run(words: list[str]) -> int:
    """Run the command that *words* name; return its exit code.  Raises what the command raises."""
    from typer.exceptions import TyperException

    from ladder.cli.program import make_program

    try:
        result = make_program()(words, prog_name="ladder", standalone_mode=False)
        _warn_of_games()
    except TyperException as error:
        from ladder.cli.parse_errors import explain

        return _refuse(*explain(error, _command_of(words)), error.exit_code)
    except SystemExit as error:
        if error.code == CODE:  # of a session, which has put away what it had begun
            return _refuse("stopped", "run the same command again", CODE)
        raise
    if result == 130:  # what typer makes of Ctrl-C
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _warn_of_games() -> None:
    """Name the games that the command has left out, because their packages cannot be imported."""
    games = sys.modules.get("engines.games")
    if games and games.GAMES.broken:
        from ladder.cli.options import note
        from ladder.errors import printable

        for problem in games.GAMES.broken.values():
            note(f"warning: {printable(problem)}; it is left out")


def _refuse(message: str, hint: str, code: int) -> int:
    from ladder.cli.options import refuse

    return refuse(message, hint, code)


def _refuse_error(error: Exception) -> int:
    """Report *error*; one that is unforeseen in one line, with the file that holds the details."""
    import logging

    from ladder.errors import REPORT, tell
    from ladder.machine.unexpected import summarize

    if words := tell(error):
        return _refuse(*words, getattr(error, "exit_code", 1))
    logging.getLogger(__name__).debug("what happened:", exc_info=error)
    hint = f"{REPORT}; the committed part of a run is kept"
    return _refuse(f"unexpected error: {summarize(error)}", hint, 1)


def _end_quietly() -> int:
    """End without an error after the reader of stdout has closed it, as `| head` does."""
    from ladder.cli.streams import silence

    silence(sys.__stdout__, 1)
    return 0


def _command_of(words: list[str]) -> str:
    """Return the program and the command that *words* begin with."""
    from ladder.cli.commands import ALIASES, COMMANDS

    for name in (" ".join(words[:2]), *words[:1]):
        if name in COMMANDS or name in ALIASES:
            return f"ladder {name}"
    return "ladder"
