"""Blocks that the machine delays: they wait, are played alone, let the run pause, and are charged or not."""

import time
from random import Random

import pytest
from support import ladders
from support.command_line import run_here
from support.here import play_commands_here
from support.scripted_tables import ScriptedTables

from ladder.contest.blocks import PlannedBlock
from ladder.errors import LESS_LOAD, RunStopped, TooBusy
from ladder.run.coordinator import Coordinator
from ladder.run.delayed import DelayedBlocks
from ladder.run.setup import setup_of
from ladder.run.status import Stop
from ladder.worker.worker_messages import Unplayed
from results.storage.contents import Contents
from results.storage.store import Store

BOTS = ("a", "b", "c", "d")
WHY = "a@1: its answer took 9.1 s, of which it waited 8.8 s for a core"


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home", {name: {} for name in BOTS})


class Played:
    """A run that was played, and how."""

    def __init__(self, home, delay, tables=4, stops=lambda status: False, shuffle=None, **asked):
        run = ladders.start_run(home, **{"matches": 200, **asked})
        setup = setup_of(home, run, 1)
        self.ids = [bot.id for bot in setup.bots]
        self.told, self.waits, self.error = [], [], None
        self.executor = ScriptedTables(setup, tables, delay=lambda play: delay(play, self), shuffle=shuffle)
        stop = Stop()

        def report(status):
            stop.asked = int(stops(status))
            self.waits.append(status.wait)

        with Store(home.results).lock() as store:
            self.running = Coordinator.resume(
                store, run, setup, report, lambda *said: self.told.append(said), self.executor.clock
            )
            try:
                self.running.play(self.executor, stop)
            except (TooBusy, RunStopped) as error:
                self.error = error

    @property
    def alone(self):
        return [play for play in self.executor.plays if play.alone]


def nothing(play, run):
    """Delay nothing."""


def unplayed(block, late=(), *, in_time=False):
    return Unplayed(block, WHY, tuple(late), in_time)


def delaying(*blocks, until=1, late=(), in_time=False):
    """Return a machine that delays *blocks* the first *until* times that they are played."""
    return lambda play, run: (
        unplayed(play.block, late, in_time=in_time)
        if play.block in blocks and play.before <= until - 1
        else None
    )


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Return rows and ratings of runs that nothing disturbs, by their schedule."""
    found = {}
    for kind in ("adaptive", "round-robin"):
        home = ladders.a_home(tmp_path_factory.mktemp(kind) / "home", {name: {} for name in BOTS})
        Played(home, nothing, tables=1, schedule=kind)
        found[kind] = ladders.rows(home.path), ladders.ratings(home.path)
    return found


def check_like(undisturbed, home):
    assert undisturbed == (ladders.rows(home.path), ladders.ratings(home.path))
    assert not Store(home.results).contents().unfinished_run


# -- it waits, and is played alone


@pytest.mark.parametrize("kind", ["adaptive", "round-robin"])
@pytest.mark.parametrize("tables", [1, 64])
def test_a_block_that_was_delayed_is_played_alone_and_the_run_is_the_same(home, undisturbed, kind, tables):
    run = Played(home, delaying(3, 20, 21, 77), tables, shuffle=Random(tables), schedule=kind)
    assert sorted([3, 20, 21, 77]) == sorted(play.block for play in run.alone)
    assert [] == run.told
    check_like(undisturbed[kind], home)


def test_it_waits_until_all_other_planned_blocks_are_played(home):
    run = Played(home, delaying(3, 5), schedule="adaptive")
    order = [play.block for play in run.executor.plays]
    first = next(i for i, play in enumerate(run.executor.plays) if play.alone)
    assert {*range(50)} == {*order[:first]}, "two epochs of 25 blocks are planned by then"
    assert [3, 5] == order[first : first + 2]
    assert min(order[first + 2 :]) == 50, "nothing that rests on them was planned meanwhile"


def test_no_more_of_a_round_robin_is_planned_while_a_block_waits(home):
    run = Played(home, delaying(3), tables=2, schedule="round-robin", matches=4_000)
    first = next(i for i, play in enumerate(run.executor.plays) if play.alone)
    assert first < 1_600 < 2_000 == run.running.status.done / 2


# -- the run pauses


def test_a_run_pauses_and_tries_again_after_a_minute(home, undisturbed):
    run = Played(home, delaying(3, until=3), schedule="adaptive")
    assert 3 == len(run.alone)
    first, second, third = (play.at for play in run.alone)
    assert first + 60 <= second <= first + 60 + 10
    assert 0 < third - second < 60 + 10
    assert f"block 3 could not be played, though nothing else was: {WHY}; " in run.told[0][0]
    assert any("this machine is too busy: the run continues in 59 s" in text for text in run.waits)
    check_like(undisturbed["adaptive"], home)


def test_a_pause_does_not_count_as_time_of_the_run(home):
    run = Played(home, delaying(3, until=3), schedule="adaptive", matches=None, seconds=100.0)
    assert 2 == sum("pauses for 60 s" in text for text, _ in run.told)
    assert 100 <= run.running.status.seconds < 120
    assert 100 + 2 * 60 <= run.executor.now < 120 + 2 * 60
    whole = ladders.a_home(home.path.parent / "whole", {name: {} for name in BOTS})
    undelayed = Played(whole, nothing, schedule="adaptive", matches=None, seconds=100.0)
    assert run.running.status.done == pytest.approx(undelayed.running.status.done, rel=0.35)


def test_a_block_that_waits_when_the_time_is_up_is_played(home):
    run = Played(home, delaying(3), tables=8, schedule="round-robin", matches=None, seconds=20.0)
    done = run.running.status.done
    assert [*range(done)] == [row["number"] for row in ladders.rows(home.path)]
    assert 20 < done


def test_a_run_whose_time_is_up_waits_for_no_table_that_stands(home):
    def delay(play, run):
        stood = run.executor.hurried and play.block % 2
        return Unplayed(play.block, WHY, cut_short=True) if stood else None

    run = Played(home, delay, schedule="round-robin", matches=None, seconds=20.0)
    assert f"this machine is too busy: {WHY}, in block " in str(run.error)
    assert str(run.error).endswith(", when the time of the run was up")
    assert "ladder run --resume" in run.error.hint
    assert 1 == run.executor.hurried
    again = Played(home, nothing, schedule="round-robin", matches=None, seconds=20.0)
    assert again.error is None
    assert [*range(again.running.status.done)] == [row["number"] for row in ladders.rows(home.path)]


def silent_at_the_end(play, run):
    """Let the service of a bot not answer when the time of the run is up."""
    down = run.executor.hurried and play.block % 2
    return Unplayed(play.block, WHY, absent=(run.ids[0],), cut_short=True) if down else None


def test_a_block_that_waits_for_a_service_when_the_time_is_up_is_played_when_the_run_goes_on(
    home, monkeypatch
):
    asked = {"schedule": "round-robin", "matches": None, "seconds": 20.0}
    run = Played(home, silent_at_the_end, **asked)
    assert (None, 1) == (run.error, run.executor.hurried)
    (told,) = run.told
    assert f"is to be played again: {run.ids[0]}: {WHY}" in told[0]
    assert "ladder run --resume" in told[1]
    unfinished = Store(home.results).unfinished_run()
    assert () == unfinished.settings.without
    later = time.time() + 60
    monkeypatch.setattr(time, "time", lambda: later)
    again = Played(home, silent_at_the_end, **asked)
    assert (None, [], 0) == (again.error, again.told, again.executor.hurried), "what is left is waited for"
    assert [*range(again.running.status.done)] == [row["number"] for row in ladders.rows(home.path)]
    assert Store(home.results).unfinished_run() is None


@pytest.mark.parametrize(
    ("later", "seconds", "more", "begins"),
    [(60, 9, [], True), (60, 9, ["--resume"], False), (0, 9, [], False), (60, 5, [], False)],
)
def test_the_same_command_ends_a_run_whose_time_was_over_and_begins_another(
    home, monkeypatch, later, seconds, more, begins
):
    run = Played(home, silent_at_the_end, 2, schedule="round-robin", matches=40, seconds=15.0)
    assert run.running.status.done < 40
    assert Store(home.results).unfinished_run()
    now = time.time() + later
    monkeypatch.setattr(time, "time", lambda: now)
    monkeypatch.setattr(Contents, "seconds_played", lambda *_: seconds)
    play_commands_here(monkeypatch)
    asked = ("--games", "40", "--for", "15s", "--schedule", "round-robin", "--seed", "1", *more)
    answer = run_here("run", "--home", home.path, *asked)
    assert 0 == answer.code, answer.err
    told = "run 1 has ended, whose time was over; now this command begins another"
    assert begins == (told in answer.err)
    assert [True] * (1 + begins) == [bool(each.finished) for each in Store(home.results).runs()]


# -- charged, or too busy


def test_a_block_that_one_bot_alone_makes_void_is_charged_to_it(home):
    def delay(play, run):
        return None if play.charge or play.block != 0 else unplayed(0, [run.ids[0]], in_time=True)

    run = Played(home, delay, schedule="round-robin")
    assert ["", "", "", run.ids[0]] == [play.charge for play in run.alone]
    assert f"{run.ids[0]} alone is late in block 0" in run.told[-1][0]
    assert 0 == run.alone[0].block
    faults = Store(home.results).contents().faults(1).to_pylist()
    assert {("timeout", run.ids[0])} == {(f["kind"], f"{f['bot']}@{f['version']}") for f in faults}
    assert 200 == run.running.status.done


def test_a_charge_ends_with_its_block(home):
    def delay(play, run):
        late = (play.block == 0 and not play.charge) or (play.block == 1 and not play.alone)
        return unplayed(play.block, [run.ids[0]], in_time=True) if late else None

    run = Played(home, delay, schedule="round-robin")
    assert [(0, ""), (0, ""), (0, ""), (0, run.ids[0]), (1, "")] == [(p.block, p.charge) for p in run.alone]


@pytest.mark.parametrize(
    "late",
    [
        lambda ids, time: unplayed(0, ids[:2]),
        lambda ids, time: unplayed(0, ids[:1]),
        lambda ids, time: unplayed(0, [ids[time % 2]], in_time=True),
        lambda ids, time: unplayed(0, ids[:1], in_time=time != 2),
        lambda ids, time: unplayed(0),
    ],
    ids=["two", "one, and others were not in time", "another each time", "not in time once", "nobody"],
)
def test_a_machine_that_delays_more_than_one_bot_ends_the_run_and_charges_none(home, undisturbed, late):
    run = Played(home, lambda play, run: late(run.ids, play.before) if play.block == 0 else None)
    assert 8 == run.error.exit_code
    assert f"this machine is too busy: {WHY}, in block 0, each time it was played" == str(run.error)
    assert "end other programs, or wait until they have ended; then: ladder run --resume" == run.error.hint
    assert 0 == len(Store(home.results).contents().faults(1))
    assert 3 == len(run.alone)
    Played(home, nothing)
    check_like(undisturbed["adaptive"], home)


def test_a_charged_block_that_others_make_void_ends_the_run(home):
    run = Played(
        home,
        lambda play, run: unplayed(0, [run.ids[0]], in_time=True) if play.block == 0 else None,
    )
    assert 8 == run.error.exit_code
    assert 4 == len(run.alone)


def test_a_duel_that_the_machine_is_too_busy_for_is_continued_by_the_same_command():
    delayed = DelayedBlocks(lambda *_: None, LESS_LOAD, lambda: 0.0)
    assert "run the same command again" in delayed._resume


# -- stopped, killed, and in shards


@pytest.mark.parametrize("kind", ["adaptive", "round-robin"])
def test_a_run_that_stops_while_a_block_waits_plays_it_as_any_other_when_it_is_continued(
    home, undisturbed, kind
):
    run = Played(home, delaying(9), tables=64, stops=lambda status: status.done >= 18, schedule=kind)
    assert isinstance(run.error, RunStopped)
    assert 9 not in Store(home.results).contents().committed_blocks(1)
    again = Played(home, nothing, schedule=kind)
    assert 18 == again.running.status.before
    assert [False] == [play.alone for play in again.executor.plays if play.block == 9]
    check_like(undisturbed[kind], home)


def test_a_run_may_be_stopped_in_a_pause(home, undisturbed):
    run = Played(home, delaying(3, until=9), stops=lambda status: status.pause_left_s > 0)
    assert isinstance(run.error, RunStopped)
    Played(home, nothing)
    check_like(undisturbed["adaptive"], home)


@pytest.mark.parametrize("end", [5, 6, 8])
def test_blocks_from_the_end_of_a_run_on_are_forgotten(end):
    delayed = DelayedBlocks(lambda *_: None, LESS_LOAD, lambda: 0.0)
    for number in (5, 7):
        delayed.add(PlannedBlock(number, 2 * number, 0, (0, 1)), unplayed(number))
    assert 5 == delayed.take().block.number
    delayed.drop_from(end)
    assert [number for number in (5, 7) if number < end] == [block.number for block in delayed.blocks]
    assert (end > 5, end > 5) == (bool(delayed), delayed.has_turn)
