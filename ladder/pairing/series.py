"""Decide a series of blocks: who goes on, and how many blocks must still be played before that can be known.

A total is the sum of an entrant's scores of blocks.  The score of a block is between 0, last in every match,
and 1, first in every match; so in one block an entrant gains at most 1 on another.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def is_decided(totals: Sequence[Fraction], go_on: int, left: int) -> bool:
    """Return whether no way of playing *left* more blocks changes which *go_on* entrants have most.

    A tie at the cut is no decision.
    """
    if len(totals) <= go_on:
        return True
    order = sorted(totals, reverse=True)
    return order[go_on - 1] - order[go_on] > left


def count_must_play(totals: Sequence[Fraction], go_on: int, left: int, size: int) -> int:
    """Return the least number of further blocks after which the series can possibly be decided.

    *left*: the blocks that remain by plan.  When none remain, a tie is played on by single blocks.
    *size*: the seats of the table, which may be more than the *totals* of those who can still go on.
    """
    if is_decided(totals, go_on, left):
        return 0
    order = sorted(totals, reverse=True)
    for blocks in range(1, left):
        if _widest_gap(order, go_on, blocks, size) > left - blocks:
            return blocks
    return max(1, left)


def _widest_gap(order: Sequence[Fraction], go_on: int, blocks: int, size: int) -> Fraction:
    """Return the widest possible gap at the cut after *blocks* more blocks.

    It is widest if, in every match, those above the cut have the best places and those below have the worst.
    The k lowest of those above share at most the k best places; so they can be lifted to one level, as water
    fills a vessel.  Levels are counted in halves of a place, because totals come in these.
    """
    unit = 2 * (size - 1) * size  # of a block: as many matches as seats, and ties halve places
    matches = size * blocks
    above = [total * unit for total in reversed(order[:go_on])]
    below = [total * unit for total in order[go_on:]]
    lifted = min(
        (sum(above[:k]) + matches * sum(2 * (size - 1 - place) for place in range(k))) // k
        for k in range(1, len(above) + 1)
    )
    sunk = max(
        -((-sum(below[:k]) - matches * sum(2 * place for place in range(k))) // k)
        for k in range(1, len(below) + 1)
    )
    return Fraction(lifted - sunk, unit)
