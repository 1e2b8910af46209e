"""The bots that come with the ladder play without a fault, and stand as they should."""

from __future__ import annotations

import shutil
from itertools import combinations
from pathlib import Path

import pytest
from support.command_line import typed

from engines import GAMES
from ladder.admission.submit import submit
from ladder.home.home import create_home, house_bots
from ladder.registry.manifest import read_manifest
from results.rating.cache import ratings_at_tables_of, ratings_current, standings_of
from results.rating.separation import not_separable
from results.rating.standings import Standing
from results.storage.store import Store

TOOLS = {"random-js": "node", "random-c": "cc"}
RANDOM = ["random", "random-c", "random-js"]
SEED = "20261121"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # the first one plays a run of all games


def need_tools(*bots: str) -> None:
    for bot in bots:
        if bot in TOOLS and not shutil.which(TOOLS[bot]):
            pytest.skip(f"{bot} needs {TOOLS[bot]}, which is not on this machine")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return the results of a first run of all games at all table sizes."""
    folder = tmp_path_factory.mktemp("house")
    done = typed("run", "--games", "1600", "--seed", SEED, cwd=folder)
    assert 0 == done.code, done.err
    assert "left out: " not in done.err
    assert ", no faults" in done.err
    return Store(folder / "ladder-home/results")


@pytest.fixture(scope="module")
def standings(store: Store) -> dict[tuple[str, str], Standing]:
    """Return how the house bots stand, by game and bot."""
    return {
        (standing.game, standing.bot): standing for standing in standings_of(ratings_current(store)).values()
    }


@pytest.mark.parametrize(
    ("game", "count"), [("stella", 6), ("starry-sky", 5), ("stella-quest", 4), ("stellar", 4)]
)
def test_enough_bots_in_python_play_each_game(
    standings: dict[tuple[str, str], Standing], game: str, count: int
) -> None:
    assert count <= len({bot for of, bot in standings if of == game} - set(TOOLS))


def test_all_house_bots_take_part(standings: dict[tuple[str, str], Standing]) -> None:
    missing = {bot for bot, tool in TOOLS.items() if not shutil.which(tool)}
    assert set(house_bots()) - missing == {bot for _, bot in standings}


def test_a_house_bot_that_knows_its_games_by_name_lists_them() -> None:
    """So it stays a bot of these when a game comes that it does not know."""
    modules = {file.stem.replace("_", "-") for file in (house_bots()["greedy"].parent).glob("*.py")} - {"bot"}
    for name, file in house_bots().items():
        games = set(read_manifest(file, GAMES).games)
        assert games <= modules if file.parent.name == "greedy" else not games, name
        assert games or name in RANDOM, name
    assert modules == set(read_manifest(house_bots()["greedy"], GAMES).games)


def is_better(a: Standing, b: Standing) -> bool:
    return a.mu - 3 * a.sigma > b.mu + 3 * b.sigma


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", RANDOM)
def test_greedy_is_clearly_above_a_random_bot(
    standings: dict[tuple[str, str], Standing], game: str, bot: str
) -> None:
    need_tools(bot)
    assert is_better(standings[game, "greedy"], standings[game, bot])


@pytest.mark.parametrize("seats", range(2, 7))
def test_so_it_is_at_every_table_size(store: Store, seats: int) -> None:
    standings = {(s.game, s.bot): s for s in standings_of(ratings_at_tables_of(store, seats)).values()}
    games = {game for game, _ in standings}
    assert {game.name for game in GAMES.values() if seats in game.seats} == games
    for game in games:
        assert is_better(standings[game, "greedy"], standings[game, "random"]), game


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("pair", list(combinations(RANDOM, 2)), ids=" and ".join)
def test_two_random_bots_are_not_separable(
    standings: dict[tuple[str, str], Standing], game: str, pair: tuple[str, str]
) -> None:
    need_tools(*pair)
    assert not_separable(standings[game, pair[0]], standings[game, pair[1]])


@pytest.mark.parametrize("name", house_bots())
def test_a_house_bot_plays_a_block_of_each_of_its_games_against_itself(name: str, tmp_path: Path) -> None:
    need_tools(name)
    assert name == submit(create_home(tmp_path / "home"), house_bots()[name]).bot
