"""Logging across processes: what workers log arrives, whole, whatever becomes of them."""

import errno
import logging
import multiprocessing
import os
import signal
import time

import pytest

from ladder.errors import LadderError
from ladder.machine.logs import WorkerLog, log_to

pytestmark = pytest.mark.process


class Spawned(logging.Handler):
    """Keeps what it is handed."""

    def __init__(self):
        super().__init__()
        self.said = []
        self.closed = 0

    def emit(self, record):
        self.said.append(self.format(record))

    def close(self):
        self.closed += 1
        super().close()


def chatter(queue, name, count, end, level=logging.INFO):
    """Log *count* lines, then end as told."""
    log_to(queue, level)
    log = logging.getLogger("chatter")
    for number in range(count):
        log.info("%s %d", name, number)
    log.debug("too much detail")
    try:
        raise KeyError(name)
    except KeyError:
        log.exception("%s has failed", name)
    if end == "killed":
        time.sleep(0.3)  # the queue's thread sends what it has
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def kept():
    handler = Spawned()
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    return handler


def log_of(kept, *chatters, method="spawn"):
    """Let a worker log for each of *chatters*, what `chatter` is given; return their exit codes."""
    context = multiprocessing.get_context(method)
    receivers = [WorkerLog(kept, context) for _ in chatters]
    workers = [
        context.Process(target=chatter, args=(receiver.queue, *told))
        for receiver, told in zip(receivers, chatters, strict=True)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for thread in [receiver.close_later() for receiver in receivers]:
        thread.join(300)
    return [worker.exitcode for worker in workers]


@pytest.mark.parametrize(("method", "end"), [("spawn", "itself"), ("forkserver", "killed")])
def test_all_lines_of_a_worker_arrive_in_order(kept, method, end):
    codes = log_of(kept, ("a", 200, end), method=method)
    assert [-signal.SIGKILL if end == "killed" else 0] == codes
    lines = [line for line in kept.said if line.startswith("INFO chatter: a ")]
    assert [f"INFO chatter: a {number}" for number in range(200)] == lines
    assert kept.said[200].startswith("ERROR chatter: a has failed\nTraceback")
    assert "KeyError: 'a'" in kept.said[200]
    assert 201 == len(kept.said)


def test_a_killed_worker_takes_no_line_of_another_with_it(kept):
    log_of(kept, ("a", 100, "itself"), ("b", 100, "killed"), ("c", 100, "itself"))
    for name in ("a", "c"):
        own = [line for line in kept.said if f": {name} " in line and line.startswith("INFO")]
        assert [f"INFO chatter: {name} {number}" for number in range(100)] == own


def test_the_handlers_own_level_filters_and_formatter_hold(kept):
    kept.setLevel(logging.ERROR)
    kept.addFilter(lambda record: "failed" in record.getMessage())
    log_of(kept, ("a", 3, "itself"))
    assert all("a has failed" in line for line in kept.said)
    assert 1 == len(kept.said)


def test_the_real_handler_stays_open_and_as_it_was(kept):
    formatter = kept.formatter
    receiver = WorkerLog(kept, multiprocessing.get_context("spawn"))
    receiver.close_later().join(300)
    assert 0 == kept.closed
    assert formatter is kept.formatter


@pytest.mark.parametrize(
    ("number", "error", "said"),
    [
        (errno.ENOENT, LadderError, r"^workers need /dev/shm: .* No such file"),
        (errno.EMFILE, OSError, "Too many open files"),
    ],
)
def test_a_machine_without_shared_memory_is_told_what_workers_need(kept, monkeypatch, number, error, said):
    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", refuse)
    with pytest.raises(error, match=said) as caught:
        WorkerLog(kept, multiprocessing.get_context("spawn"))
    assert "mount -t tmpfs tmpfs /dev/shm" == getattr(caught.value, "hint", "mount -t tmpfs tmpfs /dev/shm")
