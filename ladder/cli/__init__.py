"""The command line.  A command parses, calls one function, prints; it loads what it needs when called."""

import sys

from ladder.cli.ending import CODE, EndedBySignal, ending_at_signals
from ladder.machine.build import version_line

STOPPED = ("stopped", "run the same command again")
"""What a command says that was ended, and what to type next."""


def _is_about_version(arguments: list[str]) -> bool:
    """Return whether *arguments* ask for the version alone, which needs no parser."""
    return arguments in (["--version"], ["-V"])


def _say_version() -> int:
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
    if _is_about_version(sys.argv[1:]):
        return run_command_line()
    from ladder.cli.last_line import say_what_ladder_is
    from ladder.machine.capacity import spare_addresses
    from ladder.machine.unexpected import say_one_line
    from ladder.machine.without_pandas import leave_out_pandas

    leave_out_pandas()
    spare_addresses()
    say_one_line()
    code = run_command_line()
    say_what_ladder_is(sys.argv[1:])
    return code


def run_command_line(arguments: list[str] | None = None) -> int:
    """Run the command that *arguments* (default: those of the program) name; return its exit code.

    An error becomes one line that says what happened, and one line that says what to type next; where JSON
    was asked for, one line of JSON.
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
        return _refuse(words, *STOPPED, CODE)
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # what typer makes of one
            return _end_quietly()
        raise
    except KeyboardInterrupt:
        return _refuse(words, *STOPPED, 130)
    except Exception as error:
        return _refuse_error(words, error)
    return result


def _parse_and_run(words: list[str]) -> int:
    """Run the command that *words* name; return its exit code.  Raises what the command raises."""
    from ladder.cli.last_line import remember_commands
    from ladder.cli.old_spellings import renew
    from ladder.cli.options import note

    words = renew(words, lambda text: note(remember_commands(text)))
    from typer.exceptions import TyperException

    from ladder.cli.program import make_program

    try:
        result = make_program()(words, prog_name="ladder", standalone_mode=False)
        _warn_of_games()
    except TyperException as error:
        from ladder.cli.parse_errors import explain

        return _refuse(words, *explain(error, _command_of(words)), error.exit_code)
    except SystemExit as error:
        if error.code == CODE:  # of a session, which has put away what it had begun
            return _refuse(words, *STOPPED, CODE)
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


def _refuse(words: list[str], message: str, hint: str, code: int) -> int:
    """Print what went wrong, in one line of JSON where *words* ask for that; return *code*."""
    from ladder.cli.last_line import error_line, wants_json
    from ladder.cli.options import refuse

    if not wants_json(words):
        return refuse(message, hint, code)
    sys.stdout.flush()
    print(error_line(message, hint, code), file=sys.stderr)
    return code


def _refuse_error(words: list[str], error: Exception) -> int:
    """Report *error*; one that is unforeseen in one line, with the file that holds the details."""
    import logging

    from ladder.errors import REPORT, tell
    from ladder.machine.unexpected import summarize

    if told := tell(error):
        return _refuse(words, *told, getattr(error, "exit_code", 1))
    logging.getLogger(__name__).debug("what happened:", exc_info=error)
    hint = f"{REPORT}; the committed part of a run is kept"
    return _refuse(words, f"unexpected error: {summarize(error)}", hint, 1)


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
