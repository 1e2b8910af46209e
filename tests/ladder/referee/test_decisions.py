"""What an ordinary decision costs, in calls of the system: counted on scripted bots."""

import gc
import os
import select
import weakref
from collections import Counter
from contextlib import contextmanager

import pytest
from support.scripted import ScriptedBot, ScriptedPoll, Spend, Timeline
from support.scripts import (
    SCRIPTS,
    Manners,
    at_first,
    play_blocks,
    play_matches,
    say,
    stage,
)
from support.seating import bot, good, seat_of

from ladder.process.link import SYSTEM_CLOCK
from protocol.messages import Limits

CALLS = ("send", "receive", "cpu_us", "waited_us", "use")


@contextmanager
def counted():
    """Yield the number of calls of scripted bots, and of waits, so far."""
    calls: Counter[str] = Counter()

    def counting(name, method):
        def call(*args):
            calls[name] += 1
            return method(*args)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(ScriptedBot, name, counting(name, getattr(ScriptedBot, name)))
        patch.setattr(ScriptedPoll, "poll", counting("wait", ScriptedPoll.poll))
        yield calls


def cost_of(matches, *bots, **changes):
    """Return the calls of a table after its first block, and its decisions and matches."""
    with stage(*bots, **changes) as play:
        play.matches(0)
        with counted() as calls:
            played = play.matches(*range(1, 1 + matches // 2))
    return calls, sum(seat.decisions for match in played for seat in match.seats), played


def test_an_ordinary_decision_is_one_write_one_wait_one_read_and_one_cpu_clock():
    calls, decisions, matches = cost_of(8, good("a"), good("b"))
    others = 2 * len(matches)  # beside decisions: both seats hear each end, some with the next start
    assert decisions > 300
    for name in ("send", "receive", "wait"):
        assert decisions - others <= calls[name] <= decisions + others, name
    assert decisions <= calls["cpu_us"] <= decisions + 4 * others
    assert calls["use"] + calls["waited_us"] <= 4 * others


def test_with_many_matches_in_progress_they_share_writes_waits_and_reads():
    many = {"ready": {"parallel": 8}}
    calls, decisions, _ = cost_of(16, good("a", config=many), good("b", config=many), in_progress=8)
    assert 3 * calls["send"] < decisions
    assert 3 * calls["wait"] < decisions
    assert 3 * calls["receive"] < decisions
    assert calls["cpu_us"] < decisions / 4, "no clock tells which match the time was for"


class SpendsAfterwards(Manners):
    """Uses CPU time right after each answer, while the other decides."""

    def act(self, act):
        yield from super().act(act)
        yield Spend(cpu_us=50, after_ms=0.05)


@pytest.fixture
def waits(monkeypatch):
    """Return how long the referee is ready to wait, wait after wait."""
    found: list[float] = []
    poll = ScriptedPoll.poll

    def noting(waiter, timeout):
        found.append(timeout)
        return poll(waiter, timeout)

    monkeypatch.setattr(ScriptedPoll, "poll", noting)
    return found


@pytest.mark.parametrize(("think_ms", "outside"), [(0.1, False), (2, True)])
def test_cpu_time_after_an_answer_is_told_apart_unless_the_next_request_comes_at_once(think_ms, outside):
    """What was used meanwhile is never lost: else it counts in the next decision."""
    thinks = bot("thinks", config={"ms": think_ms})
    (match, _) = play_matches(bot("spends"), thinks, scripts={"spends": SpendsAfterwards})
    seat = match.seats[seat_of(match, "spends")]
    assert 0 < len(seat.busy_us) == seat.decisions
    spent = sum(seat.busy_us) + (seat.outside_us or 0)
    assert 50 * (seat.decisions - 3) <= spent <= 50 * seat.decisions
    assert outside == (sum(seat.busy_us) < (seat.outside_us or 0))


def test_cpu_time_between_two_tables_is_of_no_match():
    class SpendsAtTheEnd(Manners):
        def end(self, message):
            yield Spend(cpu_us=7_000, after_ms=1)

    waits = bot("thinks", config={"ms": 2})
    with stage(bot("spends"), waits, scripts={"spends": SpendsAtTheEnd}) as play:
        matches = play.matches(0) + play.matches(1)
    assert {0} == {seat.outside_us for match in matches for seat in match.seats}


def test_an_answer_may_come_before_its_request_is_written_to_its_end(monkeypatch):
    """The rest of the request is written while another decides: that begins no turn of the bot."""
    timeline = Timeline()
    send = ScriptedBot.send

    def leave_rest(bot, data):
        send(bot, data)
        written_at = timeline.now() + 1_000_000
        timeline.readable[bot.stdin_fd] = lambda: timeline.now() >= written_at
        timeline.at(1, lambda: None)  # a wait ends then
        return b'"type":"act"' not in data

    monkeypatch.setattr(ScriptedBot, "send", leave_rest)
    scripts, thinks = {"spends": SpendsAfterwards}, bot("thinks", config={"ms": 2})
    (match, _) = play_matches(bot("spends"), thinks, scripts=scripts, timeline=timeline)
    seat = match.seats[seat_of(match, "spends")]
    assert seat.decisions > 20
    assert 50 * (seat.decisions - 3) <= sum(seat.busy_us) + (seat.outside_us or 0) <= 50 * seat.decisions


@pytest.mark.parametrize("first", ["manners", "never_ready"])
def test_a_table_is_gone_when_it_has_ended(first, monkeypatch):
    """It holds a descriptor, and workers collect garbage rarely: nothing may refer to itself."""
    polls: list[weakref.ref[ScriptedPoll]] = []
    begin = ScriptedPoll.__init__

    def noting(poll, timeline):
        begin(poll, timeline)
        polls.append(weakref.ref(poll))

    monkeypatch.setattr(ScriptedPoll, "__init__", noting)
    late = Timeline(oversleep_ms=200)  # so that a start is made again
    limits = Limits(start_ms=300, move_ms=30_000, bank_ms=0)
    gc.disable()
    try:
        with stage(
            bot("new"), good(), timeline=late, limits=limits, scripts={"new": at_first(SCRIPTS[first])}
        ) as play:
            play.record(0, 1)
            started = len(play.players)
        assert [] == [poll for poll in polls if poll()]
    finally:
        gc.enable()
    assert (first == "never_ready") == (started > 4)


def test_a_referee_that_sends_until_after_its_next_look_still_wakes_for_it(waits):
    """Where its time to wake has passed it does not wait at all: less than that means without end."""

    class ReadsSlowly(Manners):
        def act(self, act):
            timeline.now_ns += 60_000_000  # while the request is sent
            yield say(self.answer(act), after_ms=20)

    timeline = Timeline()
    with stage(bot("slow"), good(), timeline=timeline, scripts={"slow": ReadsSlowly}) as play:
        play.matches(0)
    assert 0 == min(waits)


def test_a_person_may_take_any_time_and_meanwhile_the_referee_wakes_for_its_looks_only(waits):
    limits = Limits(start_ms=30_000, move_ms=100, bank_ms=0)
    thinks = bot("thinks", config={"ms": 60_000, "steps": [0]})
    match, _ = play_matches(thinks, good(), limits=limits, people={"thinks"})
    assert len(waits) < 4 * 60_000 / 50, "one for each look in two matches, and some for decisions"
    assert 60_000_000 <= match.seats[0].think_us[0]
    assert [None, None] == [seat.fault for seat in match.seats]


def test_a_bot_that_closes_stdout_is_not_ended_where_the_system_cannot_tell_its_end(monkeypatch):
    """It runs on, so it loses by time, as where the system tells the ends of processes."""
    begin = ScriptedBot.__init__

    def without_exit_fd(bot, *args):
        begin(bot, *args)
        bot.exit_fd = None

    limits = Limits(start_ms=300, move_ms=400, bank_ms=0)
    for system_tells in (True, False):
        if not system_tells:
            monkeypatch.setattr(ScriptedBot, "__init__", without_exit_fd)
        (block,) = play_blocks(bot("closes_stdout"), good(), limits=limits)
        assert {("closes_stdout", "timeout")} == {(fault.bot, fault.kind) for fault in block.faults}


@pytest.mark.skipif(not hasattr(select, "epoll"), reason="no epoll here")
def test_real_bots_are_waited_for_with_epoll():
    waiter = SYSTEM_CLOCK.waiter()
    reader, writer = os.pipe()
    try:
        waiter.register(reader, select.POLLIN)
        assert [] == waiter.poll(0)
        os.write(writer, b"x")
        assert [(reader, select.POLLIN)] == waiter.poll(300_000) == waiter.poll(None)
        waiter.unregister(reader)
        assert [] == waiter.poll(1)
    finally:
        os.close(reader)
        os.close(writer)
