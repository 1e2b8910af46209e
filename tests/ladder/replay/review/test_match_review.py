"""The review of a whole match: what a seat may see of it, forced moves, and what is told."""

from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from random import Random

import pytest
from msgspec.structs import replace
from support.random_matches import greedy_record

from engines import GAMES
from engines.starry_sky.judge import ReplyJudge
from engines.template import Toy
from ladder.cli.show_document import show_document
from ladder.replay.review.effort import COARSE, scale_effort
from ladder.replay.review.loss_words import name_loss, tell_loss
from ladder.replay.review.match_review import NoReview, hide_others, judge_for, review_match
from ladder.replay.review.review_document import MatchReview, match_review, views_of
from ladder.replay.review.summary import costliest, error_rate, rate_in_match, rates_by_kind
from results.reports.document import Document
from results.reviewed import read_promises

TABLES = [
    ("stella-quest", 3),
    pytest.param("stellar", 2, marks=pytest.mark.slow),
    pytest.param("starry-sky", 3, marks=pytest.mark.slow),
]
LITTLE = scale_effort(0.01)._replace(most=0)
"""As few worlds as there can be."""
SOME = LITTLE._replace(sample=12)
"""The same for one decision in twelve: with many options a decision takes long."""


@cache
def record_of(game, seats):
    """Return the record of a match that greedy plays with all seats, the first steps at random."""
    return greedy_record(game, seats, Random(3), lambda step, options, rng: options[0] if step < 6 else None)


@cache
def rows_of(game, seats):
    record = record_of(game, seats)
    return review_match(record, judge_for(record), effort_for(game))


def effort_for(game):
    return LITTLE if game == "stella-quest" else SOME


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_row_stands_for_each_seat_at_each_step(game, seats):
    rows, moves = rows_of(game, seats), record_of(game, seats)["moves"]
    assert [(step, seat) for step in range(len(moves) + 1) for seat in range(seats)] == [
        (row.step, row.seat) for row in rows
    ]
    assert all(0 <= row.chance_seen <= 1 and 0 <= row.chance_open <= 1 for row in rows)
    decided = {(row.step, row.seat) for row in rows if row.loss is not None}
    assert decided <= {(step, seat) for step, made in enumerate(moves) for seat, _ in made}


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_a_seat_knew_follows_from_what_it_saw(game, seats):
    """It is the same with and without the rest of the table, and has nothing of it."""
    record = record_of(game, seats)
    alone = review_match(record, judge_for(record), effort_for(game), seat=1)
    assert hide_others(rows_of(game, seats), 1) == alone
    assert not [row for row in alone if (row.chance_open, row.luck, row.own, row.account) != (None,) * 4]


def test_forced_moves_and_moves_of_the_referee_cost_nothing():
    record = record_of("stella-quest", 3)
    moves = [
        [[seat, move, "referee"] for seat, move in step] if step[0][0] == 2 else step
        for step in record["moves"]
    ]
    faulted = record | {"moves": moves}
    rows = review_match(faulted, judge_for(faulted), LITTLE)
    assert [row for row in rows if row.seat == 1 and row.loss is not None]
    assert [] == [row for row in rows if row.seat == 2 and row.loss is not None]


def test_a_quick_review_has_a_sample_of_the_decisions_and_nothing_else():
    record = record_of("stella-quest", 3)
    rows = review_match(record, judge_for(record), COARSE)
    assert all(row.quick and row.loss is not None and row.chance_seen is None for row in rows)
    decided = [row for row in rows_of("stella-quest", 3) if row.loss is not None]
    assert 0.15 * len(decided) < len(rows) < 0.6 * len(decided)


def test_what_cost_most_is_told_with_a_better_move():
    """The first steps took the first option there was: that costs more than greedy's own choices."""
    record = record_of("stella-quest", 3)
    rows = review_match(record, judge_for(record), scale_effort(0.5)._replace(line=0))
    worst = costliest(rows, 3)
    assert 3 == len(worst)
    assert all(row.loss > 1.96 * row.loss_se for row in worst)
    for row in worst:
        assert row.best not in [move for seat, move in record["moves"][row.step] if seat == row.seat]


def test_a_void_match_and_a_game_without_judge_have_no_review():
    record = record_of("stellar", 2)
    with pytest.raises(NoReview, match="void"):
        judge_for(record | {"void": True})
    with pytest.raises(NoReview, match="version 99"):
        judge_for(record | {"version": 99})
    with pytest.raises(NoReview, match="no judge at a table of 3"):
        judge_for(record | {"game": "stella", "version": GAMES["stella"].version, "seats": [{}] * 3})


def numbers_of(rows):
    return {(row.bot, row.version): 1 for row in rows}


def told(record, rows, names, numbers, seat=None):
    """Return what `ladder review` prints."""
    seats = range(len(names)) if seat is None else [seat]
    review = MatchReview(record, rows, names, seats, views_of(record), numbers)
    with redirect_stdout(StringIO()) as out:
        show_document(Document("", match_review(review, "operator")), numbers)
    return out.getvalue()


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_review_is_told_in_80_columns(game, seats):
    record, rows = record_of(game, seats), rows_of(game, seats)
    text = told(record, rows, [f"bot {seat}" for seat in range(seats)], numbers_of(rows))
    assert [] == [line for line in text.splitlines() if len(line) > 80]
    assert all(f"bot {seat}, seat {seat}: lost " in " ".join(text.split()) for seat in range(seats))
    assert bool(costliest(rows, 3)) is ("\nstep " in text), "sure losses alone are listed"
    names = ["one", *["another"] * (seats - 1)]
    alone = told(record, hide_others(rows, 0), names, numbers_of(rows), seat=0)
    assert "luck" not in alone
    assert "another" not in alone


def test_only_what_is_here_can_be_asked_again():
    record, rows = record_of("stella-quest", 3), rows_of("stella-quest", 3)
    for numbers, asked in ((numbers_of(rows), True), ({}, False)):  # people, functions, bots of other homes
        assert asked == ("ladder bots ask " in told(record, rows, ["one"] * 3, numbers))


def test_what_is_nothing_is_told_once_and_never_as_minus_zero():
    record, rows = record_of("stella-quest", 3), rows_of("stella-quest", 3)
    kinds = iter(["dear", *(f"kind {place}" for place in range(99))])
    cheap = [
        row
        if row.loss is None
        else replace(
            row, loss=0.2 if (kind := next(kinds)) == "dear" else -0.002, decision_kind=kind, loss_se=0.001
        )
        for row in rows
        if row.seat == 0
    ]
    text = " ".join(told(record, cheap, ["one"] * 3, {}, seat=0).split())
    decided = sum(row.loss is not None for row in cheap)
    assert f"dear 100 % of the loss, in 1 decision; nothing in {decided - 1} of other kinds." in text
    assert "20.0 % +- 0.2" in text
    assert "-0 %" not in text


def test_an_error_rate_is_a_mean_over_decisions_with_an_interval_by_blocks():
    rows = [row for row in rows_of("stella-quest", 3) if row.loss is not None]
    one = rate_in_match(rows, 0)
    mine = [row for row in rows if row.seat == 0]
    assert sum(row.loss for row in mine) / len(mine) == pytest.approx(one.loss)
    assert error_rate([mine]).margin is None
    same = error_rate([mine, mine, mine])
    assert (3 * len(mine), one.loss) == (same.decisions, pytest.approx(same.loss))
    assert 0 == pytest.approx(same.margin, abs=1e-9)
    assert 0 == error_rate([]).decisions


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_losses_are_added_up_by_kind_of_decision(game, seats):
    """The kinds together have all decisions and all losses, those that cost most first."""
    decided = [row for row in rows_of(game, seats) if row.loss is not None]
    assert all(row.decision_kind for row in decided)
    # a quick review of one match may have one kind alone, or a sum below 0: noise
    rows = [
        replace(row, loss=abs(row.loss) + 0.01, decision_kind=f"{row.decision_kind} {place % 2}")
        for place, row in enumerate(decided)
    ]
    kinds = rates_by_kind([rows[::2], rows[1::2]])
    assert len(kinds) > 1
    assert len(rows) == sum(kind.rate.decisions for kind in kinds)
    assert sum(row.loss for row in rows) == pytest.approx(sum(kind.total for kind in kinds))
    assert sorted(kinds, key=lambda kind: -kind.total) == kinds
    assert 1 == pytest.approx(sum(kind.share for kind in kinds))


def test_many_kinds_are_cut_and_rows_of_before_have_none():
    row = next(row for row in rows_of("stella-quest", 3) if row.loss is not None)
    many = [replace(row, loss=0.1 + place / 100, decision_kind=f"kind {place}") for place in range(12)]
    kinds = rates_by_kind([many])
    assert [*(f"kind {place}" for place in range(11, 2, -1)), "all others"] == [kind.kind for kind in kinds]
    assert 3 == kinds[-1].rate.decisions
    assert sum(each.loss for each in many) == pytest.approx(sum(kind.total for kind in kinds))
    assert ["not told"] == [kind.kind for kind in rates_by_kind([[replace(row, decision_kind=None)]])]
    assert [None] == [kind.share for kind in rates_by_kind([[replace(row, loss=0.0)]])]
    assert [] == rates_by_kind([])


def test_no_kind_has_a_share_where_the_mean_loss_is_not_above_0():
    """Each unit is judged by its own mean."""
    row = next(row for row in rows_of("stella-quest", 3) if row.loss is not None)
    rows = [
        replace(row, decision_kind="take", loss=0.1, points=2.0),
        replace(row, decision_kind="keep", loss=-0.05, points=-2.5),
    ]
    assert {None} == {kind.share for kind in rates_by_kind([rows], "points")}
    assert [1, 0] == [kind.share for kind in rates_by_kind([rows], "result")]
    assert "take 100 % of the loss, in 1 decision" in told_of(rows)
    assert "% of the loss" not in told_of([replace(each, loss=-0.05) for each in rows])


def told_of(rows):
    """Return what is told where these *rows* are all decisions of seat 0, in one line."""
    rows = [replace(each, seat=0, step=rows[0].step) for each in rows]
    return " ".join(told(record_of("stella-quest", 3), rows, ["one"] * 3, {}, seat=0).split())


def test_only_sure_losses_are_listed_and_have_something_better():
    row = next(row for row in rows_of("stella-quest", 3) if row.loss is not None and row.seat == 0)
    sure, unsure, gain = (replace(row, loss=loss, loss_se=0.01) for loss in (0.025, 0.015, -0.1))
    text = told_of([sure, unsure, gain])
    assert 1 == text.count("Better: ")
    assert f"step {row.step}: loss, 2 % +- 2. Played: " in text
    assert "are listed, those that surely cost most." in text
    text = told_of([unsure, gain])
    assert "No decision was surely a loss." in text
    assert "Better: " not in text


def test_what_is_told_in_points_is_a_loss_of_points():
    """A name is by the result; where points do not show the loss, the share of the result is told."""
    row = next(row for row in rows_of("stella-quest", 3) if row.loss is not None)
    row = replace(row, game="stellar", seats=2)
    more, less = {"points": 2.0, "points_se": 0.5}, {"points": -2.2, "points_se": 0.7}
    small, named = {"loss": 0.03, "loss_se": 0.02}, {"loss": 0.116, "loss_se": 0.022}
    rows = [replace(row, **loss, **points) for loss in (small, named) for points in (more, less)]
    assert [rows[2], rows[3], rows[0]] == sorted(
        costliest(rows, 9), key=lambda each: (-each.loss, -each.points)
    )
    assert [("loss", "2.0 points +- 1.0 (3 %)"), ("mistake", "2.0 points +- 1.0 (12 %)")] == [
        (name_loss(each), tell_loss(each, "points")) for each in (rows[0], rows[2])
    ]
    assert "mistake" == name_loss(rows[3])
    assert "12 % +- 4 of the chance to win" == tell_loss(rows[3], "points")
    hopeless = replace(rows[0], loss=0.0)  # a match that is lost has points to lose
    assert [hopeless] == costliest([hopeless, rows[1]], 9)


@pytest.mark.parametrize("accounted", [True, False])
def test_a_fault_is_said_to_be_in_own_moves_where_there_is_an_account(accounted):
    record = record_of("stella-quest", 3)
    seats = [
        {**seat, "fault": "timeout"} if place == 0 else seat for place, seat in enumerate(record["seats"])
    ]
    rows = rows_of("stella-quest", 3)
    if not accounted:
        rows = [replace(row, account=None) for row in rows]
    text = " ".join(told({**record, "seats": seats}, rows, ["one"] * 3, {}).split())
    said = "It lost by a fault, timeout. Losses of decisions leave it out"
    assert (f"{said}; own moves, below, count it." if accounted else f"{said}.") in text
    assert accounted == ("own moves, the timeout among them" in text)
    assert 1 == text.count("It lost by a fault")


def test_a_game_says_of_what_kind_a_decision_is_by_its_step_or_the_word_of_the_move():
    toy = Toy()
    assert "bid" == toy.kind_of({"step": "bid"}, "bid 3")
    assert "take" == toy.kind_of({}, "take 2")
    assert "take" == toy.kind_of({}, ("take 2", "card 4"))
    assert ["move", "move", "move"] == [toy.kind_of({}, move) for move in ("e2e4", "10@Leo.3", ())]


@pytest.mark.slow
def test_a_judge_that_knows_its_optimism_lowers_what_is_expected_and_no_loss(monkeypatch):
    """All that one view promises is lowered alike, so what one option loses to another stays."""
    hopeful = rows_of.__wrapped__("starry-sky", 3)
    monkeypatch.delattr(ReplyJudge, "optimism")
    plain = rows_of.__wrapped__("starry-sky", 3)
    assert [(row.loss, row.best, row.chance_open) for row in hopeful] == [
        (row.loss, row.best, row.chance_open) for row in plain
    ]
    told = [(one.chance_seen, other.chance_seen) for one, other in zip(hopeful, plain, strict=True)]
    assert all(low <= high for low, high in told)
    assert told[0][0] == told[0][1], "nothing lies face down at the start"
    assert any(low < high - 0.01 for low, high in told)
    firsts = [
        [read_promises(row.promised, row.best, "")[0].result for row in rows if row.promised]
        for rows in (hopeful, plain)
    ]
    assert all(low <= high for low, high in zip(*firsts, strict=True))
    assert firsts[0] != firsts[1]
