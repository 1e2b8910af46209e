"""What a duel says, to people and to programs."""

from __future__ import annotations

from msgspec import json

from results.rating.betting import BlockResult, Interval, Tally, Verdict
from results.record import DuelTerms
from results.reports.duel import ContestResult, Names, answer, as_json, progress, verdict_of

NAMES = Names("mine", "greedy")
WON = Tally(2, {BlockResult(2, 0, 0): 300, BlockResult(1, 1, 0): 100, BlockResult(0, 0, 2): 240})
FOUR = Tally(4, {BlockResult(4, 0, 0): 5, BlockResult(0, 0, 4): 5, BlockResult(2, 0, 2): 6})


def a_result(
    tally=WON, verdict=Verdict.BETTER, low=0.001, high=0.1084, alpha=0.05, game="stellar", faults=({}, {})
):
    return ContestResult(game, tally, Interval(low, high), verdict, alpha, faults)


def told(*results, margin=None):
    return [*answer(results, NAMES, margin)]


def test_the_answer_says_who_is_better_by_how_much_and_how_sure_that_is():
    first, second = told(a_result())
    assert (
        "mine is better than greedy at stellar: +17.2 %, with 95 % confidence from +0.1 to +10.8, "
        "after 640 deals (1,280 matches)"
    ) == first
    assert (
        "  wins 54.7 %, draws 7.8 %, losses 37.5 %; a deal from both seats was worth 0.52 times two "
        "independent matches; 0 faults"
    ) == second


def test_one_deal_is_one_deal():
    one = a_result(Tally(2, {BlockResult(1, 0, 1): 1}), Verdict.UNDECIDED)
    assert "after 1 deal (2 matches)" in told(one)[0]
    assert "2 matches, 1 deal: mine" in next(progress([one], NAMES))


def test_a_worse_bot_and_one_that_is_better_by_no_more_than_the_margin_are_told():
    assert told(a_result(verdict=Verdict.WORSE))[0].startswith("mine is worse than greedy at stellar: ")
    assert told(a_result(verdict=Verdict.NOT_BETTER), margin=0.02)[0].startswith(
        "mine is no more than 2 % better than greedy at stellar: "
    )


def test_an_undecided_duel_says_how_many_deals_it_would_take():
    line, _ = told(a_result(FOUR, Verdict.UNDECIDED, -0.006, 0.028, game="stella"))
    assert line.startswith(
        "undecided at stella for 4: +0.0 %, with 95 % confidence from -0.6 to +2.8, after 16"
    )
    assert line.endswith("; to tell 2 % apart takes some 16,000 deals")
    wide, _ = told(a_result(FOUR, Verdict.UNDECIDED, game="stella"), margin=0.1)
    assert wide.endswith("; to tell 10 % apart takes some 640 deals")


def test_several_contests_have_their_share_of_alpha_and_one_verdict_together():
    lines = told(a_result(alpha=0.025), a_result(FOUR, Verdict.UNDECIDED, alpha=0.025, game="stella"))
    assert "with 97.5 % confidence" in lines[0]
    assert "together: mine is better than greedy" == lines[-1]
    assert Verdict.WORSE is verdict_of([a_result(), a_result(verdict=Verdict.WORSE)])


def test_faults_are_told_by_bot_and_kind():
    _, line = told(a_result(faults=({"time": 2, "illegal": 1}, {"crash": 1})))
    assert line.endswith("; 3 faults of mine (1 illegal, 2 time), 1 fault of greedy (1 crash)")


def test_a_duel_without_a_deal_says_so():
    assert ["undecided at stellar: no deal was played"] == told(a_result(Tally(2), Verdict.UNDECIDED, -1, 1))


def test_progress_is_told_for_contests_that_have_begun():
    lines = [*progress([a_result(), a_result(Tally(4), game="stella")], NAMES)]
    assert [
        "stellar: 1,280 matches, 640 deals: mine +17.2 %, surely between +0.1 and +10.8 (better)"
    ] == lines


def test_programs_get_counts_and_numbers_that_are_not_rounded():
    found = as_json([a_result(faults=({"time": 2}, {}))], DuelTerms(alpha=0.05, margin=0.02))
    (contest,) = found.pop("contests")
    assert {"verdict": "better", "alpha": 0.05, "margin": 0.02, "blocks": 640, "matches": 1_280} == found
    assert (0.001, 0.1084, 0.171875) == (contest["low"], contest["high"], contest["mean"])
    assert {"wins": 1, "draws": 1, "losses": 0, "blocks": 100} == contest["counts"][1]
    assert 640 == sum(count["blocks"] for count in contest["counts"])
    assert contest["log_wealth"]["better"] > 0 > contest["log_wealth"]["worse"]
    assert {"new": {"time": 2}, "old": {}} == contest["faults"]
    assert json.decode(json.encode(contest)) == contest
