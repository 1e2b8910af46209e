"""The standing after rounds: scores, and what decides between equal ones."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from random import Random
from typing import TypeAlias

from ladder.pairing.event_table import EventTable
from ladder.pairing.notes import EventNote
from ladder.pairing.pairing import PairRound, pair_round

BYE = Fraction(1, 2)
"""The score of a round without a table.  A score is a mean over many matches, so even a strong bot seldom has
much more than 1/2.  A full score would put the lowest of the standing at its top; 1/2 is what it can expect
against an equal."""


@dataclass(frozen=True)
class ScoreRow:
    """An entrant in the standing.  Equal scores are decided by the fields that follow, then by seed."""

    entrant: int
    score: Fraction
    """The sum over rounds."""
    opponents: Fraction
    """The sum, over rounds, of the mean total score of those at its table; of its own total for a bye."""
    direct: Fraction
    """Against those equal so far: how much more often it was above them than below, a sum over tables."""
    points: Fraction
    """How far its points of the game were above the mean of its tables: a sum over tables."""
    byes: int


RankScores: TypeAlias = Callable[[Sequence[int], Sequence[EventTable], Counter[int]], list[ScoreRow]]
"""A way to rank entrants, with the parameters of `rank_scores`."""


def rank_scores(entrants: Sequence[int], tables: Sequence[EventTable], byes: Counter[int]) -> list[ScoreRow]:
    """Return the standing of *entrants*, who come in the order of seeds, from *tables* that are over."""
    mine: dict[int, list[EventTable]] = {entrant: [] for entrant in entrants}
    for table in tables:
        for entrant in table.entrants:
            mine[entrant].append(table)
    scores = {
        entrant: sum((table.score(entrant) for table in mine[entrant]), BYE * byes[entrant])
        for entrant in entrants
    }
    opponents = {
        entrant: sum(
            (
                sum((scores[other] for other in table.entrants if other != entrant), Fraction())
                / (len(table.entrants) - 1)
                for table in mine[entrant]
            ),
            scores[entrant] * byes[entrant],
        )
        for entrant in entrants
    }

    def equal(entrant: int) -> tuple[Fraction, Fraction]:
        return -scores[entrant], -opponents[entrant]

    rows = []
    for _, group in groupby(sorted(entrants, key=equal), key=equal):
        same = list(group)
        found = [
            ScoreRow(
                entrant,
                scores[entrant],
                opponents[entrant],
                sum(
                    (
                        table.compare(entrant, other)
                        for table in mine[entrant]
                        for other in same
                        if other != entrant and other in table.entrants
                    ),
                    Fraction(),
                ),
                sum((table.points(entrant) for table in mine[entrant]), Fraction()),
                byes[entrant],
            )
            for entrant in same
        ]
        rows += sorted(found, key=lambda row: (-row.direct, -row.points))
    return rows


@dataclass(frozen=True)
class PlayedRound:
    """A round: its tables, those who sit out, and what was to be said when it was paired."""

    name: str
    tables: Sequence[EventTable]
    byes: tuple[int, ...]
    notes: Sequence[EventNote]

    @property
    def is_over(self) -> bool:
        return all(table.is_over for table in self.tables)


@dataclass(frozen=True)
class EventSetup:
    """The field, the tables and the number of blocks.  Entrants are numbered by seed; 0 is the best."""

    authors: tuple[str, ...]
    """The author of each entrant; an empty text is unknown, and equals no other."""
    all_sizes: Sequence[int]
    """The table sizes of the game."""
    seats: int
    """The size that is wanted."""
    round_blocks: int
    """The blocks of a table in a round."""
    series_blocks: int
    """The blocks of a series."""
    extra_blocks: int
    """The most single blocks by which a tied series is played on."""
    luck: Callable[[str], Random]
    """Makes the generator for a round, such as swiss/3, from the secret: always the same for one name."""
    draws: Callable[[str], bool] = lambda name: True
    """Whether a round of a swiss is paired, by its name; a swiss waits with the first that is not."""
    pair: PairRound = pair_round
    rank: RankScores = rank_scores
    """Makes the standing of rounds."""
    banned: set[int] = field(default_factory=set)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The table sizes at which all are seated: where two seats are wanted, no larger ones."""
        return (2,) if self.seats == 2 else tuple(sorted(self.all_sizes))

    def have_one_author(self, one: int, two: int) -> bool:
        """Return whether two entrants are known to have the same author."""
        return self.authors[one] != "" and self.authors[one] == self.authors[two]
