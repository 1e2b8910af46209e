"""Whoever is refused by a lock is told which process holds it, also in the moments when that changes."""

import fcntl
import os
import threading

import pytest

from results.errors import HomeLocked
from results.storage.locking import await_lock

ENDED = 2**31 - 1
"""The number of a process that does not run: no system has so many."""


@pytest.fixture
def lock(tmp_path):
    return tmp_path / "lock"


@pytest.fixture
def held(lock):
    """Return the handle of a lock that was taken, but whose holder has not written yet who it is."""
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    fcntl.flock(handle, fcntl.LOCK_EX)
    yield handle
    os.close(handle)


@pytest.mark.parametrize("before", [False, True], ids=["a new file", "held before by a process that ended"])
def test_a_holder_is_waited_for_until_it_has_written_who_it_is(lock, held, before):
    if before:
        os.pwrite(held, b"%d\n" % ENDED, 0)
    writes = threading.Timer(0.2, lambda: (os.ftruncate(held, 0), os.pwrite(held, b"%d\n" % os.getpid(), 0)))
    writes.start()
    with pytest.raises(HomeLocked) as caught:
        await_lock(lock)
    writes.join()
    assert os.getpid() == caught.value.pid


def test_a_process_that_does_not_run_here_is_not_named(lock, held):
    os.pwrite(held, b"%d\n" % ENDED, 0)
    with pytest.raises(HomeLocked, match="another process is using") as caught:
        await_lock(lock)
    assert caught.value.pid is None
    assert "kill" not in str(caught.value.hint)
