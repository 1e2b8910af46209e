"""What a duel says, to people and to programs."""

import math

import pytest
from msgspec import json

from results.rating.betting import Interval
from results.rating.duel_question import DuelQuestion, Verdict
from results.rating.duel_tally import BlockResult, Tally
from results.rating.stop_lean import estimate_mean
from results.record import DuelTerms
from results.reports.document import BotRef, Lines
from results.reports.duel_document import DuelSubject, duel_document, duel_progress
from results.reports.duel_report import ContestResult, Remainder, as_json, verdict_of
from results.reports.render import write_cells
from results.reports.values_as_text import say

BOTS = BotRef("mine", "1"), BotRef("greedy", "1")
WON = Tally(2, {BlockResult(2, 0, 0): 300, BlockResult(1, 1, 0): 100, BlockResult(0, 0, 2): 240})
FOUR = Tally(4, {BlockResult(4, 0, 0): 5, BlockResult(0, 0, 4): 5, BlockResult(2, 0, 2): 6})


def a_result(
    tally=WON, verdict=Verdict.BETTER, low=0.001, high=0.1084, alpha=0.05, game="stellar", faults=({}, {})
):
    """A contest that has not ended, so that its estimate is its mean."""
    return ContestResult(game, tally, Interval(low, high), verdict, alpha, faults, ended=False)


def told(*results, rule="before", margin=None, least=None):
    """Return the sentences, the cells of each row by their headings, and the lines below them."""
    asked = [each._replace(question=DuelQuestion(rule, margin, least)) for each in results]
    sentences, *rest = duel_document(DuelSubject(BOTS, asked), "author").parts
    rows, lines = [], []
    for part in rest:
        if isinstance(part, Lines):
            lines += [say(line, {}) for line in part.lines]
        else:
            cells = write_cells(part.rows, part.columns, {}, "table", 40)
            rows = [{column.title: of[i] for column, of in cells.items()} for i in range(len(part.rows))]
    return [say(line, {}) for line in sentences.lines], rows, lines


def progress_of(result):
    (line,) = duel_progress([result], "mine")
    return line


def test_the_answer_says_who_is_better_how_sure_that_is_and_by_how_much():
    sentences, (row,), lines = told(a_result())
    expected = (
        "mine is better than greedy at stellar: with 95 % confidence from 50.0 to 55.4 wins of 100, "
        "after 640 deals (1,280 matches)"
    )
    assert [expected] == sentences
    assert {
        "game": "stellar",
        "wins (sure)": "58.6 (50.0-55.4)",
        "Elo": "+60 (+0 to +38)",
        "won-drawn-lost %": "54.7-7.8-37.5",
        "worth": "0.52",
    } == row
    assert [] == lines


def test_where_the_stop_lets_the_mean_lean_the_estimate_is_nearer_to_50_and_both_are_told():
    _, (row,), _ = told(a_result()._replace(ended=True, total=20_000))
    assert ("55.4 (50.0-55.4)", "+38 (+0 to +38)") == (row["wins (sure)"], row["Elo"])
    assert "58.6" == row["mean"]
    assert 0.13 < estimate_mean(WON, DuelQuestion(), 0.05, 20_000) < 0.171875


def test_at_larger_tables_there_is_no_elo():
    _, (row,), _ = told(a_result(FOUR, game="stella"))
    assert ("stella for 4", "50.0 (50.0-55.4)") == (row["game"], row["wins (sure)"])
    assert "Elo" not in row


def test_who_wins_all_has_no_elo_but_a_sign():
    every = a_result(Tally(2, {BlockResult(2, 0, 0): 16}), low=0.4, high=1.0)._replace(ended=True)
    _, (row,), _ = told(every)
    assert ("100.0 (70.0-100.0)", "+inf (+147 to +inf)") == (row["wins (sure)"], row["Elo"])


def test_one_deal_is_one_deal():
    one = a_result(Tally(2, {BlockResult(1, 0, 1): 1}), Verdict.UNDECIDED)
    assert "after 1 deal (2 matches)" in told(one)[0][0]
    assert "2 matches, 1 deal: mine" in progress_of(one)


@pytest.mark.parametrize(
    ("verdict", "rule", "least", "said"),
    [
        (Verdict.BETTER, "apart", None, "mine is better than greedy"),
        (Verdict.WORSE, "apart", None, "mine is worse than greedy"),
        (Verdict.NOT_APART, "apart", None, "mine and greedy are no more than 1 win of 100 apart"),
        (Verdict.BETTER, "margin", None, "mine is better than greedy by more than 1 win of 100"),
        (Verdict.BETTER, "margin", 0.0, "mine is better than greedy"),
        (Verdict.NOT_BETTER, "margin", None, "mine is no more than 1 win of 100 better than greedy"),
        (Verdict.NOT_BETTER, "before", None, "mine is no more than 1 win of 100 better than greedy"),
        (Verdict.NO_WORSE, "no worse", None, "mine is no more than 1 win of 100 worse than greedy"),
    ],
)
def test_each_verdict_is_told_in_wins_of_100(verdict, rule, least, said):
    ((line,), _, _) = told(a_result(verdict=verdict), rule=rule, margin=0.02, least=least)
    assert line.startswith(f"{said} at stellar: with 95 % ")


def test_an_undecided_duel_says_how_many_deals_it_would_take():
    (line,), *_ = told(a_result(FOUR, Verdict.UNDECIDED, -0.006, 0.028, game="stella"))
    assert line.startswith(
        "undecided at stella for 4: with 95 % confidence from 49.7 to 51.4 wins of 100, after 16"
    )
    assert line.endswith("; to tell 51 from 50 wins of 100 takes about 16,000 deals")
    (wide,), *_ = told(a_result(FOUR, Verdict.UNDECIDED, game="stella"), rule="apart", margin=0.1)
    assert wide.endswith("; to tell 55 from 50 wins of 100 takes about 640 deals")
    (far,), *_ = told(a_result(FOUR, Verdict.UNDECIDED, game="stella"), rule="margin", margin=0.1)
    assert far.endswith("; to tell 56 from 55 wins of 100 takes about 16,000 deals")


def test_several_contests_have_their_share_of_alpha_and_one_verdict_together():
    lines, *_ = told(a_result(alpha=0.025), a_result(FOUR, Verdict.UNDECIDED, alpha=0.025, game="stella"))
    assert "with 97.5 % confidence" in lines[0]
    assert "together: mine is better than greedy" == lines[-1]
    assert Verdict.WORSE is verdict_of([a_result(), a_result(verdict=Verdict.WORSE)])


def test_faults_are_told_by_bot_and_kind():
    _, _, (line,) = told(a_result(faults=({"time": 2, "illegal": 1}, {"crash": 1})))
    assert "stellar: 3 faults of mine (1 illegal, 2 time), 1 fault of greedy (1 crash)" == line


def test_a_duel_without_a_deal_says_so():
    nothing = a_result(Tally(2), Verdict.UNDECIDED, -1, 1)
    assert (["undecided at stellar: no deal was played"], [], []) == told(nothing)


def test_progress_is_told_for_contests_that_have_begun():
    lines = [*duel_progress([a_result(), a_result(Tally(4), game="stella")], "mine")]
    assert ["stellar: 1,280 matches, 640 deals: mine wins 58.6 (50.0-55.4) of 100 (better)"] == lines


def test_programs_get_counts_and_numbers_that_are_not_rounded():
    found = as_json([a_result(faults=({"time": 2}, {}))], DuelTerms(alpha=0.05, margin=0.02))
    (contest,) = found.pop("contests")
    assert {
        "verdict": "better",
        "alpha": 0.05,
        "margin": 0.02,
        "rule": "before",
        "least": None,
        "expect": None,
        "luck_rule": "whole",
        "fault_rule": "count",
        "blocks": 640,
        "matches": 1_280,
    } == found
    assert (0.001, 0.1084, 0.171875) == (contest["low"], contest["high"], contest["mean"])
    assert (50.05, 55.42) == (contest["wins_low"], contest["wins_high"])
    assert (0.171875, 58.59375) == (contest["estimate"], contest["wins"])
    assert 400 * math.log10(0.5542 / 0.4458) == pytest.approx(contest["elo_high"])
    assert {"wins": 1, "draws": 1, "losses": 0, "blocks": 100} == contest["counts"][1]
    assert 640 == sum(count["blocks"] for count in contest["counts"])
    assert contest["log_wealth"]["better"] > 0 > contest["log_wealth"]["worse"]
    assert {"new": {"time": 2}, "old": {}} == contest["faults"]
    assert json.decode(json.encode(contest)) == contest


# -- faults of the two


CLEAN = Tally(2, {BlockResult(2, 0, 0): 60, BlockResult(0, 0, 2): 40})


def with_faults(verdict, low, high, without, faults=({"time": 200}, {}), **rest):
    result = a_result(verdict=verdict, low=low, high=high, faults=faults, **rest)
    return result._replace(faulted=200, without=without)


def test_many_faults_with_which_a_bot_is_as_good_as_without_are_told_with_both_means():
    result = with_faults(Verdict.BETTER, 0.001, 0.1084, Remainder(CLEAN, Interval(0.02, 0.4)))
    (first,), (row,), (second,) = told(result)
    assert first.startswith("mine is better than greedy at stellar: with 95 % confidence from 50.0")
    assert "stellar: 200 faults of mine (200 time)" == second
    assert ("15.6", "58.6 (50.0-55.4)", "60.0 (51.0-70.0)") == tuple(
        row[name] for name in ("faults %", "wins (sure)", "without faults")
    )


def test_a_verdict_that_faults_alone_make_is_undecided_and_both_are_told():
    remainder = Remainder(CLEAN, Interval(0.02, 0.4))
    (first,), *_ = told(with_faults(Verdict.UNDECIDED, -0.9, -0.2, remainder))
    assert (
        "undecided at stellar: with its faults, worse; without those deals, better; "
        "after 640 deals (1,280 matches)"
    ) == first
    both = with_faults(Verdict.UNDECIDED, -0.9, -0.2, remainder, faults=({"time": 1}, {"crash": 1}))
    (first,), _, (line,) = told(both)
    assert "with their faults, worse" in first
    assert "stellar: 1 fault of mine (1 time), 1 fault of greedy (1 crash)" == line
    margin = with_faults(Verdict.UNDECIDED, -0.1, 0.01, Remainder(CLEAN, Interval(-0.2, 0.1)))
    said = "with its faults, not better; without those deals, "
    assert f"{said}undecided" in told(margin, margin=0.02)[0][0]


def test_a_duel_that_is_undecided_with_faults_and_without_them_is_told_as_any_other():
    like_any = with_faults(Verdict.UNDECIDED, -0.1, 0.2, Remainder(CLEAN, Interval(-0.2, 0.1)))
    (line,), (row,), _ = told(like_any)
    assert line.startswith("undecided at stellar: with 95 % confidence from 45.0 to 60.0 wins of 100, aft")
    assert "60.0 (40.0-55.0)" == row["without faults"]


def test_where_every_deal_had_a_fault_no_deal_is_left():
    nothing = Remainder(Tally(2), Interval(-1, 1))
    (line,), (row,), _ = told(with_faults(Verdict.UNDECIDED, -1, -0.8, nothing))
    assert "without those deals, undecided; after" in line
    assert "no deal" == row["without faults"]


def test_progress_tells_both_means():
    line = progress_of(with_faults(Verdict.UNDECIDED, -0.9, -0.2, Remainder(CLEAN, Interval(0, 1))))
    assert line.endswith("mine wins 58.6 (5.0-40.0) of 100, without faults 60.0 (50.0-100.0) of 100")


def test_programs_get_both_verdicts():
    result = with_faults(Verdict.UNDECIDED, -0.9, -0.2, Remainder(CLEAN, Interval(0.02, 0.4)))
    found = as_json([result], DuelTerms(alpha=0.05, faults="agree"))
    (contest,) = found["contests"]
    assert ("undecided", "agree") == (found["verdict"], found["fault_rule"])
    assert ("undecided", "worse", 200) == tuple(
        contest[key] for key in ("verdict", "verdict_with_faults", "faulted")
    )
    without = {"verdict": "better", "mean": 0.2, "low": 0.02, "high": 0.4, "blocks": 100, "matches": 200}
    assert without == contest["without_faults"]
    (few,) = as_json([a_result()], DuelTerms(alpha=0.05))["contests"]
    assert (0, None) == (few["faulted"], few["without_faults"])


# -- less luck


@pytest.mark.parametrize(("luck", "share"), [(10, "75"), (-10, "-125")])
def test_an_adjusted_duel_says_what_the_luck_was_or_that_it_varies_more(luck, share):
    tally = Tally(2, most_luck=15)
    for _ in range(30):
        tally.add([(1, 2), (1, 2)], luck)
        tally.add([(2, 1), (2, 1)], -luck)
    _, (row,), _ = told(a_result(tally))
    assert (share, "50.0") == (row["luck %"], row["with luck"])
