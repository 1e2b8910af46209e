"""Round robins: tables without end, in an order in which every prefix seats all bots about equally often."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from ladder.run.persons import Persons
from results.record import Contest


class _RoundRobin:
    """An endless round robin that can be continued where it was."""

    def __init__(self, tables: Iterator[tuple[int, ...]]) -> None:
        self.taken = 0
        """The number of tables taken so far."""
        self._tables = tables

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return self

    def __next__(self) -> tuple[int, ...]:
        self.taken += 1
        return next(self._tables)


def round_robins(
    contests: Sequence[Contest], blocks: Sequence[int], gauntlet: int | None, persons: Persons
) -> list[_RoundRobin]:
    """Return a round robin for each contest; it begins with the bots that have the fewest matches so far.

    Tables with two bots of one of *persons* are passed over.
    *blocks*: the number of blocks of each contest in the first epoch.  Otherwise, in a run with one or two
    blocks a contest, the same few bots would play all of them.
    """
    matches: Counter[int] = Counter()
    robins = []
    for contest, count in zip(contests, blocks, strict=True):
        ring = sorted(contest.bots, key=lambda bot: matches[bot])
        first, whole = (_tables_of(ring, contest.seats, gauntlet) for _ in range(2))
        for bots in islice(filter(persons.may_meet, first), count):
            matches.update(dict.fromkeys(bots, contest.seats))
        robins.append(_RoundRobin(filter(persons.may_meet, whole)))
    return robins


def _tables_of(ring: Sequence[int], seats: int, gauntlet: int | None) -> Iterator[tuple[int, ...]]:
    """Return a round robin of *ring*; with *gauntlet*, one of all others, with that bot at every table."""
    if gauntlet is None:
        return _round_robin(ring, seats)
    others = _round_robin([bot for bot in ring if bot != gauntlet], seats - 1)
    return (tuple(sorted((gauntlet, *table))) for table in others)


def _round_robin(bots: Sequence[int], seats: int) -> Iterator[tuple[int, ...]]:
    """Yield tables without end; at any time, two tables differ by at most one in their number of uses.

    Every prefix seats all bots about equally often, and the first of *bots* come first.
    """
    while True:
        yield from _pairs(_face(bots)) if seats == 2 else _orbits(bots, seats)


def _face(bots: Sequence[int]) -> list[int]:
    """Return *bots* in the ring of _pairs that lets the first two play first, then the next two."""
    *waits, odd = bots if len(bots) % 2 else (*bots, None)
    ring = [*waits[::2], *reversed(waits[1::2])]
    return ring if odd is None else [odd, *ring]


def _pairs(bots: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all pairs in rounds; each bot plays once in a round (the circle method)."""
    ring: list[int | None] = [*bots, *([None] if len(bots) % 2 else [])]
    for _ in range(len(ring) - 1):
        for i in range(len(ring) // 2):
            a, b = ring[i], ring[-1 - i]
            if a is not None and b is not None:
                yield (min(a, b), max(a, b))
        ring.insert(1, ring.pop())


def _orbits(bots: Sequence[int], seats: int) -> Iterator[tuple[int, ...]]:
    """Yield tables, each with all members moved up by 1, 2, 3...: an orbit seats all bots equally often."""
    n = len(bots)
    turns = sorted(range(n), key=lambda turn: (turn % seats, turn))
    for others in combinations(range(1, n), seats - 1):
        first = (0, *others)
        orbit = dict.fromkeys(tuple(sorted((place + turn) % n for place in first)) for turn in turns)
        if first == min(orbit):  # else it has come already
            yield from (tuple(sorted(bots[place] for place in places)) for places in orbit)
