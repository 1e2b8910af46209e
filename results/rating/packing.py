"""Totals as they are stored: every bot and every outcome once, and numbers in their place.

Equal totals give equal packed ones, whatever the order of their matches was.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from results.rating.outcomes import Bot, Counts, Outcome
from results.rating.standings import Standing, Totals

__all__ = ["PackedTotals", "pack", "unpack"]


class PackedCounts(msgspec.Struct, array_like=True, gc=False):
    """The counts of one game."""

    bots: list[Bot]
    """Sorted."""
    outcomes: list[tuple[tuple[int, ...], tuple[bool, ...], int]]
    """Each outcome: its bots as places in `bots`, its ties, and how often it came; sorted."""
    blocks: list[tuple[tuple[int, ...], int]]
    """Each pattern: its outcomes as places in `outcomes`, and how often it came; sorted."""


class PackedTotals(msgspec.Struct, array_like=True, gc=False):
    """The totals of some matches."""

    counts: dict[str, PackedCounts]
    standings: dict[int, list[Standing]]
    """By table size, sorted."""


def pack(totals: Totals) -> PackedTotals:
    """Return *totals* in the form in which they are stored."""
    return PackedTotals(
        {game: _pack(counts) for game, counts in sorted(totals.counts.items())},
        {size: [each for _, each in sorted(of.items())] for size, of in sorted(totals.by_size.items())},
    )


def unpack(packed: PackedTotals) -> Totals:
    """Return the totals that `pack` was given."""
    totals = Totals()
    for game, counts in packed.counts.items():
        totals.put(game, _unpack(counts))
    for size, standings in packed.standings.items():
        totals.by_size[size] = {(each.game, each.bot, each.version): each for each in standings}
    return totals


def _pack(counts: Counts) -> PackedCounts:
    bots = counts.bots
    place = {bot: i for i, bot in enumerate(bots)}
    coded = sorted(
        (tuple([place[bot] for bot in outcome.bots]), outcome.ties, count, outcome)
        for outcome, count in counts.outcomes.items()
    )
    index = {outcome: i for i, (_, _, _, outcome) in enumerate(coded)}
    blocks = [
        (tuple(sorted([index[outcome] for outcome in pattern])), count)
        for pattern, count in counts.blocks.items()
    ]
    return PackedCounts(bots, [(codes, ties, count) for codes, ties, count, _ in coded], sorted(blocks))


def _unpack(packed: PackedCounts) -> Counts:
    ties: dict[tuple[bool, ...], tuple[bool, ...]] = {}
    bots: Sequence[Bot] = packed.bots
    outcomes = [
        Outcome(tuple([bots[code] for code in codes]), ties.setdefault(tied, tied))
        for codes, tied, _ in packed.outcomes
    ]
    return Counts(
        {outcome: count for outcome, (_, _, count) in zip(outcomes, packed.outcomes, strict=True)},
        {tuple([outcomes[i] for i in pattern]): count for pattern, count in packed.blocks},
    )
