"""The seats in matches in progress, which caps bound: a block that does not fit waits in the plan."""

from collections import Counter
from collections.abc import Sequence

from ladder.contest.blocks import PlannedBlock
from ladder.registry.seat_caps import UNCAPPED, SeatCap, count_at_once


class SeatsInProgress:
    """The seats of capped bots in blocks in hand: as many as may be in matches in progress."""

    def __init__(self, caps: Sequence[SeatCap]) -> None:
        """Begin with none."""
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
        return min(
            ((max(cap.seats, each) - self._taken[cap]) // each for cap, each in seats), default=UNCAPPED
        )

    def take(self, blocks: Sequence[PlannedBlock]) -> None:
        """Count *blocks*, which are handed out."""
        for block in blocks:
            self._in_hand[block.number] = seats = self._seats(block.bots)
            self._taken.update(seats)

    def give_back(self, number: int) -> None:
        """Count block *number* no more: none of its matches is in progress."""
        self._taken.subtract(self._in_hand.pop(number, {}))
