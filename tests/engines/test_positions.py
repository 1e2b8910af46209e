"""The positions for authors: the engine agrees with them, and the pages lead to them."""

import json

import pytest
from support.positions import NAMES, path_of, positions_of, text_of

FILES = {name: json.loads(path_of(name).read_text("utf-8")) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_what_the_engine_says(name):
    """`python tests/support/positions.py` writes the files again."""
    assert text_of(positions_of(name)) == path_of(name).read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_shows_authors_the_file(name):
    page = (path_of(name).parent / "README.md").read_text("utf-8")
    assert "[positions.json](positions.json)" in page
    assert all(f"`{key}`" in page for key in {*FILES[name]} - {"about", "game", "version"})


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_decision_is_among_the_positions(name):
    steps = {position["view"].get("step", "place") for position in FILES[name]["positions"]}
    expected = {
        "stella-quest": {"play", "take", "top", "over"},
        "starry-sky": {"place"},
        "stellar": {"starter", "wipe", "take", "play", "place", "final", "over"},
        "stella": {"vote", "associate", "show", "over"},
    }
    assert expected[name] == steps


def test_every_board_of_starry_sky_is_there_from_two_matches_of_each_table():
    assert len(FILES["starry-sky"]["boards"]) == 12 * 2 * 3
