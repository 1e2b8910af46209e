"""The errors that the ladder reports to its user, each with an exit code and a hint.

LadderError            exit code 1: the run, a bot or the machine failed
  UsageProblem         2: the command, a manifest or a settings file is wrong
    RefusedBot         2: a bot cannot be submitted, and its author may read less of that than the operator
  NotFound             3: there is no such bot, game or match
  TooBusy              8: the machine delayed the bots too much to judge them
  RunStopped           130 or 143: stopped on request; committed results stay, and the run can be resumed

The results package has a tree of its own (results/errors.py); both carry `exit_code` and `hint`.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

__all__ = [
    "FIRST_RUN",
    "LadderError",
    "NotFound",
    "RefusedBot",
    "RunStopped",
    "TooBusy",
    "UsageProblem",
    "first_of",
    "is_of_machine",
    "short",
    "suggest",
]

FIRST_RUN = "ladder run --games 1000"
"""What to type where there is nothing yet."""
LESS_LOAD = "end other programs, or wait until they have ended; then run the same command again"
"""What helps where the machine is too busy."""


class LadderError(Exception):
    """An error with a *hint*, which says what to type next."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageProblem(LadderError):
    """The command, a manifest or a settings file is wrong."""

    exit_code = 2


class RefusedBot(UsageProblem):
    """A bot cannot be submitted.

    *why* and *advice* are what its author may read in place of the message and the hint, which are for the
    operator: they may name other bots, and commands that only the operator types.
    """

    def __init__(self, message: str, hint: str, *, why: str, advice: str) -> None:
        super().__init__(message, hint)
        self.why = why
        self.advice = advice


class NotFound(LadderError):
    """There is no bot, game or match with that name."""

    exit_code = 3


class TooBusy(LadderError):
    """The machine delayed the bots of a match too much, in every attempt, so nothing is judged by it."""

    exit_code = 8

    def __init__(self, reason: str, hint: str = LESS_LOAD, *, judged: str = "") -> None:
        """*reason* says what was late, and how; *judged* what was to be judged."""
        super().__init__(f"{judged and judged + ' is not judged: '}this machine is too busy: {reason}", hint)
        self.reason = reason


OF_MACHINE = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
"""Errors of the system that no submission can cause."""


def is_of_machine(error: BaseException) -> bool:
    """Return whether *error* says that this machine lacks something, such as room on its disk."""
    return isinstance(error, OSError) and error.errno in OF_MACHINE


class RunStopped(LadderError):
    """The run was stopped on request and can be resumed."""

    def __init__(self, message: str, hint: str, exit_code: int) -> None:
        super().__init__(message, hint)
        self.exit_code = exit_code


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
