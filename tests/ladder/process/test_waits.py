"""How long processes wait for a core: what the kernel tells, and what it does not tell yet."""

import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.commands import process_group

from ladder.process.procfs import Running
from ladder.process.waits import Waits, own_wait_us

MS = 1_000_000
NICE = os.getpriority(os.PRIO_PROCESS, 0)
ASLEEP = Running(ready=False, nice=NICE, idle=False, ran_ns=0, waited_ns=0, turns=1)
READY = ASLEEP._replace(ready=True)


class Told:
    """Waits on threads that a test describes, (process, thread) by (process, thread)."""

    def __init__(self):
        self.now_ms = 0
        self.threads: dict[tuple[int, int], Running] = {}
        self.waits = Waits(
            lambda pid, thread: self.threads.get((pid, thread)),
            lambda: self.now_ms * MS,
            lambda pid: [thread for process, thread in self.threads if process == pid],
        )

    def after(self, ms, **threads):
        """Let *ms* pass and read the *threads*, called p1t2 and so on; return the milliseconds waited."""
        self.now_ms += ms
        self.threads = {(int(key[1]), int(key[3])): running for key, running in threads.items()}
        return self.waits.read_us(sorted({pid for pid, _ in self.threads})) // 1000


def waited(ms, turns=1, ready=True):
    return ASLEEP._replace(ready=ready, waited_ns=ms * MS, turns=turns)


def test_waits_that_have_ended_are_counted_as_the_kernel_counts_them():
    told = Told()
    assert 0 == told.after(50, p1t1=waited(0))
    assert 30 == told.after(50, p1t1=waited(30, turns=2))
    assert 30 == told.after(50, p1t1=waited(30, turns=3, ready=False))
    assert 70 == told.after(50, p1t1=waited(70, turns=4))


def test_a_wait_that_has_not_ended_is_counted_from_the_second_reading_on_and_once():
    told = Told()
    assert 0 == told.after(50, p1t1=READY)
    assert 50 == told.after(50, p1t1=READY)
    assert 1050 == told.after(1000, p1t1=READY)
    assert 1080 == told.after(30, p1t1=waited(1080, turns=2)), "now the kernel counts it"
    assert 1080 == told.after(50, p1t1=waited(1080, turns=3, ready=False))


def test_threads_and_processes_that_wait_together_wait_once():
    told = Told()
    told.after(50, p1t1=READY, p1t2=READY, p2t3=READY)
    assert 50 == told.after(50, p1t1=READY, p1t2=READY, p2t3=READY)


def test_threads_that_wait_one_after_another_all_count():
    told = Told()
    told.after(50, p1t1=READY, p1t2=ASLEEP)
    told.after(50, p1t1=READY, p1t2=ASLEEP)
    assert 100 == told.after(50, p1t1=waited(50, turns=2, ready=False), p1t2=waited(50, turns=2))


def test_no_more_is_counted_than_the_time_that_passed():
    told = Told()
    told.after(100, p1t1=ASLEEP, p1t2=ASLEEP)
    told.after(50, p1t1=waited(150, turns=2), p1t2=ASLEEP)
    assert 200 == told.after(50, p1t1=waited(150, turns=2, ready=False), p1t2=waited(200, turns=2))


@pytest.mark.parametrize("thread", [ASLEEP, READY._replace(nice=NICE + 1), READY._replace(idle=True)])
def test_a_thread_that_sleeps_or_has_lowered_its_own_priority_does_not_wait(thread):
    told = Told()
    assert [0, 0, 0] == [told.after(50, p1t1=ASLEEP, p1t2=thread) for _ in range(3)]


def test_processes_that_end_between_two_readings_are_counted():
    told = Told()
    told.after(50, p1t1=READY, p2t2=READY)
    assert 0 == told.waits.gone
    told.after(50, p1t1=READY, p3t3=READY)
    told.after(50, p1t1=READY)
    assert 2 == told.waits.gone


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the kernel does not tell")
def test_how_long_a_process_waits_for_a_core_is_told():
    core = min(os.sched_getaffinity(0))
    spin = f"import os; os.sched_setaffinity(0, [{core}])\nwhile True: pass"
    starved = f"import os; os.sched_setaffinity(0, [{core}]); os.nice(4)\nwhile True: pass"
    with ExitStack() as stack:
        pids = [
            [stack.enter_context(process_group([sys.executable, "-S", "-c", text])).pid]
            for text in (spin, spin, "import time; time.sleep(600)", starved)
        ]
        waits = [Waits() for _ in pids]
        deadline = time.monotonic() + 300
        found = [0, 0]
        while min(found[:2]) < 300_000:
            assert time.monotonic() < deadline
            time.sleep(0.05)
            found = [wait.read_us(pid) for wait, pid in zip(waits, pids, strict=True)]
        assert found[2] < min(found[:2])
        assert found[3] < min(found[:2]), "it has lowered its priority: what it waits is its own doing"
    assert 0 <= own_wait_us() < 10**12
