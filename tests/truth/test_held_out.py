"""Do the ratings predict real matches?  Blocks of the house bots: 70 % fitted, the rest predicted."""

import json
import math
from functools import cache

import pytest
from support.counted import add_block
from support.recorded_blocks import FOLDER, key, play_blocks, recorded_blocks

from results.rating.calibration import calibrate, is_held_out
from results.rating.outcomes import Counts
from results.rating.parameters import Parameters

pytestmark = pytest.mark.slow

HOUSE = frozenset(key(name) for name in ("greedy", "bold", "careful", "random"))


@cache
def halves(game, run, bots=None):
    """Return the fitted and the held-out blocks of *game*, divided as those of *run*.

    With *bots*, only their blocks count.
    """
    fitted, held_out = Counts(), Counts()
    for number, block in enumerate(recorded_blocks(game)):
        if bots is None or {key(name) for name in block.pair} <= bots:
            add_block(held_out if is_held_out(run, number) else fitted, block.outcomes)
    return fitted, held_out


@cache
def calibrated(game, draws, run=1, bots=None):
    return calibrate(*halves(game, run, bots), Parameters(draw_probability={2: draws}))


def bradley_terry_loss(fitted, held_out):
    """Return the log-loss of Bradley and Terry's model (1952) in the same setting; draws are left out.

    The strengths are the likeliest ones, by Hunter's iteration (2004), which cannot overshoot.
    """
    bots, wins = fitted.bots, decided(fitted)
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(2_000):
        strength = {
            bot: math.fsum(wins.get((bot, other), 0) for other in bots)
            / math.fsum(
                (wins.get((bot, other), 0) + wins.get((other, bot), 0)) / (strength[bot] + strength[other])
                for other in bots
                if other != bot
            )
            for bot in bots
        }
    happened = decided(held_out)
    losses = (
        -count * math.log(strength[winner] / (strength[winner] + strength[loser]))
        for (winner, loser), count in happened.items()
    )
    return math.fsum(losses) / sum(happened.values())


def decided(counts):
    """Return how often each bot won against each other one."""
    won = [(outcome.bots, count) for outcome, count in counts.outcomes.items() if not outcome.ties[0]]
    return {(winner, loser): count for (winner, loser), count in won}


@pytest.mark.parametrize("game", ["stellar", "stella-quest"])
def test_the_recorded_blocks_are_those_that_are_played(game):
    recorded = json.loads((FOLDER / f"{game}.json").read_text())
    assert {pair: results[:4] for pair, results in recorded.items()} == play_blocks(game, 2 * len(recorded))


@pytest.mark.parametrize("run", [1, 2, 3])
@pytest.mark.parametrize(("game", "draws"), [("stellar", 0.022), ("stella-quest", 0.0005)])
def test_ratings_predict_who_wins_as_well_as_bradley_terry(game, draws, run):
    found = calibrated(game, draws, run).before
    assert found is not None
    assert found.ratings <= bradley_terry_loss(*halves(game, run)) + 0.0005


def test_the_right_draw_probability_predicts_far_better():
    """Stella Quest for two never ties.  It was told 10 %, which costs 0.1 for each result of equals."""
    right, wrong = (calibrated("stella-quest", draws, bots=HOUSE) for draws in (0.0005, 0.1))
    assert right.win_draw_loss is not None
    assert wrong.win_draw_loss is not None
    assert right.win_draw_loss <= wrong.win_draw_loss - 0.07


def test_favourites_at_stellar_win_as_often_as_the_ratings_say():
    curve = calibrated("stellar", 0.022).curve
    assert 5 == len(curve)
    for group in curve:
        assert group.said == pytest.approx(group.happened, abs=0.05)
        assert group.said[1] == pytest.approx(group.happened[1], abs=0.01)


def test_stellar_is_nearly_one_number_a_bot_and_the_misfit_says_how_nearly():
    found = calibrated("stellar", 0.022)
    assert found.misfits
    assert 0.01 < found.misfit < 0.03
    assert not found.is_wrong
    assert () == found.cycles
    assert ["bold", "careful"] == [found.pairs[0].a[0], found.pairs[0].b[0]]


def test_stella_quest_for_two_shows_no_misfit():
    found = calibrated("stella-quest", 0.0005)
    assert not found.misfits
    assert () == found.sure_pairs
    assert () == found.cycles
