"""The tables of an epoch of the adaptive schedule: matches go where the order of two bots is still open.

First come the bots below the floor.  Half of the other tables are a round robin; the other half are for
pairs, each in proportion to its weight.  Nothing is drawn: the same knowledge gives the same tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

__all__ = ["Openness", "adaptive_tables", "openness"]

Openness: TypeAlias = Mapping[int, Mapping[int, float]]
"""Per bot and other bot: the weight of a match of the two.  Both directions are there, and equal."""
Pair: TypeAlias = tuple[int, int]


def openness(difference: float, error: float, beta: float) -> float:
    """Return the weight of a match of two bots whose skills differ by *difference*, with standard *error*.

    It is the probability that the order of the two is the other way round, times what a match tells of their
    difference: with y = d / (sqrt(2) beta), phi(y)^2 / (Phi(y) Phi(-y)), the Fisher information of a win or
    loss in the TrueSkill model without ties.
    """
    y = difference / (math.sqrt(2) * beta)
    win_times_loss = math.erfc(y / math.sqrt(2)) * math.erfc(-y / math.sqrt(2)) / 4
    told = math.exp(-y * y) / (2 * math.pi) / win_times_loss if win_times_loss else 0.0
    return math.erfc(abs(difference) / (math.sqrt(2) * error)) / 2 * told


def adaptive_tables(
    bots: Sequence[int],
    seats: int,
    count: int,
    played: Mapping[int, int],
    floor: float,
    cap: float,
    weights: Openness,
    round_robin: Iterator[tuple[int, ...]],
) -> list[tuple[int, ...]]:
    """Return *count* tables of *seats* of the *bots*, at least as many; the bots of a table are sorted.

    *played*, *floor* and *cap* count blocks.  Bots at the cap are seated only by the round robin, and where
    too few others are left: then those with the fewest blocks play.
    """
    seating = _Seating(bots, seats, played, cap, weights)
    seating.meet(floor, count)
    left = count - len(seating.tables)
    for _ in range(left - left // 2):
        seating.add(next(round_robin))
    seating.share(left // 2)
    while len(seating.tables) < count:  # no weight is left
        seating.add(next(round_robin))
    return seating.tables


class _Seating:
    """The tables of one epoch of a contest, as they are chosen."""

    def __init__(
        self, bots: Sequence[int], seats: int, played: Mapping[int, int], cap: float, weights: Openness
    ) -> None:
        self.tables: list[tuple[int, ...]] = []
        self._bots = bots
        self._seats = seats
        self._blocks = {bot: played.get(bot, 0) for bot in bots}
        self._cap = cap
        self._weights = weights

    def add(self, table: tuple[int, ...], times: int = 1) -> None:
        """Seat *table* for *times* blocks."""
        for bot in table:
            self._blocks[bot] += times
        self.tables += [table] * times

    def meet(self, floor: float, most: int) -> None:
        """Add at most *most* tables for bots below *floor*, those with the fewest blocks first."""
        while len(self.tables) < most:
            needy = [bot for bot in self._free() if self._blocks[bot] < floor]
            if not needy:
                return
            anchor = min(needy, key=lambda bot: (self._blocks[bot], bot))
            self.add(self._fill((anchor,), needy))

    def share(self, count: int) -> None:
        """Add *count* tables, divided among the pairs by weight; fewer if no weight is left.

        What a pair cannot take, because one of its bots reaches the cap, is divided again among the others.
        """
        weighed = [(pair, self._weight(*pair)) for pair in combinations(sorted(self._bots), 2)]
        while count:
            free = set(self._free())
            weighed = [(pair, weight) for pair, weight in weighed if weight and free.issuperset(pair)]
            if not weighed:
                return
            for pair, times in _shares(weighed, count):
                count -= self._add_often(pair, times)

    def _add_often(self, pair: Pair, times: int) -> int:
        """Seat *pair* for *times* blocks, or until one of the two is at the cap; return for how many."""
        left = times
        while left and {*pair} <= {*(free := self._free())}:
            table = self._fill(pair, free)
            room = int(self._cap) - max(self._blocks[bot] for bot in table)
            blocks = min(left, max(room, 1))
            self.add(table, blocks)
            left -= blocks
        return times - left

    def _free(self) -> list[int]:
        """Return the bots under the cap; if they are too few for a table, those with the fewest blocks."""
        free = [bot for bot in self._bots if self._blocks[bot] + 1 <= self._cap]
        if len(free) >= self._seats:
            return free
        return sorted(self._bots, key=lambda bot: (self._blocks[bot], bot))[: self._seats]

    def _fill(self, seated: tuple[int, ...], preferred: Sequence[int]) -> tuple[int, ...]:
        """Return a table of the bots *seated* and those whose matches with them have the most weight.

        *preferred* bots come before all others.  Of equal ones, the bot with the fewest blocks comes first.
        """
        table = list(seated)
        while len(table) < self._seats:
            others = [bot for bot in preferred if bot not in table]
            others = others or [bot for bot in self._free() if bot not in table]
            table.append(min(others, key=lambda bot: (-self._pull(bot, table), self._blocks[bot], bot)))
        return tuple(sorted(table))

    def _pull(self, bot: int, table: Sequence[int]) -> float:
        return math.fsum(self._weight(bot, other) for other in table)

    def _weight(self, one: int, other: int) -> float:
        return self._weights.get(one, {}).get(other, 0.0)


def _shares(weighed: Sequence[tuple[Pair, float]], count: int) -> list[tuple[Pair, int]]:
    """Divide *count* blocks by weight, with largest remainders; return the pairs with blocks, most first.

    Of equal remainders and of equal shares, the earlier pair comes first.
    """
    total = math.fsum(weight for _, weight in weighed)
    quotas = [count * (weight / total) for _, weight in weighed]
    blocks = [math.floor(quota) for quota in quotas]
    order = sorted(range(len(quotas)), key=lambda i: (blocks[i] - quotas[i], i))
    for i in order[: count - sum(blocks)]:
        blocks[i] += 1
    most = sorted((i for i in range(len(blocks)) if blocks[i]), key=lambda i: (-blocks[i], i))
    return [(weighed[i][0], blocks[i]) for i in most]
