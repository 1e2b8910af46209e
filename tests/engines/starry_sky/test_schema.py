"""Names and boards in the schema and on the page of Starry Sky."""

import pytest

from engines.contract.game_schema import fits, properties
from engines.contract.subject import subject_of
from engines.contract.test_page import section, table_of
from engines.starry_sky import StarrySky
from engines.starry_sky.boards import BOARDS

SUBJECT = subject_of(StarrySky())


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_with_more_or_fewer_stars_does_not_fit(board):
    stars = len(BOARDS[board].stars)
    for count in range(5, 10):
        scored = {"board": board, "owners": [0] * count, "tokens": ["1"] * count, "coins": [0, 0, 0]}
        assert (count == stars) == fits(SUBJECT, "scored_board", scored)
        assert (count == stars) == fits(SUBJECT, "event", scored | {"event": "score"})


def test_the_page_of_starry_sky_names_the_fields_of_a_board():
    text = section(SUBJECT, "The view")
    assert properties(SUBJECT, "open_board") == table_of(text, 1).keys()
