"""A table of a tournament: its blocks so far, who has left it, its scores, and what is still to be played."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

FORFEIT = "forfeit"
"""Why an entrant has left a table: it could not start."""
BANNED = "banned"
"""Why an entrant has left a table: it may play no more in this tournament."""


@dataclass(frozen=True)
class HeardBlock:
    """The result of a block: a place, and points of the game, for each entrant in each match."""

    entrants: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    points: tuple[tuple[Fraction, ...], ...] = ()

    @property
    def scores(self) -> dict[int, Fraction]:
        """The score of each entrant: the mean over the matches, between 0 and 1."""
        matches = [score_match(places) for places in self.places]
        return {
            entrant: sum((match[index] for match in matches), Fraction()) / len(matches)
            for index, entrant in enumerate(self.entrants)
        }


def score_match(places: Sequence[int]) -> list[Fraction]:
    """Return (n - place) / (n - 1) for each of n places, such as 1 1 3; those who tie share their places."""
    n = len(places)
    return [
        Fraction(sum((other > place) - (other < place) for other in places) + n - 1, 2 * (n - 1))
        for place in places
    ]


class EventTable:
    """A table.  In a series, the best *go_on* of its entrants go on, and it is over when these are known.

    With *go_on* 0, all its blocks are played.  *entrants* stand in the order of their seeds, the best first.
    """

    def __init__(
        self,
        name: str,
        entrants: Sequence[int],
        *,
        blocks: int,
        sizes: Collection[int],
        go_on: int = 0,
        extra: int = 0,
    ) -> None:
        """*blocks* by plan, and at most *extra* single ones; *sizes*: the table sizes of the game."""
        self.name = name
        self.entrants = tuple(entrants)
        self.blocks = blocks
        self.go_on = go_on
        self.heard: list[HeardBlock] = []
        self.left: dict[int, str] = {}
        """Those who have left, with the reason, in this order."""
        self._sizes = sizes
        self._extra = extra
        self._totals = dict.fromkeys(self.entrants, Fraction())
        self._is_over: bool | None = None
        """Whether it is over, once that has been asked for since the last change."""

    @property
    def seated(self) -> tuple[int, ...]:
        """Those who have not left, the best seed first."""
        return tuple(entrant for entrant in self.entrants if entrant not in self.left)

    @property
    def is_over(self) -> bool:
        """Whether no more blocks are played."""
        if self._is_over is None:
            self._is_over = self._find_over()
        return self._is_over

    def _find_over(self) -> bool:
        seated = len(self.seated)
        if seated < 2 or seated <= self.go_on or seated not in self._sizes:
            return True
        if not self.go_on:
            return len(self.heard) >= self.blocks
        totals = [self._totals[entrant] for entrant in self.seated]
        left = max(0, self.blocks - len(self.heard))
        return len(self.heard) >= self.blocks + self._extra or is_decided(totals, self.go_on, left)

    @property
    def is_stranded(self) -> bool:
        """Whether it is over because those who have not left are too few for a table of the game."""
        seated = len(self.seated)
        return bool(self.left) and seated > max(1, self.go_on) and seated not in self._sizes

    @property
    def due(self) -> int:
        """How many more blocks must be played, whatever their results."""
        if self.is_over:
            return 0
        remaining = max(0, self.blocks - len(self.heard))
        if not self.go_on:
            return remaining
        totals = [self._totals[entrant] for entrant in self.seated]
        return count_must_play(totals, self.go_on, remaining, len(totals))

    def hear(self, block: HeardBlock) -> None:
        self.heard.append(block)
        self._is_over = None
        for entrant, score in block.scores.items():
            self._totals[entrant] += score

    def leave(self, entrant: int, why: str) -> None:
        """Let *entrant* leave.  Those who remain play on, if the game has a table for them."""
        self.left.setdefault(entrant, why)
        self._is_over = None

    @property
    def ranking(self) -> list[int]:
        """All entrants: by their totals, then by seed; last those who left, the first who left at the end."""
        seated = sorted(self.seated, key=self._totals.__getitem__, reverse=True)
        return seated + list(reversed(self.left))

    @property
    def seed_decided(self) -> tuple[int, ...]:
        """Those equal at the cut of a series that is over: the better seeds among them have gone on."""
        order = self.ranking[: len(self.seated)]
        if not self.go_on or not self.is_over or len(order) <= self.go_on:
            return ()
        level = self._totals[order[self.go_on - 1]]
        if self._totals[order[self.go_on]] != level:
            return ()
        return tuple(entrant for entrant in order if self._totals[entrant] == level)

    def total(self, entrant: int) -> Fraction:
        """Return the sum of the scores of an entrant over the blocks.

        Where one entrant is alone because the others forfeited, it wins the blocks that were not played.
        """
        return self._totals[entrant] + (self._missing if self.seated == (entrant,) else 0)

    def score(self, entrant: int) -> Fraction:
        """Return the mean score of an entrant over the blocks.

        If nothing was played, the table is a bye for those who have not left: 1/2.
        """
        heard = len(self.heard)
        if entrant in self.left:
            return self.total(entrant) / max(self.blocks, heard)
        blocks = heard + (self._missing if self.seated == (entrant,) else 0)
        return self.total(entrant) / blocks if blocks else Fraction(1, 2)

    @property
    def _missing(self) -> int:
        """How many blocks were not played because of forfeits."""
        return max(0, self.blocks - len(self.heard)) if FORFEIT in self.left.values() else 0

    def compare(self, one: int, other: int) -> Fraction:
        """Return how much more often *one* was above *other* than below: -1 to 1, a mean over matches."""
        signs = [
            (places[b] > places[a]) - (places[b] < places[a])
            for block in self.heard
            if one in block.entrants and other in block.entrants
            for a, b in [(block.entrants.index(one), block.entrants.index(other))]
            for places in block.places
        ]
        return Fraction(sum(signs), len(signs)) if signs else Fraction()

    def points(self, entrant: int) -> Fraction:
        """Return how far the points of an entrant were above the mean of the table: a mean over matches."""
        above = [
            points[block.entrants.index(entrant)] - sum(points, Fraction()) / len(points)
            for block in self.heard
            if entrant in block.entrants
            for points in block.points
        ]
        return sum(above, Fraction()) / len(above) if above else Fraction()


# -- series: who goes on, and how many blocks must still be played before that can be known
#
# A total is the sum of an entrant's scores of blocks.  The score of a block is between 0, last in every
# match, and 1, first in every match; so in one block an entrant gains at most 1 on another.


def is_decided(totals: Sequence[Fraction], go_on: int, left: int) -> bool:
    """Return whether no way of playing *left* more blocks changes which *go_on* entrants have most.

    A tie at the cut is no decision.
    """
    if len(totals) <= go_on:
        return True
    order = sorted(totals, reverse=True)
    return order[go_on - 1] - order[go_on] > left


def count_must_play(totals: Sequence[Fraction], go_on: int, left: int, size: int) -> int:
    """Return the least number of further blocks after which the series can possibly be decided.

    *left*: the blocks that remain by plan.  When none remain, a tie is played on by single blocks.
    *size*: the seats of the table, which may be more than the *totals* of those who can still go on.
    """
    if is_decided(totals, go_on, left):
        return 0
    order = sorted(totals, reverse=True)
    for blocks in range(1, left):
        if _widest_gap(order, go_on, blocks, size) > left - blocks:
            return blocks
    return max(1, left)


def _widest_gap(order: Sequence[Fraction], go_on: int, blocks: int, size: int) -> Fraction:
    """Return the widest possible gap at the cut after *blocks* more blocks.

    It is widest if, in every match, those above the cut have the best places and those below have the worst.
    The k lowest of those above share at most the k best places; so they can be lifted to one level, as water
    fills a vessel.  Levels are counted in halves of a place, because totals come in these.
    """
    unit = 2 * (size - 1) * size  # of a block: as many matches as seats, and ties halve places
    matches = size * blocks
    above = [total * unit for total in reversed(order[:go_on])]
    below = [total * unit for total in order[go_on:]]
    lifted = min(
        (sum(above[:k]) + matches * sum(2 * (size - 1 - place) for place in range(k))) // k
        for k in range(1, len(above) + 1)
    )
    sunk = max(
        -((-sum(below[:k]) - matches * sum(2 * place for place in range(k))) // k)
        for k in range(1, len(below) + 1)
    )
    return Fraction(lifted - sunk, unit)
