"""The mark of a bot: a colour, and beyond the eighth bot another shape, so that no two bots look alike."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

SERIES: Final = 8
"""The number of colours of bots."""
_SIZE: Final = 4
"""Half the width of a mark."""
_SHAPES: Final = (
    "M-4 0a4 4 0 1 1 8 0a4 4 0 1 1-8 0Z",  # a disc
    "M-3.6-3.6H3.6V3.6H-3.6Z",  # a square
    "M0-4L4 3.6H-4Z",  # a triangle
    "M0-4L4 0L0 4L-4 0Z",  # a diamond
    "M-1.4-4H1.4V-1.4H4V1.4H1.4V4H-1.4V1.4H-4V-1.4H-1.4Z",  # a cross
    "M-4 0a4 4 0 1 1 8 0a4 4 0 1 1-8 0ZM-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0Z",  # a ring
    "M-4-3.6H4L0 4Z",  # a triangle that stands on its tip
    "M-3.8-3.8H3.8V3.8H-3.8ZM-1.9-1.9V1.9H1.9V-1.9Z",  # a frame
    "M-4-4H4L1.2 0L4 4H-4L-1.2 0Z",  # an hourglass
    "M-4-4V4L0 1.2L4 4V-4L0-1.2Z",  # an hourglass on its side
)
"""Paths around the middle; what is hollow is filled by the rule `evenodd`."""


class BotMark(NamedTuple):
    """What tells a bot apart from the others, on all pages of a site."""

    series: int
    """The number of its colour, from 1 to SERIES."""
    shape: int
    """The number of its shape, from 0."""


def marks_of(bots: Sequence[str]) -> dict[str, BotMark]:
    """Return the marks of *bots*, which are in a lasting order: who comes later changes none of them.

    The first eight have a colour each, the next eight another shape, and so on; from the 81st they repeat.
    """
    return {bot: BotMark(1 + at % SERIES, at // SERIES % len(_SHAPES)) for at, bot in enumerate(bots)}


def draw_mark(mark: BotMark, x: float = 0, y: float = 0) -> Markup:
    """Return *mark* around *x*, *y* as a path, in the colour of the class `series-N` around it."""
    placed = Markup(' transform="translate({:g} {:g})"').format(x, y) if x or y else ""
    return Markup('<path class="dot" d="{}"{}/>').format(_SHAPES[mark.shape], placed)


def swatch(mark: BotMark) -> Markup:
    """Return *mark* as it stands before the name of its bot, which says the same."""
    return Markup('<svg class="swatch series-{}" viewBox="{} {} {} {}" aria-hidden="true">{}</svg>').format(
        mark.series, -_SIZE, -_SIZE, 2 * _SIZE, 2 * _SIZE, draw_mark(mark)
    )
