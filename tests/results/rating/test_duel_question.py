"""What follows from the interval of a duel, by the question that it asks."""

import pytest

from results.rating.betting import Interval
from results.rating.duel_question import DuelQuestion, Intervals, Verdict, judge, judge_together
from results.rating.duel_tally import Guess
from results.record import DuelTerms

PLAIN = DuelQuestion("before")
BEFORE = DuelQuestion("before", 0.02)
APART = DuelQuestion("apart", 0.03)
MARGIN = DuelQuestion("margin", 0.05)
RANGE = DuelQuestion("margin", 0.02, 0.0)
NO_WORSE = DuelQuestion("not much worse", 0.04)
UP_TO_0_6 = DuelQuestion("no worse", 0.04)


@pytest.mark.parametrize(
    ("verdict", "question", "interval"),
    [
        (Verdict.BETTER, PLAIN, Interval(0.001, 0.2)),
        (Verdict.WORSE, PLAIN, Interval(-0.2, -0.001)),
        (Verdict.UNDECIDED, PLAIN, Interval(-0.1, 0.019)),
        (Verdict.UNDECIDED, PLAIN, Interval(0.0, 0.0)),
        (Verdict.BETTER, BEFORE, Interval(0.001, 0.01)),
        (Verdict.WORSE, BEFORE, Interval(-0.2, -0.001)),
        (Verdict.NOT_BETTER, BEFORE, Interval(-0.1, 0.019)),
        (Verdict.UNDECIDED, BEFORE, Interval(-0.1, 0.02)),
        (Verdict.NOT_BETTER, BEFORE, Interval(0.0, 0.0)),
        (Verdict.BETTER, APART, Interval(0.001, 0.02)),
        (Verdict.WORSE, APART, Interval(-0.02, -0.001)),
        (Verdict.NOT_APART, APART, Interval(-0.029, 0.029)),
        (Verdict.UNDECIDED, APART, Interval(-0.03, 0.01)),
        (Verdict.UNDECIDED, APART, Interval(-0.01, 0.03)),
        (Verdict.BETTER, MARGIN, Interval(0.051, 0.2)),
        (Verdict.UNDECIDED, MARGIN, Interval(0.05, 0.2)),
        (Verdict.NOT_BETTER, MARGIN, Interval(0.01, 0.049)),
        (Verdict.WORSE, MARGIN, Interval(-0.2, -0.001)),
        (Verdict.UNDECIDED, MARGIN, Interval(-0.2, 0.05)),
        (Verdict.BETTER, RANGE, Interval(0.001, 0.2)),
        (Verdict.NOT_BETTER, RANGE, Interval(-0.1, 0.019)),
        (Verdict.WORSE, RANGE, Interval(-0.1, -0.001)),
        (Verdict.NO_WORSE, NO_WORSE, Interval(-0.039, 0.2)),
        (Verdict.NO_WORSE, NO_WORSE, Interval(-0.039, -0.001)),
        (Verdict.NO_WORSE, NO_WORSE, Interval(0.1, 0.2)),
        (Verdict.WORSE, NO_WORSE, Interval(-0.1, -0.041)),
        (Verdict.UNDECIDED, NO_WORSE, Interval(-0.1, -0.001)),
        (Verdict.UNDECIDED, NO_WORSE, Interval(-0.04, 0.0)),
        (Verdict.NO_WORSE, UP_TO_0_6, Interval(-0.039, -0.001)),
        (Verdict.WORSE, UP_TO_0_6, Interval(-0.1, -0.001)),
        (Verdict.UNDECIDED, UP_TO_0_6, Interval(-0.04, 0.0)),
    ],
)
def test_the_verdict_answers_the_question(verdict, question, interval):
    assert verdict is judge(interval, question)


def test_a_range_from_0_asks_what_a_margin_asked_before_there_were_rules():
    ends = [-0.1, -0.02, -0.001, 0.0, 0.001, 0.019, 0.02, 0.1]
    for low in ends:
        for high in (each for each in ends if each >= low):
            assert judge(Interval(low, high), BEFORE) is judge(Interval(low, high), RANGE)


def test_a_duel_of_before_there_were_rules_has_the_question_of_then():
    assert DuelQuestion("before", None, None) == DuelQuestion.of(DuelTerms(alpha=0.05))
    assert APART == DuelQuestion.of(DuelTerms(alpha=0.05, rule="apart", margin=0.03))


@pytest.mark.parametrize(
    ("together", "verdicts"),
    [
        ("better", ["better", "undecided", "not better"]),
        ("worse", ["better", "worse"]),
        ("worse", ["not better", "undecided", "worse"]),
        ("undecided", ["not better", "undecided"]),
        ("not better", ["not better", "not better"]),
        ("undecided", []),
        ("worse", ["no worse", "worse"]),
        ("undecided", ["no worse", "undecided"]),
        ("no worse", ["no worse", "no worse"]),
        ("better", ["not apart", "better"]),
        ("undecided", ["not apart", "undecided"]),
        ("not apart", ["not apart", "not apart"]),
    ],
)
def test_several_games_are_better_if_one_is_and_none_is_worse_and_a_margin_holds_in_all(together, verdicts):
    assert Verdict(together) is judge_together(map(Verdict, verdicts))


def test_without_faults_a_bot_that_is_worse_is_not_better_by_a_margin_either():
    both = Intervals(Interval(-0.2, -0.01), Interval(-0.2, 0.01))
    assert Verdict.NOT_BETTER is both.judge(MARGIN)
    assert Verdict.UNDECIDED is both.judge(DuelQuestion("before", 0.05)), "old duels keep their answers"
    assert Verdict.UNDECIDED is both.judge(APART)


@pytest.mark.parametrize(
    ("question", "mean", "guess"),
    [
        (APART, 0.1, Guess(0.1, above=0.0)),
        (APART, -0.1, Guess(-0.1, below=0.0)),
        (APART, 0.0, Guess(0.0, above=-0.03, below=0.03)),
        (MARGIN, 0.1, Guess(0.1, above=0.05)),
        (MARGIN, 0.0, Guess(0.0, below=0.05)),
        (MARGIN, 0.05, None),
        (NO_WORSE, 0.0, Guess(0.0, above=-0.04)),
        (NO_WORSE, -0.03, Guess(-0.03, above=-0.04)),
        (NO_WORSE, -0.1, Guess(-0.1, below=-0.04)),
        (UP_TO_0_6, -0.1, Guess(-0.1, below=0.0)),
        (APART, None, None),
    ],
)
def test_who_expects_a_mean_bets_on_the_verdict_that_follows_from_it(question, mean, guess):
    assert guess == question.guess(mean)
