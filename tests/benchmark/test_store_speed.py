"""The made-up home of `bench.py --records`: its rows are those of real matches, and readers take them."""

import shutil
from contextlib import suppress
from unittest import mock

import msgspec
import pytest
from programs.benchmark import store_speed
from programs.benchmark.cost_page import CostTable
from support import ladders
from support.command_line import listing

from ladder.contest.blocks import matches_of
from ladder.errors import LadderError, RunStopped
from ladder.home.home import open_home
from ladder.machine.pool import Pool
from ladder.replay.verify import verify
from ladder.run import coordinator
from ladder.run.coordinator import Coordinator
from ladder.run.setup import setup_of
from ladder.run.status import Stop
from results.rating import cache
from results.rating.rated import standings_of
from results.storage.store import Store

pytestmark = pytest.mark.process  # the ratings of a run are made aside

TWO_GAMES = '[run]\ngames = ["stellar", "stella"]\nseats = [2, 4]\n[sandbox]\ntier = "none"\n'


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Return a home with 40 matches of each game of which all but the last two blocks are recorded."""
    home = ladders.a_home(tmp_path_factory.mktemp("recorded") / "home", settings=TWO_GAMES)
    run = ladders.start_run(home, matches=80)
    setup, stop = setup_of(home, run, 1), Stop()
    with (
        mock.patch.object(coordinator, "SEAL_MATCHES", 16),
        mock.patch.multiple(store_speed, BATCH_BLOCKS=5, TASK_BLOCKS=2),
        Store(home.results).lock() as store,
        Pool(1) as pool,
        suppress(RunStopped),
    ):
        executor = store_speed.Playouts(setup, 28, stop, pool)
        Coordinator.resume(store, run, setup, lambda status: None).play(executor, stop)
    return home


def blocks_of(home):
    return list(Store(home.results).contents().blocks(1))


def test_what_was_recorded_is_sound_and_every_move_took_a_thought(recorded):
    verdict = verify(Store(recorded.results))
    assert (True, 76) == (verdict.sound, verdict.matches)
    blocks = blocks_of(recorded)
    assert list(range(28)) == [block.number for block in blocks]
    for match in (match for block in blocks for match in block.matches):
        steps = [dict(step) for step in msgspec.json.decode(match.moves)]
        assert [len(seat.think_us) for seat in match.seats] == [
            sum(seat in step for step in steps) for seat in range(len(match.seats))
        ]


def test_bots_numbers_and_names_are_those_that_a_run_would_have_given(recorded):
    run = Store(recorded.results).runs()[0]
    setup = setup_of(recorded, run, 1)
    with Store(recorded.results).lock() as store:
        left = Coordinator.resume(store, run, setup, lambda status: None)._plan
    assert [28, 29] == [block.number for block in left]
    matches = [match for block in blocks_of(recorded) for match in block.matches]
    assert list(range(len(matches))) == [match.number for match in matches]
    assert len({seat.name for match in matches for seat in match.seats}) == sum(len(m.seats) for m in matches)
    assert left[0].first_match == len(matches)
    assert matches_of(left[0], setup.contests[left[0].contest])[0].match == len(matches)


def test_the_run_that_was_recorded_is_played_to_its_end(recorded, tmp_path):
    home = open_home(shutil.copytree(recorded.path, tmp_path / "home"))
    ladders.play(home)
    assert 30 == Store(home.results).runs()[0].blocks
    kept = standings_of(cache.ratings_current(Store(home.results)))
    (home.results / "ratings.parquet").unlink()
    assert kept == standings_of(cache.ratings_current(Store(home.results)))


def test_opening_and_planning_are_measured_in_processes_of_their_own_and_leave_the_home_as_it_was(
    recorded, tmp_path
):
    home = open_home(shutil.copytree(recorded.path, tmp_path / "home"))
    ladders.play(home)
    before, table = listing(home.path), CostTable(20_000)
    table.sizes.append(60)
    for name, work in (("opening", store_speed._open), ("planning", store_speed._plan_link)):
        seconds, memory = store_speed._apart(name, work, home, table, 100)
        assert (True, True) == (seconds.ok, memory.ok)
        assert (f"{name}: time", f"{name}: memory") == (seconds.what, memory.what)
        assert 10 < memory.value
    assert {*before} <= {*listing(home.path)}
    assert 1 == len(Store(home.results).runs())


def test_where_the_disk_is_full_nothing_is_begun(monkeypatch):
    monkeypatch.setattr(store_speed, "SPARE_BYTES", 1 << 62)
    with pytest.raises(LadderError, match="the disk is almost full"):
        next(store_speed.record_figures(20_000, CostTable(20_000)))
