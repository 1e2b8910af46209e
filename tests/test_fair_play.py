"""What the referee watches besides the clock: what bots use, on whose time, and its own lateness."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from playing import bot, good, hall, lines_of

from ladder import referee, watch
from ladder.proc import waited_us
from protocol.messages import Limits
from results import record

LINUX = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="what a bot uses is told by /proc alone"
)


def only_fault(block: record.Block) -> record.Fault:
    (fault, *more) = block.faults
    assert all((fault.bot, fault.kind) == (other.bot, other.kind) for other in more)
    return fault


# --- what bots use


@LINUX
def test_who_takes_too_much_memory_loses_also_where_its_children_took_it() -> None:
    limits = Limits(start_ms=30_000, move_ms=30_000, bank_ms=0, memory_mb=120)
    hog = bot("hogs_memory_with_children", config={"memory_mb": 120})
    with hall(hog, good(), limits=limits) as play:
        (block,) = play.record(0)
    fault = only_fault(block)
    assert (hog.bot, "memory", True) == (fault.bot, fault.kind, fault.charged)
    assert "MB of memory in use, of 120 MB" in fault.reason


SHARING = {"memory_mb": 60, "children": 62}


@LINUX
def test_pages_that_its_processes_share_count_once() -> None:
    limits = Limits(start_ms=30_000, move_ms=30_000, bank_ms=0, memory_mb=300)
    thinker = bot("thinks", config={"ms": 300, "steps": [2, 3, 4, 5]})
    with hall(bot("shares_memory", config=SHARING), thinker, limits=limits) as play:
        (block,) = play.record(0)
        uses = [player.use for player in play.players if player.bot.bot == "shares_memory"]
    assert [] == block.faults
    assert [True, True] == [use is not None and use.memory_bytes > 60 * 62 << 20 for use in uses]


@LINUX
def test_memory_that_is_shared_no_longer_counts_for_each_process() -> None:
    limits = Limits(start_ms=30_000, move_ms=30_000, bank_ms=0, memory_mb=300)
    hog = bot("shares_memory", config={**SHARING, "children": 16, "unshares": True})
    with hall(hog, bot("thinks", config={"ms": 2_000, "steps": [3, 4, 5]}), limits=limits) as play:
        (block,) = play.record(0)
    fault = only_fault(block)
    assert ("shares_memory", "memory", True) == (fault.bot, fault.kind, fault.charged)
    assert "MB of memory in use, of 300 MB" in fault.reason


def test_who_writes_too_much_to_stderr_in_a_match_loses() -> None:
    limits = Limits(start_ms=30_000, move_ms=30_000, bank_ms=0, stderr_bytes=100_000)
    with hall(bot("floods_stderr"), good(), limits=limits) as play:
        (block,) = play.record(0)
    fault = only_fault(block)
    assert ("floods_stderr", "limit", True) == (fault.bot, fault.kind, fault.charged)
    assert "more than 100,000 bytes on stderr in a match" == fault.reason
    assert fault.stderr


@LINUX
def test_who_runs_too_many_threads_loses() -> None:
    limits = Limits(start_ms=30_000, move_ms=30_000, bank_ms=0, processes=20)
    with hall(bot("threads_much"), good(), limits=limits) as play:
        (block,) = play.record(0)
    fault = only_fault(block)
    assert ("threads_much", "limit") == (fault.bot, fault.kind)
    assert "processes and threads, of 20" in fault.reason


# --- on whose time


@LINUX
def test_cpu_time_is_told_by_decision_and_between_them() -> None:
    with hall(bot("ponders"), bot("thinks", config={"ms": 30, "steps": list(range(60))})) as play:
        match = play.matches(0)[0]
    ponders, thinks = sorted(match.seats, key=lambda seat: seat.bot)
    assert len(ponders.think_us) == len(ponders.busy_us)
    assert ponders.outside_us > 100_000 > thinks.outside_us


@LINUX
def test_the_cpu_time_of_a_match_is_told_unless_the_process_played_another_meanwhile() -> None:
    bots = [good(name, config={"ready": {"parallel": 4}}) for name in "ab"]
    with hall(*bots, in_progress=4) as play:
        alone = play.matches(0) + play.matches(1)
        together = play.matches(2, 3)
    assert all(0 <= seat.cpu_us < 10**7 for match in alone for seat in match.seats)
    assert any(seat.cpu_us for match in alone for seat in match.seats)
    assert {None} == {seat.cpu_us for match in together for seat in match.seats}


@LINUX
def test_a_process_that_ended_in_a_match_tells_no_cpu_time() -> None:
    with hall(bot("exits_0"), good()) as play:
        for match in play.matches(0):
            assert [None] == [seat.cpu_us for seat in match.seats if seat.fault]
            assert None not in [seat.cpu_us for seat in match.seats if not seat.fault]


@LINUX
@pytest.mark.parametrize(
    ("freeze", "stopped"), [("auto", [False, True]), ("on", [True, True]), ("off", [False] * 2)]
)
def test_who_computes_on_others_time_is_stopped_between_its_turns(
    freeze: str, stopped: list[bool], caplog: pytest.LogCaptureFixture
) -> None:
    thinker = bot("thinks", config={"ms": 30, "steps": list(range(60))})
    with hall(bot("ponders"), thinker) as play:
        play.rules = play.rules._replace(freeze=freeze)
        (block,) = play.record(0)
    for match, expected in zip(block.matches, stopped, strict=True):
        outside = next(seat.outside_us for seat in match.seats if seat.bot == "ponders")
        assert expected == (outside < 50_000), freeze
    assert [] == block.faults
    named = [message for message in caplog.messages if "computes on others' time" in message]
    assert (1 if freeze == "auto" else 0) == len(named)


@LINUX
def test_who_uses_far_more_cpu_time_than_its_turns_last_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "SPARE_US", 300_000)
    thinker = bot("thinks", config={"ms": 60, "steps": list(range(60))})
    with hall(bot("ponders"), thinker) as play:
        play.rules = play.rules._replace(freeze="off")
        (block,) = play.record(0)
    fault = only_fault(block)
    assert ("ponders", "limit") == (fault.bot, fault.kind)
    assert "s of CPU time in a match whose turns took" in fault.reason


# --- the referee's own lateness


class Late:
    """A poll that comes late once, by more than a whole clock."""

    def __init__(self) -> None:
        self._poll = _POLL()
        self.register, self.unregister = self._poll.register, self._poll.unregister
        self.polls = 0

    def poll(self, timeout: float) -> Any:
        self.polls += 1
        if self.polls == 12:
            time.sleep(1.0)
            return []
        return self._poll.poll(timeout)


_POLL = select.poll


def test_a_timeout_that_may_be_the_machines_is_played_again_and_that_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late: list[Late] = []

    def first_only() -> Any:
        if len(late) == 2:  # the first table's, and that of its handshake
            return _POLL()
        late.append(Late())
        return late[-1]

    monkeypatch.setattr(select, "poll", first_only)
    with hall(good("a"), good("b"), limits=Limits(30_000, 400, 0)) as play:
        blocks = play.record(0)
    (block,) = blocks
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    doubted = [fault for fault in block.faults if "the referee itself woke late" in fault.reason]
    assert doubted
    assert {("timeout", False)} == {(fault.kind, fault.charged) for fault in doubted}


def test_a_bot_that_is_silent_loses_though_the_referee_is_late_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LATE_NS", -(10**12))  # always late
    with hall(bot("silent"), good(), limits=Limits(30_000, 300, 0)) as play:
        (block,) = play.record(0)
    for number in (0, 1):
        first, second = [fault for fault in block.faults if fault.number == number]
        assert [("timeout", False), ("timeout", True)] == [(f.kind, f.charged) for f in (first, second)]
    assert {"timeout"} == {s.fault for match in block.matches for s in match.seats if s.bot == "silent"}


START = Limits(start_ms=300, move_ms=30_000, bank_ms=0)


def test_a_start_that_the_machine_may_have_delayed_is_made_again_and_that_stands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(watch, "LATE_NS", -(10**12))  # always late
    run = ("{python}", "-S", "starts_slowly.py", str(tmp_path / "begun"))
    with hall(bot("starts_slowly", run=run), good(), limits=START) as play:
        blocks = play.record(0, 1)
    assert {None} == {seat.fault for block in blocks for match in block.matches for seat in match.seats}
    (fault,) = [fault for block in blocks for fault in block.faults]
    assert ("starts_slowly", "start", False, 0, -1) == (
        fault.bot, fault.kind, fault.charged, fault.number, fault.step
    )  # fmt: skip
    assert fault.reason == (
        "no ready within 300 ms of its start; but the referee itself woke late, so the match is played again"
    )
    pids = {player.process.pid for player in play.players if player.process}
    assert 8 == len(pids), "the match again, the next one, the other lane: each has new processes for both"


def test_a_bot_that_is_never_ready_loses_though_the_referee_is_late_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watch, "LATE_NS", -(10**12))
    with hall(bot("never_ready"), good(), limits=START) as play:
        (block,) = play.record(0)
    for number in (0, 1):
        faults = [fault for fault in block.faults if fault.number == number]
        assert [("start", False), ("start", True)] == [(f.kind, f.charged) for f in faults]
    assert {"start"} == {s.fault for match in block.matches for s in match.seats if s.bot == "never_ready"}


@pytest.mark.parametrize(
    ("why", "late", "cpu_us", "waited_us"),
    [
        ("the referee itself woke late", True, 499, 0),
        ("the process waited for a core for 0.0 s", False, 499, 500),
        ("", False, 499, 499),
        ("", True, 500, 0),
        ("", True, 500, 1000),
    ],
)
def test_the_machine_is_to_blame_where_a_bot_hardly_ran_and_it_was_late_or_had_no_core(
    why: str, late: bool, cpu_us: int, waited_us: int
) -> None:
    assert why == watch.delay(late, cpu_us, waited_us, 1000)


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the kernel does not tell")
def test_how_long_a_process_waits_for_a_core_is_told() -> None:
    core = min(os.sched_getaffinity(0))
    spin = f"import os; os.sched_setaffinity(0, [{core}])\nwhile True: pass"
    processes = [
        subprocess.Popen([sys.executable, "-S", "-c", text])
        for text in (spin, spin, "import time; time.sleep(600)")
    ]
    try:
        one, other, sleeper = ([process.pid] for process in processes)
        deadline = time.monotonic() + 60
        while min(waited_us(one), waited_us(other)) < 300_000:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert waited_us(sleeper) < waited_us(one)
        assert waited_us([*sleeper, *one]) >= 300_000
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert 0 == waited_us([processes[0].pid])


# --- a second try


def test_an_illegal_move_is_asked_again_where_the_ladder_allows_it(tmp_path: Path) -> None:
    trier = bot("tries_again", config={"wrong": 2, "record": str(tmp_path)})
    with hall(trier, good()) as play:
        play.rules = play.rules._replace(retries=2)
        (block,) = play.record(0)
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    assert {("illegal", False)} == {(fault.kind, fault.charged) for fault in block.faults}
    acts = [m for lines in lines_of(tmp_path) for m in map(json.loads, lines) if m["type"] == "act"]
    first, again, once_more = acts[:3]
    assert "retry" not in first
    assert [1, 0] == [again["retry"]["left"], once_more["retry"]["left"]]
    assert "expected one of" in again["retry"]["reason"]
    assert 1 == len({(act["step"], act["seed"], act["match"]) for act in acts[:3]})
    assert 3 == len({act["id"] for act in acts[:3]})


def test_who_has_no_tries_left_loses() -> None:
    with hall(bot("tries_again", config={"wrong": 2}), good()) as play:
        play.rules = play.rules._replace(retries=1)
        (block,) = play.record(0)
    assert [False, True] == [fault.charged for fault in block.faults if fault.number == 0]
    assert {"illegal"} == {s.fault for match in block.matches for s in match.seats if s.bot == "tries_again"}


def test_of_many_tries_the_first_are_kept_with_all_details() -> None:
    with hall(bot("tries_again", config={"wrong": 50}), good()) as play:
        play.rules = play.rules._replace(retries=50)
        (block,) = play.record(0)
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    assert {referee.FORGIVEN_KEPT} == {
        len([f for f in block.faults if f.number == match.number]) for match in block.matches
    }


def test_a_retry_is_on_the_same_running_clock() -> None:
    trier = bot("tries_again", config={"wrong": 10**6})
    limits = Limits(start_ms=30_000, move_ms=300, bank_ms=0)
    with hall(trier, good(), limits=limits) as play:
        play.rules = play.rules._replace(retries=10**6)
        (block,) = play.record(0)
    assert {"timeout"} == {s.fault for match in block.matches for s in match.seats if s.bot == "tries_again"}
