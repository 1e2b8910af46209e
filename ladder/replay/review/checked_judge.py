"""The judge of a game, which may be anybody's: what it says is looked at before a review rests on it."""

from collections.abc import Sequence
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
        self._judge = judge
        self._seats = seats
        if not (isinstance(self.name, str) and self.name.isprintable() and 0 < len(self.name) <= LONGEST):
            raise NonsenseFromJudge(f"expected a name of one line, got {self.name!r:.80}")
        numbers = (("worlds", self.worlds, 1), ("width", self.width, 2), ("redraws", self.redraws, 2))
        for what, number, least in numbers:
            if not (isinstance(number, int) and number >= least):
                raise NonsenseFromJudge(f"expected {what} of at least {least}, got {number!r:.80}")
        if not isinstance(self.replies, bool):
            raise NonsenseFromJudge(f"expected replies to be True or False, got {self.replies!r:.80}")
        if self.tells not in _UNITS:
            raise NonsenseFromJudge(f"expected tells as {' or '.join(_UNITS)}, got {self.tells!r:.80}")

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
        if not sound:
            raise NonsenseFromJudge(
                f"expected results from 0 to 1 and points for each of {self._seats} seats, got {found!r:.80}"
            )
        return found

    def optimism(self, position: Position, seat: Seat) -> float:
        """Return what the judge says, if it says it."""
        found = optimism_of(self._judge, position, seat)
        if not (isinstance(found, int | float) and isfinite(found)):
            raise NonsenseFromJudge(f"expected log odds as optimism, got {found!r:.80}")
        return found

    def promising(self, position: Position) -> Sequence[int]:
        found = self._judge.promising(position)
        try:
            options = [*dict.fromkeys(found)]
        except TypeError:
            options = []
        if not options or not {*position.options()}.issuperset(options):
            raise NonsenseFromJudge(f"expected some of the options that are offered, got {found!r:.80}")
        return options

    def answer(self, position: Position, rng: Random) -> int:
        option = self._judge.answer(position, rng)
        if option not in position.options():
            raise NonsenseFromJudge(f"expected one of the options that are offered, got {option!r:.80}")
        return option

    def redraw(self, position: Position, rng: Random) -> Position:
        if not callable(getattr(self._judge, "redraw", None)):
            raise NonsenseFromJudge("expected a method redraw, without which there is no account, got none")
        other: Position = self._judge.redraw(position, rng)
        if other is position or not hasattr(other, "play"):
            raise NonsenseFromJudge(f"expected a copy that is drawn again, got {other!r:.80}")
        return other
