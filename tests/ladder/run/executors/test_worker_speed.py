"""Workers are compared at the games that each has played."""

from ladder.cli.worker import say_speeds
from ladder.contest.blocks import PlannedBlock
from ladder.run.executors.base import FinishedBlock, WorkerSpeed
from ladder.run.executors.worker_speed import WorkerSpeeds
from ladder.worker.worker_messages import Unplayed

SHORT, LONG = 0, 1
A, B = ("tcp://a:1", "a", 1), ("tcp://b:1", "b", 4)


def work(speeds, worker, contest, blocks, seconds):
    chunk = [PlannedBlock(number, 2 * number, contest, (0, 1)) for number in range(blocks)]
    speeds.add(worker, chunk, [FinishedBlock(block.number, b"") for block in chunk], seconds)


def test_a_worker_with_the_long_games_is_not_slow_for_that():
    speeds = WorkerSpeeds()
    work(speeds, A, SHORT, 10, 1.0)
    work(speeds, B, SHORT, 10, 1.0)
    work(speeds, B, LONG, 10, 50.0)
    assert [0.0, 0.0] == [speed.from_mean for speed in speeds.speeds()]


def test_a_slow_worker_is_first_and_says_how_far_it_is_from_the_mean():
    speeds = WorkerSpeeds()
    work(speeds, A, SHORT, 30, 1.0)
    work(speeds, B, SHORT, 10, 1.0)
    slow, fast = speeds.speeds()
    # 80 matches in 2 s of a process: 20 in 1 s are half of that, 60 in 1 s half as many again
    assert ("b", 20, 80.0, -0.5) == (slow.host, slow.matches, slow.per_s, slow.from_mean)
    assert ("a", 60, 60.0, 0.5) == (fast.host, fast.matches, fast.per_s, fast.from_mean)


def test_one_worker_alone_is_the_mean():
    speeds = WorkerSpeeds()
    work(speeds, A, SHORT, 30, 1.0)
    assert [None] == [speed.from_mean for speed in speeds.speeds()]


def test_what_a_machine_delays_is_counted_and_is_no_match():
    speeds = WorkerSpeeds()
    block = PlannedBlock(0, 0, SHORT, (0, 1))
    speeds.add(A, [block], [Unplayed(0, "late", ("x@1",), in_time=True)], 1.0)
    work(speeds, B, SHORT, 1, 1.0)
    late, _ = speeds.speeds()
    assert ("a", 0, 1) == (late.host, late.matches, late.delayed)


def test_of_many_workers_the_slowest_and_the_fastest_are_shown(capsys):
    say_speeds(
        [WorkerSpeed(f"tcp://w{i:03}:1", f"w{i:03}", 1, 10, 1.0, i / 100 - 0.5, 0) for i in range(100)]
    )
    lines = capsys.readouterr().err.splitlines()
    assert "workers, slowest first:" == lines[0]
    assert "   and 85 more" in lines
    shown = [line.split()[0] for line in lines if line.startswith("w0")]
    assert [*(f"w{i:03}" for i in range(10)), *(f"w{i:03}" for i in range(95, 100))] == shown
    assert "-50 %" in lines[3]
