"""What made the result of a match: terms that add up to it, and what each of them is."""

import re
from functools import cache
from math import sqrt
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace
from support.random_matches import greedy_record

from engines import GAMES
from engines.judge import beaten_by
from engines.template import Toy
from engines.template.judge import HighestJudge
from ladder.replay.review.account import OpenStep, account_of, make_account, open_line
from ladder.replay.review.effort import scale_effort
from ladder.replay.review.loss_words import whole_percents
from ladder.replay.review.match_review import judge_for, review_match
from ladder.replay.review.review_document import account_sections
from ladder.replay.review.walk import Made, WalkedStep, walk
from protocol.faults import FaultKind
from results.reports.as_markdown import as_markdown
from results.reports.document import Document, SeatRef
from results.reviewed import ReviewedStep
from results.storage.review_rows import review_table
from results.storage.schema import records_from

EXACT = 1e-9
LITTLE = scale_effort(0.1)._replace(most=0)
"""Few worlds and redraws: terms add up whatever they are."""
TABLES = [
    ("stella-quest", 2, 1),
    pytest.param("stella-quest", 4, 8, marks=pytest.mark.slow),
    pytest.param("stellar", 2, 30, marks=pytest.mark.slow),
    pytest.param("starry-sky", 3, 30, marks=pytest.mark.slow),
]
"""One decision in the last number is judged."""


@cache
def record_of(game, seats, blunders=0.2):
    """Return the record of a match that greedy plays with all seats, with some random moves."""

    def blunder(step, options, rng):
        return options[int(rng.random() * len(options))] if rng.random() < blunders else None

    return greedy_record(game, seats, Random(5), blunder)


def failed(record, seat, step, ranks):
    """Return *record* as it is if *seat* fails at *step*, which ends the match."""
    fault = {seat: "crash"}
    seats = [{**each, "fault": fault.get(place)} for place, each in enumerate(record["seats"])]
    return record | {"moves": record["moves"][:step], "seats": seats, "ranks": ranks}


def check_sums(record, rows):
    """Assert that the rows of a review just made have an account of each seat that adds up."""
    for seat, result in enumerate(beaten_by(record["ranks"])):
        first, *_, last = [row for row in rows if row.seat == seat] * 2
        terms = last.luck + last.own + last.others + (last.hidden or 0.0)
        if first.step < last.step:  # a match without a move begins and ends with its result
            assert abs(first.chance_open + terms - result) <= EXACT
        assert result == last.chance_open == account_of(rows, seat).result


@pytest.mark.parametrize(("game", "seats", "sample"), TABLES)
def test_the_terms_add_up_to_the_result_also_after_a_fault_and_as_they_are_stored(game, seats, sample):
    record, effort = record_of(game, seats), LITTLE._replace(sample=sample)
    for played in (record, failed(record, 0, 7, [2, *[1] * (seats - 1)]), failed(record, 1, 0, [1, 2] * 2)):
        played = played | {"ranks": played["ranks"][:seats]}
        rows = review_match(played, judge_for(played), effort)
        check_sums(played, rows)
        stored = records_from(review_table(rows), ReviewedStep)
        for seat in range(seats):
            kept = account_of(stored, seat)
            assert kept == pytest.approx(account_of(rows, seat), abs=0.002)
            assert kept.start + kept.luck + kept.own + kept.others + (kept.hidden or 0) == pytest.approx(
                kept.result, abs=EXACT
            )


def line_of(game, seats, redraws):
    record = record_of(game, seats)
    steps = [*walk(GAMES[game], record["deal"], seats, record["moves"])]
    return steps, open_line(GAMES[game].judge(seats), steps, 1, redraws)


@pytest.mark.parametrize(
    ("game", "seats"),
    [("stella-quest", 2), ("starry-sky", 3), pytest.param("stellar", 2, marks=pytest.mark.slow)],
)
def test_a_step_without_a_draw_has_no_luck_and_others_have(game, seats):
    steps, line = line_of(game, seats, 10)
    moved = 0
    for place in range(len(line) - 1):
        now, then = (steps[place + more].position for more in (0, 1))
        left = [getattr(each, "opened", len(each.pile)) for each in (now, then)]
        if left[0] == left[1]:
            assert line[place].after == line[place + 1].before, place
        else:
            moved += line[place].after != line[place + 1].before
    assert moved > 3


def test_redraws_are_the_same_throughout_the_match_and_follow_from_the_seed():
    steps, line = line_of("stella-quest", 2, 4)
    judge = GAMES["stella-quest"].judge(2)
    assert line == open_line(judge, steps, 1, 4)
    assert line[0] != open_line(judge, steps, 2, 4)[0]
    assert line[:3] == open_line(judge, steps[:4], 1, 4)[:3]


def toy_steps():
    rules, rng = Toy(), Random(2)
    position, moves = rules.begin(deal := rules.deal(3, rng), 3), []
    while not position.over:
        step = []
        for seat in [*position.seats()]:
            options = position.options()
            option = options[int(rng.random() * len(options))]
            step.append([seat, position.move_of(option)])
            position.play(option)
        moves.append(step)
    return [*walk(rules, deal, 3, moves)], beaten_by(position.outcome().ranks)


class ReplyingJudge(HighestJudge):
    """The judge of the toy, as one of replies."""

    replies = True


def make_accounts(steps, line, gains, results, failed):
    return [make_account(seat, steps, line, gains, result, failed) for seat, result in enumerate(results)]


@pytest.mark.parametrize("judge", [HighestJudge(), ReplyingJudge()])
def test_in_a_game_without_draws_there_is_no_luck_at_all(judge):
    steps, results = toy_steps()
    accounts = make_accounts(steps, open_line(judge, steps, 1, 3), None, results, ())
    assert {(0.0, 0.0)} == {(each.luck, each.luck_se) for each in accounts}
    for each in accounts:
        assert abs(each.start + each.own + each.others - each.result) <= EXACT


def a_step(number, *made):
    return WalkedStep(number, None, (), tuple(made), ())


def values(*shares):
    """Return the values of two seats in two redraws, given those of seat 0."""
    return [[share, 1 - share] for share in shares]


def test_a_move_is_of_the_seat_that_made_it_as_far_as_it_could_know():
    steps = [a_step(0, Made(0, 1, False, False)), a_step(1, Made(1, 1, False, False)), a_step(2)]
    line = [
        OpenStep(values(0.4, 0.6), values(0.3, 0.3), {}),
        OpenStep(values(0.5, 0.7), values(0.8, 0.8), {}),
        OpenStep(values(1, 1), values(1, 1), {}),
    ]
    gains = {(0, 0): (-0.05, 0.03), (1, 1): (-0.15, 0.04)}
    one, other = make_accounts(steps, line, gains, [1.0, 0.0], ())
    assert pytest.approx((0.5, 0.5, 0.1, -0.05, 0.03, 0.2, -0.15, 1.0)) == one
    assert pytest.approx((0.5, -0.5, 0.1, -0.15, 0.04, 0.2, -0.05, 0.0)) == other
    plain, _ = make_accounts(steps, line, None, [1.0, 0.0], ())
    assert (plain.hidden, pytest.approx(-0.2), pytest.approx(0.1)) == (None, plain.own, plain.own_se)


def test_where_several_choose_what_a_seat_did_not_do_is_of_the_others():
    steps = [a_step(0, Made(0, 1, False, False), Made(1, 1, False, False)), a_step(1)]
    line = [OpenStep(values(0.4, 0.4), values(1, 1), {}), OpenStep(values(1, 1), values(1, 1), {})]
    one, other = make_accounts(steps, line, {(0, 0): (0.1, 0.0), (0, 1): (-0.2, 0.0)}, [1.0, 0.0], ())
    assert pytest.approx((0.4, 0.0, 0.0, 0.1, 0.0, 0.5, 0.0, 1.0)) == one
    assert pytest.approx((0.6, 0.0, 0.0, -0.2, 0.0, -0.4, 0.0, 0.0)) == other
    alone = {0: values(0.7, 0.7), 1: values(0.6, 0.6)}
    one, other = make_accounts(steps, [line[0]._replace(alone=alone), line[1]], None, [1.0, 0.0], ())
    assert pytest.approx([0.3, 0.3, -0.2, -0.4]) == [one.own, one.others, other.own, other.others]


def test_a_fault_and_what_the_referee_plays_after_it_are_moves_of_the_seat_that_failed():
    steps = [a_step(0, Made(0, 1, True, True)), a_step(1)]
    line = [OpenStep(values(0.6, 0.6), values(0.5, 0.5), {}), OpenStep(*[values(0.5, 0.5)] * 2, {})]
    one, other = make_accounts(steps, line, {}, [0.0, 1.0], [0])
    assert pytest.approx((0.6, 0.0, 0.0, -0.6, 0.0, 0.0, 0.0, 0.0)) == one
    assert pytest.approx((0.4, 0.0, 0.0, 0.0, 0.0, 0.6, 0.0, 1.0)) == other


def test_whole_percents_add_up_to_the_whole_percent_of_the_sum():
    rng = Random(1)
    for _ in range(300):
        shares = [rng.random() - 0.5 for _ in range(rng.randint(1, 8))]
        found = whole_percents(shares, sum(shares))
        assert round(100 * sum(shares)) == sum(found)
        assert all(abs(100 * share - percent) < 1.5 for share, percent in zip(shares, found, strict=True))
    assert [33, 33, 34] == whole_percents([1 / 3 - 1e-9, 1 / 3, 1 / 3 + 1e-9])
    assert [29, 71] == whole_percents([0.29, 0.71])


def rows_with(**terms):
    record = record_of("stella-quest", 2)
    first, last = review_match(record, judge_for(record), LITTLE._replace(sample=99))[-2:]
    mirrored = {name: value if name.endswith("se") else -value for name, value in terms.items()}
    return [replace(first, chance_open=1.0, **terms), replace(last, chance_open=0.0, **mirrored)]


def told(rows, names=("greedy", "bold"), faults=None):
    called = {seat: [SeatRef(seat, name), f", seat {seat}"] for seat, name in enumerate(names)}
    text = as_markdown(Document("", [*account_sections(rows, called, faults or {})]), {})
    return " ".join(text.replace("\\", "").replace("`", "").split())


def test_a_layman_reads_who_was_lucky_and_how_the_account_differs_from_error_rates():
    terms = {"luck": 0.52, "luck_se": 0.041, "own": -0.29, "own_se": 0.01, "others": 0.14, "hidden": 0.163}
    rows = rows_with(**terms)
    text = told(rows)
    line = (
        "greedy, seat 0: result 100 % = 47 at the start + 52 luck (+- 8) - 29 own moves"
        " + 14 moves of the others + 16 what it could not know"
    )
    assert line in text
    assert "greedy, seat 0, was lucky: what was drawn gave it 52 % (+- 8)." in text
    assert "bold, seat 1, was unlucky: what was drawn cost it 52 % (+- 8)." in text
    assert "Error rates measure decisions against the best option; own moves are measured against" in text
    assert "- 29 own moves (+- 4) + 14" in told(rows_with(**terms | {"own_se": 0.02}))
    assert "No seat was surely lucky or unlucky." in told(rows_with(**terms | {"luck_se": 0.3}))
    nothing = told(rows_with(**terms | {"luck": 0.0, "luck_se": 0.0}))
    assert " + 0 luck - 29 own" in nothing
    assert "What was drawn changed nothing." in nothing
    opened = told([replace(row, hidden=None) for row in rows])
    assert "could not know" not in opened.split("Own moves")[0]
    assert "Own moves are judged with open cards" in opened
    (missing,) = account_sections([replace(row, account=None) for row in rows], {0: ["greedy"]}, {})
    assert missing.parts[0].words.startswith("This review does not say it")


def test_the_line_of_a_seat_that_failed_says_where_the_fault_is():
    terms = {"luck": 0.52, "luck_se": 0.041, "own": -0.29, "own_se": 0.02, "others": 0.14, "hidden": 0.163}
    rows = rows_with(**terms)
    failed, other = told(rows, faults={0: "crash"}).split("bold, seat 1: ")
    assert "- 29 own moves, the crash among them (+- 4) + 14 moves of the others" in failed
    assert "among them" not in other
    for kind in get_args(FaultKind):
        assert "own moves, the fault among" not in told(rows, faults={1: kind})
        assert re.search(r"29 own moves, the [a-z ]+ among them", told(rows, faults={1: kind}))


def test_the_error_of_luck_is_what_other_redraws_say():
    """Accounts with other seeds differ in luck by about their standard errors."""
    record = record_of("stella-quest", 2)
    steps = [*walk(GAMES["stella-quest"], record["deal"], 2, record["moves"])]
    judge, results = GAMES["stella-quest"].judge(2), beaten_by(record["ranks"])
    lines = [open_line(judge, steps, seed, 8) for seed in range(12)]
    found = [make_accounts(steps, line, None, results, ())[0] for line in lines]
    mean = sum(each.luck for each in found) / 12
    spread = sqrt(sum((each.luck - mean) ** 2 for each in found) / 11)
    told_error = sqrt(sum(each.luck_se**2 for each in found) / 12)
    assert 0.5 < spread / told_error < 2
