"""Does the order of matches matter?  Any order and division of blocks gives the same bits."""

from random import Random

import pytest
from support.worlds import PARAMETERS, WORLDS, World, draw_ladder, scale_count

from results.rating.fit import Fit, fit
from results.rating.outcomes import Counts, FinishOrder

pytestmark = pytest.mark.slow


def blocks_of(counts: Counts) -> list[tuple[FinishOrder, ...]]:
    """Return every block, in sorted order."""
    return [block for block, count in sorted(counts.blocks.items()) for _ in range(count)]


def rated(blocks: list[tuple[FinishOrder, ...]], parts: int, rng: Random) -> Fit:
    """Return the fit of *blocks*, counted in *parts* parts, as in segments or shards."""
    counted = [Counts() for _ in range(parts)]
    for block in blocks:
        outcomes = [*block]
        rng.shuffle(outcomes)
        counted[rng.randrange(parts)].add_block(outcomes)
    total = Counts()
    for part in counted:
        total.update(part)
    return fit(total, PARAMETERS)


@pytest.mark.parametrize(
    ("world", "matches"),
    [(WORLDS["wide"], 200), (WORLDS["luck"], 200), (WORLDS["four"], 50), (World(4.0, bots=40), 50)],
    ids=["wide", "luck", "four", "forty"],
)
def test_any_order_and_any_division_of_blocks_give_the_same_bits(world: World, matches: int) -> None:
    rng = Random(f"order/{world}")
    blocks = blocks_of(draw_ladder(world, matches, rng).counts)
    first = rated(blocks, 1, rng)
    for _ in range(scale_count(6, 40)):
        rng.shuffle(blocks)
        assert first == rated(blocks, rng.choice([1, 2, 7, 50]), rng)
