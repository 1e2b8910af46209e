"""How many seats bots may have in matches in progress, over all workers: as many requests are in flight."""

from collections import Counter
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


class SeatsInProgress:
    """The seats of capped bots in blocks in hand.  A block that does not fit waits in the plan."""

    def __init__(self, caps: Sequence[SeatCap]) -> None:
        bots = {bot for cap in caps for bot in cap.bots}
        self._of = {bot: [cap for cap in caps if bot in cap.bots] for bot in bots}
        """The caps that count a bot."""
        self._taken: Counter[SeatCap] = Counter()
        self._in_hand: dict[int, dict[SeatCap, int]] = {}
        """What each block takes, by its number."""

    def _seats(self, bots: Sequence[int]) -> dict[SeatCap, int]:
        """Return how many seats a block with *bots* takes."""
        caps = dict.fromkeys(cap for bot in bots for cap in self._of.get(bot, ()))
        at_once = min(len(bots), count_at_once(caps, bots))
        return {cap: at_once * cap.seats_of(bots) for cap in caps}

    def room(self, bots: Sequence[int]) -> int:
        """Return how many blocks with *bots* fit: one even where a cap is smaller, if no seat is taken."""
        seats = self._seats(bots).items()
        left = ((max(cap.seats, each) - self._taken[cap]) // each for cap, each in seats)
        return min(left, default=UNCAPPED)

    def take(self, number: int, bots: Sequence[int]) -> None:
        """Count block *number*, with *bots*, which is handed out."""
        self._in_hand[number] = seats = self._seats(bots)
        self._taken.update(seats)

    def give_back(self, number: int) -> None:
        """Count block *number* no more: none of its matches is in progress."""
        self._taken.subtract(self._in_hand.pop(number, {}))
