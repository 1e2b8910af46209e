"""Limits of single bots and games: who is held to what, and what each is told."""

import msgspec
import pytest
from support.scripts import play_blocks, stage
from support.seating import bot, good

from ladder.contest.bot_limits import limits_told
from ladder.registry.seat_caps import SeatCap
from protocol.messages import Limits
from results.record import LimitsApart, RunSettings

TIGHT = Limits(start_ms=300, move_ms=400, bank_ms=0)
A_SECOND = Limits(start_ms=300, move_ms=800, bank_ms=0, match_s=1)
SLOW, LATE = bot("thinks", "b", config={"ms": 700}), bot("starts_slowly", "b")


@pytest.mark.parametrize(
    ("limits", "b", "apart", "fault"),
    [
        (TIGHT, SLOW, None, "timeout"),
        (TIGHT, SLOW, LimitsApart(bots={"b": {"move_ms": 800}}), None),
        (TIGHT, SLOW, LimitsApart(bots={"a": {"move_ms": 800}}), "timeout"),
        (TIGHT, SLOW, LimitsApart(games={"stellar": {"move_ms": 800}}), None),
        (TIGHT, SLOW, LimitsApart(games={"stella": {"move_ms": 800}}), "timeout"),
        (TIGHT, SLOW, LimitsApart({"b": {"move_ms": 100}}, {"stellar": {"move_ms": 800}}), "timeout"),
        (TIGHT, SLOW, LimitsApart(bots={"b": {"bank_ms": 60_000}}), None),
        (TIGHT, SLOW, LimitsApart(bots={"b": {"move_ms": 800, "match_s": 1}}), "timeout"),
        (TIGHT, SLOW, LimitsApart(bots={"[b-d]*": {"move_ms": 800}}), None),
        (TIGHT, SLOW, LimitsApart(bots={"B*": {"move_ms": 800}}), "timeout"),
        (TIGHT, SLOW, LimitsApart(bots={"*": {"move_ms": 800}, "b*": {"move_ms": 100}}), None),
        (TIGHT, SLOW, LimitsApart(bots={"*": {"move_ms": 800}, "b": {}}), "timeout"),
        (A_SECOND, SLOW, None, "timeout"),
        (A_SECOND, SLOW, LimitsApart(bots={"b": {"match_s": 0}}), None),
        (TIGHT, LATE, None, "start"),
        (TIGHT, LATE, LimitsApart(bots={"b": {"start_ms": 900}}), None),
    ],
)
def test_a_bot_has_the_time_that_is_its_own(limits, b, apart, fault):
    (block,) = play_blocks(good("a"), b, limits=limits, apart=apart)
    assert ({("b", fault)} if fault else set()) == {(each.bot, each.kind) for each in block.faults}


def test_each_bot_is_told_its_own_limits_and_its_clock_says_what_holds():
    apart = LimitsApart({"b": {"move_ms": 800, "memory_mb": 99}}, {"stellar": {"bank_ms": 7}})
    with stage(good("a"), good("b"), limits=TIGHT, apart=apart) as play:
        play.record(0)
        heard = [[*map(msgspec.json.decode, script.lines)] for script in play.scripts]
    told = {lines[0]["bot"]: lines for lines in heard}
    for name, move_ms, memory_mb in (("a", 400, 512), ("b", 800, 99)):
        hello, _, act, *_ = told[name]
        limits = hello["limits"]
        assert (move_ms, 7, memory_mb) == (limits["move_ms"], limits["bank_ms"], limits["memory_mb"])
        assert {"move_ms": move_ms, "bank_ms": 7} == act["clock"]


def test_hello_names_the_least_of_the_times_of_several_games():
    apart = LimitsApart(games={"stella": {"move_ms": 5_000, "match_s": 60}, "stellar": {"bank_ms": 1}})
    settings = RunSettings(limits=msgspec.to_builtins(Limits()), apart=apart)
    told = limits_told(settings, "any", ["stella", "stellar", "starry-sky"])
    assert (1_000, 1, 60) == (told.move_ms, told.bank_ms, told.match_s)
    alone = limits_told(settings, "any", ["stella"])
    assert (5_000, 10_000, 60) == (alone.move_ms, alone.bank_ms, alone.match_s)
    assert limits_told(settings, "any", []) == Limits()


@pytest.mark.parametrize(("bots", "tables"), [((0,), 3), ((0, 1), 1)])
def test_a_trial_holds_no_more_tables_than_its_bot_has_seats(bots, tables):
    with stage(good("a"), good("b")) as play:
        assert play.most_tables() > 3
        play.setup = msgspec.structs.replace(play.setup, caps=(SeatCap(bots, 3),))
        assert tables == play.most_tables()
