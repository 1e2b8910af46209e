"""Does calibration raise no false alarm?  Ladders that follow the model, and some that do not."""

import math
from functools import cache
from random import Random

import pytest
from support.counted import add_block
from support.worlds import PARAMETERS, WORLDS, draw_ladder, scale_count

from results.rating.calibration import calibrate
from results.rating.outcomes import Counts

pytestmark = pytest.mark.slow

LADDERS = scale_count(30, 300)


def divided(counts, rng):
    """Return *counts* as fitted and held-out blocks."""
    fitted, held_out = Counts(), Counts()
    for block, count in sorted(counts.blocks.items()):
        for _ in range(count):
            add_block(held_out if rng.random() < 0.3 else fitted, block)
    return fitted, held_out


@cache
def true_ladders(world, matches):
    """Return what calibration says of ladders that follow the model."""
    rng = Random(f"calibration/{world}/{matches}")
    ladders = LADDERS if WORLDS[world].seats == 2 else LADDERS // 3
    drawn = (draw_ladder(WORLDS[world], matches, rng) for _ in range(ladders))
    return [calibrate(*divided(ladder.counts, rng), PARAMETERS) for ladder in drawn]


def most(chance, ladders):
    """Return the most of *ladders* in which something of this *chance* may happen, with 99.9 %."""
    return chance * ladders + 3 * math.sqrt(chance * (1 - chance) * ladders)


WHERE = pytest.mark.parametrize(
    ("world", "matches"),
    [("wide", 50), ("wide", 200), ("compact", 50), ("compact", 200), ("luck", 200), ("four", 200)],
)


@WHERE
def test_where_the_model_is_true_a_pair_is_surely_off_in_at_most_5_percent(world, matches):
    found = true_ladders(world, matches)
    assert sum(bool(each.sure_pairs) for each in found) <= most(0.05, len(found))


@WHERE
def test_where_the_model_is_true_the_z_of_pairs_is_standard_normal(world, matches):
    z = [pair.z for found in true_ladders(world, matches) for pair in found.pairs]
    assert 0.88 <= math.sqrt(math.fsum(each * each for each in z) / len(z)) <= 1.1
    assert abs(math.fsum(z) / len(z)) < 0.1
    assert 0.03 <= sum(abs(each) > 1.96 for each in z) / len(z) <= 0.07


@WHERE
def test_where_the_model_is_true_nothing_is_called_wrong(world, matches):
    found = true_ladders(world, matches)
    assert 0 == sum(len(each.cycles) for each in found)
    assert sum(each.misfits for each in found) <= most(0.05, len(found))
    assert sum(each.is_wrong for each in found) <= most(0.001, len(found))


@WHERE
def test_where_the_model_is_true_favourites_win_as_often_as_said(world, matches):
    """Over all ladders, within four standard errors."""
    by_bin: dict[float, tuple[float, float, int]] = {}
    for found in true_ladders(world, matches):
        for group in found.curve:
            said, happened, meetings = by_bin.get(group.low, (0.0, 0.0, 0))
            by_bin[group.low] = (
                said + group.meetings * group.said[0],
                happened + group.meetings * group.happened[0],
                meetings + group.meetings,
            )
    assert 5 == len(by_bin)
    for said, happened, meetings in by_bin.values():
        assert said / meetings == pytest.approx(
            happened / meetings, abs=4 * 0.5 / math.sqrt(meetings) + 0.005
        )
