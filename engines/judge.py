"""What a judge is: it says what a position is worth to each seat, so that decisions can be reviewed.

A judge is optional, as pictures are.  A game has one only for tables where it is strong enough.
"""

from collections.abc import Sequence
from math import exp, log
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

from engines.position import Position

P = TypeVar("P", bound=Position)


class Prospects(NamedTuple):
    """What the seats may expect of a position; both lists are by seat."""

    results: list[float]
    """The share of the other seats that each beats, a tie as half: with two seats, the chance to win."""
    points: list[float]
    """The points that decisions may also cost; each judge says which points it means."""


class Judge(Protocol[P]):
    """Says what a position is worth.  Its numbers follow from the position and the generator alone.

    It may read all of a position: it is asked about imagined worlds.  A judge never changes; one that says
    anything else has another name.

    A judge may also have a method `optimism(position, seat)`: the log odds by which a seat expects too much,
    at the mean over worlds like *position*.  Worlds are drawn from all that look like a view, but what others
    hide was chosen: a seat that hides something knows its own secrets, and takes theirs for mere chance.

    For deeper searches it may have `onward(position, rng)`, which returns the position that prospects values,
    a copy after what the judge plays on by itself, and `value(position)`: the Prospects of a position as it
    stands, without playing on; those of a match that is over are its result.

    Three attributes are optional.  `redraws` is in how many redraws the account of a match is made, 24 unless
    named: more where results are noisy, fewer where judging takes long.  `replies = True` says that prospects
    counts the next moves of the others and not that of the seat which is next, so positions before and after
    a move do not compare: an account then lets `answer` play on until each seat was next, and takes the mean.
    `tells = "points"` says that people are told losses in its points; else they read shares of the result.
    """

    name: str
    """Its name and version, which stand beside every number of it: "playouts-1"."""
    worlds: int
    """In how many worlds all options are tried before the worse half of them is left out."""
    width: int
    """At most this many options are tried: see promising."""

    def prospects(self, position: P, rng: Random) -> Prospects:
        """Return what every seat may expect of *position*, which stays as it is; its result if it is over."""
        ...

    def promising(self, position: P) -> Sequence[int]:
        """Return options of the seat that is next, the most promising first.

        It is asked in two imagined worlds, and the first of both orders are tried, *width* in all.  An
        option that is left out is never found: heed what hurts others as well.
        """
        ...

    def answer(self, position: P, rng: Random) -> int:
        """Return what the seat that is next is taken to choose where several choose at the same time.

        In accounts of matches, what its own moves gain is what they promise more than this.
        """
        ...

    def redraw(self, position: P, rng: Random) -> P:
        """Return a copy of *position* in which all luck that is still to come is drawn again.

        What any seat sees, holds or knows is as it was.
        """
        ...


def valuing(judge: Judge[P] | None, game: str) -> Any:
    """Return the *judge* of a *game*, with onward and value.  Raises NotImplementedError if it lacks them."""
    if hasattr(judge, "value") and hasattr(judge, "onward"):
        return judge
    raise NotImplementedError(
        f"{game} has no values: implement onward(position, rng) and value(position) in its judge"
    )


def beaten_by(ranks: Sequence[int]) -> list[float]:
    """Return for each seat the share of the others that it beat, a tie as half, given the *ranks* by seat."""
    others = len(ranks) - 1
    return [(sum([rank > own for rank in ranks]) + (ranks.count(own) - 1) / 2) / others for own in ranks]


def expect_results(worths: Sequence[float]) -> list[float]:
    """Return the share of the others that each seat may expect to beat; *worths* differ by log odds."""
    results = [0.0] * len(worths)
    others = len(worths) - 1
    for one in range(len(worths)):
        for other in range(one):
            chance = _logistic(worths[one] - worths[other])
            results[one] += chance / others
            results[other] += (1.0 - chance) / others
    return results


def lower(result: float, odds: float) -> float:
    """Return *result*, from 0 to 1, with these log *odds* less."""
    if odds == 0.0 or not 0.0 < result < 1.0:
        return result
    return _logistic(log(result / (1.0 - result)) - odds)


def _logistic(odds: float) -> float:
    return 1.0 / (1.0 + exp(-max(-50.0, min(50.0, odds))))
