"""What all stages of a tournament share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from ladder.pairing.event_table import EventTable
from ladder.pairing.notes import EventNote
from ladder.pairing.pairing import PairRound, pair_round
from ladder.pairing.score_rows import RankScores, rank_scores


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
