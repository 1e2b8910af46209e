"""The lock of a store: one process writes at a time, and whoever is refused is told which one that is."""

import fcntl
import os
import time
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path

from results.errors import HomeLocked

LOOK_SECONDS = 0.2
"""How often a lock that is waited for is tried."""
PATIENCE_S, LOOK_S = 60.0, 0.02
"""How long a writer waits for another one, which needs seconds at most, and how often it looks."""
OWNER_LOOKS, OWNER_LOOK_SECONDS = 20, 0.05
"""How often, and after how long each, a lock is read for the process that holds it."""
_SAY_LOCKED: ContextVar[Callable[[HomeLocked], object] | None] = ContextVar("say_locked", default=None)
"""The function that is called when a command waits for a lock; None: it does not wait."""


def wait_for_locks(say: Callable[[HomeLocked], object]) -> None:
    """Wait for locks from now on in this context, telling *say* once of each; else HomeLocked is raised."""
    _SAY_LOCKED.set(say)


def await_lock(path: Path, flags: int = os.O_RDWR | os.O_CREAT) -> int:
    """Lock the file at *path*, and wait for that if wanted; return the handle.  Raises HomeLocked."""
    say = _SAY_LOCKED.get()
    while True:
        try:
            return _lock(path, flags)
        except HomeLocked as locked:
            if say is None:
                raise
            say(locked)
        say = _say_nothing
        time.sleep(LOOK_SECONDS)


def await_briefly(path: Path) -> int:
    """Return the handle of the locked file at *path*.  Raises HomeLocked after some patience."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return await_lock(path)
        except HomeLocked:
            if time.monotonic() > until:
                raise
            time.sleep(LOOK_S)


def _say_nothing(locked: HomeLocked) -> None:
    """Say nothing more of a lock that was named before."""


def _lock(path: Path, flags: int) -> int:
    """Lock the file at *path*; return the handle, which holds the lock until closed.  Raises HomeLocked."""
    handle = os.open(path, flags, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if flags & os.O_CREAT:  # who only looks does not write who it is
            os.ftruncate(handle, 0)
            os.write(handle, b"%d\n" % os.getpid())
    except BlockingIOError:
        owner = _owner(handle)
        os.close(handle)
        raise HomeLocked(path, owner) from None
    except BaseException:
        os.close(handle)
        raise
    return handle


def _owner(handle: int) -> int | None:
    """Return the process that holds the lock of the open file *handle*; None if it is not of this machine.

    A process locks the file first and then writes who it is, so until it has done so the file is empty, or
    names the one that held the lock before.
    """
    for _ in range(OWNER_LOOKS):
        written = os.pread(handle, 20, 0).strip()
        if written.isdigit() and is_running(int(written)):
            return int(written)
        time.sleep(OWNER_LOOK_SECONDS)
    return None


def is_running(pid: int) -> bool:
    """Return whether a process of this machine has the number *pid*."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # of another user
        pass
    return True
