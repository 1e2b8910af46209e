"""Pair a round: who sits at one table, and who sits out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from random import Random

from ladder.pairing.matching import match_pairs
from ladder.pairing.table_cuts import cut_tables
from ladder.pairing.table_sizes import share_tables

Meetings = Mapping[tuple[int, int], int]
"""How often two entrants have sat at one table; the smaller number of the two comes first."""


@dataclass(frozen=True)
class PairedRound:
    """The tables of a round, and the entrants who sit out; each best first."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]


def pair_of(one: int, two: int) -> tuple[int, int]:
    """Return two entrants in the order of their numbers."""
    return (one, two) if one < two else (two, one)


def pair_round(
    standing: Sequence[int],
    scores: Mapping[int, Fraction],
    *,
    meetings: Meetings,
    authors: Sequence[str],
    byes: Counter[int],
    sizes: Collection[int],
    seats: int,
    luck: Random,
) -> PairedRound:
    """Pair the entrants of *standing*, which has the best first.

    Costs are compared in this order: how often those at one table have met before, summed over all pairs of
    them; how many pairs have the same author (an empty author equals no other); the sum over tables of the
    squared spread of scores.  Among equal pairings, *luck* decides, as in the first round of an event.

    *byes* counts how often each entrant sat out.  If somebody must, it is the lowest of those who sat out
    least.  *sizes* are the table sizes of the game, *seats* is the one that is wanted (see `share_tables`).
    """
    shape = share_tables(len(standing), sizes, seats)
    height = {entrant: -index for index, entrant in enumerate(standing)}
    out = set(sorted(standing, key=lambda entrant: (byes[entrant], height[entrant]))[: shape.byes])
    seated = [entrant for entrant in standing if entrant not in out]
    tables: list[list[int]] = []
    if seated:
        scale = math.lcm(*(scores[entrant].denominator for entrant in seated))
        whole = [int(scores[entrant] * scale) for entrant in seated]
        apart = _apart(seated, meetings, authors)
        if shape.tables[0] == 2:
            tables = [list(pair) for pair in match_pairs(whole, apart, luck)]
        else:
            tables = cut_tables(whole, apart, shape.tables, luck)
    return PairedRound(
        tuple(tuple(seated[index] for index in table) for table in tables),
        tuple(entrant for entrant in standing if entrant in out),
    )


def _apart(seated: Sequence[int], meetings: Meetings, authors: Sequence[str]) -> list[list[int]]:
    """Return the first two costs of each pair as one number: meetings weigh more than all equal authors."""
    n = len(seated)
    apart = [[0] * n for _ in seated]
    for a, b in combinations(range(n), 2):
        one, two = seated[a], seated[b]
        same = authors[one] != "" and authors[one] == authors[two]
        cost = meetings.get(pair_of(one, two), 0) * n * n + same
        apart[a][b] = apart[b][a] = cost
    return apart
