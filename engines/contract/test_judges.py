"""A judge says what a position is worth, alike each time, and changes nothing."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

from engines.contract.secrets import random_options
from engines.contract.subject import Subject
from engines.game import Game
from engines.judge import Judge, Prospects, beaten_by
from engines.position import Position

ALIKE = 1e-9
"""Sums of shares are compared to this."""
SELDOM = 5
"""One position in this many is judged, because a judge may play a whole match."""


def looks_of(position: Position, seats: int) -> list[bytes]:
    """Return what all see of *position*."""
    return [position.write_view(seat) for seat in [*range(seats), None]]


def check_judge(game: Game[Any], judge: Judge[Any], seats: int, seed: int) -> None:
    """Assert what every *judge* must hold, along one random match."""
    rng = Random(seed)
    position = game.begin(game.deal(seats, rng, random_options(game, rng)), seats)
    for number in count():
        if position.over:
            break
        looks = looks_of(position, seats)
        if number % SELDOM == 0:
            check_prospects(judge, position, seats, seed)
        options = [*position.options()]
        tried = [*judge.promising(position)]
        assert tried
        assert set(tried) <= set(options)
        assert len(set(tried)) == len(tried)
        assert judge.answer(position, Random(seed)) in options
        other = judge.redraw(position, rng)
        assert other is not position
        assert looks == looks_of(other, seats), "what is drawn again must be what no seat knows"
        assert looks == looks_of(position, seats), "a judge changes no position"
        position.play(options[int(rng.random() * len(options))])
    for expected in expect(judge, position, seed):
        assert beaten_by(position.outcome().ranks) == expected.results, "at the end, the result is known"


def expect(judge: Any, position: Position, seed: int) -> list[Prospects]:
    """Return what *judge* expects of *position*: its prospects and, if it has values, two of them."""
    found = [judge.prospects(position, Random(seed))]
    if hasattr(judge, "value"):
        found += [judge.value(position), judge.value(judge.onward(position, Random(seed)))]
        assert found[2].points == found[0].points, "prospects values what onward returns"
    return found


def check_prospects(judge: Judge[Any], position: Position, seats: int, seed: int) -> None:
    """Assert that what is expected of *position* can be, and is the same each time."""
    assert expect(judge, position, seed) == expect(judge, position.copy(), seed)
    for results, points in expect(judge, position, seed):
        assert seats == len(results) == len(points)
        assert all(0 <= share <= 1 for share in results)
        assert abs(sum(results) - seats / 2) < ALIKE, "what one seat beats, another loses"


def test_a_judge_says_what_can_be_and_changes_nothing(subject: Subject, seats: int) -> None:
    judge = subject.game.judge(seats)
    if judge is not None:  # a game may have none
        assert judge.name.rpartition("-")[2].isdigit(), "a judge has a name and a version, as in playouts-1"
        assert judge.worlds >= 1
        assert judge.width >= 2
        assert getattr(judge, "redraws", 2) >= 2
        assert getattr(judge, "replies", False) in (False, True)
        assert getattr(judge, "tells", "result") in ("points", "result")
        check_judge(subject.game, judge, seats, seed=seats)
