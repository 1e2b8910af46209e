"""The points of telescopes and notebooks.

Satellites and 6/0 cards in a notebook count as is best for their owner (ST15, ST17, A14).  A type scores its
stars times its best run, which depends on the satellites assigned to it.  Each satellite goes to one type;
the best assignment is found type by type, over all sets of satellites.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engines.remember import remember
from engines.stellar.cards import (
    DOWN_NUMBER,
    KIND_OF,
    NUMBER_OF,
    SATELLITE_KIND,
    SATELLITES,
    SECTION_OF,
    SECTIONS,
    SIX_ZERO,
    SLOTS,
    STARS_OF,
    TYPES,
    codes_of,
)
from engines.stellar.moves import CARD_IN, IS_DOWN, SLOT_IN, lay_option
from engines.stellar.table import Table

MAJORITY: Final = 10
DIVERSITY: Final = 10


def _run(numbers: int, six_zero: bool) -> int:
    """Return the longest run in *numbers*, a set as bits; a 6/0 card adds a 6 or a 0, as is better."""
    if six_zero:
        return max(_run(numbers | 1, False), _run(numbers | 1 << SIX_ZERO, False))
    length = 0
    while numbers:
        numbers &= numbers << 1
        length += 1
    return length


_RUNS: Final[list[list[int]]] = [
    [_run(numbers, six_zero) for numbers in range(1 << SIX_ZERO)] for six_zero in (False, True)
]
"""The longest run in every set of the numbers 0 to 5, without and with a 6/0."""
_PLAIN: Final = (1 << SIX_ZERO) - 1
RUN_OF: Final[list[int]] = [_RUNS[stack >> SIX_ZERO][stack & _PLAIN] for stack in range(2 << SIX_ZERO)]
"""The longest run of every stack, the set of its numbers as bits; 6 is a 6/0."""
_SUBSETS: Final[list[list[int]]] = [
    [part for part in range(whole + 1) if part & whole == part] for whole in range(1 << len(SATELLITES))
]
"""All subsets of every set of satellites, as bits."""


def run(numbers: Iterable[int]) -> int:
    """Return the multiplier of a stack: its longest run of consecutive numbers; 6 means a 6/0."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return RUN_OF[bits]


def points_of_types(counts: list[int], stacks: list[int], satellites: list[int]) -> int:
    """Return the points for stars times multipliers, for the best use of satellites and 6/0 cards.

    Given are the stars and the stack of every type, and the numbers of the satellites in the notebook.
    A stack is the set of its numbers, as bits; 6 means a 6/0.
    """
    if not satellites:
        total = 0
        for kind in range(len(counts)):
            if counts[kind]:
                total += counts[kind] * RUN_OF[stacks[kind]]
        return total
    given = [0]  # the numbers of every set of satellites; a set is the bits of its index
    for number in satellites:
        given += [numbers | 1 << number for numbers in given]
    best: list[int] = []  # the points of the types so far, with the satellites of every set
    for kind in range(len(counts)):
        if count := counts[kind]:
            runs, stack = _RUNS[stacks[kind] >> SIX_ZERO], stacks[kind] & _PLAIN
            points = [count * runs[stack | numbers] for numbers in given]
            best = _share_out(best, points) if best else points
    return best[-1] if best else 0


def _share_out(one: list[int], other: list[int]) -> list[int]:
    """Return for every set the most points that two types can make by sharing it."""
    best: list[int] = []
    for whole in range(len(one)):
        most = 0
        for part in _SUBSETS[whole]:
            points = one[part] + other[whole ^ part]
            if points > most:
                most = points
        best.append(most)
    return best


def stars_of(telescope: list[int]) -> list[int]:
    """Return the stars of every type in a telescope; face-down cards have none."""
    totals = [0] * (SATELLITE_KIND + 1)
    for option in telescope:
        if not IS_DOWN[option]:
            card = CARD_IN[option]
            totals[KIND_OF[card]] += STARS_OF[card]
    totals.pop()  # satellites have no stars
    return totals


def _totals_of(telescope: list[int]) -> list[int]:
    """Return the sum of the numbers in every section of a telescope (ST28)."""
    totals = [0] * len(SECTIONS)
    for option in telescope:
        totals[SECTION_OF[SLOT_IN[option]]] += DOWN_NUMBER if IS_DOWN[option] else NUMBER_OF[CARD_IN[option]]
    return totals


def _has_all_types(telescope: list[int]) -> bool:
    """Return whether all five types lie face up in a telescope (ST29)."""
    seen = 0
    for option in telescope:
        if not IS_DOWN[option]:
            seen |= 1 << KIND_OF[CARD_IN[option]]
    every = (1 << SATELLITE_KIND) - 1
    return seen & every == every


def stacks_of(notebook: list[int]) -> list[int]:
    """Return the stack of every type in a notebook: the set of its numbers, as bits; 6 means a 6/0."""
    stacks = [0] * SATELLITE_KIND
    for card in notebook:
        if (kind := KIND_OF[card]) != SATELLITE_KIND:
            stacks[kind] |= 1 << NUMBER_OF[card]
    return stacks


def _best_of_types(telescope: list[int], notebook: list[int]) -> int:
    """Return the points for stars times multipliers, for the best use of satellites and 6/0 cards."""
    satellites = [NUMBER_OF[card] for card in notebook if KIND_OF[card] == SATELLITE_KIND]
    return points_of_types(stars_of(telescope), stacks_of(notebook), satellites)


def _points_of(telescope: list[int], notebook: list[int], sections: int) -> dict[str, int]:
    """Return the points of a seat as views show them (A20); it has the majority in this many *sections*."""
    types, majorities = _best_of_types(telescope, notebook), MAJORITY * sections
    diversity = DIVERSITY if _has_all_types(telescope) else 0
    total = types + majorities + diversity
    return {"types": types, "majorities": majorities, "diversity": diversity, "total": total}


def count(telescopes: list[list[int]], notebooks: list[list[int]]) -> list[dict[str, int]]:
    """Return for every seat the points for types, majorities and diversity, and their total (A20)."""
    one, other = _totals_of(telescopes[0]), _totals_of(telescopes[1])
    mine = theirs = 0
    for section in range(len(one)):
        mine += one[section] > other[section]
        theirs += one[section] < other[section]
    return [_points_of(telescopes[0], notebooks[0], mine), _points_of(telescopes[1], notebooks[1], theirs)]


def breakdown(state: Table) -> list[dict[str, int]]:
    """Return what count() does for the cards of *state*, at any time."""
    return count(state.telescopes, state.notebooks)


# -- the same of the names in a view


def stars(lying: Iterable[str]) -> dict[str, int]:
    """Return the stars of every type in a telescope; *lying* are its cards, face up or down."""
    return dict(zip(TYPES, stars_of(_options(lying)), strict=True))


def types_points(lying: Iterable[str], notebook: Iterable[str]) -> int:
    """Return the points for stars times multipliers, for the best use of satellites and 6/0 cards."""
    return _best_of_types(_options(lying), codes_of(notebook))


def section_totals(cards: Mapping[str, str]) -> dict[str, int]:
    """Return the sum of the numbers in every section of a telescope (ST28)."""
    return dict(zip(SECTIONS, _totals_of([lay_option(*placed) for placed in cards.items()]), strict=True))


@remember
def points(
    telescopes: Sequence[Mapping[str, str]], notebooks: Sequence[Sequence[str]]
) -> list[dict[str, int]]:
    """Return the points of both seats for their cards as they lie."""
    laid = [[lay_option(*placed) for placed in telescope.items()] for telescope in telescopes]
    return count(laid, [codes_of(notebook) for notebook in notebooks])


def tallies(
    telescopes: Sequence[Mapping[str, str]], notebooks: Sequence[Sequence[str]]
) -> dict[str, list[int]]:
    """Return by seat the points for each type, without satellites, the majorities and the ten points."""
    shining = [stars_of(_options(telescope.values())) for telescope in telescopes]
    stacks = [stacks_of(codes_of(notebook)) for notebook in notebooks]
    counts: dict[str, list[int]] = {
        f"points for {name.removeprefix('interstellar ')}": [
            shining[seat][kind] * RUN_OF[stacks[seat][kind]] for seat in range(2)
        ]
        for kind, name in enumerate(TYPES.values())
    }
    told = points(telescopes, notebooks)
    counts["majorities"] = [each["majorities"] // MAJORITY for each in told]
    counts["points for all five types"] = [each["diversity"] for each in told]
    return counts


def _options(lying: Iterable[str]) -> list[int]:
    """Return options that lay cards as *lying* says; which slot does not matter."""
    return [lay_option(SLOTS[0], lies) for lies in lying]
