"""How many tables a worker holds in progress, by what they need."""

from types import SimpleNamespace
from typing import Any

import pytest

from ladder.worker.table_count import Measured, Meter, fitting


class Times:
    """A clock, and the CPU time of a worker, which tests set."""

    def __init__(self):
        self.now = 0.0
        self.own = 0, 0


class Player:
    """A player, and its process, with numbers that tests set."""

    def __init__(self, matches=2, cpu=0, restart="never"):
        self.process = self
        self.bot = SimpleNamespace(manifest=SimpleNamespace(restart=restart))
        self.lost, self.seated, self.matches = False, True, matches
        self.ready: object = object()
        self.use = None
        self.cpu, self.waited, self.lines = cpu, 0, 0

    def cpu_us(self):
        return self.cpu

    def waited_us(self):
        return self.waited


@pytest.fixture
def times():
    return Times()


@pytest.fixture
def meter(times):
    return Meter(lambda: times.now, lambda: times.own)


def test_a_table_needs_what_its_bots_and_the_worker_use(meter, times):
    players: list[Any] = [Player(), Player()]
    meter.look(players, 1)
    times.now, times.own = 1.0, (100_000, 0)
    players[0].cpu, players[1].lines = 200_000, 7
    assert Measured(1.0, pytest.approx(0.3), 7, False) == meter.look(players, 1)


def test_the_need_of_several_tables_is_that_of_one(meter, times):
    players: list[Any] = [Player() for _ in range(6)]
    meter.look(players, 3)
    times.now = 1.0
    for player in players:
        player.cpu = 50_000
    assert pytest.approx(0.1) == meter.look(players, 3).need


@pytest.mark.parametrize(
    ("expected", "cpu", "waited", "own"),
    [
        (1.0, 500_000, 500_000, (0, 0)),
        (1.0, 200_000, 200_000, (200_000, 400_000)),
        (0.0125, 10_000, 200_000, (0, 0)),
    ],
    ids=["who waits half of the time", "who waits beside its worker", "who mostly sleeps"],
)
def test_a_bot_needs_what_it_would_use_if_nobody_waited_for_a_core(expected, cpu, waited, own, meter, times):
    player: Any = Player()
    meter.look([player], 1)
    times.now, times.own = 1.0, own
    player.cpu, player.waited = cpu, waited
    assert pytest.approx(expected) == meter.look([player], 1).need


def test_what_new_processes_use_to_start_does_not_count_and_is_known_for_each(meter, times):
    new: Any = Player(matches=0, cpu=30_000)
    new.ready = None
    times.now = 1.0
    assert (pytest.approx(0.0), True) == meter.look([new], 1)[1:4:2]
    times.now, new.ready, new.cpu = 2.0, object(), 50_000
    assert Measured(1.0, pytest.approx(0.0), 0, True, 50_000) == meter.look([new], 1), "it is just ready"
    times.now, new.cpu = 3.0, 250_000
    assert Measured(1.0, pytest.approx(0.2), 0, False, 50_000) == meter.look([new], 1)


def test_a_process_that_has_played_much_since_it_was_ready_still_counts_as_starting(meter, times):
    busy: Any = Player(matches=0)
    busy.ready = None
    meter.look([busy], 1)
    times.now, busy.ready, busy.matches, busy.cpu, busy.lines = 1.0, object(), 9, 900_000, 100
    assert Measured(1.0, pytest.approx(0.0), 100, True, 900_000) == meter.look([busy], 1)
    times.now, busy.cpu = 2.0, 1_800_000
    assert Measured(1.0, pytest.approx(0.9), 0, False, 900_000) == meter.look([busy], 1)


def test_the_starts_of_a_bot_that_has_a_new_process_in_every_match_count(meter, times):
    new: Any = Player(matches=1, cpu=30_000, restart="match")
    times.now = 1.0
    assert Measured(1.0, pytest.approx(0.03), 0, False) == meter.look([new], 1)


def test_what_a_bot_did_counts_also_if_it_is_at_no_table_any_more(meter, times):
    player: Any = Player()
    meter.look([player], 1)
    times.now = 1.0
    player.cpu, player.lines, player.seated = 400_000, 9, False
    found = meter.look([player], 1)
    assert (pytest.approx(0.4), 9) == (found.need, found.answers)


def test_a_process_that_is_not_ready_is_starting_and_a_lost_one_is_not(meter):
    player: Any = Player()
    player.ready = None
    assert meter.look([player], 1).starting
    player.lost = True
    assert not meter.look([player], 1).starting


def a_look(need, answers=10, starting=False, start_us=40_000):
    return Measured(0.25, need, answers, starting, start_us)


@pytest.mark.parametrize(
    ("expected", "look", "playing", "tables", "why"),
    [
        (8, a_look(0.01), 1, 1, "the number grows eightfold at most"),
        (24, a_look(0.01), 3, 3, "as long as it may"),
        (32, a_look(0.01), 30, 30, "up to the most"),
        (6, a_look(0.09), 4, 4, "so that six tenths of the core are in use"),
        (1, a_look(0.8), 1, 1, "bots that compute have one table"),
        (4, a_look(0.01), 2, 4, "tables without work do not call for more"),
        (1, a_look(0.5), 3, 3, "bots that begin to compute get fewer"),
        (3, a_look(0.2), 3, 3, "what fits, stays"),
        (1, a_look(0.01, answers=1000), 1, 1, "bots that answer at once have one table whatever they need"),
        (4, a_look(0.9, starting=True), 4, 4, "the number stays while bots start"),
        (4, a_look(0.01, starting=True), 4, 4, "the number stays while bots start"),
        (19, a_look(0.01, start_us=100_000), 4, 4, "new tables of bots that take long to start are fewer"),
        (9, a_look(0.01, start_us=300_000), 4, 4, "and fewer"),
        (5, a_look(0.01, start_us=1_200_000), 4, 4, "and come one by one"),
        (5, a_look(0.01, start_us=60_000_000), 4, 4, "however long they take"),
    ],
)
def test_tables_fit_what_they_need(expected, look, playing, tables, why):
    assert expected == fitting(look, playing, tables, 32), why
