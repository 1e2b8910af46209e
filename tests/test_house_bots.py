"""The bots that come with the ladder play without a fault, and stand as they should."""

from __future__ import annotations

import shutil
from itertools import combinations
from pathlib import Path

import pytest
from command_line import typed

from ladder.home import create_home, house_bots
from ladder.submission import submit
from results.ratings import Standing
from results.standings import current
from results.statistics import clearly_above, not_separable
from results.store import Store

TOOLS = {"random-js": "node", "random-c": "cc"}
RANDOM = ["random", "random-c", "random-js"]
SEED = "20261121"


def need_tools(*bots: str) -> None:
    for bot in bots:
        if bot in TOOLS and not shutil.which(TOOLS[bot]):
            pytest.skip(f"{bot} needs {TOOLS[bot]}, which is not on this machine")


@pytest.fixture(scope="module")
def standings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Standing]:
    """Return how the house bots stand after a first run of 2,000 matches of Stellar."""
    folder = tmp_path_factory.mktemp("house")
    done = typed("run", "--game", "stellar", "--games", "2000", "--seed", SEED, cwd=folder)
    assert 0 == done.code, done.err
    assert "2,000 of 2,000 matches, no faults" in done.err
    fold = current(Store(folder / "ladder-home/results"))
    return {standing.bot: standing for standing in fold.standings.values()}


def test_all_house_bots_take_part(standings: dict[str, Standing]) -> None:
    missing = {bot for bot, tool in TOOLS.items() if not shutil.which(tool)}
    assert {folder.name for folder in house_bots()} - missing == set(standings)


@pytest.mark.parametrize("bot", RANDOM)
def test_greedy_is_clearly_above_a_random_bot(standings: dict[str, Standing], bot: str) -> None:
    need_tools(bot)
    assert clearly_above(standings["greedy"], standings[bot])


@pytest.mark.parametrize("pair", list(combinations(RANDOM, 2)), ids=" and ".join)
def test_two_random_bots_are_not_separable(standings: dict[str, Standing], pair: tuple[str, str]) -> None:
    need_tools(*pair)
    assert not_separable(standings[pair[0]], standings[pair[1]])


@pytest.mark.parametrize("folder", house_bots(), ids=lambda folder: folder.name)
def test_a_house_bot_plays_a_block_against_itself(folder: Path, tmp_path: Path) -> None:
    need_tools(folder.name)
    assert folder.name == submit(create_home(tmp_path / "home"), folder).bot
