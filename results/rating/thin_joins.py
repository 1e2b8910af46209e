"""Find parts of a field that hardly met: two courses whose homes were merged, a cohort that plays alone.

What is known of bots in two such parts rests on a few blocks.  The parts are found as in spectral clustering
(Shi and Malik, "Normalized cuts and image segmentation", 2000): numbers that are averaged over the opponents
of each bot, again and again, become equal within a part long before they do across a thin join.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from results.rating.linear import add_up

THIN = 20
"""A join is thin if each of the two parts has at least this many times its blocks inside..."""
MOST_BLOCKS = 50
"""...and it has at most this many blocks itself.  With more, intervals are right without a note."""
ROUNDS = 60
MOST_JOINS = 3
"""How many joins are told at most."""


class ThinJoin(NamedTuple):
    """Two parts of a field, and the number of blocks in which bots of both sat."""

    one: tuple[int, ...]
    other: tuple[int, ...]
    blocks: int


def find_thin_joins(
    groups: Iterable[Sequence[int]], tables: Mapping[tuple[int, ...], int]
) -> tuple[ThinJoin, ...]:
    """Return the thin joins in each of *groups*, the thinnest first; *tables*: blocks by set of bots."""
    listed = sorted(tables.items())
    parts, found = [sorted(group) for group in groups], list[ThinJoin]()
    while parts and len(found) < MOST_JOINS:
        part = parts.pop()
        inside = {*part}
        here = [(bots, blocks) for bots, blocks in listed if inside.issuperset(bots)]
        if len(part) > 3 and (join := _thinnest(part, here)):
            found.append(join)
            parts += [list(join.one), list(join.other)]
    return tuple(sorted(found, key=lambda join: (join.blocks, join.one)))


def _thinnest(part: Sequence[int], tables: Sequence[tuple[tuple[int, ...], int]]) -> ThinJoin | None:
    """Return the join between the two parts of *part* that met least, if it is thin."""
    order = _order(part, tables)
    place = {bot: i for i, bot in enumerate(order)}
    # For each place, the blocks that lie wholly before it, and those that lie wholly after.
    size = len(order)
    ends, starts = [0] * (size + 1), [0] * (size + 1)
    for bots, blocks in tables:
        seats = [place[bot] for bot in bots]
        ends[max(seats) + 1] += blocks
        starts[min(seats)] += blocks
    total = sum(blocks for _, blocks in tables)
    before, after, best = 0, total, None
    for cut in range(1, size):
        before += ends[cut]
        after -= starts[cut - 1]
        across = total - before - after
        if 0 < across <= MOST_BLOCKS and across * THIN <= min(before, after):
            rank = (across / min(before, after), cut)
            best = min(best, rank) if best else rank
    if not best:
        return None
    one, other = sorted((sorted(order[: best[1]]), sorted(order[best[1] :])))
    inside = {*one}
    across = sum(blocks for bots, blocks in tables if 0 < len(inside.intersection(bots)) < len(bots))
    return ThinJoin(tuple(one), tuple(other), across)


def _order(part: Sequence[int], tables: Sequence[tuple[tuple[int, ...], int]]) -> list[int]:
    """Return the bots so that those that met often are near each other."""
    met: dict[int, dict[int, int]] = {bot: {} for bot in part}
    for bots, blocks in tables:
        for bot in bots:
            others = met[bot]
            for other in bots:
                if other != bot:
                    others[other] = others.get(other, 0) + blocks
    pairs = [(bot, sorted(others.items()), float(sum(others.values()))) for bot, others in met.items()]
    whole = add_up(weight for _, _, weight in pairs)
    # Any numbers will do that are not equal within a part; these are spread by the golden section.
    values = {bot: (k * 0.6180339887498949) % 1.0 for k, bot in enumerate(part)}
    for _ in range(ROUNDS):
        mean = add_up(weight * values[bot] for bot, _, weight in pairs) / whole if whole else 0.0
        values = {bot: value - mean for bot, value in values.items()}
        values = {
            bot: 0.5 * (values[bot] + add_up(n * values[other] for other, n in others) / weight)
            if weight
            else 0.0
            for bot, others, weight in pairs
        }
    return sorted(part, key=lambda bot: (values[bot], bot))
