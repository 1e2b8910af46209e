"""Lines to one process outside of every match, on scripted bots."""

from contextlib import nullcontext

import pytest
from support.scripted import Exit, Log, Say, ScriptedBot, Spend, Timeline
from support.seating import bot

from ladder.errors import TooBusy
from ladder.live.asked_bot import Exchange, Failed
from ladder.process.procfs import Use
from ladder.referee.player import Player


def asking(*deeds, free=False, stands_still=None):
    """Return an exchange with a bot that does the same about each line.

    *stands_still*: after how many milliseconds the machine does, and for how many.
    """
    timeline = Timeline()
    if stands_still:
        timeline.suspend(*stands_still)
    link = ScriptedBot(timeline, lambda lines: deeds)
    return Exchange(Player(bot("asked"), link, clock=timeline.clock), timeline.clock, free=free)


def test_an_answer_may_come_in_time_and_several_lines_at_once():
    exchange = asking(Say(b"one\ntwo\n", after_ms=200))
    for _ in range(2):
        assert [b"one", b"two"] == exchange.send(b"?\n", 1.0)
        assert 200_000_000 == exchange.end()


@pytest.mark.parametrize(
    ("deeds", "kind", "reason"),
    [
        ([], "timeout", "no answer within 1,000 ms"),
        ([Say(b"hal")], "timeout", "no answer within 1,000 ms; part of an answer had come, without"),
        ([Exit(3)], "crash", "the process ended (exit status 3)"),
        ([Log(b"x" * 17_000_000)], "limit", "more than 16,777,216 bytes on stderr"),
        ([Say(b"x" * 70_000)], "protocol", "expected lines of at most 65,536 bytes"),
        ([Spend(cpu_us=99_000_000, after_ms=60)], "limit", "99.0 s of CPU time in a match whose turns took"),
    ],
)
def test_a_bot_that_does_not_answer_has_failed(deeds, kind, reason):
    with pytest.raises(Failed) as failed:
        asking(*deeds).send(b"?\n", 1.05)  # the grace is the caller's
    assert (kind, reason) == (failed.value.fault.kind, failed.value.fault.reason[: len(reason)])


NO_CORE = [Spend(waited_us=10_000, after_ms=ms) for ms in range(10, 400, 10)]


@pytest.mark.parametrize(
    ("before", "stands_still", "in_time"),
    [([], None, False), (NO_CORE, None, True), ([], (10, 300), True), ([], (10, 150), False)],
    ids=["nothing", "no core", "a machine that stands still", "one that does not long enough"],
)
def test_what_takes_the_time_of_a_bot_stops_its_clock(before, stands_still, in_time):
    exchange = asking(*before, Say(b"late\n", after_ms=400), stands_still=stands_still)
    with nullcontext() if in_time else pytest.raises(Failed, match=r"^no answer within 200 ms$"):
        assert [b"late"] == exchange.send(b"?\n", 0.25)


def test_a_bot_that_has_no_core_for_ten_times_its_limit_is_not_judged():
    starved = [Spend(waited_us=50_000, after_ms=50 * n) for n in range(300)]
    with pytest.raises(TooBusy, match=r"no answer within 950 ms; but in 10\.0 s its processes waited"):
        asking(*starved).send(b"?\n", 1.0)


@pytest.mark.parametrize("free", [True, False])
def test_a_free_bot_is_held_to_no_limit(free, monkeypatch):
    monkeypatch.setattr(ScriptedBot, "use", lambda bot: Use(threads=10_000, memory_bytes=0, cpu_us=0))
    exchange = asking(Log(b"x" * 17_000_000), Say(b"late\n", after_ms=90_000), free=free)
    if free:
        assert [b"late"] == exchange.send(b"?\n", None)
        return
    with pytest.raises(Failed):
        exchange.send(b"?\n", None)
