"""Where the stars of a board are drawn, and the clues to hidden tokens beside them.

Stars stand as in the sky, but far enough apart for tokens.  Clues cover no token, or as little as can be.

North is up and east to the left, as one sees the sky.  Stars that are close to each other, or to a line
between others, are pushed apart in small steps until tokens and lines can be told apart.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations, islice, permutations
from math import cos, hypot, radians
from typing import Final, TypeAlias

from engines.drawing import text_width
from engines.starry_sky.boards import BOARDS, Star

WIDTH: Final = 237
HEIGHT: Final = 178
"""The room for the middles of stars, in units of a picture."""
APART: Final = 78.0
"""The least distance between two stars, where the steps suffice."""
CLEAR: Final = 34.0
"""The least distance of a star from a line between others."""
_STRETCH: Final = 1.7
"""By how much one direction may be stretched more than the other to fill the room."""
_STEPS: Final = 120
_TOKEN: Final = 24
"""The room that a token takes, from its middle."""
_NOTE: Final = (36, 9)
"""How far from the middle of a token a note above or below it stands, and half its height."""
_SHIFTS: Final = (-0.2, 0.2, -0.4, 0.4, -0.6, 0.6)
"""By how much of its width a note is moved sideways where there is no room."""
_BEYOND: Final = 24
"""By how much a note may stand beyond the room for the middles of stars."""
CLUE: Final = 19
"""The size of a clue: there is little room for it."""
_LINE: Final = 22
"""How far one clue is above another."""
_ORDERS: Final = 24
"""In how many orders the clues of a board choose their places, until none covers a token."""
Point: TypeAlias = tuple[float, float]


@cache
def places(name: str) -> tuple[Point, ...]:
    """Return the place of each star of board *name*, from (0, 0) to (WIDTH, HEIGHT)."""
    board = BOARDS[name]
    points = [list(point) for point in _project(board.stars)]
    for _ in range(_STEPS):
        if not (_push_stars_apart(points) | _push_off_lines(points, board.edges)):
            break
        _fit(points)
    return tuple((round(x, 1), round(y, 1)) for x, y in points)


@cache
def note_places(name: str, star: int, wide: float) -> tuple[Point, ...]:
    """Return where a note *wide* units wide may stand beside a star: its middle, the best place first.

    The best one covers no token on any star, or as little as can be.
    """
    x, y = places(name)[star]
    far, _ = _NOTE
    beside = _TOKEN + wide / 2
    shifts = [(0.0, far), (0.0, -far), (beside, 0.0), (-beside, 0.0)]
    shifts += [(part * wide, down) for part in _SHIFTS for down in (far, -far, 30)]
    most = WIDTH + _BEYOND - wide / 2
    spots = [(min(max(x + right, WIDTH - most), most), y + down) for right, down in shifts]
    spots = [spot for spot in spots if -_BEYOND < spot[1] < HEIGHT + 2 * _BEYOND]
    return tuple(sorted(spots, key=lambda spot: _measure_cover(name, spot, wide)))


def _measure_cover(name: str, spot: Point, wide: float) -> float:
    """Return by how much a note *wide* units wide around *spot* covers tokens, in units of depth."""
    depth = 0.0
    for x, y in places(name):
        right = max(abs(x - spot[0]) - wide / 2, 0)
        down = max(abs(y - spot[1]) - _NOTE[1], 0)
        depth += max(_TOKEN - hypot(right, down), 0)
    return depth


@lru_cache(maxsize=1024)
def clue_places(name: str, clues: tuple[tuple[int, str], ...]) -> list[tuple[int, str, float, float]]:
    """Return the star, the text and the place of each clue, so that they cover as little as can be."""
    best, least = list[tuple[int, str, float, float]](), float("inf")
    for order in islice(permutations(clues), _ORDERS):
        placed, hidden = list[tuple[int, str, float, float]](), 0.0
        taken: list[tuple[float, float, float]] = []
        for star, clue in order:
            wide = text_width(clue, CLUE) + 4
            right, down = _clue_place(note_places(name, star, wide), wide, taken)
            taken.append((right, down, wide))
            placed.append((star, clue, right, down))
            hidden += _measure_cover(name, (right, down), wide)
        if hidden < least:
            best, least = placed, hidden
        if not hidden:
            break
    return best


def _clue_place(
    spots: Sequence[tuple[float, float]], wide: float, taken: Sequence[tuple[float, float, float]]
) -> tuple[float, float]:
    """Return the first of *spots* where a clue *wide* units wide lies on none of those that are there."""
    for right, down in spots:
        if all(abs(right - x) > (wide + w) / 2 or abs(down - y) > _LINE for x, y, w in taken):
            return right, down
    return spots[0]


def _project(stars: tuple[Star, ...]) -> list[Point]:
    """Return the stars on a plane, scaled to fill the room and centred in it."""
    middle = cos(radians(sum(star.dec for star in stars) / len(stars)))
    xs = [-((star.ra - stars[0].ra + 180) % 360) * middle for star in stars]  # the stars are near each other
    ys = [-star.dec for star in stars]
    wide, high = WIDTH / (max(xs) - min(xs)), HEIGHT / (max(ys) - min(ys))
    wide, high = min(wide, high * _STRETCH), min(high, wide * _STRETCH)
    left = (WIDTH - (max(xs) - min(xs)) * wide) / 2
    top = (HEIGHT - (max(ys) - min(ys)) * high) / 2
    return [(left + (x - min(xs)) * wide, top + (y - min(ys)) * high) for x, y in zip(xs, ys, strict=True)]


def _push_stars_apart(points: list[list[float]]) -> bool:
    """Move stars that are too close to each other away from each other; return whether there were any."""
    pushed = False
    for one, other in combinations(points, 2):
        dx, dy = other[0] - one[0], other[1] - one[1]
        distance = hypot(dx, dy)
        if distance < APART - 0.5:
            pushed = True
            share = (APART - distance) / 2 / (distance or 1)
            one[0], one[1] = one[0] - dx * share, one[1] - dy * share
            other[0], other[1] = other[0] + dx * share, other[1] + dy * share
    return pushed


def _push_off_lines(points: list[list[float]], edges: tuple[tuple[int, int], ...]) -> bool:
    """Move stars that a line of others nearly touches off that line; return whether there were any."""
    pushed = False
    for first, second in edges:
        (ax, ay), (bx, by) = points[first], points[second]
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        for index, point in enumerate(points):
            if index in (first, second):
                continue
            along = ((point[0] - ax) * dx + (point[1] - ay) * dy) / length
            if not 0 < along < 1:
                continue
            off_x, off_y = point[0] - ax - along * dx, point[1] - ay - along * dy
            distance = hypot(off_x, off_y)
            if distance < CLEAR - 0.5:
                pushed = True
                share = (CLEAR - distance) / 2 / (distance or 1)
                point[0], point[1] = point[0] + off_x * share, point[1] + off_y * share
                for end in (first, second):
                    points[end][0] -= off_x * share / 2
                    points[end][1] -= off_y * share / 2
    return pushed


def _fit(points: list[list[float]]) -> None:
    """Move all stars back into the room."""
    for point in points:
        point[0] = min(max(point[0], 0), WIDTH)
        point[1] = min(max(point[1], 0), HEIGHT)
