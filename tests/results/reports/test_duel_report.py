"""What a duel says, to people and to programs."""

import math

import pytest
from msgspec import json

from results.rating.betting import Interval
from results.rating.duel_question import DuelQuestion, Verdict
from results.rating.duel_tally import BlockResult, Tally
from results.rating.stop_lean import estimate_mean
from results.record import DuelTerms
from results.reports.document import BotRef
from results.reports.duel_document import DuelSubject, duel_document, duel_progress
from results.reports.duel_report import ContestResult, Remainder, as_json, shown_wins, verdict_of
from results.reports.render import write_cells
from results.reports.values_as_text import say

BOTS = BotRef("mine", "1"), BotRef("greedy", "1")
WON = Tally(2, {BlockResult(2, 0, 0): 300, BlockResult(1, 1, 0): 100, BlockResult(0, 0, 2): 240})
FOUR = Tally(4, {BlockResult(4, 0, 0): 5, BlockResult(0, 0, 4): 5, BlockResult(2, 0, 2): 6})


def a_result(
    tally=WON, verdict=Verdict.BETTER, low=0.001, high=0.4084, alpha=0.05, game="stellar", faults=({}, {})
):
    """A contest that ended at its last deal."""
    return ContestResult(game, tally, Interval(low, high), verdict, alpha, faults)


def asking(*results, rule="before", margin=None, least=None):
    return [each._replace(question=DuelQuestion(rule, margin, least)) for each in results]


def told(*results, **question):
    """Return the lines."""
    document = duel_document(DuelSubject(BOTS, asking(*results, **question)), "author")
    (lines,) = document.parts
    return [say(line, {}) for line in lines.lines]


def detailed(result):
    """Return the cells of a contest by their headings."""
    _, table = duel_document(DuelSubject(BOTS, [result], with_details=True), "author").parts
    cells = write_cells(table.rows, table.columns, {}, "table", 40)
    return {column.title: of[0] for column, of in cells.items() if of[0]}


def progress_of(*results, **question):
    return [say(line, {}) for line in duel_progress(asking(*results, **question), BOTS)]


def test_the_answer_is_one_line_with_who_is_better_the_interval_and_what_was_counted():
    expected = (
        "mine is better than greedy at stellar: wins 56.8 of 100 (50.1 to 70.4), Elo +48; "
        "700 won, 100 drawn, 480 lost of 1,280"
    )
    assert [expected] == told(a_result())
    wide = a_result(Tally(2, {BlockResult(2, 0, 0): 30, BlockResult(0, 0, 2): 18}), low=0.02, high=0.62)
    expected = (
        "mine is better than greedy at stellar: wins 62 of 100 (51 to 81), Elo +86; "
        "60 won, 0 drawn, 36 lost of 96"
    )
    assert [expected] == told(wide)


def test_the_rest_is_in_the_table_of_a_duel_that_is_shown_again():
    found = {"game": "stellar", "deals": "640", "sure %": "95", "mean": "58.6", "worth": "0.52"}
    assert found == detailed(a_result())


def test_where_the_stop_lets_the_mean_lean_the_estimate_is_nearer_to_50_and_both_are_told():
    leaning = a_result(high=0.1084)._replace(total=20_000)
    assert "wins 55.4 of 100 (50.1 to 55.4), Elo +38; 700 won" in told(leaning)[0]
    assert "58.6" == detailed(leaning)["mean"]
    assert 0.13 < estimate_mean(WON, DuelQuestion(), 0.05, 20_000) < 0.171875


def test_a_duel_that_no_verdict_stopped_tells_its_mean():
    open_ = a_result(verdict=Verdict.UNDECIDED, low=-0.1)._replace(total=20_000)
    assert 0.171875 == open_.estimate
    assert "mean" not in detailed(open_)


def test_at_larger_tables_there_is_no_elo():
    (line,) = told(a_result(FOUR, game="stella"))
    assert "at stella for 4: wins 50.1 of 100 (50.1 to 70.4); 32 won, 0 drawn, 32 lost of 64" in line


def test_who_wins_all_has_no_elo():
    (line,) = told(a_result(Tally(2, {BlockResult(2, 0, 0): 16}), low=0.4, high=1.0))
    assert line.endswith("stellar: wins 100 of 100 (70 to 100); 32 won, 0 drawn, 0 lost of 32")


def test_where_all_was_drawn_that_is_all_that_is_told():
    drawn = Tally(2, {BlockResult(0, 2, 0): 48})
    said = "undecided at stellar: all 96 matches were drawn"
    assert [said] == told(a_result(drawn, Verdict.UNDECIDED, -0.1, 0.1))
    near = told(a_result(drawn, Verdict.NOT_APART, -0.01, 0.01), rule="apart", margin=0.03)
    same = "mine and greedy are no more than 1.5 wins of 100 apart at stellar: all 96 matches were drawn"
    assert [same] == near


@pytest.mark.parametrize(
    ("verdict", "rule", "least", "said"),
    [
        (Verdict.BETTER, "apart", None, "mine is better than greedy at"),
        (Verdict.WORSE, "apart", None, "mine is worse than greedy at"),
        (Verdict.NOT_APART, "apart", None, "mine and greedy are no more than 1 win of 100 apart at"),
        (Verdict.BETTER, "margin", None, "mine is more than 1 win of 100 better than greedy at"),
        (Verdict.BETTER, "margin", 0.0, "mine is better than greedy at"),
        (Verdict.NOT_BETTER, "margin", None, "mine is no more than 1 win of 100 better than greedy at"),
        (Verdict.NOT_BETTER, "before", None, "mine is no more than 1 win of 100 better than greedy at"),
        (Verdict.NO_WORSE, "no worse", None, "mine is no more than 1 win of 100 worse than greedy at"),
        (Verdict.WORSE, "no worse", None, "mine is worse than greedy at"),
        (Verdict.NO_WORSE, "not much worse", None, "mine is no more than 1 win of 100 worse than greedy at"),
        (Verdict.WORSE, "not much worse", None, "mine is more than 1 win of 100 worse than greedy at"),
    ],
)
def test_each_verdict_is_told_in_wins_of_100(verdict, rule, least, said):
    (line,) = told(a_result(verdict=verdict), rule=rule, margin=0.02, least=least)
    assert line.startswith(f"{said} stellar: {'mine ' if verdict is Verdict.NOT_APART else ''}wins ")


def test_an_undecided_duel_says_how_many_deals_it_would_take():
    (line,) = told(a_result(FOUR, Verdict.UNDECIDED, -0.006, 0.028, game="stella"))
    assert line == (
        "undecided at stella for 4: mine wins 50.0 of 100 (49.7 to 51.4); 32 won, 0 drawn, 32 lost of 64; "
        "to tell 51 from 50 takes about 16,000 deals"
    )
    (wide,) = told(a_result(FOUR, Verdict.UNDECIDED, game="stella"), rule="apart", margin=0.1)
    assert wide.endswith("; to tell 55 from 50 takes about 640 deals")
    (far,) = told(a_result(FOUR, Verdict.UNDECIDED, game="stella"), rule="margin", margin=0.1)
    assert far.endswith("; to tell 56 from 55 takes about 16,000 deals")
    (clean_up,) = asking(a_result(FOUR, Verdict.UNDECIDED), rule="not much worse", margin=0.04)
    assert told(clean_up, rule="not much worse", margin=0.04)[0].endswith(
        "; to tell 50 from 48 takes about 4,000 deals"
    )
    assert "4,000" == detailed(clean_up)["deals needed"]


def test_what_its_deals_have_told_already_is_not_to_be_told():
    played = Tally(2, {BlockResult(2, 0, 0): 9_000, BlockResult(0, 0, 2): 9_000, BlockResult(1, 0, 1): 9_000})
    assert "to tell" not in told(a_result(played, Verdict.UNDECIDED, -0.01, 0.012))[0]


@pytest.mark.parametrize(
    ("rule", "interval", "said"),
    [
        ("not much worse", (-0.3, -0.001), "worse, and whether by more than 2 is not known; wins 49.9 of"),
        ("margin", (0.001, 0.4), "better, and whether by more than 2 is not known; wins 58.6 of"),
    ],
)
def test_what_is_known_of_another_number_of_wins_is_told_beside_what_is_not(rule, interval, said):
    between = a_result(verdict=Verdict.UNDECIDED, low=interval[0], high=interval[1])
    (line,), (progress,) = (of(between, rule=rule, margin=0.04) for of in (told, progress_of))
    assert line.startswith(f"undecided at stellar: mine is {said} 100")
    assert progress.startswith(f"stellar: mine is {said} 100")
    unsure = between._replace(without=Remainder(WON, Interval(-0.9, 0.9)))
    assert "known" not in told(unsure, rule=rule, margin=0.04)[0]


@pytest.mark.parametrize(
    ("question", "interval", "shown"),
    [
        (DuelQuestion(), (0.02, 0.62), (51, 81, 0)),
        (DuelQuestion(), (0.006, 0.62), (50.3, 81, 1)),
        (DuelQuestion(), (0.0001, 0.62), (50.1, 81, 1)),
        (DuelQuestion(), (-0.05, -0.0004), (47.5, 49.9, 1)),
        (DuelQuestion(), (-0.006, 0.62), (50, 81, 0)),
        (DuelQuestion("apart", 0.03), (-0.02999, 0.02999), (48.6, 51.4, 1)),
        (DuelQuestion("apart", 0.03), (-0.031, 0.3), (48, 65, 0)),
        (DuelQuestion("margin", 0.05), (0.0501, 0.3), (53, 65, 0)),
        (DuelQuestion("margin", 0.052), (0.051, 0.3), (52.5, 65, 1)),
        (DuelQuestion("not much worse", 0.04), (-0.0399, 0.3), (48.1, 65, 1)),
        (DuelQuestion("not much worse", 0.04), (-0.3, -0.041), (35, 47.9, 1)),
    ],
)
def test_an_end_is_never_rounded_over_what_it_decides(question, interval, shown):
    found = shown_wins(sum(interval) / 2, Interval(*interval), question)
    assert shown == (pytest.approx(found.low), pytest.approx(found.high), found.digits)
    assert found.low <= found.middle <= found.high


def test_several_games_are_told_one_by_one():
    lines = told(
        a_result(alpha=0.0125),
        a_result(FOUR, Verdict.UNDECIDED, alpha=0.0125, game="stella"),
        *[a_result(verdict=Verdict.UNDECIDED, game=f"game {i}") for i in range(2)],
    )
    assert 5 == len(lines)
    assert "together: better at stellar; not known at 3 others" == lines[-1]
    assert Verdict.WORSE is verdict_of([a_result(), a_result(verdict=Verdict.WORSE)])
    both = told(a_result(), a_result(FOUR, Verdict.WORSE, game="stella"), a_result(FOUR, Verdict.UNDECIDED))
    assert "together: better at stellar; worse at stella for 4; not known at stellar for 4" == both[-1]
    assert 2 == len(told(*[a_result(verdict=Verdict.UNDECIDED)] * 2)), "each says so"
    assert (
        "together: better at stellar and stella for 4" == told(a_result(), a_result(FOUR, game="stella"))[-1]
    )


def test_a_duel_without_a_deal_says_so():
    nothing = a_result(Tally(2), Verdict.UNDECIDED, -1, 1)
    assert ["undecided at stellar: no deal was played"] == told(nothing)


def test_progress_is_told_for_contests_that_have_begun():
    begun = a_result(verdict=Verdict.UNDECIDED)
    first, *rest = progress_of(begun, a_result(Tally(4), Verdict.UNDECIDED), a_result())
    assert first.startswith("stellar: mine wins 58.6 of 100 (50.1 to 70.4), Elo +60; 700 won, 100 drawn, 4")
    assert told(a_result()) == rest, "it is decided"


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
    assert (0.001, 0.4084, 0.171875) == (contest["low"], contest["high"], contest["mean"])
    assert (50.05, 70.42) == (contest["wins_low"], contest["wins_high"])
    assert 50 + 50 * contest["estimate"] == contest["wins"]
    assert 400 * math.log10(0.7042 / 0.2958) == pytest.approx(contest["elo_high"])
    assert contest["deals_needed"] is None
    assert {"wins": 1, "draws": 1, "losses": 0, "blocks": 100} == contest["counts"][1]
    assert 640 == sum(count["blocks"] for count in contest["counts"])
    assert contest["log_wealth"]["better"] > 0 > contest["log_wealth"]["worse"]
    assert {"new": {"time": 2}, "old": {}} == contest["faults"]
    assert json.decode(json.encode(contest)) == contest


# -- faults of the two


CLEAN = Tally(2, {BlockResult(2, 0, 0): 60, BlockResult(0, 0, 2): 40})


def with_faults(verdict, low, high, without=None, faults=({"time": 200}, {}), **rest):
    result = a_result(verdict=verdict, low=low, high=high, faults=faults, **rest)
    return result._replace(faulted=200, without=without)


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        (({"time": 8, "illegal": 1}, {}), "1,280; its faults cost it 9 matches (1 illegal, 8 time)"),
        (({}, {"crash": 1}), "1,280; faults of greedy cost it 1 match (1 crash)"),
        (
            ({"time": 1}, {"crash": 2}),
            "; its faults cost it 1 match (1 time); faults of greedy cost it 2 matches (2 crash)",
        ),
    ],
)
def test_faults_are_told_whenever_there_is_one(faults, said):
    assert told(a_result(faults=faults))[0].endswith(said)
    assert progress_of(a_result(verdict=Verdict.UNDECIDED, faults=faults))[0].endswith(said)


def test_many_faults_with_which_a_bot_is_as_good_as_without_are_told_with_both_means():
    result = with_faults(Verdict.BETTER, 0.001, 0.3084, Remainder(CLEAN, Interval(0.0002, 0.4)))
    (line,) = told(result)
    assert line.endswith("; its faults cost it 200 matches (200 time)")
    row = detailed(result)
    assert ("15.6", "60.0 (50.1-70.0)") == (row["faults %"], row["without faults"])


def test_a_verdict_that_faults_alone_make_is_undecided_and_told_as_what_they_cost():
    remainder = Remainder(CLEAN, Interval(0.02, 0.4))
    lost = with_faults(Verdict.UNDECIDED, -0.9, -0.2, remainder)
    assert told(lost)[0].startswith("undecided at stellar: mine wins 40 of 100 (5 to 40)")
    assert told(lost)[0].endswith("; its faults cost it the answer: 200 matches (200 time)")
    assert progress_of(lost)[0].endswith("; its faults cost it 200 matches (200 time)"), (
        "there may be one yet"
    )
    both = with_faults(Verdict.UNDECIDED, -0.9, -0.2, remainder, faults=({"time": 1}, {"crash": 1}))
    assert told(both)[0].endswith(
        "1 match (1 time); faults of greedy cost it 1 match (1 crash), so no answer is sure"
    )
    margin = with_faults(Verdict.UNDECIDED, -0.1, 0.01, Remainder(CLEAN, Interval(-0.2, 0.1)))
    assert "the answer" in told(margin, margin=0.02)[0]


def test_a_duel_that_is_undecided_with_faults_and_without_them_is_told_as_any_other():
    like_any = with_faults(Verdict.UNDECIDED, -0.1, 0.2, Remainder(CLEAN, Interval(-0.2, 0.1)))
    assert "its faults cost it 200 matches (200 time); to tell 51" in told(like_any)[0]
    assert "60.0 (40.0-55.0)" == detailed(like_any)["without faults"].replace("55.0 (", "60.0 (")


def test_where_every_deal_had_a_fault_no_deal_is_left():
    nothing = with_faults(Verdict.UNDECIDED, -1, -0.8, Remainder(Tally(2), Interval(-1, 1)))
    assert "its faults cost it the answer" in told(nothing)[0]
    assert "no deal" == detailed(nothing)["without faults"]


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
    row = detailed(a_result(tally))
    assert (share, "50.0") == (row["luck %"], row["with luck"])
