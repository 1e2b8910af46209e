"""The bots that come with the ladder play without a fault, and stand as they should."""

import json
import shutil
from itertools import combinations

import pytest
from support.command_line import run_apart
from support.need import need_program
from support.places import ROOT
from support.submitting import submit

from engines import GAMES
from ladder.home.home import SEARCH, create_home, first_house_bots, house_bots
from ladder.home.house_bots import TRIED, tried_versions
from ladder.registry.bot_manifest import read_manifest
from results.rating.cache import ratings_current
from results.storage.store import Store

TOOLS = {"random-js": ("node", "nodejs"), "random-c": ("cc", "gcc")}
RANDOM = ["random", "random-c", "random-js"]
SEED = "20261121"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # the first one plays a run of all games


def need_tools(*bots):
    for bot in bots:
        if bot in TOOLS:
            need_program(*TOOLS[bot])


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Return the results of a first run of all games at all table sizes, in which all bots meet."""
    folder = tmp_path_factory.mktemp("house")
    schedule = ("--schedule", "round-robin")  # an adaptive run hardly asks bots that are far apart
    done = run_apart("run", "--games", "1600", "--seed", SEED, *schedule, cwd=folder)
    assert 0 == done.code, done.err
    assert "left out: " not in done.err
    assert ", no faults" in done.err
    return Store(folder / "ladder-home/results")


@pytest.fixture(scope="module")
def rated(store):
    """Return the ratings of the house bots, by game."""
    return ratings_current(store)


@pytest.mark.parametrize(
    ("game", "count"), [("stella", 6), ("starry-sky", 5), ("stella-quest", 4), ("stellar", 4)]
)
def test_enough_bots_in_python_play_each_game(rated, game, count):
    assert count <= len({bot for bot, _ in rated[game].fit.bots} - set(TOOLS))


def test_all_house_bots_of_a_first_run_take_part(rated):
    missing = {bot for bot, (tool, _) in TOOLS.items() if not shutil.which(tool)}
    assert set(first_house_bots()) - missing == {bot for each in rated.values() for bot, _ in each.fit.bots}


def test_a_house_bot_that_knows_its_games_by_name_lists_them():
    """So it stays a bot of these when a game comes that it does not know."""
    for name, file in house_bots().items():
        manifest = read_manifest(file, GAMES)
        if file.parent.name == "greedy":
            known = [game for game, policy in manifest.config.items() if policy in GAMES[game].policies()]
            assert known, name
            assert known == [*manifest.config], name
            assert set(known) == set(manifest.games), name
        elif file.parent.name == SEARCH:
            modules = {path.stem.replace("_", "-") for path in file.parent.glob("*.py")} - {"bot", "halving"}
            assert modules == set(manifest.games), name
        else:
            assert not manifest.games, name
            assert name in RANDOM, name


def difference(rated, one, other):
    """Return the difference of two bots, and its standard deviation."""
    places = {name: i for i, (name, _) in enumerate(rated.fit.bots)}
    return rated.fit.difference(places[one], places[other])


def is_better(rated, one, other):
    distance, deviation = difference(rated, one, other)
    return distance > 3 * deviation


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", RANDOM)
def test_greedy_is_clearly_above_a_random_bot(rated, game, bot):
    need_tools(bot)
    assert is_better(rated[game], "greedy", bot)


@pytest.mark.parametrize("seats", range(2, 7))
def test_so_it_is_at_every_table_size(store, seats):
    rated = ratings_current(store, seats)
    assert {game.name for game in GAMES.values() if seats in game.seats} == set(rated)
    for game in rated:
        assert is_better(rated[game], "greedy", "random"), game


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("pair", list(combinations(RANDOM, 2)), ids=" and ".join)
def test_two_random_bots_are_as_good_as_each_other(rated, game, pair):
    """Of the twelve pairs one may be told apart by accident, with 95 %, but not by so much."""
    need_tools(*pair)
    distance, deviation = difference(rated[game], *pair)
    assert abs(distance) < 3 * deviation


@pytest.mark.parametrize("name", first_house_bots())
def test_a_house_bot_plays_at_each_table_of_its_games_against_itself(name, tmp_path, request):
    """So that new homes take it in at once.  `--regold` writes down which version did."""
    need_tools(name)
    version = submit(create_home(tmp_path / "home"), house_bots()[name])
    assert (name, ()) == (version.bot, version.unfit)
    tried = tried_versions()
    if request.config.getoption("--regold"):
        known = {bot: tried.get(bot, "") for bot in first_house_bots()} | {name: version.version}
        (ROOT / "bots" / TRIED).write_text(json.dumps(known, indent=2) + "\n")
    else:
        assert version.version == tried[name]
