"""What other programs use of the cores, by times that are made up."""

import os
from pathlib import Path

import pytest

from ladder.process.other_load import CoreTimes, OtherLoad, count_busy_ticks
from ladder.process.procfs import cpu_us

STAT = """\
cpu  60 6 30 900 10 3 1 7 5 0
cpu0 10 1 5 450 5 1 0 3 5 0
cpu1 50 5 25 450 5 2 1 4 0 0
cpu10 9 9 9 9 9 9 9 9 9 9
intr 5 5
"""


IDLE, BUSY = CoreTimes(0, 0), CoreTimes(90_000_000, 0)


@pytest.mark.parametrize(
    ("told", "seen"),
    [
        ([None, 0.0], [(0, IDLE), (5, CoreTimes(10_000_000, 10_000_000))]),
        ([None, 0.6], [(0, CoreTimes(7, 5)), (5, CoreTimes(10_000_007, 4_000_005))]),
        ([None, None], [(0, IDLE), (60, BUSY)]),
        ([None, None, None], [(0, None), (3, BUSY), (6, None)]),
        (
            [None, 0.0, 1.0],
            [(0, IDLE), (2, CoreTimes(1_000_000, 1_030_000)), (4, CoreTimes(9_000_000, 1_030_000))],
        ),
    ],
    ids=["all is of this run", "others work", "too long ago", "unknown", "0 to 1, though ticks are coarse"],
)
def test_what_others_work_is_theirs(told, seen):
    """Looks at these times, in seconds, find these CPU times."""
    at = iter([seconds for seconds, _ in seen])
    found = iter([times for _, times in seen])
    load = OtherLoad(lambda: next(found), 2, lambda: next(at))
    assert told == [load.look() for _ in seen]


def test_between_two_measurements_the_last_one_stands():
    found = iter([CoreTimes(0, 0), CoreTimes(4_000_000, 3_000_000)])
    at = iter([0.0, 1.0, 2.0, 2.5])
    load = OtherLoad(lambda: next(found), 2, lambda: next(at))
    assert [None, None, 0.25, 0.25] == [load.look() for _ in range(4)]


def test_only_cores_that_may_be_used_count_and_only_their_work():
    assert 17 == count_busy_ticks(STAT, [0])
    assert 100 == count_busy_ticks(STAT, [0, 1])


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
def test_the_times_of_processes_are_read():
    assert cpu_us([os.getpid()]) > 0
    assert 0 == cpu_us([2**22 + 1])
    load = OtherLoad()
    assert load.look() is None
