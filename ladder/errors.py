"""The errors that the ladder reports to its user, each with an exit code and a hint, and whose they are.

LadderError            exit code 1: the run or the machine failed
  UsageProblem         2: the command or a settings file is wrong
    RefusedBot         2: a bot cannot be submitted, and its author may read less of that than the operator
  NotFound             3: there is no such bot, game or match
  TooBusy              8: the machine delayed the bots too much to judge them
  RunStopped           130 or 143: stopped on request; committed results stay, and the run can be resumed

The results package has a tree of its own (results/errors.py); both carry `exit_code`, `hint` and `whose`.

`whose` sorts every failure, these and all others; nothing else looks at the class of an error to decide who
bears it.  Only what was raised as the bot's refuses a bot: what is unforeseen is the ladder's own.
(Faults in matches are sorted by ladder.referee.attribution.)
"""

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from protocol.faults import ABSENT, LOST, NO_SERVER, NO_SERVICE

Whose: TypeAlias = Literal["bot", "caller", "machine", "game", "ladder"]
"""Whose a failure is:

bot      its manifest, files, build or program: its author mends it
caller   the command, the settings, or a wrong type in the Python API
machine  delays, room, memory, threads, rights: nothing is judged by it, and it is tried again
game     what came through the package of another game
ladder   all else: an unforeseen error, whose details are for the authors of the ladder
"""
WHOSE: tuple[Whose, ...] = get_args(Whose)

FIRST_RUN = "ladder run --games 1000"
"""What to type where there is nothing yet."""
REPORT = "send that file to the authors of the ladder"
"""What helps against an unforeseen error, whose details are in a file."""
LESS_LOAD = "end other programs, or wait until they have ended; then run the same command again"
"""What helps where the machine is too busy."""
NO_START = "this machine let no bot start: "
"""What a reason that is no delay says; others are NO_SERVICE, ABSENT, LOST and NO_SERVER."""
SEE_WHAT_LACKS = "ladder doctor, which shows what is missing; then the same command again"


class LadderError(Exception):
    """An error with a *hint*, which says what to type next."""

    exit_code = 1
    whose: Whose = "machine"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageProblem(LadderError):
    """The command, a manifest or a settings file is wrong."""

    exit_code = 2
    whose: Whose = "caller"


class RefusedBot(UsageProblem):
    """A bot cannot be submitted.

    *why* and *advice* are what its author may read in place of the message and the hint, which are for the
    operator: they may name other bots, and commands that only the operator types.
    """

    whose: Whose = "bot"

    def __init__(
        self, message: str, hint: str, *, why: str = "", advice: str = "", exit_code: int = 2
    ) -> None:
        super().__init__(message, hint)
        self._why = why
        self._advice = advice
        self.exit_code = exit_code

    @property
    def why(self) -> str:
        """What its author may read of the message."""
        return self._why or str(self)

    @property
    def advice(self) -> str:
        """What its author may read of the hint."""
        return self._advice or self.hint


class NotFound(LadderError):
    """There is no bot, game or match with that name."""

    exit_code = 3
    whose: Whose = "caller"


class TooBusy(LadderError):
    """What a bot runs on failed it too often, the machine or its own service: nothing is judged by that."""

    exit_code = 8

    def __init__(self, reason: str, hint: str = "", *, judged: str = "") -> None:
        """*reason* says what was late, and how; or NO_START, or what the connection lacks.

        *judged* is what was to be judged.
        """
        again = "type the same command when {} is back".format
        gone = {NO_SERVICE: "its service", ABSENT: "it", LOST: "its client", NO_SERVER: "ladder serve"}
        hints = {NO_START: SEE_WHAT_LACKS} | {why: again(who) for why, who in gone.items()}
        better = next((hints[why] for why in hints if why in reason), "")
        what = reason if better else f"this machine is too busy: {reason}"
        hint = hint or better or LESS_LOAD
        super().__init__(f"{judged} is not judged: {what}" if judged else what, hint)
        self.reason = reason


class RunStopped(LadderError):
    """The run was stopped on request and can be resumed."""

    whose: Whose = "caller"

    def __init__(self, message: str, hint: str, exit_code: int) -> None:
        super().__init__(message, hint)
        self.exit_code = exit_code


class Told(LadderError):
    """An error of another process, or of the results, which has told what it said and whose it is."""

    def __init__(self, message: str, hint: str, whose: Whose, exit_code: int) -> None:
        super().__init__(message, hint)
        self.whose = whose
        self.exit_code = exit_code


# -- whose they are

OF_MACHINE = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EAGAIN}
"""Errors of the system that the files of no bot can cause."""
NO_THREAD = "can't start new thread"
"""How Python says that this user may start no more of them; that is a RuntimeError like any other."""


def whose(error: BaseException) -> Whose:
    """Return whose *error* is; also one in the sorting itself, such as a property that fails, is sorted."""
    try:
        # errors of results carry the same word, and no import of theirs is needed
        named = getattr(error, "whose", None)
        if known := [each for each in WHOSE if each == named]:
            return known[0]
        if of_game(error):
            return "game"
        of_machine = isinstance(error, MemoryError | OSError) or str(error).startswith(NO_THREAD)
    except Exception:
        return "ladder"
    return "machine" if of_machine else "ladder"


@contextmanager
def of_the_bot(*files: Path) -> Iterator[None]:
    """Raise as the bot's a UsageProblem, and an OSError that names one of *files*, or a file below one."""
    try:
        yield
    except RefusedBot:
        raise
    except UsageProblem as error:
        raise RefusedBot(str(error), error.hint) from error.__cause__
    except OSError as error:
        named = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else None
        of_file = named and any(named.is_relative_to(file) for file in files)
        # a name that is too long for the system comes from the submission, whatever file it would have become
        if error.errno in OF_MACHINE or not (of_file or error.errno == errno.ENAMETOOLONG):
            raise
        shown = named and Path(named.parent if of_file else "", short(named.name, 200))
        what = f"{shown} cannot be read: {error.strerror}"
        correct = "let its group read it (chmod -R g+rX)" if error.errno == errno.EACCES else "correct that"
        raise RefusedBot(what, f"{correct} and submit again", exit_code=1) from None


def of_game(error: BaseException, game: str = "", what: str = "") -> Told | None:
    """Return *error* as that of *game*, or of a game of another package, if it came through its modules."""
    loaded = sys.modules.get("engines.games")  # a command that asks no game loads none
    if not loaded or not (game := game or loaded.GAMES.trace(error)):
        return None
    package = printable(loaded.GAMES.package(game))
    hint = "tell its authors; install another version, or remove it: pip uninstall"
    return Told(
        f"the game {game!r}{package and f' of {package}'} has failed{what or f': {describe(error)}'}",
        f"{hint} {package.partition(' ')[0] or 'its package'}",
        "game",
        1,
    )


def tell(error: BaseException) -> tuple[str, str] | None:
    """Return what a user may read of *error*, and a hint; None if only the details help: it is unforeseen."""
    if isinstance(hint := getattr(error, "hint", None), str):
        return str(error), hint
    if told := of_game(error):
        return str(told), told.hint
    if whose(error) != "machine":
        return None
    if isinstance(error, MemoryError):
        return "there is not enough memory", "free some memory, then run the same command again"
    if not isinstance(error, OSError) or error.errno == errno.EAGAIN:
        return (
            "this user may start no more threads or processes",
            "end other programs, or raise the limit (ulimit -u, ulimit -v), then run the same command again",
        )
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return str(error), "make room on the disk, then run the same command again"
    return str(error), "check the file or the disk, then run the same command again"


def describe(error: BaseException) -> str:
    """Return what *error* is in one line; also one that fails to say it."""
    try:
        return f"{type(error).__name__}: {printable(short(' '.join(str(error).split()), 300))}"
    except Exception:
        return type(error).__name__


def short(text: str, most: int = 80) -> str:
    """Return *text* if it has at most *most* characters, else its beginning and its end."""
    if len(text) <= most:
        return text
    end = (most - 5) // 3
    return f"{text[: most - 5 - end]} ... {text[-end:]}"


def first_of(words: Sequence[str], most: int) -> str:
    """Return the first *most* of *words* in a list, and how many more there are."""
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def printable(text: str) -> str:
    """Return *text* on one line with non-printable characters escaped, so it cannot command a terminal."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def suggest(word: str, known: Iterable[str]) -> str:
    """Return " (did you mean 'x'?)" if a word in *known* is close to *word*, else ""."""
    close = get_close_matches(short(word), list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
