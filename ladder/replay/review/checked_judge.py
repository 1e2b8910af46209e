"""The judge of a game, which may be anybody's: what it says is looked at before a review rests on it."""

from collections.abc import Callable, Sequence
from math import isfinite
from random import Random
from typing import Any, Final

from engines.game import Seat
from engines.judge import Judge, Prospects
from engines.position import Position
from ladder.replay.review.effort import REDRAWS
from ladder.replay.review.worlds import optimism_of

SLACK: Final = 1e-9
"""How far sums of shares may lie beyond 0 and 1."""
LONGEST: Final = 64
"""The most characters of a name."""
_UNITS: Final = ("points", "result")


class NonsenseFromJudge(ValueError):
    """A judge said what cannot be; the message says what."""


def _expect(holds: bool, what: str, got: object) -> None:
    if not holds:
        raise NonsenseFromJudge(f"expected {what}, got {got!r:.80}")


class CheckedJudge:
    """Says what another judge says.  All methods raise NonsenseFromJudge for what cannot be."""

    def __init__(self, judge: Judge[Any], seats: int) -> None:
        """Check *judge* at a table of *seats*.  Raises NonsenseFromJudge."""
        self.name: str = judge.name
        self.worlds: int = judge.worlds
        self.width: int = judge.width
        self.replies: bool = getattr(judge, "replies", False)
        self.tells: str = getattr(judge, "tells", "result")
        self.redraws: int = getattr(judge, "redraws", REDRAWS)
        self.onward: Callable[[Position, Random], Position] | None = getattr(judge, "onward", None)
        self._judge = judge
        self._seats = seats
        named = isinstance(self.name, str) and self.name.isprintable() and 0 < len(self.name) <= LONGEST
        _expect(named, "a name of one line", self.name)
        numbers = (("worlds", self.worlds, 1), ("width", self.width, 2), ("redraws", self.redraws, 2))
        for what, number, least in numbers:
            _expect(isinstance(number, int) and number >= least, f"{what} of at least {least}", number)
        _expect(isinstance(self.replies, bool), "replies to be True or False", self.replies)
        _expect(self.tells in _UNITS, f"tells as {' or '.join(_UNITS)}", self.tells)

    def prospects(self, position: Position, rng: Random) -> Prospects:
        found = self._judge.prospects(position, rng)
        try:
            results, points = found
            sound = (
                self._seats == len(results) == len(points)
                and min(results) >= -SLACK
                and max(results) <= 1 + SLACK
                and isfinite(sum(results) + sum(points))  # nan in one of them is nan in the sum
            )
        except (TypeError, ValueError):
            sound = False
        _expect(sound, f"results from 0 to 1 and points for each of {self._seats} seats", found)
        return found

    def optimism(self, position: Position, seat: Seat) -> float:
        found = optimism_of(self._judge, position, seat)
        _expect(isinstance(found, int | float) and isfinite(found), "log odds as optimism", found)
        return found

    def promising(self, position: Position) -> Sequence[int]:
        found = self._judge.promising(position)
        try:
            options = [*dict.fromkeys(found)]
        except TypeError:
            options = []
        are_offered = bool(options) and {*position.options()}.issuperset(options)
        _expect(are_offered, "some of the options that are offered", found)
        return options

    def answer(self, position: Position, rng: Random) -> int:
        option = self._judge.answer(position, rng)
        _expect(option in position.options(), "one of the options that are offered", option)
        return option

    def redraw(self, position: Position, rng: Random) -> Position:
        if not callable(getattr(self._judge, "redraw", None)):
            raise NonsenseFromJudge("expected a method redraw, without which there is no account, got none")
        other: Position = self._judge.redraw(position, rng)
        is_copy = other is not position and hasattr(other, "play")
        _expect(is_copy, "a copy that is drawn again", other)
        return other
