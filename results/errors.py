"""Exceptions about results.

ResultsError            any of these
├── DamagedResults      a stored file is not as it was written
├── UnsoundResults      stored results contradict each other
├── NewerFormat         the results were written by a newer ladder
├── HomeLocked          another process is writing to these results
├── DiskFailed          the disk refused to write
├── NoSuchMatch         no standing match has this number or name
├── NoSuchSeason        no season has this name
├── SecretMatches       these matches are of a tournament that is secret
└── NoSuchUnrated       no duel, tournament or unrated run has this name

The message says what happened, `hint` says what to do next, `exit_code` is the command's exit status, `whose`
it is stands in ladder/errors.py.
"""

from collections.abc import Sequence
from errno import EACCES, EPERM, EROFS
from pathlib import Path
from typing import ClassVar, Literal


class ResultsError(Exception):
    """A problem with the results that the user must know about."""

    exit_code: ClassVar[int] = 1
    whose: ClassVar[Literal["caller", "machine"]] = "machine"

    def __init__(self, message: str, hint: str = "") -> None:
        """Take the *message* (what happened) and a *hint* (what to do next)."""
        super().__init__(message)
        self.hint = hint


class DamagedResults(ResultsError):
    """A stored file is not as it was written.  Reading stops there; nothing is guessed."""

    exit_code = 4

    def __init__(self, path: Path, what: str) -> None:
        """Take the *path* of the damaged file and *what* is wrong with it."""
        super().__init__(
            f"{path} is damaged: {what}",
            "restore this file from a backup; or ladder home verify --repair, which says what is lost",
        )
        self.path = path
        self.what = what


class UnsoundResults(ResultsError):
    """Stored results are damaged, or contradict each other."""

    exit_code = 4


class NewerFormat(ResultsError):
    """The results were written by a newer ladder, in a format that this one cannot read."""

    exit_code = 4
    whose = "caller"

    def __init__(self, path: Path, found: int, known: int) -> None:
        """Take the *path*, its format *found* and the newest format *known* to this ladder."""
        super().__init__(
            f"{path} has format {found}, but this ladder reads only up to format {known}",
            "use the ladder that wrote it, or a newer one",
        )


class HomeLocked(ResultsError):
    """Another process is writing to these results: one run at a time."""

    exit_code = 7
    whose = "caller"

    def __init__(self, path: Path, pid: int | None) -> None:
        """Take the *path* of the lock file and the *pid* of the process that holds it, if known."""
        who = f"process {pid}" if pid else "another process"
        stop = f", or stop it with: kill {pid}" if pid else ""
        super().__init__(f"{who} is using {path.parent}", f"wait until it is done{stop}")
        self.pid = pid


class DiskFailed(ResultsError):
    """The disk failed to write.  Writes are never retried; the next start recovers all committed results."""

    def __init__(self, path: Path, error: OSError | str) -> None:
        """Take the *path* and the *error* that a write below it ended in."""
        self.may_not_write = isinstance(error, OSError) and error.errno in (EACCES, EPERM, EROFS)
        """Whether this user may write nothing there."""
        super().__init__(
            f"could not write to {path}: {error}; what was committed is safe",
            "run it as a user that may write there"
            if self.may_not_write
            else "check the disk, then run the same command again",
        )


class NoSuchUnrated(ResultsError):
    """No duel, no tournament and no unrated run has this name."""

    exit_code = 3
    whose = "caller"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        """Take the *name* that was asked for, and all that are *known*."""
        listed = f"ladder duel, which lists them: {', '.join(known[-10:])}"
        hint = listed if known else "ladder duel NEW OLD, which makes the first"
        super().__init__(f"there is no duel, no tournament and no unrated run {name!r}", hint)


class SecretMatches(ResultsError):
    """These matches are of a tournament that is secret until it is revealed."""

    exit_code = 3
    whose = "caller"

    def __init__(self, tournament: str) -> None:
        """Take the name of the *tournament*."""
        what = f"tournament {tournament} is secret until it is revealed"
        super().__init__(what, f"ladder tournament reveal {tournament}")


class NoSuchSeason(ResultsError):
    """No season has this name."""

    exit_code = 3
    whose = "caller"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        """Take the *name* that was asked for, and all that are *known*."""
        super().__init__(f"there is no season {name!r}", f"there are: {', '.join(known[-10:])}")


class NoSuchMatch(ResultsError, LookupError):
    """No standing match has this number or name."""

    exit_code = 3
    whose = "caller"

    def __init__(self, match: str) -> None:
        """Take the *match* that was asked for."""
        super().__init__(f"there is no match {match!r}", "ladder matches")
