"""`ladder leaderboard --show calibration`: the blocks of a store, divided, predicted and shown."""

import json
from random import Random

import pytest
from support.command_line import on_a_terminal, run_here
from support.records import a_match
from support.stores import keep_run

from ladder.home.home import create_home
from results.rating.calibration import is_held_out, read_calibrations
from results.record import Block
from results.storage.store import Store

pytestmark = pytest.mark.usefixtures("threads")

BLOCKS = 120
TABLES = [("alpha", "beta"), ("alpha", "gamma"), ("beta", "gamma"), ("alpha", "beta", "gamma")]


def drawn_block(number, bots, run, game, rng):
    """Return a block in which all bots are equally good, with a draw now and then."""
    matches = []
    for rotation in range(len(bots)):
        ranks: list[int | None] = rng.choice([[*range(1, len(bots) + 1)], [1] * len(bots)])
        rng.shuffle(ranks)
        match = len(bots) * number + rotation
        seated = [bots[(seat + rotation) % len(bots)] for seat in range(len(bots))]
        matches.append(a_match(match, seated, ranks, run=run, game=game, block=number, rotation=rotation))
    return Block(number, matches, [])


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home with a finished run and one under way, of two games."""
    path = tmp_path_factory.mktemp("calibration") / "home"
    create_home(path)
    store, rng = Store(path / "results"), Random(7)
    with store.lock():
        for run in (1, 2):
            games = [("stella", "stellar")[number % 4 < 3] for number in range(BLOCKS)]
            blocks = (drawn_block(n, TABLES[n % 4], run, game, rng) for n, game in enumerate(games))
            keep_run(store, blocks, run, ends=run == 1)
    return path


def rows(home, *arguments):
    result = run_here("leaderboard", "--show", "calibration", "--home", home, "--format", "json", *arguments)
    assert 0 == result.code, result.err
    return json.loads(result.out)


def test_each_game_has_its_row_with_every_match_of_finished_and_unfinished_runs(home):
    stella, stellar = rows(home)
    assert ["stella", "stellar"] == [stella["game"], stellar["game"]]
    assert [2 * 30 * 3, 2 * 90 * 2] == [stella["matches"], stellar["matches"]]


def test_the_held_out_blocks_are_predicted_and_no_others(home):
    (stellar,) = rows(home, "--game", "stellar")
    held_out = sum(is_held_out(run, n) for run in (1, 2) for n in range(BLOCKS) if n % 4 < 3)
    assert 2 * held_out == stellar["predicted"]
    assert 2 * held_out == sum(group["meetings"] for group in stellar["curve"])  # type: ignore[attr-defined]


def test_only_tables_of_the_asked_size_count(home):
    assert ["stella"] == [row["game"] for row in rows(home, "--seats", "3")]
    contents = Store(home / "results").contents()
    assert read_calibrations(contents, 3) == {"stella": read_calibrations(contents)["stella"]}


def test_a_size_that_was_never_played_shows_nothing(home):
    result = run_here(
        "leaderboard", "--show", "calibration", "--home", home, "--format", "json", "--seats", "5"
    )
    assert (0, []) == (result.code, json.loads(result.out))
    assert "no such matches so far" in result.err


def test_on_a_terminal_it_fits_80_columns_and_says_what_it_found(home):
    shown = on_a_terminal("leaderboard", "--show", "calibration", "--home", home, "--game", "stellar")
    assert "360 matches, of which" in shown
    assert "log-loss: ratings" in shown
    assert "misfit" in shown
    assert "not shown" not in shown
