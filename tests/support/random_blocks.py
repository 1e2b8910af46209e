"""Make blocks of random results, at tables of two, three and four, with ties."""

import random
from collections.abc import Iterator

from results.record import Block
from support.records import a_match


def random_blocks(count: int, run: int = 1, seed: int = 0) -> Iterator[Block]:
    """Yield *count* blocks of *run*; the same ones each time."""
    luck = random.Random(f"{seed}/{run}")
    names = ("ann", "bob", "cid", "dan", "eve")
    for number in range(count):
        size = luck.choice((2, 2, 3, 4))
        bots = luck.sample(names, size)
        of_block = []
        for rotation in range(size):
            ranks = [1, *luck.choices(range(1, size + 1), k=size - 1)]
            luck.shuffle(ranks)
            ranks = [1 + sum(other < rank for other in ranks) for rank in ranks]
            of_block.append(
                a_match(10 * number + rotation, bots, ranks, block=number, rotation=rotation, run=run)
            )
        yield Block(number, of_block, [])
