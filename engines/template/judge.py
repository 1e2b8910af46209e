"""A judge, for reviews: all seats play on by their highest moves, and the points at the end say who leads."""

from collections.abc import Sequence
from random import Random
from typing import Final

from engines.judge import Prospects, beaten_by, expect_results
from engines.position import Position

from .scoring import worth

SPREAD: Final = 8.0
"""A lead of this many points is worth log odds of 1: fitted to random matches; bots that play well differ."""


class HighestJudge:
    """Expects that all seats play on by their highest moves.  Who judges otherwise has another name."""

    name = "highest-1"
    worlds = 16
    width = 99

    def prospects(self, position: Position, rng: Random) -> Prospects:
        """Return the share of the others that each seat may expect to beat, and its points at the end."""
        after = position.copy()
        while not after.over:
            after.play(find_highest(after))
        outcome = after.outcome()
        points = [float(each) for each in outcome.scores]
        if position.over:
            return Prospects(beaten_by(outcome.ranks), points)
        return Prospects(expect_results([each / SPREAD for each in points]), points)

    def promising(self, position: Position) -> Sequence[int]:
        """Return all options."""
        return position.options()

    def answer(self, position: Position, rng: Random) -> int:
        """Return the highest option."""
        return find_highest(position)

    def redraw(self, position: Position, rng: Random) -> Position:
        """Return a copy: once the cards are dealt, nothing more is drawn."""
        return position.copy()


def find_highest(position: Position) -> int:
    """Return the option of the seat that is next which is worth most."""
    return max(position.options(), key=lambda option: worth(position.move_of(option)))
