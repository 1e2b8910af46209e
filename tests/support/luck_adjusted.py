"""Blocks of Stellar between styles of the house bots, with the luck of their draws.

`python tests/support/luck_adjusted.py greedy bold 1000` plays 1,000 blocks in this process and prints the
variance of scores less luck over that of plain ones, with a bootstrap interval, and the cost.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from engines.playout import playout
from engines.stellar import Stellar
from ladder.contest.keys import Keys, deal_rng, secret_of_seed
from support.house_play import house_move

STELLAR = Stellar()


class AdjustedBlock(NamedTuple):
    """The mean results of the first bot in a block, with luck and without."""

    plain: float
    adjusted: float


def play_blocks(styles: tuple[str, str], numbers: range) -> Iterator[AdjustedBlock]:
    """Yield the results of two *styles* in the blocks with these *numbers*."""
    keys = Keys(secret_of_seed(13))
    for number in numbers:
        results, lucks = [], []
        for rotation, sign in enumerate((1, -1)):
            table = styles[::sign]
            deal = STELLAR.deal(2, deal_rng(keys.deal(number)))
            steps = [
                *playout(
                    STELLAR,
                    deal,
                    2,
                    lambda state, seat, choice, table=table: house_move("stellar", table[seat], state, seat),
                )
            ]
            first, second = STELLAR.outcome(steps[-1].state).ranks
            moves = [step.moves for step in steps[1:]]
            results.append(sign * ((first < second) - (first > second)))
            rng = keys.luck(2 * number + rotation)
            lucks.append(sign * STELLAR.luck(steps[0].state, moves, rng))
        yield AdjustedBlock(fmean(results), fmean(results) - fmean(lucks))


def ratio_of(blocks: list[AdjustedBlock]) -> float:
    """Return the variance of adjusted blocks over that of plain ones."""
    return variance(block.adjusted for block in blocks) / variance(block.plain for block in blocks)


def main(first: str, second: str, count: int) -> None:
    """Print what the adjustment saves between two styles, and its cost."""
    started = time.process_time()
    blocks = list(play_blocks((first, second), range(count)))
    seconds = time.process_time() - started
    rng = Random(1)
    ratios = sorted(ratio_of(rng.choices(blocks, k=count)) for _ in range(400))
    moved = [block.adjusted - block.plain for block in blocks]
    print(f"{count:,} blocks of {first} and {second}, {seconds / 2 / count * 1000:.0f} ms of CPU a match")
    print(
        f"variance adjusted / plain: {ratio_of(blocks):.3f}, 95 % from {ratios[10]:.3f} to {ratios[-11]:.3f}"
    )
    print(
        f"they differ by {fmean(moved):+.4f} +- {1.96 * math.sqrt(variance(moved) / count):.4f} in the mean"
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
