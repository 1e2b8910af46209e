"""How many seats bots may have in matches in progress, over all workers: as many requests are in flight."""

from collections.abc import Iterable, Sequence

import msgspec

UNCAPPED = 1 << 20
"""More matches than ever are in progress at once."""


class SeatCap(msgspec.Struct, frozen=True):
    """How many seats certain bots of a run may have in matches in progress, all together."""

    bots: tuple[int, ...]
    """Indices into the run's list of bots."""
    seats: int

    def seats_of(self, bots: Sequence[int]) -> int:
        """Return how many of the seats of *bots*, those of a table, it counts."""
        return sum(bot in self.bots for bot in bots)


def count_at_once(caps: Iterable[SeatCap], bots: Sequence[int]) -> int:
    """Return how many matches between *bots* may be in progress while no others are; at least one."""
    seats = [(cap.seats, cap.seats_of(bots)) for cap in caps]
    return min((max(1, most // each) for most, each in seats if each), default=UNCAPPED)
