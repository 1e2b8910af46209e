import pytest
from programs.benchmark.page_speed import FILE_KB, WIRE_KB, random_task, wire_kb

from engines import GAMES
from ladder.web.site.match_pages import match_page


@pytest.mark.parametrize("game", GAMES)
def test_a_match_page_is_small_as_it_lies_and_on_the_wire(game):
    """At the largest table, whose pages are the largest."""
    page = match_page(random_task(GAMES[game], max(GAMES[game].seats), 1))
    assert "cannot be shown" not in page
    assert "viewer-data" in page
    assert wire_kb(page) <= WIRE_KB
    assert len(page.encode()) <= 1000 * FILE_KB
