"""Whether further rounds can be filled without second meetings, by a search that is bounded in nodes.

Sets of entrants are integers, one bit each.  *fresh* has, for each entrant, those whom it has not met.  The
bound is a number of steps, not a time: the same history gives the same answer on any machine.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

NODES = 100_000
"""The steps of a search, at most: some 0.1 s."""
NODES_OF_CUT = 20_000
"""Those for one cut; 16 entrants at tables of four need about a hundred."""
CUTS = 300
"""The cuts of a round that are tried, at most."""
ONE_BY_ONE = 6
"""Of more rounds to come than this, half as many are looked at if not all can be filled."""


@dataclass
class NodeLimit:
    """How many more steps a search may take."""

    left: int = NODES


def list_bits(members: int) -> list[int]:
    """Return the entrants of a set."""
    return [entrant for entrant in range(members.bit_length()) if members >> entrant & 1]


def split_field(
    field: int, sizes: Sequence[int], fresh: Sequence[int], nodes: NodeLimit
) -> Iterator[list[int]]:
    """Yield all ways to seat *field* at tables of *sizes* so that no two meet again."""
    if not field:
        yield []
        return
    first = field & -field
    others = (field ^ first) & fresh[first.bit_length() - 1]
    for size in sorted(set(sizes), reverse=True):
        rest = [*sizes]
        rest.remove(size)
        for table in _fill_table(others, size - 1, fresh, nodes):
            for more in split_field(field & ~(table | first), rest, fresh, nodes):
                yield [table | first, *more]


def _fill_table(others: int, seats: int, fresh: Sequence[int], nodes: NodeLimit) -> Iterator[int]:
    """Yield all sets of *seats* of *others* in which none has met another."""
    if not seats:
        yield 0
        return
    while others.bit_count() >= seats and nodes.left > 0:
        nodes.left -= 1
        one = others & -others
        others ^= one
        for table in _fill_table(others & fresh[one.bit_length() - 1], seats - 1, fresh, nodes):
            yield table | one


@dataclass(frozen=True)
class RoundsToCome:
    """The rounds after one that is to be paired."""

    entrants: int
    fresh: Sequence[int]
    """More than *entrants* where one sits out: who meets the last of them does."""
    sizes: Sequence[int]
    """The table sizes of each round."""
    rounds: int
    """How many rounds come after this one."""

    @property
    def most(self) -> int:
        """The most of these rounds that may be filled without second meetings: a bound."""
        left = [others.bit_count() for others in self.fresh]
        in_all = sum(left) // sum(size * (size - 1) for size in self.sizes)
        return min(self.rounds, min(left) // (min(self.sizes) - 1) - 1, in_all - 1)

    @property
    def is_sure(self) -> bool:
        """Whether they can be filled whatever this and each of them is like.

        The tables of a round colour the graph of those who have met, so that no two of a colour are joined.
        Such a colouring, in classes whose sizes differ by one at most, exists if no degree reaches the number
        of classes (Hajnal and Szemerédi, 1970).
        """
        most_met = len(self.fresh) - 1 - min(others.bit_count() for others in self.fresh)
        return most_met + self.rounds * (max(self.sizes) - 1) < len(self.sizes)

    def list_fresh(self) -> list[list[list[int]]]:
        """Return cuts of this round without second meetings: all if they are few."""
        field = (1 << len(self.fresh)) - 1
        found = []
        for tables in islice(split_field(field, self.sizes, self.fresh, NodeLimit()), CUTS):
            cut = [list_bits(table) for table in tables]
            if len(self.fresh) > self.entrants:  # those who sit out come last
                cut.sort(key=lambda table: table[-1])
                cut[-1].pop()
            found.append(cut)
        return found

    def is_open_after(self, cut: Sequence[Sequence[int]]) -> bool:
        """Return whether *cut* has no second meeting, and as many rounds as may be can follow without one."""
        tables = self._read(cut)
        return self._is_fresh(tables) and self._follow(tables, self.most, NodeLimit(NODES_OF_CUT))

    def first_to_follow(self, cuts: Sequence[Sequence[Sequence[int]]]) -> int:
        """Return the index of the first of *cuts* after which the most rounds can be filled."""
        read = [(index, self._read(cut)) for index, cut in enumerate(cuts)]
        fresh = [(index, tables) for index, tables in read if self._is_fresh(tables)]
        rounds = self.most
        while rounds > 0:
            left = NODES
            for index, tables in fresh:
                nodes = NodeLimit(min(NODES_OF_CUT, left))
                left -= nodes.left
                if self._follow(tables, rounds, nodes):
                    return index
                left += nodes.left
                if not left:
                    break
            rounds = rounds - 1 if rounds <= ONE_BY_ONE else rounds // 2
        return 0

    def _read(self, cut: Sequence[Sequence[int]]) -> list[int]:
        """Return the tables of *cut* as sets."""
        tables = [sum(1 << entrant for entrant in table) for table in cut]
        if len(self.fresh) > self.entrants:
            tables[-1] |= 1 << self.entrants
        return tables

    def _is_fresh(self, tables: Sequence[int]) -> bool:
        return not any(
            table & ~self.fresh[entrant] & ~(1 << entrant) for table in tables for entrant in list_bits(table)
        )

    def _follow(self, tables: Sequence[int], rounds: int, nodes: NodeLimit) -> bool:
        """Return whether *rounds* more can be filled after one with *tables*; False, too, if it is open."""
        if rounds <= 0:
            return True
        fresh = [*self.fresh]
        for table in tables:
            for entrant in list_bits(table):
                fresh[entrant] &= ~table
        after = RoundsToCome(self.entrants, fresh, self.sizes, rounds - 1)
        cuts = split_field((1 << len(fresh)) - 1, self.sizes, fresh, nodes)
        return any(after._follow(cut, rounds - 1, nodes) for cut in cuts)
