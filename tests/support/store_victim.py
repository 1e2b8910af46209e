"""A program that lives the life of tests/support/store_life.py again and again, to be run under strace.

    python -m support.store_victim FOLDER CALL/STEP...

For N = 1, 1 + STEP, ... a process of its own works in FOLDER/CALL-N, until one comes to its end. strace
strikes at the LAST call of that name: calls made for nothing see to it that this is the Nth of the store.
What a process has been told to be safe is in FOLDER/CALL-N.told, one JSON a line; its last words are in
FOLDER/CALL-N.err, and in FOLDER/CALL-N.status what it ended with.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import results.storage.schema  # noqa: F401  # loaded once: each process is a fork, and quick
from results.errors import ResultsError
from results.storage.store import Store
from support.store_life import Fact, play

LAST = 50
"""The call of every name that strace strikes at."""


class Told(set[Fact]):
    """A set that is written to a file as it grows, by a call that strace leaves alone."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._handle = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def add(self, fact: Fact) -> None:
        self |= {fact}

    def __ior__(self, facts: Iterable[Fact]) -> Told:  # type: ignore[override, misc]
        self.update(facts)
        os.writev(self._handle, [json.dumps(fact).encode() + b"\n" for fact in facts] or [b""])
        return self


def waste(call: str, times: int, scratch: Path) -> None:
    """Make *call* so many times."""
    handle = os.open(scratch, os.O_CREAT | os.O_RDWR)
    other = scratch.with_suffix(".other")
    once = {
        "fsync": lambda: os.fsync(handle),
        "write": lambda: os.write(handle, b"."),
        "rename": lambda: scratch.rename(scratch),
        "link": lambda: os.link(scratch, other),
        "unlink": lambda: os.unlink(other),  # noqa: PTH108  # no Path method asks the system when the name is gone
    }[call]
    for _ in range(times):
        with suppress(FileExistsError, FileNotFoundError):
            once()


def live(folder: Path, call: str, number: int) -> int:
    """Be the process at whose call with this *number* strace strikes; return its exit code."""
    name = f"{call}-{number}"
    os.dup2(os.open(folder / f"{name}.err", os.O_CREAT | os.O_WRONLY), 2)
    waste(call, LAST - number, folder / f"{name}.scratch")
    try:
        play(Store(folder / name / "results"), Told(folder / f"{name}.told"))
    except ResultsError as error:
        os.writev(2, [f"{error}\n  next: {error.hint}\n".encode()])
        return error.exit_code
    return 0


def main(folder: Path, *calls: str) -> None:
    for call, _, step in (each.partition("/") for each in calls):
        for number in range(1, LAST, int(step)):
            (folder / f"{call}-{number}").mkdir()
            if not (pid := os.fork()):
                os._exit(live(folder, call, number))
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            end = os.open(folder / f"{call}-{number}.status", os.O_CREAT | os.O_WRONLY)
            os.writev(end, [str(status).encode()])  # strace counts our writes, too
            os.close(end)
            if status == 0:
                break


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
