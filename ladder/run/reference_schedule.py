"""The schedule of a measurement: one bot against those of a reference set, always in the same order.

First come the blocks against the bots that do little work, each of them equally often.  Then come those in
which one of the others has a seat, beside any of the set at larger tables.
"""

from itertools import groupby

from ladder.contest.keys import Keys
from ladder.run.schedule import NOTHING, Epoch, KnownResults, Schedule
from results.record import Contest, ReferenceTerms

EPOCH = 64
"""The blocks of an epoch.  Nothing depends on how many they are: no epoch waits for results."""


class ReferenceSchedule(Schedule):
    """The blocks of a measurement.  They follow from the keys alone."""

    def __init__(self, contest: Contest, keys: Keys, terms: ReferenceTerms, total: int) -> None:
        """Start before the first block; *total* is the number of blocks."""
        super().__init__([contest])
        self._keys = keys
        self._terms = terms
        self._total = total
        self._orders: dict[int, list[int]] = {}
        """The order of the bots that do little work, in each round of them."""

    def count_planned(self) -> int:
        """Return the number of matches."""
        return self._total * self.contests[0].seats

    def plan(self, known: KnownResults = NOTHING) -> Epoch:
        """Return the plan of the next epoch."""
        first = self.ends[-1] if self.ends else 0
        seated = [self._seat(first + i) for i in range(self._next_blocks()[0])]
        return Epoch(tuple((0, bots, len([*row])) for bots, row in groupby(seated)), (), ())

    def _next_blocks(self) -> list[int]:
        return [0 if self._closed else min(EPOCH, self._total - self._blocks[0])]

    def _seat(self, number: int) -> tuple[int, ...]:
        """Return the bots of the block with this *number*; the tested one is the first of the contest."""
        tested, *others = self.contests[0].bots
        little, wanted = others[: self._terms.little], self.contests[0].seats - 1
        later = number - self._terms.blocks
        if later < 0:
            table = [little[self._order(*divmod(number * wanted + i, len(little)))] for i in range(wanted)]
            if len(set(table)) < wanted:  # it goes over the end of a round, whose next one begins alike
                table = self._fill(table, little, number)
        else:
            more = others[self._terms.little :]
            table = self._fill([more[later % len(more)]] * wanted, others, number)
        rng = self._keys.duel(number)
        return tuple(sorted([tested, *table], key=lambda bot: rng.random()))

    def _order(self, turn: int, place: int) -> int:
        """Return which bot of those that do little work has this *place* in round number *turn*."""
        if turn not in self._orders:
            order = [*range(self._terms.little)]
            self._keys.schedule(self.contests[0].name, turn).shuffle(order)
            self._orders[turn] = order
        return self._orders[turn][place]

    def _fill(self, table: list[int], others: list[int], number: int) -> list[int]:
        """Return *table* with other bots where one has a second seat."""
        kept = [*dict.fromkeys(table)]
        rng = self._keys.schedule(f"{self.contests[0].name}/table", number)
        left = [bot for bot in others if bot not in kept]
        return kept + rng.sample(left, len(table) - len(kept))
