"""What can go wrong with results.

ResultsError            anything below
├── DamagedResults      what is stored is not what was written
├── UnsoundResults      what is stored does not follow from itself
├── NewerFormat         the results were written by a newer ladder
├── HomeLocked          another process is writing to these results
├── DiskFailed          the disk refused to write
└── NoSuchMatch         no standing match has this number or name

Every message says what happened, `hint` what to do next; `exit_code` is what a command ends with.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

__all__ = [
    "DamagedResults",
    "DiskFailed",
    "HomeLocked",
    "NewerFormat",
    "NoSuchMatch",
    "ResultsError",
    "UnsoundResults",
]


class ResultsError(Exception):
    """Something about the results that the user has to know."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        """Say what happened, and in *hint* what to do next."""
        super().__init__(message)
        self.hint = hint


class DamagedResults(ResultsError):
    """What is stored is not what was written: nothing is read past it, nothing is guessed."""

    exit_code = 4

    def __init__(self, path: Path, what: str) -> None:
        """Name the damaged file at *path* and say *what* is wrong with it."""
        super().__init__(
            f"{path} is damaged: {what}",
            "restore this file from a backup; or ladder verify --repair, which says what is lost",
        )
        self.path = path
        self.what = what


class UnsoundResults(ResultsError):
    """Something is damaged, or does not follow from what it should follow from."""

    exit_code = 4


class NewerFormat(ResultsError):
    """The results were written by a newer ladder, whose files this one cannot judge."""

    exit_code = 4

    def __init__(self, path: Path, found: int, known: int) -> None:
        """Say that *path* asks for format *found* where this ladder reads up to *known*."""
        super().__init__(
            f"{path} is of format {found}, this ladder reads up to format {known}",
            "use the ladder that wrote it, or a newer one",
        )


class HomeLocked(ResultsError):
    """Another process is writing to these results: one run at a time."""

    exit_code = 7

    def __init__(self, path: Path, pid: int | None) -> None:
        """Name the process *pid* that holds the lock file at *path*."""
        who = f"process {pid}" if pid else "another process"
        stop = f", or stop it with: kill {pid}" if pid else ""
        super().__init__(f"{who} is at work on {path.parent}", f"wait until it is done{stop}")
        self.pid = pid


class DiskFailed(ResultsError):
    """The disk refused to write.  It is not asked again: the next start recovers all that was committed."""

    exit_code = 1

    def __init__(self, path: Path, error: OSError | str) -> None:
        """Say that writing below *path* ended in *error*."""
        super().__init__(
            f"could not write to {path}: {error}; what was committed is safe",
            "see to the disk, then type the same command again",
        )


class NoSuchMatch(ResultsError, LookupError):
    """No standing match has this number or name."""

    exit_code = 3

    def __init__(self, match: str) -> None:
        """Quote the *match* that was asked for."""
        super().__init__(f"there is no match {match!r}", "ladder matches")
