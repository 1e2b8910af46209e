"""Calibration: what the ratings say of meetings, against what happened, in ladders made by hand."""

import math
from collections import Counter
from itertools import combinations, cycle, islice

import pytest
from support.counted import add_block
from support.recorded_blocks import counts_of, key

from results.rating.calibration import calibrate, is_held_out
from results.rating.outcomes import Counts, FinishOrder
from results.rating.parameters import Parameters

OF = Parameters(draw_probability={2: 0.02, 3: 0.02})
A, B, C, D = (key(name) for name in "abcd")


def calibrated(fitted, held_out=None):
    return calibrate(fitted, held_out or Counts(), OF)


def test_three_of_ten_blocks_are_held_out_of_every_run():
    for run in (1, 2, 77):
        assert 0.28 < sum(is_held_out(run, block) for block in range(10_000)) / 10_000 < 0.32


def test_each_pair_of_a_round_robin_has_blocks_on_both_sides():
    """By the last digit of the number, each of the ten pairs of five bots would be on one side alone."""
    pairs = Counter(
        pair
        for block, pair in enumerate(islice(cycle(combinations(range(5), 2)), 1_000))
        if is_held_out(1, block)
    )
    assert 10 == len(pairs)
    assert all(15 < count < 45 for count in pairs.values())


def test_a_game_without_held_out_blocks_has_no_predictions():
    found = calibrated(counts_of(("a", "b", "wlww")))
    assert (4, 0) == (found.fitted, found.predicted)
    assert (None, None, ()) == (found.before, found.win_draw_loss, found.curve)
    assert [(A, B, 4)] == [pair[:3] for pair in found.pairs]


def test_no_matches_at_all_are_no_misfit():
    found = calibrated(Counts())
    assert ((), 0.0, (), False) == (found.pairs, found.misfit, found.cycles, found.is_wrong)


def test_bots_that_the_other_blocks_do_not_compare_are_left_out():
    fitted = counts_of(("a", "b", "wlwl"), ("c", "d", "wwll"))
    found = calibrated(fitted, counts_of(("a", "c", "ww"), ("a", "new", "wl"), ("a", "b", "wd")))
    assert 4 == found.left_out
    assert 6 == found.predicted
    assert 2 == sum(group.meetings for group in found.curve)


def test_the_loss_is_minus_the_logarithm_of_what_was_said_of_the_result():
    """Equal results say 49 : 2 : 49, and each pair's own results say 50 : 50."""
    found = calibrated(counts_of(("a", "b", "wlwl")), counts_of(("a", "b", "wl"), ("a", "b", "dw")))
    assert found.before is not None
    assert found.before.ratings == pytest.approx(math.log(2))
    assert found.before.pairs == pytest.approx(math.log(2))
    win = found.curve[0].said[0]
    assert found.win_draw_loss == pytest.approx(-(3 * math.log(win) + math.log(1 - 2 * win)) / 4)
    assert 0.49 < win < 0.492
    assert found.curve[0].happened in [(0.5, 0.25, 0.25), (0.25, 0.25, 0.5)]


def test_the_results_of_a_pair_are_counted_with_one_win_and_one_loss_more():
    found = calibrated(counts_of(("a", "b", "wwww")), counts_of(("a", "b", "wl")))
    assert found.before is not None
    assert found.before.pairs == pytest.approx(-(math.log(5 / 6) + math.log(1 / 6)) / 2)


def test_a_draw_says_nothing_of_who_comes_before_whom():
    found = calibrated(counts_of(("a", "b", "wlwd")), counts_of(("a", "b", "dd")))
    assert found.before is None
    assert found.win_draw_loss is not None


@pytest.mark.parametrize(("won", "lost"), ["wl", "lw"], ids=["the first bot", "the second bot"])
def test_the_curve_tells_of_the_favourite(won, lost):
    fitted = counts_of(("a", "b", 2 * won * 30 + (lost + won) * 5))
    (found,) = calibrated(fitted, counts_of(("a", "b", 3 * won + "d"))).curve
    assert (0.9, 1.0, 4) == found[:3]
    assert (0.75, 0.25, 0.0) == found.happened
    assert 0.9 < found.said[0] < 0.97
    assert 1.0 == pytest.approx(sum(found.said))


def test_meetings_at_larger_tables_count_by_pair_and_ties_run_through():
    """a before b and c, who tie; then all three tie: five meetings with d left out."""
    counts = Counts()
    add_block(counts, [FinishOrder((A, B, C), (False, True)), FinishOrder((A, B, C), (True, True))])
    found = calibrate(counts, counts, OF)
    assert {(A, B): 0.75, (A, C): 0.75, (B, C): 0.5} == {pair[:2]: pair.happened for pair in found.pairs}
    assert all(4 == pair.meetings for pair in found.pairs)
    assert 6 == sum(group.meetings for group in found.curve)
    draws = math.fsum(group.meetings * group.happened[1] for group in found.curve)
    assert 4 == pytest.approx(draws)


def rock_paper_scissors(results):
    return counts_of(
        ("a", "b", results), ("b", "c", results), ("a", "c", results.translate({119: 108, 108: 119}))
    )


def test_a_cycle_is_found_and_named_from_its_first_bot():
    found = calibrated(rock_paper_scissors("wwwl" * 50))
    (found_cycle,) = found.cycles
    assert (A, B, C) == found_cycle.bots
    assert (0.75, 0.75, 0.75) == found_cycle.scores
    assert found.is_wrong
    assert 0.2 < found.misfit < 0.3
    assert 3 == len(found.sure_pairs)


def test_a_cycle_that_may_be_chance_is_none():
    found = calibrated(rock_paper_scissors("wl" * 3 + "ww"))
    assert () == found.cycles
    assert not found.is_wrong


def test_a_bot_that_wins_all_its_matches_fits():
    found = calibrated(counts_of(("a", "b", "w" * 200), ("b", "c", "wl" * 100), ("a", "c", "w" * 200)))
    assert not found.misfits
    assert () == found.sure_pairs


def test_all_draws_fit_a_game_of_draws():
    of = Parameters(draw_probability={2: 0.9})
    fitted = counts_of(("a", "b", "d" * 100), ("b", "c", "d" * 100), ("a", "c", "d" * 100))
    found = calibrate(fitted, fitted, of)
    assert not found.misfits
    assert found.before is None
    assert 0.88 < found.curve[0].said[1] < 0.92


def test_the_pair_that_fits_worst_comes_first():
    """d loses to all others alike, except that it holds its own against a."""
    steps = "wwwl" * 30
    found = calibrated(
        counts_of(
            ("a", "b", steps), ("a", "c", steps), ("b", "c", "wl" * 60),
            ("b", "d", steps), ("c", "d", steps), ("a", "d", "wwll" * 30),
        )
    )  # fmt: skip
    assert (A, D) == found.pairs[0][:2]
    assert found.pairs[0].happened < found.pairs[0].said
    assert found.pairs[0].z < -found.sure_z


def test_the_order_of_blocks_changes_no_bit():
    blocks = [("a", "b", "wl"), ("b", "c", "wd"), ("a", "c", "ww"), ("a", "b", "ll"), ("c", "a", "dw")]
    assert calibrated(counts_of(*blocks), counts_of(*blocks[:3])) == calibrated(
        counts_of(*blocks[::-1]), counts_of(*blocks[2::-1])
    )
