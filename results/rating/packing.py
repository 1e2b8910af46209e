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
    """The counts of one game, in long lists of numbers: there may be hundreds of thousands."""

    bots: list[Bot]
    """Sorted."""
    outcomes: list[tuple[int, list[int]]]
    """By table size, sorted.  Each outcome: its bots as places in `bots`, its ties as bits, its count."""
    blocks: list[tuple[int, list[int]]]
    """By number of matches, sorted.  Each pattern: its outcomes as their numbers above, its count."""


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

    def codes_of(outcome: Outcome) -> list[int]:
        return [*[place[bot] for bot in outcome.bots], sum([tie << i for i, tie in enumerate(outcome.ties)])]

    outcomes, index = list[tuple[int, list[int]]](), dict[Outcome, int]()
    for seats in counts.sizes:
        flat: list[int] = []
        for outcome in sorted([each for each in counts.outcomes if each.seats == seats], key=codes_of):
            index[outcome] = len(index)
            flat.extend(codes_of(outcome))
            flat.append(counts.outcomes[outcome])
        outcomes.append((seats, flat))
    blocks: list[tuple[int, list[int]]] = []
    for matches in sorted({len(pattern) for pattern in counts.blocks}):
        rows = sorted(
            (*[index[outcome] for outcome in pattern], count)
            for pattern, count in counts.blocks.items()
            if len(pattern) == matches
        )
        blocks.append((matches, [number for row in rows for number in row]))
    return PackedCounts(bots, outcomes, blocks)


def _unpack(packed: PackedCounts) -> Counts:
    bots: Sequence[Bot] = packed.bots
    counts, outcomes = Counts(), list[Outcome]()
    for seats, flat in packed.outcomes:
        ties = [tuple([bool(bits >> i & 1) for i in range(seats - 1)]) for bits in range(2 ** (seats - 1))]
        for start in range(0, len(flat), seats + 2):
            *codes, tied, count = flat[start : start + seats + 2]
            outcome = Outcome(tuple([bots[code] for code in codes]), ties[tied])
            outcomes.append(outcome)
            counts.outcomes[outcome] = count
    for matches, flat in packed.blocks:
        for start in range(0, len(flat), matches + 1):
            *numbers, count = flat[start : start + matches + 1]
            counts.blocks[tuple([outcomes[number] for number in numbers])] = count
    return counts
