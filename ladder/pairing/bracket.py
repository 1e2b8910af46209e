"""Plan a bracket: a graph of tables, before any of them is played."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, cycle, product
from typing import NamedTuple, TypeVar

from ladder.pairing.table_sizes import share_tables

T = TypeVar("T")


def bracket_order(slots: int) -> list[int]:
    """Return the seeds of a bracket from top to bottom, such as 0 7 3 4 1 6 2 5; *slots* is a power of two.

    If the better seed always wins, seeds k and 2^r - 1 - k meet where 2^r are left.
    """
    order = [0]
    while len(order) < slots:
        size = 2 * len(order)
        order = [seed for best in order for seed in (best, size - 1 - best)]
    return order


def spread(entrants: Sequence[T], sizes: Sequence[int]) -> list[list[T]]:
    """Deal *entrants*, best first, to tables of *sizes*: forwards, then backwards, and so on.

    So the best are at different tables, and the best of them meets the weakest of the next.
    """
    tables: list[list[T]] = [[] for _ in sizes]
    turns = cycle([*range(len(sizes)), *reversed(range(len(sizes)))])
    for entrant in entrants:
        tables[next(index for index in turns if len(tables[index]) < sizes[index])].append(entrant)
    return tables


class Unfillable(Exception):
    """This number of entrants cannot play the bracket at the table sizes that the game has."""


class Feed(NamedTuple):
    """Where the entrant of a seat comes from: a place at an earlier table, or a seed."""

    table: int | None
    """The number of the table in the bracket; None for a seed."""
    place: int
    """The place at that table, or the seed; 0 is the best."""


@dataclass(frozen=True)
class PlannedTable:
    """A table of a bracket.  The best *go_on* go on; for the others, feeds of other tables say it."""

    name: str
    feeds: tuple[Feed, ...]
    go_on: int
    is_reset: bool = False
    """Whether it is played only if the one who came from the second life has won the table before."""


@dataclass(frozen=True)
class BracketRound:
    """Tables that are played together, by their numbers, from top to bottom, and those who sit out."""

    name: str
    tables: tuple[int, ...]
    byes: tuple[Feed, ...]


@dataclass(frozen=True)
class Bracket:
    """Rounds in the order in which they can be played: who falls later stands higher."""

    tables: tuple[PlannedTable, ...]
    rounds: tuple[BracketRound, ...]


class _Shape(NamedTuple):
    """A round to plan: who sits out, table sizes, and how many of each table go on."""

    byes: int
    sizes: tuple[int, ...]
    cuts: tuple[int, ...]

    @property
    def on(self) -> int:
        """How many are left after the round."""
        return self.byes + sum(self.cuts)


class _Draft:
    """A bracket in the making, at tables of *sizes* of which *seats* is wanted."""

    def __init__(self, sizes: Collection[int], seats: int) -> None:
        self.sizes = frozenset({2} if seats == 2 else sizes)
        self.seats = seats
        self.tables: list[PlannedTable] = []
        self.rounds: list[BracketRound] = []

    def play(self, name: str, pool: Sequence[Feed], shape: _Shape) -> tuple[list[Feed], list[Feed]]:
        """Add a round of *pool*, best first; return those who go on and those who fall, each best first."""
        byes, tables = list(pool[: shape.byes]), spread(pool[shape.byes :], shape.sizes)
        if self.seats > 2:
            _part(tables)
        numbers = list(range(len(tables)))
        slots = shape.byes + len(tables)
        if self.seats == 2 and slots & (slots - 1) == 0:  # from top to bottom, as it is drawn
            numbers = [slot - shape.byes for slot in bracket_order(slots) if slot >= shape.byes]
        first = len(self.tables)
        for line, number in enumerate(numbers):
            full = f"{name}/{line + 1}" if len(tables) > 1 else name
            self.tables.append(PlannedTable(full, tuple(tables[number]), shape.cuts[number]))
        self.rounds.append(BracketRound(name, tuple(range(first, len(self.tables))), tuple(byes)))
        at = {number: first + line for line, number in enumerate(numbers)}
        on, fallen = byes, list[Feed]()
        for place in range(max(shape.sizes)):
            turn = 1 if place % 2 == 0 else -1  # backwards, so that two of one table part again
            for number in range(len(tables))[::turn]:
                if place < shape.sizes[number]:
                    (on if place < shape.cuts[number] else fallen).append(Feed(at[number], place))
        return on, fallen

    def shape(self, number: int, target: int, *, is_first_life: bool = False) -> _Shape:
        """Return the next round of *number* of whom *target* remain in the end.

        If one table seats all, it decides.  Else the better half of each table goes on: at tables of odd size
        rounded down or up, whichever fills the tables of the next round better, and down if both do.  More go
        on where too few would be left to fill a table.  At two seats, the first round leaves a power of two.
        Raises Unfillable.
        """
        if number in self.sizes and number <= self.seats:
            return _Shape(0, (number,), (target,))
        if self.seats == 2 and is_first_life:
            left = 1 << (number - 1).bit_length() - 1
            return _Shape(2 * left - number, (2,) * (number - left), (1,) * (number - left))
        tables, byes, _ = share_tables(number, self.sizes, self.seats)
        if not tables:
            raise Unfillable
        odd = sorted({size for size in tables if size % 2})
        shapes = []
        for ups in product((0, 1), repeat=len(odd)):
            up = dict(zip(odd, ups, strict=True))
            cuts = tuple(size // 2 + up.get(size, 0) for size in tables)
            shapes.append(self._let_on(_Shape(byes, tables, cuts), target))
        return min(shapes, key=lambda shape: (self._misfit(shape.on, target), shape.on))

    def _let_on(self, shape: _Shape, target: int) -> _Shape:
        """Return *shape* with more who go on, while those who would be left could not play on to *target*."""
        cuts = list(shape.cuts)
        while (on := shape.byes + sum(cuts)) != target and (on < target or on < min(self.sizes)):
            index = min(range(len(cuts)), key=lambda index: cuts[index] - shape.sizes[index])
            if cuts[index] + 1 >= shape.sizes[index]:
                raise Unfillable
            cuts[index] += 1
        return shape._replace(cuts=tuple(cuts))

    def _misfit(self, number: int, target: int) -> tuple[int, int, int]:
        """Return how badly *number* fill the tables of a round."""
        if number == target:
            return 0, 0, 0
        shared = share_tables(number, self.sizes, self.seats)
        return shared.byes, *shared.misfit


def _part(tables: list[list[Feed]]) -> None:
    """Swap feeds of equal rank between *tables*, in place, while fewer from one earlier table meet again."""

    def count(table: list[Feed]) -> int:
        known = [feed.table for feed in table if feed.table is not None]
        return len(known) - len(set(known))

    swaps = [
        (one, two, rank) for one, two in combinations(tables, 2) for rank in range(1, min(len(one), len(two)))
    ]
    is_better = True
    while is_better:
        is_better = False
        for one, two, rank in swaps:
            before = count(one) + count(two)
            one[rank], two[rank] = two[rank], one[rank]
            if count(one) + count(two) < before:
                is_better = True
            else:
                one[rank], two[rank] = two[rank], one[rank]


@lru_cache(maxsize=64)
def plan_knockout(entrants: int, sizes: Collection[int], seats: int) -> Bracket:
    """Return the bracket of a knock-out at tables of *sizes*, of which *seats* is wanted.

    The best seeds sit out where a table cannot be filled.  Raises Unfillable for fewer than a table.
    """
    draft = _Draft(sizes, seats)
    shapes, left = list[_Shape](), entrants
    while left > 1:
        if left < min(draft.sizes):
            raise Unfillable
        shapes.append(draft.shape(left, 1, is_first_life=True))
        left = shapes[-1].on
    pool = [Feed(None, seed) for seed in range(entrants)]
    for index, shape in enumerate(shapes):
        name = _name_round(len(shapes) - index, shape.byes + len(shape.sizes), seats, index + 1)
        pool, _ = draft.play(name, pool, shape)
    return Bracket(tuple(draft.tables), tuple(draft.rounds))


def _name_round(from_end: int, slots: int, seats: int, number: int) -> str:
    if from_end == 1:
        return "final"
    if seats > 2:
        return f"round-{number}"
    return {2: "semifinal", 4: "quarter"}.get(slots, f"round-of-{2 * slots}")


@lru_cache(maxsize=64)
def plan_double(entrants: int, sizes: Collection[int], seats: int) -> Bracket:
    """Return the bracket of a knock-out with a second life for those who fall.

    Those who fall from the first life play on in the lower rounds, with those who fell before them.  The last
    of both lives play the final: one of each at two seats, about half of the seats of each at more.  At two
    seats, if the one from the lower rounds wins, both have fallen once and play again.  Raises Unfillable.
    """
    usable = sorted({2} if seats == 2 else {size for size in sizes if size <= seats}, reverse=True)
    few = max(2, (entrants + 1) // 2)
    finals = [size for size in usable if size <= few]
    finals += [size for size in reversed(usable) if few < size < entrants]
    for final in finals:
        for upper in sorted(range(1, final), key=lambda upper: (abs(2 * upper - final), -upper)):
            try:
                return _plan_lives(entrants, sizes, seats, upper, final - upper)
            except Unfillable:
                continue
    raise Unfillable


def _plan_lives(entrants: int, sizes: Collection[int], seats: int, upper: int, lower: int) -> Bracket:
    """Return a bracket whose final has *upper* of the first life and *lower* of the second."""
    draft = _Draft(sizes, seats)
    first, second = [Feed(None, seed) for seed in range(entrants)], list[Feed]()
    number = {"upper": 0, "lower": 0}

    def play(life: str, pool: list[Feed], shape: _Shape) -> tuple[list[Feed], list[Feed]]:
        number[life] += 1
        return draft.play(f"{life}-{number[life]}", pool, shape)

    while len(first) > upper:
        shape = draft.shape(len(first), upper, is_first_life=True)
        first, fallen = play("upper", first, shape)
        with suppress(Unfillable):  # the next round may have to wait for more who fall
            while len(second) > max(lower, len(fallen)):
                second, _ = play("lower", second, draft.shape(len(second), lower))
        turn = 1 if number["upper"] % 2 else -1  # else those who have met would soon meet again
        has_waited = bool(second)
        second = [*fallen[::turn], *second]
        if has_waited and len(second) > lower:
            with suppress(Unfillable):
                second, _ = play("lower", second, draft.shape(len(second), lower))
    while len(second) > lower:
        second, _ = play("lower", second, draft.shape(len(second), lower))
    if len(second) < lower:
        raise Unfillable
    last = _Shape(0, (upper + lower,), (1,))
    draft.play("final", [*first, *second], last)
    if seats == 2:
        final = len(draft.tables) - 1
        draft.play("reset", [Feed(final, 1), Feed(final, 0)], last)
        draft.tables[-1] = replace(draft.tables[-1], is_reset=True)
    return Bracket(tuple(draft.tables), tuple(draft.rounds))
