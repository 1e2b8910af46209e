"""What the referee watches besides the clock: what bots use, and on whose time."""

import json
import os
import re
import time
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.scripted import Log, ScriptedBot, Spend, Timeline
from support.scripts import Manners, play_blocks, say, stage
from support.seating import PATIENT, bot, good, hall, lines_of, moves_of

from ladder.process.procfs import Use
from ladder.referee.limits import FILES, SPARE_US, breach
from ladder.referee.player import Player
from ladder.referee.pondering import Idle, Suspicion, spell
from protocol.messages import FORGIVEN_KEPT, Limits
from results import record

LINUX = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="what a bot uses is told by /proc alone"
)


def only_fault(block, bot, kind):
    """Return the first fault of *block*, where all are charged to this *bot* and of this *kind*."""
    assert {(bot, kind, True)} == {(fault.bot, fault.kind, fault.charged) for fault in block.faults}
    return block.faults[0]


# --- what bots use


@pytest.mark.process
@LINUX
@pytest.mark.parametrize(
    ("hog", "kind", "reason"),
    [
        ("hogs_memory_with_children", "memory", r"\d+ MB of memory in use, of 120 MB"),
        ("hogs_memory_at_its_start", "start", r"before it was ready: \d+ MB of memory in use, of 120 MB"),
        ("threads_much", "limit", r"\d+ processes and threads, of 20"),
    ],
)
def test_who_takes_too_much_loses(hog, kind, reason):
    if hog == "threads_much" and os.getuid():
        pytest.skip("the kernel keeps all users but root within this limit: run it as root")
    limits = replace(PATIENT, memory_mb=120, processes=20)
    with hall(bot(hog, config={"memory_mb": 120}), good(), limits=limits) as play:
        (block,) = play.record(0)
    fault = only_fault(block, hog, kind)
    assert re.match(reason, fault.reason)
    assert (kind == "start") == (fault.step == -1)


NOTHING = Use(threads=1, memory_bytes=0, cpu_us=0)
SPENT = SPARE_US + 200_000


@pytest.mark.parametrize(
    ("use", "kind", "reason"),
    [
        (NOTHING._replace(threads=64), None, ""),
        (NOTHING._replace(threads=65), "limit", "65 processes and threads, of 64"),
        (NOTHING._replace(files=FILES), None, ""),
        (NOTHING._replace(files=FILES + 1), "limit", "10,001 files in its scratch space, of 10,000"),
        (NOTHING._replace(cpu_us=SPENT), None, ""),
        (NOTHING._replace(cpu_us=SPENT + 1), "limit", "10.2 s of CPU time in a match whose turns took 0.2 s"),
    ],
)
def test_a_bot_may_use_what_its_limits_allow_and_no_more(use, kind, reason):
    """In turns of 0.1 s, with two threads."""
    timeline = Timeline()
    player = Player(bot("any", threads=2), ScriptedBot(timeline, lambda lines: ()), clock=timeline.clock)
    assert breach(player, NOTHING, turn_ns=0) is None
    fault = breach(player, use, turn_ns=100_000_000)
    assert (kind, reason) == ((fault.kind, fault.reason) if fault else (None, ""))


@pytest.mark.process
@LINUX
def test_the_most_memory_that_a_bot_was_seen_to_use_stands_in_its_matches():
    limits = replace(PATIENT, memory_mb=200)
    fills = bot("fills_memory", config={"fill_mb": 60})
    with hall(fills, good(), limits=limits) as play:
        matches = play.matches(0)
    filled, quiet = (
        [seat.memory_bytes for m in matches for seat in m.seats if seat.bot == name]
        for name in (fills.bot, "good")
    )
    assert all(60 << 20 < used < 150 << 20 for used in filled)
    assert all(1 << 20 < used < 50 << 20 for used in quiet)


SHARING = {"memory_mb": 60, "children": 62}


@LINUX
@pytest.mark.slow
def test_pages_that_its_processes_share_count_once():
    limits = replace(PATIENT, memory_mb=300)
    thinker = bot("thinks", config={"ms": 300, "steps": [2, 3, 4, 5]})
    with hall(bot("shares_memory", config=SHARING), thinker, limits=limits) as play:
        (block,) = play.record(0)
        uses = [player.use for player in play.players if player.bot.bot == "shares_memory"]
    assert [] == block.faults
    assert [True, True] == [use is not None and use.memory_bytes > 60 * 62 << 20 for use in uses]


@LINUX
@pytest.mark.slow
def test_memory_that_is_shared_no_longer_counts_for_each_process():
    limits = replace(PATIENT, memory_mb=300)
    hog = bot("shares_memory", config={**SHARING, "children": 16, "unshares": True})
    with hall(hog, bot("thinks", config={"ms": 2_000, "steps": [3, 4, 5]}), limits=limits) as play:
        (block,) = play.record(0)
    fault = only_fault(block, "shares_memory", "memory")
    assert "MB of memory in use, of 300 MB" in fault.reason


def test_who_writes_too_much_to_stderr_in_a_match_loses():
    limits = replace(PATIENT, stderr_bytes=100_000)
    (block,) = play_blocks(bot("floods_stderr"), good(), limits=limits)
    fault = only_fault(block, "floods_stderr", "limit")
    assert "more than 100,000 bytes on stderr in a match" == fault.reason
    assert 4096 == len(fault.stderr)


@pytest.mark.process
def test_a_child_that_writes_to_stderr_without_end_costs_the_match(tier):
    """However little it gets to write in each: what is beyond a sixteenth of the limit counts in the next."""
    with hall(bot("lets_a_child_flood_stderr"), good(), tier=tier) as play:
        blocks = [block for number in range(16) for block in play.record(number)]
    faults = [fault for block in blocks for fault in block.faults]
    assert faults
    assert {("lets_a_child_flood_stderr", "limit", True)} == {(f.bot, f.kind, f.charged) for f in faults}


def test_a_little_stderr_in_every_match_is_never_too_much():
    class Mutters(Manners):
        def act(self, act):
            return [Log(b"x" * 1_000), *super().act(act)]

    limits = replace(PATIENT, stderr_bytes=16 * 30_000)  # at most 30 decisions of 1,000 bytes
    with stage(bot("mutters"), good(), limits=limits, scripts={"mutters": Mutters}) as play:
        assert [] == [fault for number in range(12) for fault in play.record(number)[0].faults]


# --- on whose time

THINKER = bot("thinks", config={"ms": 30, "steps": list(range(60))})
ACCUSED = "computes while others decide"


@pytest.mark.process
@LINUX
def test_cpu_time_is_told_by_decision_and_between_them():
    """Match after match, until the bot had a core for a tenth of a second beside its turns."""
    outside_us = Counter[str]()
    with hall(bot("ponders"), THINKER) as play:
        play.hold_to(freeze="off")
        for number in range(40):
            for seat in [seat for match in play.matches(number) for seat in match.seats]:
                outside_us[seat.bot] += seat.outside_us or 0
                assert len(seat.think_us) == len(seat.busy_us)
            if outside_us["ponders"] > 100_000:
                break
    assert outside_us["ponders"] > 100_000
    assert outside_us["ponders"] > 2 * outside_us["thinks"]


def accusations(caplog):
    return [message for message in caplog.messages if ACCUSED in message]


def until_accused(play, caplog):
    """Play block after block: the busier the machine, the less a bot can compute beside its turns."""
    matches: list[record.Match] = []
    while not accusations(caplog) and len(matches) < 40:
        matches += play.matches(len(matches) // 2)
    return matches


def stopped(play):
    """Return whether the processes of the bot at the table that is not `thinks` are stopped now."""
    return [p.process.paused for p in play.players if p.process and p.bot.bot != "thinks"]


def test_the_cpu_time_of_a_match_is_told_unless_the_process_played_another_meanwhile():
    class Computes(Manners):
        def act(self, act):
            return [Spend(cpu_us=1_000), *super().act(act)]

    bots = [bot("computes", name, config={"ready": {"parallel": 4}}) for name in "ab"]
    with stage(*bots, in_progress=4, scripts={"computes": Computes}) as play:
        alone = play.matches(0) + play.matches(1)
        together = play.matches(2, 3)
    assert all(1_000 * seat.decisions == seat.cpu_us for match in alone for seat in match.seats)
    assert {None} == {seat.cpu_us for match in together for seat in match.seats}


def test_a_process_that_ended_in_a_match_tells_no_cpu_time():
    with stage(bot("exits_0"), good()) as play:
        for match in play.matches(0):
            assert [None] == [seat.cpu_us for seat in match.seats if seat.fault]
            assert None not in [seat.cpu_us for seat in match.seats if not seat.fault]


@LINUX
@pytest.mark.slow
def test_a_bot_that_computes_on_others_time_is_stopped_between_its_turns(caplog):
    with hall(bot("ponders"), THINKER) as play:
        before = until_accused(play, caplog)
        after = play.matches(len(before) // 2)
        assert [True, True] == stopped(play)
    most = [max(seat.outside_us or 0 for match in some for seat in match.seats) for some in (before, after)]
    assert most[1] < most[0]
    assert {None} == {seat.fault for match in before + after for seat in match.seats}
    seen = r"\d+ ms of CPU time after its \d+ decisions of a match \(\d+ ms are allowed\)"
    (told,) = accusations(caplog)
    assert re.search(rf"ponders@1 computes while others decide: {seen}, then {seen}; from now on", told)
    assert told.endswith("it is stopped between its turns, which changes neither results nor ratings")


@LINUX
@pytest.mark.parametrize(("freeze", "expected"), [("on", [True, True]), ("off", [False, False])])
@pytest.mark.slow
def test_bots_are_stopped_between_their_turns_always_or_never_if_that_is_wished(freeze, expected, caplog):
    with hall(bot("ponders"), THINKER) as play:
        play.hold_to(freeze=freeze)
        matches = play.matches(0, 1)
        assert expected == stopped(play)
    assert {None} == {seat.fault for match in matches for seat in match.seats}
    assert [] == accusations(caplog)


@LINUX
@pytest.mark.slow
def test_children_that_compute_on_others_time_are_stopped_too(tier, caplog):
    with hall(bot("lets_children_ponder"), THINKER, tier=tier) as play:
        matches = until_accused(play, caplog)
        matches += play.matches(len(matches) // 2)
        assert [True, True] == stopped(play)
        before = cpu_time_of_stopped(play)
        time.sleep(0.1)
        after = cpu_time_of_stopped(play)
    assert {None} == {seat.fault for match in matches for seat in match.seats}
    assert before == after
    assert 1 == len(accusations(caplog))


def cpu_time_of_stopped(play):
    """Return what the processes that are stopped have used in all."""
    found = [p.process.use() for p in play.players if p.process and p.process.paused]
    return [use.cpu_us for use in found if use]


@pytest.mark.process
@LINUX
def test_a_bot_that_computes_in_its_own_turns_is_not_accused(tier, caplog):
    """Also where a look falls into one: it has not been told then what the process has used of it."""
    with hall(bot("computes_in_its_turns", config={"ms": 120}), good(), tier=tier) as play:
        matches = [match for number in (0, 1) for match in play.matches(number)]
    assert [] == accusations(caplog)
    # a turn that counted as outside would be 120 ms of CPU time
    assert max(seat.outside_us or 0 for match in matches for seat in match.seats) < 100_000


@LINUX
@pytest.mark.slow
def test_a_bot_that_computes_while_others_play_is_stopped_until_its_next_match(caplog):
    """It has a process for each lane: one computes while the other plays."""
    with hall(bot("ponders_between_matches"), THINKER) as play:
        matches = until_accused(play, caplog)
        matches += play.matches(len(matches) // 2)
        assert [True, True] == stopped(play)
    seats = [seat for match in matches for seat in match.seats if seat.bot != "thinks"]
    assert 0 < sum(int(seat.notes[0].text) for seat in seats)
    assert {None} == {seat.fault for match in matches for seat in match.seats}
    (told,) = accusations(caplog)
    assert "between two matches, 4 times in a row" in told


def test_what_a_bot_takes_between_its_matches_costs_it_the_next_one(monkeypatch):
    class Forks(Manners):
        def end(self, message):
            forked.add(self.number)
            return ()

    forked: set[int] = set()
    use = Use(threads=65, memory_bytes=0, cpu_us=0)
    monkeypatch.setattr(ScriptedBot, "use", lambda bot: use if bot.pid in forked else NOTHING)
    with stage(bot("forks"), THINKER, scripts={"forks": Forks}) as play:
        blocks = [block for number in (0, 1) for block in play.record(number)]
    assert [] == blocks[0].faults
    fault = blocks[1].faults[0]
    assert ("forks", "limit", -1, True) == (fault.bot, fault.kind, fault.step, fault.charged)
    assert "between two matches: 65 processes and threads, of 64" == fault.reason


@pytest.mark.parametrize(("part", "matches"), [(1.0, 2), (0.5, 2), (0.3, 4)])
def test_a_bot_that_uses_so_much_of_others_time_is_certain_to_do_so_after(part, matches):
    suspicion = Suspicion()
    wait_us = 10_000  # of an opponent that thinks as long
    found = spell([int(part * wait_us)] * 30, 60 * wait_us)
    assert [False] * (matches - 1) + [True] == [suspicion.add(found) for _ in range(matches)]
    assert not suspicion.add(found), "it is told once"


def test_a_runtime_that_compiles_after_its_first_matches_is_not_accused():
    suspicion, idle = Suspicion(), Idle()
    for wall_ms, main_ms in ((5_200, 240), (3_100, 60), (2_700, 30)):
        outside_us = [200] * 22 + [1000 * main_ms // 3] * 3  # in bursts, as the threads of java do
        assert not suspicion.add(spell(outside_us, 1000 * wall_ms))
    for used_us in (245_000, 190_000, 101_000, 5_000, 90_000):  # after a match: less each time, or seldom
        idle.begin(0)
        found = idle.look(0, 0) or idle.look(used_us, 0)
        idle.end(found is not None)
        assert not idle.certain


def test_a_pause_that_nobody_looked_at_clears_no_bot_of_those_before():
    idle = Idle()
    for _ in range(3):
        idle.begin(0)
        found = idle.look(0, 0) or idle.look(100_000, 0)
        idle.end(found is not None)
    idle.begin(0)
    idle.end(False)  # it was over too soon for a look
    idle.begin(0)
    assert idle.look(0, 0) or idle.look(100_000, 0)
    assert idle.certain


@pytest.mark.parametrize(("used_us", "found"), [(39_000, False), (41_000, True)])
def test_between_matches_a_bot_may_use_a_little_and_a_share_of_the_time(used_us, found):
    """20 ms, and 2 % of a second."""
    timeline = Timeline()
    idle = Idle(timeline.clock)
    idle.begin(0)
    assert idle.look(0, 0) is None
    timeline.now_ns += 1_000_000_000
    assert found == (idle.look(used_us, 0) is not None)


def test_a_bot_that_nobody_suspects_is_never_stopped():
    with stage(good(), THINKER) as play:
        play.matches(0)
        assert [False, False] == stopped(play)


class HasChildren(Manners):
    """Its children use some ms of CPU time in its turns, which last 50 ms, and some after them."""

    def act(self, act):
        yield Spend(children_us=1_000 * self.config["mine"], after_ms=1)
        yield say(self.answer(act), after_ms=50)
        yield Spend(children_us=round(1_000 * self.config["others"]), after_ms=60)


@pytest.mark.parametrize(
    ("mine", "others", "matches"),
    [
        (45, 0, None),
        (45, 1.5, None),
        (0, 20, 6),  # a tenth of the time of others, who have 200 ms on average
        (45, 20, 6),  # nor does a bot save up for them what it leaves of its own
        (0, 100, 2),
    ],
)
def test_children_may_use_little_of_the_time_of_others(mine, others, matches, caplog):
    """The time counts from turn to turn, not since the machine began to count."""
    timeline = Timeline()
    timeline.now_ns += 3_600_000_000_000
    has, waits = bot("has", config={"mine": mine, "others": others}), bot("thinks", config={"ms": 100})
    with stage(has, waits, scripts={"has": HasChildren}, timeline=timeline) as play:
        number = 0
        while not accusations(caplog) and number < 10:
            play.matches(number)
            number += 1
    assert (2 * number <= matches) if matches else not accusations(caplog)


def test_a_bot_of_one_process_is_not_read_at_the_ends_of_its_turns(monkeypatch):
    def use(link, *, times_only=False):
        if times_only:
            read.add(link.pid)
        return real(link)

    real, read = ScriptedBot.use, set[int]()
    monkeypatch.setattr(ScriptedBot, "use", use)
    has = bot("has", config={"mine": 1, "others": 0})
    with stage(has, THINKER, scripts={"has": HasChildren}) as play:
        play.matches(0)
        forks = {p.process.pid for p in play.players if p.process and p.bot.bot == "has"}
    assert forks == read, "from 20 ms on"


def test_one_long_interruption_by_the_machine_accuses_no_bot():
    """It looks as if the bot had used it."""
    suspicion = Suspicion()
    for match in range(1_000):
        interrupted = [60_000 if match % 2 else 300]
        assert not suspicion.add(spell([345] * 29 + interrupted, 40_000))


def test_a_slow_spell_of_the_machine_accuses_no_bot():
    suspicion = Suspicion()
    for match in range(1_000):
        us = 1_991 if match % 10 == 0 else 345  # the worst that was seen, as often as not once in a thousand
        assert not suspicion.add(spell([us] * 30, 100_000))


class Ponders(Manners):
    def act(self, act):
        return [*super().act(act), Spend(cpu_us=1_000 * self.config["ms"], after_ms=1)]


def test_who_uses_far_more_cpu_time_than_its_turns_last_loses():
    ponders = bot("ponders", config={"ms": 5_000})
    with stage(ponders, THINKER, scripts={"ponders": Ponders}) as play:
        play.hold_to(freeze="off")
        (block,) = play.record(0)
    fault = only_fault(block, "ponders", "limit")
    assert "15.0 s of CPU time in a match whose turns took 0.0 s" == fault.reason


def test_the_spare_cpu_time_of_a_bot_begins_anew_with_each_match():
    class SpendsOnce(Manners):
        def act(self, act):
            yield say(self.answer(act))
            yield Spend(cpu_us=8_000_000 * (self.of_match[act["match"]] == 5), after_ms=1)

    with stage(bot("spends"), THINKER, scripts={"spends": SpendsOnce}) as play:
        play.hold_to(freeze="off")
        assert [] == [fault for block in play.record(0, 1) for fault in block.faults]


def test_what_a_bot_has_used_when_its_match_ends_is_judged_no_more():
    """Also where the referee looks just then: what is used between two matches counts in the next."""

    class SpendsAtTheEnd(Manners):
        def act(self, act):
            at_the_end = self.decisions == self.config["last"]
            yield Spend(cpu_us=15_000_000 if at_the_end else 0)
            yield say(self.answer(act), after_ms=50 if at_the_end else 0)

    def play_first(last):
        spends = bot("spends", config={"last": last})
        (block,) = play_blocks(good(), spends, scripts={"spends": SpendsAtTheEnd})
        match = block.matches[0]
        assert 1 == moves_of(match)[-1][-1][0], "the bot makes the last move"
        return match, [fault for fault in block.faults if fault.number == match.number]

    match, _ = play_first(0)
    match, faults = play_first(match.seats[1].decisions)
    assert [] == faults
    assert 50_000 == match.seats[1].think_us[-1]


# --- a second try


def tried(retries, limits=PATIENT, **config):
    """Play a block of a bot that answers wrongly `wrong` times, and may try again so often."""
    with stage(bot("tries_again", config=config), good(), limits=limits) as play:
        play.hold_to(retries=retries)
        (block,) = play.record(0)
    return block


def test_an_illegal_move_is_asked_again_where_the_ladder_allows_it(tmp_path):
    block = tried(2, wrong=2, record=str(tmp_path))
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    assert {("illegal", False)} == {(fault.kind, fault.charged) for fault in block.faults}
    acts = [m for lines in lines_of(tmp_path) for m in map(json.loads, lines) if m["type"] == "act"]
    first, again, once_more = acts[:3]
    assert "retry" not in first
    assert [1, 0] == [again["retry"]["left"], once_more["retry"]["left"]]
    assert "expected one of" in again["retry"]["reason"]
    assert 1 == len({(act["step"], act["seed"], act["match"]) for act in acts[:3]})
    assert 3 == len({act["id"] for act in acts[:3]})


def test_who_has_no_tries_left_loses():
    block = tried(1, wrong=2)
    assert [False, True] == [fault.charged for fault in block.faults if fault.number == 0]
    assert {"illegal"} == {s.fault for match in block.matches for s in match.seats if s.bot == "tries_again"}


def test_of_many_tries_the_first_are_kept_with_all_details():
    block = tried(50, wrong=50)
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    assert {FORGIVEN_KEPT} == {
        len([f for f in block.faults if f.number == match.number]) for match in block.matches
    }


def test_a_retry_is_on_the_same_running_clock():
    block = tried(10, Limits(start_ms=30_000, move_ms=300, bank_ms=0), wrong=10, ms=100)
    for number in (0, 1):
        kinds = [fault.kind for fault in block.faults if fault.number == number]
        assert ["illegal", "illegal", "illegal", "timeout"] == kinds
    assert {"timeout"} == {s.fault for match in block.matches for s in match.seats if s.bot == "tries_again"}
