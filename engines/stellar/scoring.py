"""The points of telescopes and notebooks.

Satellites and 6/0 cards in a notebook count as is best for their owner (ST15, ST17, A14).  A type scores its
stars times its best run, which depends on the satellites assigned to it.  Each satellite goes to one type;
the best assignment is found type by type, over all sets of satellites.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engines.stellar.cards import CARDS, DOWN, DOWN_NUMBER, SATELLITES, SECTIONS, SIX_ZERO, TYPES, Card
from engines.stellar.state import Player, State

__all__ = [
    "DIVERSITY",
    "MAJORITY",
    "RUNS",
    "breakdown",
    "points",
    "points_of_types",
    "run",
    "section_totals",
    "stars",
    "types_points",
]

MAJORITY: Final = 10
DIVERSITY: Final = 10
_LYING: Final = CARDS | {card + DOWN: Card(None, DOWN_NUMBER, 0) for card in CARDS}


def _run(numbers: int, six_zero: bool) -> int:
    """Return the longest run in *numbers*, a set as bits; a 6/0 card adds a 6 or a 0, as is better."""
    if six_zero:
        return max(_run(numbers | 1, False), _run(numbers | 1 << SIX_ZERO, False))
    length = 0
    while numbers:
        numbers &= numbers << 1
        length += 1
    return length


RUNS: Final = [[_run(numbers, six_zero) for numbers in range(1 << SIX_ZERO)] for six_zero in (False, True)]
"""The longest run in every set of the numbers 0 to 5, without and with a 6/0."""
_PLAIN: Final = (1 << SIX_ZERO) - 1
_SUBSETS: Final = [
    [part for part in range(whole + 1) if part & whole == part] for whole in range(1 << len(SATELLITES))
]
"""All subsets of every set of satellites, as bits."""
_SECTION_OF: Final = {slot: section for section, slots in SECTIONS.items() for slot in slots}


def run(numbers: Iterable[int]) -> int:
    """Return the multiplier of a stack: its longest run of consecutive numbers; 6 means a 6/0."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return RUNS[bits >> SIX_ZERO][bits & _PLAIN]


def stars(lying: Iterable[str]) -> dict[str, int]:
    """Return the stars of every type in a telescope; *lying* are its cards, face up or down."""
    totals = dict.fromkeys(TYPES, 0)
    for name in lying:
        card = _LYING[name]
        if card.type:
            totals[card.type] += card.stars
    return totals


def types_points(lying: Iterable[str], notebook: Sequence[str]) -> int:
    """Return the points for stars times multipliers, for the best use of satellites and 6/0 cards."""
    satellites = [CARDS[name].number for name in notebook if name in SATELLITES]
    return points_of_types([*stars(lying).values()], [*_stacks(notebook).values()], satellites)


def points_of_types(counts: Sequence[int], stacks: Sequence[int], satellites: Iterable[int]) -> int:
    """Return the same points, given the stars and the stack of every type, and the numbers of satellites.

    A stack is the set of its numbers, as bits; 6 means a 6/0.
    """
    given = [0]  # the numbers of every set of satellites; a set is the bits of its index
    for number in satellites:
        given += [numbers | 1 << number for numbers in given]
    best = [0] * len(given)  # the points of the types so far, with the satellites of every set
    for count, stack in zip(counts, stacks, strict=True):
        if count:
            runs, numbers = RUNS[stack >> SIX_ZERO], stack & _PLAIN
            best = _share_out(best, [count * runs[numbers | more] for more in given])
    return best[-1]


def _stacks(notebook: Iterable[str]) -> dict[str, int]:
    """Return the numbers in every stack, as bits; 6 means a 6/0."""
    stacks = dict.fromkeys(TYPES, 0)
    for name in notebook:
        card = CARDS[name]
        if card.type:
            stacks[card.type] |= 1 << card.number
    return stacks


def _share_out(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return for every set the most points that two types can make by sharing it."""
    return [max([one[part] + other[whole ^ part] for part in _SUBSETS[whole]]) for whole in range(len(one))]


def section_totals(cards: Mapping[str, str]) -> dict[str, int]:
    """Return the sum of the numbers in every section of a telescope (ST28)."""
    totals = dict.fromkeys(SECTIONS, 0)
    for slot, name in cards.items():
        totals[_SECTION_OF[slot]] += _LYING[name].number
    return totals


@lru_cache(maxsize=4)
def _points_of(players: tuple[Player, Player]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the points of both seats; cached, because the end of a match needs them more than once."""
    one, other = players
    return points((one.telescope.cards, other.telescope.cards), (one.notebook, other.notebook))


def points(
    telescopes: Sequence[Mapping[str, str]], notebooks: Sequence[Sequence[str]]
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the points of both seats for their cards as they lie."""
    mine, theirs = section_totals(telescopes[0]), section_totals(telescopes[1])
    one = _points(telescopes[0].values(), notebooks[0], mine, theirs)
    return one, _points(telescopes[1].values(), notebooks[1], theirs, mine)


def _points(
    lying: Iterable[str], notebook: Sequence[str], mine: Mapping[str, int], theirs: Mapping[str, int]
) -> dict[str, int]:
    types = types_points(lying, notebook)
    majorities = MAJORITY * sum([mine[section] > theirs[section] for section in SECTIONS])
    diversity = DIVERSITY * ({_LYING[name].type for name in lying} >= TYPES.keys())
    total = types + majorities + diversity
    return {"types": types, "majorities": majorities, "diversity": diversity, "total": total}


def breakdown(state: State) -> list[dict[str, int]]:
    """Return for every seat the points for types, majorities and diversity, and their total (A20).

    Works on any state: the cards count as they lie.
    """
    return [points.copy() for points in _points_of(state.players)]
