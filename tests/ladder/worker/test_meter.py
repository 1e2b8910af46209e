"""How many tables a worker holds in progress, by what they need."""

from types import SimpleNamespace
from typing import Any

import pytest

from ladder.worker.meter import Measured, Meter, fitting


class Times:
    """A clock, and the CPU time of a worker, which tests set."""

    def __init__(self) -> None:
        self.now = 0.0
        self.own = 0, 0


class Player:
    """A player, and its process, with numbers that tests set."""

    def __init__(self, matches: int = 2, cpu: int = 0, restart: str = "never") -> None:
        self.process = self
        self.bot = SimpleNamespace(manifest=SimpleNamespace(restart=restart))
        self.lost, self.seated, self.matches = False, True, matches
        self.ready: object = object()
        self.use = None
        self.cpu, self.waited, self.lines = cpu, 0, 0

    def cpu_us(self) -> int:
        return self.cpu

    def waited_us(self) -> int:
        return self.waited


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
def meter(times: Times) -> Meter:
    return Meter(lambda: times.now, lambda: times.own)


def test_a_table_needs_what_its_bots_and_the_worker_use(meter: Meter, times: Times) -> None:
    players: list[Any] = [Player(), Player()]
    meter.look(players, 1)
    times.now, times.own = 1.0, (100_000, 0)
    players[0].cpu, players[1].lines = 200_000, 7
    assert Measured(1.0, pytest.approx(0.3), 7, False) == meter.look(players, 1)


def test_the_need_of_several_tables_is_that_of_one(meter: Meter, times: Times) -> None:
    players: list[Any] = [Player() for _ in range(6)]
    meter.look(players, 3)
    times.now = 1.0
    for player in players:
        player.cpu = 50_000
    assert pytest.approx(0.1) == meter.look(players, 3).need


def test_a_bot_that_gets_half_a_core_and_wants_a_whole_one_needs_a_whole_one(
    meter: Meter, times: Times
) -> None:
    player: Any = Player()
    meter.look([player], 1)
    times.now = 1.0
    player.cpu, player.waited = 500_000, 500_000
    assert pytest.approx(1.0) == meter.look([player], 1).need


def test_a_worker_that_waits_for_a_core_does_not_make_its_bots_look_idle(meter: Meter, times: Times) -> None:
    player: Any = Player()
    meter.look([player], 1)
    times.now, times.own = 1.0, (200_000, 400_000)
    player.cpu, player.waited = 200_000, 200_000
    assert pytest.approx(1.0) == meter.look([player], 1).need


def test_a_bot_that_mostly_sleeps_needs_little_also_where_it_waits_for_a_core(
    meter: Meter, times: Times
) -> None:
    player: Any = Player()
    meter.look([player], 1)
    times.now = 1.0
    player.cpu, player.waited = 10_000, 200_000
    assert pytest.approx(0.0125) == meter.look([player], 1).need


def test_what_new_processes_use_to_start_does_not_count_and_is_known_for_each(
    meter: Meter, times: Times
) -> None:
    new: Any = Player(matches=0, cpu=30_000)
    new.ready = None
    times.now = 1.0
    assert (pytest.approx(0.0), True) == meter.look([new], 1)[1:4:2]
    times.now, new.ready, new.cpu = 2.0, object(), 50_000
    assert Measured(1.0, pytest.approx(0.0), 0, True, 50_000) == meter.look([new], 1), "it is just ready"
    times.now, new.cpu = 3.0, 250_000
    assert Measured(1.0, pytest.approx(0.2), 0, False, 50_000) == meter.look([new], 1)


def test_a_process_that_has_played_much_since_it_was_ready_still_counts_as_starting(
    meter: Meter, times: Times
) -> None:
    busy: Any = Player(matches=0)
    busy.ready = None
    meter.look([busy], 1)
    times.now, busy.ready, busy.matches, busy.cpu, busy.lines = 1.0, object(), 9, 900_000, 100
    assert Measured(1.0, pytest.approx(0.0), 100, True, 900_000) == meter.look([busy], 1)
    times.now, busy.cpu = 2.0, 1_800_000
    assert Measured(1.0, pytest.approx(0.9), 0, False, 900_000) == meter.look([busy], 1)


def test_the_starts_of_a_bot_that_has_a_new_process_in_every_match_count(meter: Meter, times: Times) -> None:
    new: Any = Player(matches=1, cpu=30_000, restart="match")
    times.now = 1.0
    assert Measured(1.0, pytest.approx(0.03), 0, False) == meter.look([new], 1)


def test_what_a_bot_did_counts_also_if_it_is_at_no_table_any_more(meter: Meter, times: Times) -> None:
    player: Any = Player()
    meter.look([player], 1)
    times.now = 1.0
    player.cpu, player.lines, player.seated = 400_000, 9, False
    found = meter.look([player], 1)
    assert (pytest.approx(0.4), 9) == (found.need, found.answers)


def test_a_process_that_is_not_ready_is_starting_and_a_lost_one_is_not(meter: Meter) -> None:
    player: Any = Player()
    player.ready = None
    assert meter.look([player], 1).starting
    player.lost = True
    assert not meter.look([player], 1).starting


def a_look(need: float, answers: int = 10, starting: bool = False, start_us: int = 40_000) -> Measured:
    return Measured(0.25, need, answers, starting, start_us)


@pytest.mark.parametrize(
    ("expected", "need", "playing", "tables", "why"),
    [
        (8, 0.01, 1, 1, "the number grows eightfold at most"),
        (24, 0.01, 3, 3, "as long as it may"),
        (32, 0.01, 30, 30, "up to the most"),
        (6, 0.09, 4, 4, "so that six tenths of the core are in use"),
        (1, 0.8, 1, 1, "bots that compute have one table"),
        (4, 0.01, 2, 4, "tables without work do not call for more"),
        (1, 0.5, 3, 3, "bots that begin to compute get fewer"),
        (3, 0.2, 3, 3, "what fits, stays"),
    ],
)
def test_tables_fit_what_they_need(expected: int, need: float, playing: int, tables: int, why: str) -> None:
    assert expected == fitting(a_look(need), playing, tables, 32), why


def test_bots_that_answer_at_once_have_one_table_whatever_they_need() -> None:
    assert 1 == fitting(a_look(0.01, answers=1000), 1, 1, 32)


@pytest.mark.parametrize("need", [0.9, 0.01])
def test_the_number_of_tables_stays_while_bots_start(need: float) -> None:
    assert 4 == fitting(a_look(need, starting=True), 4, 4, 32)


@pytest.mark.parametrize(("expected", "start_s"), [(19, 0.1), (9, 0.3), (5, 1.2), (5, 60.0)])
def test_new_tables_of_bots_that_take_long_to_start_come_one_by_one(expected: int, start_s: float) -> None:
    assert expected == fitting(a_look(0.01, start_us=int(start_s * 1e6)), 4, 4, 32)
