"""Where the stars of the boards are drawn."""

from itertools import combinations
from math import hypot

import pytest

from engines.starry_sky.boards import BOARDS, NAMES
from engines.starry_sky.sky import HEIGHT, WIDTH, note_places, places

DIAMETER = 2 * 22
"""How wide a token is."""


@pytest.mark.parametrize("board", NAMES)
def test_tokens_on_two_stars_never_touch_and_all_lie_on_the_board(board):
    stars = places(board)
    assert len(BOARDS[board].stars) == len(stars)
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in stars)
    nearest = min(hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(stars, 2))
    assert nearest > 1.7 * DIAMETER


@pytest.mark.parametrize("board", NAMES)
def test_a_note_beside_a_large_star_covers_no_token_and_stays_on_the_board(board):
    wide, high = 100, 16  # "not 6 7 10"
    for star in BOARDS[board].large:
        x, y = note_places(board, star, wide)[0]
        assert -24 <= x - wide / 2
        assert x + wide / 2 <= WIDTH + 24
        for right, down in places(board):
            gap = hypot(max(abs(right - x) - wide / 2, 0), max(abs(down - y) - high / 2, 0))
            assert gap > 0.8 * DIAMETER / 2, (star, right, down)


@pytest.mark.parametrize("board", NAMES)
def test_no_line_passes_under_a_token_of_another_star(board):
    stars = places(board)
    for one, other in BOARDS[board].edges:
        (ax, ay), (bx, by) = stars[one], stars[other]
        dx, dy = bx - ax, by - ay
        for index, (x, y) in enumerate(stars):
            if index not in (one, other):
                along = min(max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0), 1)
                assert hypot(x - ax - along * dx, y - ay - along * dy) > DIAMETER / 2, (one, other, index)


@pytest.mark.parametrize("board", NAMES)
def test_lines_cross_no_other_lines(board):
    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])

    stars = places(board)
    for first, second in combinations(BOARDS[board].edges, 2):
        if not {*first} & {*second}:
            (a, b), (c, d) = ([stars[end] for end in edge] for edge in (first, second))
            assert side(a, b, c) == side(a, b, d) or side(c, d, a) == side(c, d, b), (first, second)


def test_north_is_up_and_east_to_the_left():
    stars = [star.name for star in BOARDS["Ari"].stars]
    hamal, botein = (places("Ari")[stars.index(name)] for name in ("Hamal", "Botein"))
    assert BOARDS["Ari"].stars[stars.index("Botein")].ra > BOARDS["Ari"].stars[stars.index("Hamal")].ra
    assert botein[0] < hamal[0]
    assert botein[1] > hamal[1]
