"""What a joint fit knows of the matches of one game: how often each outcome came, alone and by block.

Both are sums.  Counts of segments, shards and runs can be added up in any order.
"""

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

MULTIPLIER = 6364136223846793005
"""That of Knuth's random numbers, MMIX: it spreads the bits of a number."""

Bot: TypeAlias = tuple[str, str]
"""A bot's version: name and version."""


class FinishOrder(NamedTuple):
    """The order in which a match ended."""

    bots: tuple[Bot, ...]
    """The bots at the table by rank, the winner first; tied ones by name and version."""
    ties: tuple[bool, ...]
    """For each seat except the last: whether the next one has the same rank."""

    @property
    def seats(self) -> int:
        """The size of the table."""
        return len(self.bots)


@dataclass(slots=True)
class Counts:
    """The numbers of equal outcomes and equal blocks of a game: the same for any order of the matches."""

    outcomes: dict[FinishOrder, int] = field(default_factory=dict)
    """The number of standing matches with each outcome."""
    blocks: dict[tuple[FinishOrder, ...], int] = field(default_factory=dict)
    """The number of blocks whose standing matches had these outcomes, in sorted order.

    Blocks whose rotations played different deals are left out: they say nothing about a deal.
    """

    def update(self, other: "Counts") -> None:
        """Add what *other* counts."""
        for outcome, count in other.outcomes.items():
            self.outcomes[outcome] = self.outcomes.get(outcome, 0) + count
        for pattern, count in other.blocks.items():
            self.blocks[pattern] = self.blocks.get(pattern, 0) + count

    def at_tables_of(self, seats: int) -> "Counts":
        """Return the counts of the matches with *seats* seats only."""
        return Counts(
            {outcome: count for outcome, count in self.outcomes.items() if outcome.seats == seats},
            {pattern: count for pattern, count in self.blocks.items() if pattern[0].seats == seats},
        )

    @property
    def bots(self) -> list[Bot]:
        """All bots that played, sorted."""
        return sorted({bot for outcome in self.outcomes for bot in outcome.bots})

    @property
    def sizes(self) -> list[int]:
        """The table sizes that were played, sorted."""
        return sorted({outcome.seats for outcome in self.outcomes})

    @property
    def matches(self) -> int:
        """The number of standing matches."""
        return sum(self.outcomes.values())

    def checksum(self) -> int:
        """Return a number of 64 bits by which other counts are told from these, as good as surely.

        It is a sum, so nothing is sorted: to compare must take much less time than to fit.
        """
        bots: dict[Bot, str] = {bot: repr(bot) for outcome in self.outcomes for bot in outcome.bots}
        codes: dict[FinishOrder, int] = {}
        total = 0
        for outcome, count in self.outcomes.items():
            text = f"{' '.join([bots[bot] for bot in outcome.bots])} {outcome.ties}"
            code = codes[outcome] = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
            total += count * code
        for pattern, count in self.blocks.items():
            code = len(pattern)
            for outcome in pattern:
                code = (code * MULTIPLIER + codes[outcome]) % 2**64
            total += count * code
        return total % 2**64
