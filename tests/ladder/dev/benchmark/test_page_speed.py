import pytest

from engines import GAMES
from ladder.dev.benchmark.page_speed import WIRE_KB, random_task, wire_kb
from ladder.web.site.match_pages import match_page

TABLES = [(game, seats) for game, rules in GAMES.items() for seats in rules.seats]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_match_page_is_small_on_the_wire(game, seats):
    pages = [match_page(random_task(GAMES[game], seats, seed)) for seed in (1, 2)]
    assert all("cannot be shown" not in page and "viewer-data" in page for page in pages)
    assert max(wire_kb(page) for page in pages) <= WIRE_KB
