"""The tests of all games, for ours: the first few matches of each are played fast, as many when it is slow.

Authors of games get all of them, and so do we with LADDER_FULL=1: see engines.contract.plugin.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.full import gate_or_full

from engines.contract.plugin import TRIALS

FAST = 10
"""The number of seeds with which a test is fast; with the others it is slow."""
PLAYED = gate_or_full(20, TRIALS)
"""The number of seeds in all."""
DEAR = (
    "test_a_judge_says_what_can_be_and_changes_nothing",
    "test_a_picture_is_sound_svg_of_parts_with_keys",
    "test_all_that_is_seen_in_a_match_fits",
    "test_numbers_tell_apart_views_in_which_one_thing_is_different",
)
"""These tests are fast at the smallest table of a game only."""
HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items):
    ours = [item for item in items if item.path.is_relative_to(HERE)]
    for item in ours:
        if is_dear(item.name, getattr(item, "callspec", None)):
            item.add_marker("slow")
    left_out = {item for item in ours if seed_of(getattr(item, "callspec", None)) >= PLAYED}
    items[:] = [item for item in items if item not in left_out]


def seed_of(callspec):
    return int(callspec.params.get("seed", 0)) if callspec else 0


def is_dear(name, callspec):
    """Return whether a test with these arguments is played when it is slow."""
    given: Mapping[str, Any] = callspec.params if callspec else {}
    if name.startswith(DEAR):
        return bool(given["seats"] > min(given["subject"].game.seats))
    return seed_of(callspec) >= FAST
