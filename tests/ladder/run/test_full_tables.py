"""Bots that wait fill the tables: how long a run takes, on a clock that only matches move on."""

from functools import cache
from random import Random

import pytest
from support import ladders
from support.scripted_tables import play_tables

IDEAL = 1.3
"""A run takes at most this times the longest block, or all matches shared by all tables."""


@cache
def answering(match):
    """Return the seconds of a match of Stellar: about 53 answers, each after one to three seconds."""
    luck = Random(match)
    return sum(luck.uniform(1, 3) for _ in range(luck.randint(48, 58)))


def part_of_ideal(path, matches, tables, *, side_by_side=True, **asked):
    """Return how long a run of eight bots takes, as a multiple of the ideal."""
    home = ladders.a_home(path / "home", {name: {} for name in "abcdefgh"})
    script = {"seconds": lambda match: answering(match.match), "side_by_side": side_by_side}
    running = play_tables(home, tables, script=script, matches=matches, **asked)
    longest = max(answering(number) + answering(number + 1) for number in range(0, matches, 2))
    return running.status.seconds / max(longest, sum(map(answering, range(matches))) / tables)


@pytest.mark.parametrize(
    ("kind", "matches", "tables"),
    [
        *[("adaptive", 100, tables) for tables in (2, 32, 64)],
        ("adaptive", 200, 64),
        ("adaptive", 600, 64),
        *[("round-robin", 100, tables) for tables in (32, 50, 64, 200)],
        ("round-robin", 600, 256),
        ("gauntlet", 100, 64),
    ],
)
def test_tables_stand_empty_for_a_small_part_of_the_time(tmp_path, kind, matches, tables):
    asked = {"bots": ("a",)} if kind == "gauntlet" else {}
    assert part_of_ideal(tmp_path, matches, tables, schedule=kind, **asked) <= IDEAL


def test_with_one_table_for_a_block_an_adaptive_run_takes_almost_twice_as_long(tmp_path):
    assert part_of_ideal(tmp_path, 100, 64, schedule="adaptive", side_by_side=False) > 1.8
