"""Bots whose service fails: the same decision is asked again, and no other clock runs."""

import json
from collections import Counter
from contextlib import contextmanager
from functools import partial
from itertools import pairwise

import pytest
from support.scripted import Exit, Log
from support.scripts import Manners, say, stage
from support.seating import PATIENT, bot, good, lines_of

from ladder.errors import TooBusy
from ladder.process.seat_kinds import SeatKind
from ladder.process.spawn import CannotStart
from ladder.referee.player import Outages
from ladder.worker.worker_messages import Unplayed
from protocol.messages import FORGIVEN_KEPT, Limits
from results.record import TournamentTerms


class Fails(Manners):
    """Reports as many failures before an answer as `times` in its config says for that step."""

    failures = 0

    def act(self, act):
        times = self.config["times"].get(str(act["step"]), 0)
        if self.failures < times:
            self.failures += 1
            report = {"id": act["id"], "fail": self.config.get("fail", "transport"), "why": "429"}
            yield say(report | self.config.get("report", {}), after_ms=self.config.get("ms", 0))
        else:
            self.failures = 0
            yield say(self.answer(act))


def played(times, reporters=("fails",), retries=0, outage_s=300, limits=PATIENT, numbers=(0,), **config):
    """Play blocks of a bot with these *times*; return the blocks, and how many seconds that took."""
    fails = bot("fails", config={"times": {str(step): n for step, n in times.items()}, **config})
    how = {"reporters": {*reporters}, "limits": limits, "outage_s": outage_s}
    with stage(fails, good(), scripts={"fails": Fails}, **how) as play:
        play.hold_to(retries=retries)
        began = play.timeline.now()
        blocks = play.record(*numbers)
        return blocks, (play.timeline.now() - began) / 1e9


def acts_in(folder):
    return [m for lines in lines_of(folder) for m in map(json.loads, lines) if m["type"] == "act"]


def test_a_failure_of_transport_asks_the_same_decision_again_and_changes_nothing_else(tmp_path):
    (block,), seconds = played({0: 3}, record=str(tmp_path))
    (calm,), _ = played({})
    assert [match.moves for match in calm.matches] == [match.moves for match in block.matches]
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    first, *again = [act for act in acts_in(tmp_path) if act["step"] == 0][:4]
    assert "again" not in first
    assert [1, 2, 3] == [act["again"]["tries"] for act in again]
    assert {"its service did not answer: 429"} == {act["again"]["why"] for act in again}
    left = [act["again"]["left_ms"] for act in again]
    assert left == sorted(left, reverse=True)
    assert 4 == len({act["id"] for act in (first, *again)})
    for key in ("step", "seed", "match", "choice", "clock"):
        assert all(first[key] == act[key] for act in again)
    assert 7 <= seconds <= 2 * 10.5, "1, 2 and 4 s, and up to half more, in one match or both"


def test_reports_are_kept_as_faults_that_cost_nothing():
    (block,), _ = played({0: 2})
    kept = [fault for fault in block.faults if fault.number == 0]
    assert [("transport", False)] * 2 == [(fault.kind, fault.charged) for fault in kept]
    assert '"fail": "transport"' in kept[0].answer or '"fail":"transport"' in kept[0].answer


def test_of_many_reports_the_first_are_kept():
    (block,), _ = played({0: FORGIVEN_KEPT + 5}, outage_s=86_400)
    assert FORGIVEN_KEPT == len([fault for fault in block.faults if fault.number == 0])


def test_a_bot_may_say_when_its_service_answers_again():
    _, seconds = played({0: 1}, report={"after_ms": 40_000})
    assert 40 <= seconds


def test_a_pause_takes_nothing_of_the_time_of_a_match_or_of_the_bank():
    limits = Limits(start_ms=30_000, move_ms=300, bank_ms=500, match_s=2)
    (block,), seconds = played({0: 4, 2: 4}, limits=limits)
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    assert seconds > 30


@pytest.mark.parametrize("outage_s", [0, 20])
def test_a_service_that_fails_for_too_long_loses_the_match(outage_s):
    (block,), seconds = played({0: 1_000}, outage_s=outage_s)
    assert {"transport"} == {s.fault for match in block.matches for s in match.seats if s.bot == "fails"}
    assert {None} == {s.fault for match in block.matches for s in match.seats if s.bot != "fails"}
    charged = [fault for fault in block.faults if fault.charged]
    assert len(block.matches) == len(charged)
    assert outage_s <= seconds <= 2 * outage_s + 1


def test_the_time_of_failures_is_that_of_the_whole_match():
    (block,), _ = played(dict.fromkeys(range(10), 4), outage_s=40)
    assert {"transport"} == {s.fault for match in block.matches for s in match.seats if s.bot == "fails"}


@pytest.mark.parametrize("kind", ["unreadable", "truncated"])
def test_an_answer_without_a_move_has_a_second_try_where_an_illegal_one_has(kind):
    (block,), _ = played({0: 1}, fail=kind, retries=1)
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    assert {(kind, False)} == {(fault.kind, fault.charged) for fault in block.faults}
    (block,), _ = played({0: 1}, fail=kind)
    assert {kind} == {s.fault for match in block.matches for s in match.seats if s.bot == "fails"}


def test_failures_take_no_tries_of_illegal_moves():
    class Both(Fails):
        refused = False

        def act(self, act):
            if act["step"] == 0 and "again" in act and not self.refused:
                self.refused = True
                yield say({"id": act["id"], "move": "nonsense"})
            else:
                yield from super().act(act)

    both = bot("both", config={"times": {"0": 1}})
    with stage(both, good(), scripts={"both": Both}, reporters={"both"}, limits=PATIENT) as play:
        play.hold_to(retries=1)
        (block,) = play.record(0)
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    assert {"illegal", "transport"} == {fault.kind for fault in block.faults}


def test_a_bot_without_a_service_has_no_failures_to_report():
    (block,), _ = played({0: 1}, reporters=())
    assert {"protocol"} == {s.fault for match in block.matches for s in match.seats if s.bot == "fails"}
    assert all("got no move" in fault.reason for fault in block.faults)


@pytest.mark.parametrize(
    ("report", "why"),
    [
        ({"move": "take 1"}, "expected move or fail, got both"),
        ({"fail": "mood"}, "invalid enum value 'mood'"),
        ({"after_ms": -1}, "after_ms"),
        ({"after_ms": 60_001}, "after_ms"),
        ({"why": "x" * 201}, "why"),
        ({"why": "two\nlines"}, "expected a why of printable characters"),
    ],
)
def test_what_is_no_report_is_a_fault(report, why):
    (block,), _ = played({0: 1}, report=report)
    assert {"protocol"} == {s.fault for match in block.matches for s in match.seats if s.bot == "fails"}
    assert why in block.faults[0].reason


def test_hello_tells_only_those_who_may_report_for_how_long(tmp_path):
    played({}, outage_s=40, record=str(tmp_path))
    hellos = [json.loads(lines[0]) for lines in lines_of(tmp_path)]
    assert {40} == {hello["limits"]["outage_s"] for hello in hellos}
    for path in tmp_path.iterdir():
        path.unlink()
    played({}, reporters=(), record=str(tmp_path))
    assert all("outage_s" not in json.loads(lines[0])["limits"] for lines in lines_of(tmp_path))


def test_a_run_that_is_to_stop_waits_for_no_service_and_plays_the_match_another_time():
    fails = bot("fails", config={"times": {"0": 1_000}})
    how = {"reporters": {"fails"}, "limits": PATIENT, "outage_s": 3_600}
    with stage(fails, good(), scripts={"fails": Fails}, **how) as play:
        play.timeline.at(5_000, lambda: setattr(play, "hurries", True))
        began = play.timeline.now()
        (unplayed, *_) = play.attempt([play.block(0)])
        assert 5 <= (play.timeline.now() - began) / 1e9 <= 8
    assert "its service did not answer: 429, and the run was to stop" == unplayed.reason
    assert (("fails@1",), True) == (unplayed.absent, unplayed.cut_short)


# --- how long in a run


def test_a_service_may_fail_in_a_run_for_six_times_as_long_as_in_a_match():
    blocks, seconds = played({0: 4}, outage_s=25, numbers=range(20))
    faults = [fault for block in blocks for fault in block.faults]
    lost = {fault.number for fault in faults if fault.charged}
    waited = {fault.number for fault in faults} - lost
    assert 150 // 22.5 <= len(waited) <= 10, "each waits for 15 s, and up to half more"
    assert 40 == len(lost) + len(waited), "no other match has time left"
    assert 150 <= seconds <= 160
    reasons = {fault.reason for fault in faults if fault.charged}
    assert {"its service did not answer: 429, for longer than 150 s in this run"} == reasons


def test_an_outage_is_counted_once_however_many_tables_wait():
    outages = Outages()
    for from_s, to_s in ((0, 10), (2, 8), (5, 12), (20, 30), (21, 29)):
        outages.add(from_s, to_s)
    assert 12 + 10 == outages.ns


def test_a_run_waits_no_longer_for_a_bot_that_is_absent_again_and_again():
    class Comes(Manners):
        starts = 0

        def hello(self, message):
            Comes.starts += 1
            if Comes.starts % 5:
                yield say({"type": "absent"})
                yield Exit(0)
            else:
                yield from super().hello(message)

    comes = bot("comes", restart="match")
    how = {"reporters": {"comes"}, "limits": PATIENT, "outage_s": 25}
    with stage(comes, good(), scripts={"comes": Comes}, **how) as play:
        ended = [*play.attempt([play.block(number) for number in range(20)])]
        assert 150 <= play.timeline.now() / 1e9 <= 160, "a start takes 15 s, and up to half more"
    silent = {each.reason for each in ended if isinstance(each, Unplayed)}
    assert {"nobody was there to play, for longer than 150 s in this run"} == silent


# --- nobody is there to play


def arrives(times, report=None, then=None):
    """Return the scripts of a bot that is absent *times* times in all, and what they have counted."""
    starts = []

    class Arrives(Manners):
        def hello(self, message):
            starts.append(self.now())
            if len(starts) <= times:
                yield say({"type": "absent", "why": "no server", **(report or {})})
                yield then or Exit(0)
            else:
                yield from super().hello(message)

    return Arrives, starts


@contextmanager
def waiting(times, report=None, then=None, outage_s=300, **settings):
    script, starts = arrives(times, report, then)
    how = {"scripts": {"arrives": script}, "reporters": {"arrives"}, "limits": PATIENT}
    with stage(bot("arrives"), good(), outage_s=outage_s, **how) as play:
        play.hold_to(**settings)
        yield play, starts


@pytest.mark.parametrize("then", [Exit(0), Log(b"it stays\n")])
def test_a_bot_for_which_nobody_is_there_is_started_again_and_nobody_is_charged(then):
    with waiting(3, then=then) as (play, starts):
        (block,) = play.record(0)
    assert [] == block.faults
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    pauses = [(after - before) / 1e9 for before, after in pairwise(starts)][:3]
    for pause, least in zip(pauses, (1, 2, 4), strict=True):
        assert least <= pause <= 1.5 * least + 0.1
    with stage(bot("arrives"), good(), scripts={"arrives": Manners}) as play:
        (calm,) = play.record(0)
    assert [match.moves for match in calm.matches] == [match.moves for match in block.matches]


def test_a_bot_may_say_when_somebody_is_there():
    with waiting(1, {"after_ms": 40_000}) as (play, starts):
        play.record(0)
    assert 40 <= (starts[1] - starts[0]) / 1e9 <= 61


@pytest.mark.parametrize("outage_s", [0, 20])
def test_a_match_for_which_nobody_comes_is_void(outage_s):
    with waiting(10_000, outage_s=outage_s) as (play, starts):
        began = play.timeline.now()
        unplayed = [*play.attempt([play.block(0), play.block(1)])]
        seconds = (play.timeline.now() - began) / 1e9
    why = f"nobody was there to play: no server, for longer than {outage_s} s"
    assert {(0, why, ("arrives@1",), False), (1, why, ("arrives@1",), False)} == {
        (each.block, each.reason, each.absent, each.cut_short) for each in unplayed
    }
    assert outage_s <= seconds <= outage_s + 2, "all blocks of a table wait together"
    assert len(starts) >= outage_s / 45


def test_somebody_may_come_after_an_hour():
    with waiting(120, outage_s=86_400) as (play, starts):
        (block,) = play.record(0)
    assert [] == block.faults
    assert 3_600 <= (starts[120] - starts[0]) / 1e9 <= 5_400


def test_what_is_not_stored_as_a_match_is_not_judged():
    with waiting(10_000, outage_s=20) as (play, _):
        for judge in (lambda: play.record(0), lambda: play.start_ready(play.setup.bots[0])):
            with pytest.raises(TooBusy, match="nobody was there to play: no server, for longer") as caught:
                judge()
            assert "type the same command when it is back" == caught.value.hint


def test_in_a_tournament_the_match_is_lost():
    terms = TournamentTerms("cup", "swiss", 2, 1, 1)
    with waiting(10_000, outage_s=5, tournament=terms) as (play, _):
        (block,) = play.record(0)
    assert {"transport"} == {s.fault for match in block.matches for s in match.seats if s.bot == "arrives"}
    assert {None} == {s.fault for match in block.matches for s in match.seats if s.bot == "good"}
    assert all(fault.charged and "nobody was there to play" in fault.reason for fault in block.faults)


@pytest.mark.parametrize("tournament", [None, TournamentTerms("cup", "swiss", 2, 1, 1)])
def test_a_run_that_is_to_stop_does_not_wait_until_somebody_is_there(tournament):
    with waiting(10_000, outage_s=3_600, tournament=tournament) as (play, _):
        play.timeline.at(5_000, lambda: setattr(play, "hurries", True))
        began = play.timeline.now()
        (unplayed,) = play.attempt([play.block(0)])
        assert 5 <= (play.timeline.now() - began) / 1e9 <= 6
    assert "nobody was there to play: no server, and the run was to stop" == unplayed.reason
    assert (("arrives@1",), True) == (unplayed.absent, unplayed.cut_short)


@pytest.mark.parametrize(
    ("report", "why"),
    [
        ({"after_ms": 60_001}, "after_ms"),
        ({"why": "x" * 201}, "why"),
        ({"why": "two\nlines"}, "expected a why of printable characters"),
    ],
)
def test_what_does_not_say_properly_that_nobody_is_there_is_a_failed_start(report, why):
    with waiting(10_000, report) as (play, _):
        (block,) = play.record(0)
    assert {"start"} == {s.fault for match in block.matches for s in match.seats if s.bot == "arrives"}
    assert why in block.faults[0].reason


def test_a_bot_without_a_service_cannot_be_absent():
    script, _ = arrives(10_000)
    with stage(bot("arrives"), good(), scripts={"arrives": script}, limits=PATIENT) as play:
        (block,) = play.record(0)
    assert {"start"} == {s.fault for match in block.matches for s in match.seats if s.bot == "arrives"}
    assert "expected a message of type ready, got: 'absent'" in block.faults[0].reason


@pytest.mark.parametrize(
    ("error", "fault"), [(CannotStart("no such file"), "start"), (OSError("no memory"), None)]
)
def test_a_bot_that_cannot_be_started_again_is_to_blame_unless_it_is_the_machine(error, fault):
    with waiting(1) as (play, _):
        open_link, opened = play._open, []

        def fails_once(program, line_bytes):
            opened.append(program)
            if opened.count("arrives") == 2:
                raise error
            return open_link(program, line_bytes)

        play._starter._seats = {
            key: SeatKind(partial(fails_once, key[:-2]), reports=True) for key in play._starter._seats
        }
        (block,) = play.record(0)
    first = next(m for m in block.matches if m.number == 0)
    assert {fault} == {s.fault for s in first.seats if s.bot == "arrives"}


# --- what else may come


def test_a_service_that_fails_at_every_decision_changes_no_move():
    (block,), _ = played(dict.fromkeys(range(1_000), 1), outage_s=86_400)
    (calm,), _ = played({})
    assert [match.moves for match in calm.matches] == [match.moves for match in block.matches]
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}


def test_where_three_choose_at_once_the_answers_of_the_others_are_kept():
    bots = [
        bot("fails", name, config={"times": {"0": n, "1": n}}) for name, n in (("a", 2), ("b", 0), ("c", 1))
    ]
    how = {"reporters": {"a", "b", "c"}, "limits": PATIENT, "game": "stella"}
    with stage(*bots, scripts={"fails": Fails}, **how) as play:
        (block,) = play.record(0)
        asked = Counter(
            (act["match"], act["step"])
            for script in play.scripts
            for act in map(json.loads, script.lines)
            if act["type"] == "act"
        )
    assert {None} == {seat.fault for match in block.matches for seat in match.seats}
    assert {"a": 2 * 2 * 3, "c": 2 * 3} == Counter(fault.bot for fault in block.faults)
    assert {1: 6, 2: 6, 3: 6} == Counter(n for (_, step), n in asked.items() if step in (0, 1))
