"""Blocks of Stellar between styles of the house bots, with the luck of their draws."""

from collections.abc import Iterator
from statistics import fmean, variance
from typing import NamedTuple

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
