"""One thread watches the bots of many tables, and rings for those whose bots have run."""

import os
import select
import time
from types import SimpleNamespace

import pytest

from ladder.process.link import SYSTEM_CLOCK
from ladder.process.patience import LATE_NS
from ladder.referee.limits import LOOK_NS
from ladder.referee.watch import Bell, Watch


@pytest.fixture
def watching():
    begun = []

    def watch(look_beside=lambda: None, clock=SYSTEM_CLOCK):
        begun.append(Watch(look_beside, clock))
        return begun[-1]

    yield watch
    for each in begun:
        each.close()


def rings(bell, seconds):
    return bool(select.select([bell.fd], [], [], seconds)[0])


def player(*, has_run, lost=False, weighed=False):
    weighing = SimpleNamespace(is_under_way=weighed)
    return SimpleNamespace(process=SimpleNamespace(has_run=has_run), lost=lost, weighing=weighing)


def test_it_rings_for_a_table_whose_bot_has_run_and_for_no_other(watching):
    watch = watching()
    with Bell() as busy, Bell() as quiet, Bell() as ended:
        runs, waits, lost = player(has_run=True), player(has_run=False), player(has_run=True, lost=True)
        gone = SimpleNamespace(process=None, lost=False)
        with (
            watch.watching([waits, runs], busy),
            watch.watching([waits, waits], quiet),
            watch.watching([lost, gone], ended),
        ):
            assert rings(busy, 10)
            busy.hear()
            assert rings(busy, 10), "as long as it runs"
            assert not rings(quiet, 0)
            assert not rings(ended, 0)
        busy.hear()
        time.sleep(3 * LOOK_NS / 1e9)
        assert not rings(busy, 0), "its table has ended"


def test_it_rings_while_the_memory_of_a_bot_is_read_in_parts_although_the_bot_sleeps(watching):
    with Bell() as bell, watching().watching([player(has_run=False, weighed=True)], bell):
        assert rings(bell, 10)


def test_a_bell_that_is_closed_writes_to_nobody():
    with Bell() as bell:
        number = bell._other_end
    here, there = os.pipe()
    try:
        os.dup2(there, number)  # its number belongs to a bot by now
        bell.ring()
        assert not select.select([here], [], [], 0)[0]
    finally:
        for fd in {here, there, number}:
            os.close(fd)


def test_bots_at_no_table_are_looked_at_and_what_that_raises_is_kept(watching):
    looks = []

    def look():
        looks.append(1)
        if len(looks) == 3:
            raise ValueError("no spawner")

    watch = watching(look)
    watch._runner.join(10)
    assert "no spawner" == str(watch.failure)
    assert 3 == len(looks)


class Machine:
    """A clock that a test sets, and the time for which the watch had no core."""

    def __init__(self):
        self.now_ns, self.waited_us = 0, 0
        self.clock = SYSTEM_CLOCK._replace(now=lambda: self.now_ns, waited_us=lambda: self.waited_us)


def until(holds):
    end = time.monotonic() + 10
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    assert holds()


@pytest.mark.parametrize(("waited_s", "stood_s"), [(0, 5), (2, 3)])
def test_a_look_that_comes_late_tells_how_long_the_machine_stood_still(watching, waited_s, stood_s):
    machine, looks = Machine(), []
    watch = watching(lambda: looks.append(machine.now_ns), machine.clock)
    machine.now_ns += LOOK_NS
    until(lambda: looks)
    assert 0 == watch.stood_still_ns()
    machine.waited_us += waited_s * 1_000_000
    machine.now_ns += LOOK_NS + 5_000_000_000
    until(lambda: stood_s * 1_000_000_000 == watch.stood_still_ns())


def test_a_table_that_wakes_first_from_a_standstill_knows_of_it(watching):
    machine = Machine()
    watch = watching(clock=machine.clock)
    watch.close()
    machine.now_ns += LOOK_NS + LATE_NS
    assert 0 == watch.stood_still_ns()
    machine.now_ns += 1
    assert LATE_NS + 1 == watch.stood_still_ns()
