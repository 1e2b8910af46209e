"""Results less luck at Stellar have the same mean and a smaller variance, and bets on them are right."""

import json
import math
from itertools import accumulate
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

import pytest
from support.house_play import house_move
from support.places import ROOT
from support.worlds import halve_count, scale_count

from engines.playout import playout
from engines.stellar import Stellar
from ladder.contest.keys import Keys, deal_rng, secret_of_seed
from results.rating.betting import LOOK_BLOCKS, log_wealth
from results.rating.duel_tally import Tally

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

RECORDED = json.loads((ROOT / "tests" / "truth" / "recorded" / "luck.json").read_text("utf-8"))
"""Blocks of greedy and bold, and of careful and greedy: wins less losses, luck in tenths, and how many."""
GOAL = math.log(2 / 0.05)
STELLAR = Stellar()


class AdjustedBlock(NamedTuple):
    """The mean results of the first bot in a block, with luck and without."""

    plain: float
    adjusted: float


def play_blocks(styles, numbers):
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


@pytest.mark.parametrize("styles", [("greedy", "bold"), ("careful", "greedy")])
def test_adjusted_blocks_vary_less_and_have_the_same_mean(styles):
    """Few blocks here: the ratio itself is that of the recorded ones."""
    count = scale_count(16, 1000)
    blocks = list(play_blocks(styles, range(count)))
    left = variance(block.adjusted for block in blocks) / variance(block.plain for block in blocks)
    print(f"{styles}: {left:.3f} of the variance is left in {count} blocks")
    assert left < (0.9 if count < 1000 else 0.7)
    moved = [block.adjusted - block.plain for block in blocks]
    assert abs(fmean(moved)) < 4 * math.sqrt(variance(moved) / len(moved))


def ranks_of(difference):
    """Return the ranks in the two matches of a block that has *difference* more wins than losses."""
    wins, losses = max(difference, 0), max(-difference, 0)
    return [(1, 2)] * wins + [(2, 1)] * losses + [(1, 1)] * (2 - wins - losses)


def tally_of(pair):
    """Return the recorded blocks of *pair*."""
    tally = Tally(2, most_luck=15)
    for difference, luck, count in RECORDED[pair]:
        for _ in range(count):
            tally.add(ranks_of(difference), luck)
    return tally


@pytest.mark.parametrize("pair", RECORDED)
def test_recorded_blocks_have_lost_three_tenths_of_their_variance(pair):
    assert tally_of(pair).luck_saved >= 0.30


@pytest.mark.parametrize("learns", [False, True])
@pytest.mark.parametrize("pair", RECORDED)
def test_equal_bots_are_told_apart_in_at_most_five_of_a_hundred_adjusted_duels(pair, learns):
    """Sides are exchanged, so that the effect is 0; looked at every 16 blocks to 4,000."""
    rows = [(d, luck, count) for d, luck, count in RECORDED[pair]]
    rows += [(-d, -luck, count) for d, luck, count in rows]
    up_to, rng = [*accumulate(count for *_, count in rows)], Random(pair)
    count, wrong = halve_count(30, 1000), 0
    for _ in range(count):
        tally = Tally(2, most_luck=15, learns=learns)
        while tally.blocks < 4_000:
            for difference, luck, _ in rng.choices(rows, cum_weights=up_to, k=LOOK_BLOCKS):
                tally.add(ranks_of(difference), luck)
            tally.terms = tally.next_terms()
            if max(log_wealth(tally, 0.0), log_wealth(tally, 0.0, above=False)) > GOAL:
                wrong += 1
                break
    print(f"{pair}: {wrong} of {count} adjusted duels of equals are decided")
    assert wrong <= 0.05 * count + 2 * math.sqrt(0.05 * 0.95 * count)
