"""Open what lies in an inbox, which may be anything, within limits of memory and time."""

import math
import multiprocessing
import resource
import signal
import tarfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from ladder.admission.claims import with_wanted_name
from ladder.admission.submission import Submission
from ladder.errors import RefusedBot, UsageProblem, of_the_bot
from ladder.home.home import Home
from ladder.registry.bot_archive import TARS, ZIP
from ladder.registry.file_kinds import open_regular

MEMORY_GB = 1
"""The most address space of a process while it opens an entry..."""
CPU_SECONDS = 60
"""...and the most CPU time."""


def look_at(home: Home, submission: Submission) -> Submission:
    """Return *submission* with the name that its bot asks for.  Raises RefusedBot if it cannot be opened."""
    path = submission.path
    with of_the_bot(path), _limits(path):
        if path.suffix.lower() == ".toml" and path.is_file() and not path.is_symlink():
            raise UsageProblem(f"{path} is not all of a bot", "put your bot into a folder of its own")
        return with_wanted_name(home, submission)


def is_archive(path: Path) -> bool:
    """Return whether *path* is called as an archive is."""
    return path.name.lower().endswith((ZIP, *TARS))


def is_whole(path: Path, most_mb: int) -> bool:
    """Return whether *path* is no archive, one that is not cut short, or one that is refused in any case."""
    if path.is_symlink() or not path.is_file() or not is_archive(path):
        return True
    try:
        with _limits(path), open_regular(path) as file:
            if path.name.lower().endswith(ZIP):
                return zipfile.is_zipfile(file)
            with tarfile.open(fileobj=file, mode="r:*") as archive:
                unpacked = 0
                for member in archive:
                    unpacked += member.size
                    if unpacked > most_mb << 20:
                        break
    except (UsageProblem, PermissionError):
        return True
    except (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile, ValueError):
        return False
    return True


@contextmanager
def _limits(path: Path) -> Iterator[None]:
    """Limit what opening *path* takes, if this is a process of a pool.  Raises RefusedBot for more."""
    if multiprocessing.parent_process() is None:
        yield
        return

    def refuse(what: str) -> NoReturn:
        told = f"{path} takes more than {what} to open"
        raise RefusedBot(told, "submit the bot alone, without data that it does not need") from None

    most = {
        resource.RLIMIT_AS: MEMORY_GB * 2**30,
        resource.RLIMIT_CPU: math.ceil(time.process_time()) + CPU_SECONDS,
    }
    before = {kind: resource.getrlimit(kind) for kind in most}
    # a lower limit than ours is of this machine, and says nothing of the entry
    ours = {kind: to for kind, to in most.items() if not 0 <= before[kind][0] <= to}
    handler = signal.signal(signal.SIGXCPU, lambda *_: refuse(f"{CPU_SECONDS} s of CPU time"))
    try:
        for kind, to in ours.items():
            resource.setrlimit(kind, (to, before[kind][1]))
        yield
    except MemoryError:
        if resource.RLIMIT_AS in ours:
            refuse(f"{MEMORY_GB} GB of memory")
        raise
    finally:
        for kind in ours:
            resource.setrlimit(kind, before[kind])
        signal.signal(signal.SIGXCPU, handler)
