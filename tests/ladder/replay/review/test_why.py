"""Why an option is better: what surely differs afterwards, and nothing else of a review."""

import re
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace
from support.random_matches import greedy_record

from engines import GAMES
from ladder.replay.review import match_review
from ladder.replay.review.checked_judge import CheckedJudge
from ladder.replay.review.effort import COARSE
from ladder.replay.review.loss_names import verdict_of
from ladder.replay.review.match_review import judge_for, review_match

GAME = GAMES["stella-quest"]
COUNT = r"(?:the other's )?(?:points|lights|jewels|numbers) -?[0-9.]+ : -?[0-9.]+"


@cache
def record_of():
    rng = Random(3)
    return greedy_record(
        "stella-quest", 2, rng, lambda step, options, _: rng.choice(options) if step % 2 else None
    )


def review(judge=None):
    record = record_of()
    return review_match(record, judge or judge_for(record), COARSE._replace(sample=1))


def whys(rows):
    return [row.why for row in rows if row.why]


@cache
def plain():
    return review()


def test_only_decisions_with_a_name_have_a_line_of_at_most_three_counts():
    assert whys(plain())
    for row in plain():
        if row.why:
            assert verdict_of(row.loss, row.loss_se)
            assert re.fullmatch(f"afterwards: {COUNT}(, {COUNT}){{0,2}}", row.why)
            assert len(row.why.encode()) <= 200


def test_all_else_of_a_review_is_the_same_to_the_bit(monkeypatch):
    monkeypatch.setattr(match_review, "_find_why", lambda *_: None)
    assert review() == [replace(row, why=None) for row in plain()]


def test_games_count_what_people_play_for():
    view = {"lights": [5, 4], "collections": [["B1", "R1", "B2"], []]}
    assert {"lights": [5, 4], "jewels": [3, 0], "numbers": [2, 0]} == GAME.tallies(view)
    assert {"coins": [3, 0, 1]} == GAMES["starry-sky"].tallies({"coins": [3, 0, 1]})
    laid = [{"T1": "P3.2", "T2": "M3.1"}, {"T1": "M5.1"}]
    told = GAMES["stellar"].tallies({"telescopes": laid, "notebooks": [["P3.2", "P4.1", "P1.3"], []]})
    assert [4, 0] == told["points for planets"]
    assert [0, 0] == told["points for moons"]
    assert 7 == len(told)


def raise_error(*_):
    raise RuntimeError("no idea")


WRONG = {
    "raises": raise_error,
    "says nothing": lambda *_: None,
    "says too much": lambda *_: {str(number): (0, 1) for number in range(9)},
    "names at length": lambda *_: {"x" * 41: (0, 1)},
    "counts one seat": lambda *_: {"lights": (3,)},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_game_without_sound_tallies_is_told_by_points_alone(monkeypatch, wrong):
    monkeypatch.setattr(type(GAME), "tallies", WRONG[wrong])
    rows = review()
    assert [replace(row, why=None) for row in rows] == [replace(row, why=None) for row in plain()]
    assert whys(rows)
    assert [] == [why for why in whys(rows) if re.search("lights|jewels|numbers", why)]


@pytest.mark.parametrize("onward", [None, raise_error, lambda *_: None])
def test_a_judge_that_does_not_say_how_it_plays_on_has_no_lines(onward):
    judge = GAME.judge(2)
    checked = CheckedJudge(judge, 2)
    checked.onward = onward
    rows = review(checked)
    assert [] == whys(rows)
    assert [replace(row, why=None) for row in plain()] == rows
