"""The clocks of bots that the machine delays: what they are charged, and when the referee stops waiting."""

import re
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

import msgspec
import pytest
from support.scripted import ScriptedBot, Spend, Timeline
from support.scripts import Manners, Stage, Thinks, play_blocks, say, stage
from support.seating import bot, good

from engines import GAMES
from ladder.contest.blocks import PlannedBlock, matches_of
from ladder.errors import TooBusy
from ladder.referee.clocks import NEAR_NS, Clocks
from ladder.referee.limits import LOOK_NS
from ladder.referee.match import OpenRequest, TableMatch, TableSeat
from ladder.referee.player import Player
from ladder.referee.rules import MatchClock
from ladder.worker.worker_messages import Unplayed
from protocol.messages import Limits
from results import record
from results.record import Contest

TIGHT = Limits(start_ms=300, move_ms=400, bank_ms=0)


class Starved(Manners):
    """Answers after `after_ms`; of each 10 ms it waits for a core and computes, up to `until_ms`."""

    def act(self, act):
        config = {"waits_us": 10_000, "cpu_us": 0, "until_ms": self.config["after_ms"], **self.config}
        for ms in range(10, config["until_ms"], 10):
            yield Spend(waited_us=config["waits_us"], cpu_us=config["cpu_us"], after_ms=ms)
        yield say(self.answer(act), after_ms=config["after_ms"])


class Unheard(Starved):
    """Short-lived children of it, which nobody counts, take the core from it."""

    def act(self, act):
        yield Spend(after_ms=60, unheard=1)
        yield from super().act(act)


def of_delayed(cast, limits=TIGHT, charge="", **config):
    """Play a block of a bot that the machine delays, and of one without a fault."""
    scripts = {"delayed": cast}
    with stage(bot("delayed", config=config), good(), limits=limits, scripts=scripts) as play:
        (block,) = play.attempt([play.block(0)], alone=bool(charge), charge=charge)
    return block


class StartsStarved(Manners):
    """Is ready after `after_ms`, in which it waits for a core."""

    def hello(self, message):
        after_ms = message["config"]["after_ms"]
        for ms in range(10, after_ms, 10):
            yield Spend(waited_us=10_000, cpu_us=message["config"].get("cpu_us", 0), after_ms=ms)
        yield Spend(after_ms=after_ms)
        (ready,) = super().hello(message)
        yield ready._replace(after_ms=after_ms)


WHOLE_MATCH = Limits(start_ms=300, move_ms=400, bank_ms=0, match_s=2)


def faults_of(cast, limits, config):
    """Play such a block to its end; return its faults."""
    block = of_delayed(cast, limits, **config)
    assert isinstance(block, record.Block)
    return block.faults


@pytest.mark.parametrize(
    ("cast", "config", "limits"),
    [
        (Starved, {"after_ms": 700, "waits_us": 5_000}, TIGHT),  # half of the time, so it has twice the limit
        (Starved, {"after_ms": 690, "until_ms": 310}, TIGHT),  # has had 390 ms
        (Starved, {"after_ms": 300}, WHOLE_MATCH),
        (StartsStarved, {"after_ms": 2_500}, TIGHT),
        (StartsStarved, {"after_ms": 2_500}, WHOLE_MATCH),
    ],
)
def test_a_bot_is_not_charged_for_what_it_waits(cast, config, limits):
    assert [] == faults_of(cast, limits, config)


NO_ANSWER, NOT_READY = "no answer within 400 ms", "no ready within 300 ms of its start"
HAD = "; it had the machine for"
FIGHTS = {"waits_us": 9_000, "cpu_us": 10_000}
"""Its processes wait for each other: together they always have the core."""


@pytest.mark.parametrize(
    ("cast", "config", "limits", "reason"),
    [
        (Starved, {"after_ms": 1_000, "waits_us": 5_000}, TIGHT, rf"{NO_ANSWER}{HAD} 4\d\d of [89]\d\d ms"),
        (Starved, {"after_ms": 760, "until_ms": 310}, TIGHT, ".*"),  # at 700 ms, not at the next whole limit
        (Starved, {"after_ms": 500, **FIGHTS}, TIGHT, ".*"),
        (Starved, {"after_ms": 4_500, "cpu_us": 2_000}, TIGHT, ".*"),
        (Unheard, {"after_ms": 500}, TIGHT, ".*"),
        (Thinks, {"ms": 500}, TIGHT, NO_ANSWER),
        (Thinks, {"ms": 300}, WHOLE_MATCH, ".*"),
        (StartsStarved, {"after_ms": 2_500, "cpu_us": 5_000}, TIGHT, rf"{NOT_READY}{HAD} 3\d\d of 6\d\d ms"),
    ],
)
def test_a_bot_is_charged_as_soon_as_it_has_had_the_machine_for_its_limit(cast, config, limits, reason):
    faults = faults_of(cast, limits, config)
    kind = "start" if cast is StartsStarved else "timeout"
    assert {("delayed", kind, True)} == {(fault.bot, fault.kind, fault.charged) for fault in faults}
    assert all(re.fullmatch(reason, fault.reason) for fault in faults)


def test_a_bot_that_has_no_core_is_waited_for_beyond_its_limit():
    block = of_delayed(Starved, after_ms=3_000)
    assert isinstance(block, record.Block)
    assert [] == block.faults
    thought = [seat.think_us for match in block.matches for seat in match.seats if seat.bot == "delayed"]
    assert {3_000} == {us // 1000 for times in thought for us in times}, (
        "what passed is stored, not what it had"
    )


def test_after_ten_times_the_limit_the_match_is_void_and_after_three_attempts_given_back():
    block = of_delayed(Starved, after_ms=6_000)
    assert isinstance(block, Unplayed)
    assert (("delayed@1",), True) == (block.late, block.in_time)
    assert block.reason.startswith("delayed@1: no answer within 400 ms; but in 4.")
    assert block.reason.endswith(" s for a core")


def test_a_bot_pays_from_its_bank_what_it_had_the_machine_for():
    class Poor(Starved):
        def act(self, act):
            banks.append(act["clock"]["bank_ms"])
            return super().act(act)

    banks: list[int] = []
    assert [] == faults_of(Poor, Limits(300, 400, 700), {"after_ms": 900})
    assert {700} == {*banks}


def test_an_answer_that_the_referee_reads_late_costs_what_it_took():
    """Where the referee waits for a core itself, this is no time of the bot."""

    class Busy(Manners):
        def act(self, act):
            banks.append(act["clock"]["bank_ms"])
            timeline.suspend(after_ms=100, for_ms=500, waiting=True)
            yield say(self.answer(act), after_ms=101)

    banks: list[int] = []
    timeline = Timeline()
    limits = Limits(300, 400, 600)
    (block,) = play_blocks(bot("busy"), good(), limits=limits, timeline=timeline, scripts={"busy": Busy})
    assert [] == block.faults
    assert {600} == {*banks}


def test_a_machine_that_stands_still_is_no_time_of_a_bot():
    with stage(
        bot("thinks", config={"ms": 350}), good(), limits=TIGHT, timeline=Timeline(oversleep_ms=200)
    ) as play:
        (block,) = play.record(0)
    assert [] == block.faults


def test_a_start_that_has_no_core_for_ten_times_its_limit_makes_the_match_void():
    block = of_delayed(StartsStarved, after_ms=4_000)
    assert isinstance(block, Unplayed)
    assert block.reason == (
        "delayed@1: no ready within 300 ms of its start; but in 3.0 s its processes waited 3.0 s for a core"
    )


@pytest.mark.parametrize(
    ("program", "kind", "reason"),
    [
        ("silent", "timeout", rf"{NO_ANSWER}{HAD} \d+ of \d+ ms"),
        ("never_ready", "start", f"{NOT_READY}{HAD} 301 of 1501 ms"),  # six times 200 ms are taken off
    ],
)
def test_a_bot_that_says_nothing_loses_though_the_machine_stands_still_now_and_then(program, kind, reason):
    (block,) = play_blocks(bot(program), good(), limits=TIGHT, timeline=Timeline(oversleep_ms=200))
    assert [(program, kind, True)] * 2 == [(f.bot, f.kind, f.charged) for f in block.faults]
    assert all(re.fullmatch(reason, fault.reason) for fault in block.faults)


def test_a_delay_is_charged_where_the_bot_bears_it():
    block = of_delayed(Starved, charge="delayed@1", after_ms=6_000)
    assert isinstance(block, record.Block)
    assert {("delayed", "timeout", True)} == {(f.bot, f.kind, f.charged) for f in block.faults}


def test_cpu_time_is_divided_by_no_more_cores_than_a_run_has():
    """Also that of a start: it is over after 300 ms of CPU time, whatever the bot's manifest says."""
    replace = msgspec.structs.replace
    delayed = bot("delayed", config={"after_ms": 2_500, "cpu_us": 5_000})
    delayed = replace(delayed, manifest=replace(delayed.manifest, threads=4))
    with stage(delayed, good(), limits=TIGHT, cores=1, scripts={"delayed": StartsStarved}) as play:
        (block,) = play.record(0)
    assert [True, True] == [
        bool(re.fullmatch(rf"{NOT_READY}{HAD} 3\d\d of 6\d\d ms", fault.reason)) for fault in block.faults
    ]


# --- matches that are kept


class Sleeps(Manners):
    """Answers its second request after some seconds, in which its children wait for a core."""

    def act(self, act):
        ms = 1_000 * self.config["seconds"] if self.decisions == 2 else 0
        for after_ms in range(100, ms, 100):
            cpu_us = 1_000 * self.config.get("cpu_ms", 0)
            yield Spend(waited_us=100_000, children_us=cpu_us, after_ms=after_ms)
        yield say(self.answer(act), after_ms=ms)


class Kept(NamedTuple):
    """A table of matches that are kept, and which processes at it were stopped after some seconds."""

    play: Stage
    stopped: dict[int, list[str]]

    def attempt(self):
        (block,) = self.play.attempt([self.play.block(0)])
        return block


@contextmanager
def kept(*looks, network=False, freeze="auto", **config):
    """Yield such a table of a bot that the machine delays, with *looks* at it after some seconds each."""
    delayed = bot("delayed", config=config)
    replace = msgspec.structs.replace
    delayed = replace(delayed, manifest=replace(delayed.manifest, network=network))
    with stage(delayed, good(), limits=TIGHT, scripts={"delayed": Sleeps}) as play:
        play.patient = True
        play.hold_to(freeze=freeze)
        play.setup = replace(play.setup, confinement=replace(play.setup.confinement, network=("delayed",)))
        stopped: dict[int, list[str]] = {}

        def look(after):
            stopped[after] = [p.bot.bot for p in play.players if p.process and p.process.paused]

        for after in looks:
            play.timeline.at(1_000 * after, partial(look, after))
        yield Kept(play, stopped)


@pytest.mark.parametrize(("freeze", "stopped"), [("auto", ["good"]), ("off", [])])
def test_a_table_stands_for_a_decision_of_a_match_that_is_kept(freeze, stopped):
    """Beyond ten times its limit; then its other bots are stopped, until it answers."""
    with kept(4, 6, 29, 31, freeze=freeze, seconds=30) as table:
        block = table.attempt()
        told = table.play.outlays()["delayed@1"]
    assert isinstance(block, record.Block)
    assert [] == block.faults
    assert {4: [], 6: stopped, 29: stopped, 31: []} == table.stopped
    assert (2, 60) == (told.waits, told.waited_us // 1_000_000)


def test_a_bot_is_charged_when_its_children_come_to_the_cpu_time_of_its_limit():
    """In 100 ms they get 4 ms: ten times the limit is over long before."""
    with kept(seconds=30, cpu_ms=4) as table:
        block = table.attempt()
    assert isinstance(block, record.Block)
    assert 2 * [("delayed", "timeout", True)] == [(f.bot, f.kind, f.charged) for f in block.faults]
    assert "; it had the machine for 45" in block.faults[0].reason


def test_after_ten_minutes_without_a_core_the_match_is_void():
    with kept(seconds=700) as table:
        (scheduled, _) = matches_of(table.play.block(0), table.play.contest)
        with pytest.raises(TooBusy, match=r"but in 600\.\d s its processes waited 600\.\d s for a core"):
            table.play.play_match(scheduled)


def test_a_table_with_a_bot_on_the_network_never_stands():
    with kept(6, network=True, seconds=30) as table:
        unplayed = table.attempt()
    assert isinstance(unplayed, Unplayed)
    assert "but in 4." in unplayed.reason
    assert {6: []} == table.stopped


def test_a_table_that_is_to_stand_no_more_gives_its_block_back_at_once():
    with kept(seconds=30) as table:
        table.play.timeline.at(7_000, lambda: setattr(table.play, "hurries", True))
        unplayed = table.attempt()
    assert isinstance(unplayed, Unplayed)
    assert unplayed.cut_short
    assert "but in 7." in unplayed.reason
    assert 2 == len(table.play.players), "it is not played again"


# --- requests that nobody has answered


def opened(clocks, timeline, *names):
    """Open a request to a new scripted player for each of *names*; their deadlines are at 5."""
    scheduled = matches_of(PlannedBlock(0, 0, 0, (0, 1)), Contest("stellar", 2, {}, (0, 1)))[0]
    match = TableMatch(scheduled, GAMES["stellar"], [], b"", 0)  # what clocks do does not depend on it
    for index, name in enumerate(names):
        player = Player(bot("manners", name), ScriptedBot(timeline, lambda lines: ()), clock=timeline.clock)
        seat = TableSeat(index, player, name, 0, MatchClock(Limits(move_ms=1_000, bank_ms=0)))
        asked = OpenRequest(match, seat, b"")
        asked.sent_ns, asked.deadline_ns = 1, 5
        clocks.open[name] = asked
    return [*clocks.open.values()]


@pytest.fixture
def timeline():
    return Timeline()


@pytest.fixture
def clocks(timeline):
    with stage(good("a"), good("b")) as play:
        return Clocks(play.rules, timeline.clock, lambda: False)


def test_a_request_is_overdue_from_its_deadline_on(clocks, timeline):
    asked = opened(clocks, timeline, "a", "b")
    assert [] == clocks.overdue(4)
    assert asked == clocks.overdue(5)


def test_a_request_that_is_dropped_is_never_overdue(clocks, timeline):
    first, second = opened(clocks, timeline, "a", "b")
    clocks.drop(first)
    assert [second] == clocks.overdue(5)
    first.deadline_ns, second.deadline_ns = 3, 7
    clocks.plan_to_wake(look_at=9)
    assert 7 == clocks.wake_at


def test_under_a_watch_a_table_looks_once_at_a_slow_request_and_then_only_near_its_deadline(timeline):
    with stage(good("a")) as play:
        clocks = Clocks(play.rules, timeline.clock, lambda: False, lambda: 0)
    (asked,) = opened(clocks, timeline, "a")
    second = 1_000_000_000
    asked.sent_ns, asked.deadline_ns = second, 11 * second
    clocks.plan_by_requests(second)
    assert second + LOOK_NS == clocks.wake_at
    clocks.waited_us(asked, second + LOOK_NS)
    clocks.plan_by_requests(second + LOOK_NS)
    assert 11 * second - NEAR_NS == clocks.wake_at
    clocks.plan_by_requests(11 * second - NEAR_NS)
    assert 11 * second - NEAR_NS + LOOK_NS == clocks.wake_at
    clocks.plan_by_requests(11 * second - 1)
    assert 11 * second == clocks.wake_at
    clocks.drop(asked)
    clocks.plan_by_requests(second)
    assert clocks.wake_at > 10**6 * second, "the watch tells of all else"


def test_what_a_bot_waited_before_a_request_is_not_of_its_time(clocks, timeline):
    (asked,) = opened(clocks, timeline, "a")
    link = asked.seat.player.process
    assert isinstance(link, ScriptedBot)
    asked.sent_ns = 1_000_000
    asked.seat.player.waited_us = link.starved_us = 300
    assert 0 == clocks.waited_us(asked, 2_000_000)
    link.starved_us += 200
    assert 200 == clocks.waited_us(asked, 2_000_000)
