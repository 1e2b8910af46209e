"""Moves as they come in: from whom they are wanted, and what is said of one that is not offered."""

from random import Random
from typing import NamedTuple

import pytest
from support.short_game import Showdown

from engines import Choice, IllegalMove, InvalidMove, OneOf, Some
from engines.moves import check_moves, check_over, read_options


class State(NamedTuple):
    asked: dict[int, Choice]


ALONE = State({1: OneOf(("a", "b"))})
TOGETHER = State({0: Some(("a", "b", "c"), 1, 2), 2: OneOf(("a", "b"))})


def reason(state, seat, move):
    return f"seat {seat} has no {move}" if isinstance(move, str) else ""


def test_moves_come_back_with_their_seats_in_the_order_of_asking_and_the_spelling_of_the_choice():
    assert [(1, "b")] == check_moves(ALONE, {1: "b"}, reason)
    assert [(0, ("a", "c")), (2, "a")] == check_moves(TOGETHER, {2: "a", 0: ["c", "a"]}, reason)


@pytest.mark.parametrize(
    "moves", [{}, {0: ["a"]}, {0: ["a"], 1: "a"}, {0: ["a"], 1: "a", 2: "a"}, {"0": ["a"], 2: "a"}]
)
def test_exactly_the_seats_that_are_asked_move(moves):
    with pytest.raises(ValueError, match=r"expected moves of the seats \[0, 2\], got: \["):
        check_moves(TOGETHER, moves, reason)


def test_a_position_is_told_the_moves_of_exactly_the_seats_that_it_asks():
    game = Showdown()
    position = game.begin(game.deal(2, Random(1)), 2)
    first, second = (
        choice.options for choice in game.choices(game.start(game.deal(2, Random(1)), 2).state).values()
    )
    assert [1, 0] == read_options(position, {1: second[0], 0: first[1]})
    for moves in ({}, {0: first[0]}, {0: first[0], "1": second[0]}, {0: "no", 1: second[0], 2: "no"}):
        with pytest.raises(ValueError, match=r"expected moves of the seats \[0, 1\], got: \["):
            read_options(position, moves)
    with pytest.raises(IllegalMove, match="expected one of 2 moves"):
        read_options(position, {0: first[0], 1: first[0]})


def test_nobody_moves_when_the_match_is_over():
    for moves in ({}, {0: "a"}):
        with pytest.raises(ValueError, match=r"expected moves of the seats \[\], got: \["):
            check_moves(State({}), moves, reason)


def test_the_game_says_why_a_move_is_not_offered():
    with pytest.raises(IllegalMove, match=r"^expected one of 2 moves, got: 'c' \(seat 1 has no c\)$"):
        check_moves(ALONE, {1: "c"}, reason)


def test_where_the_game_has_no_reason_the_choice_has_said_it_all():
    with pytest.raises(IllegalMove, match=r"^expected some of 3 moves, got: 'd'$"):
        check_moves(TOGETHER, {0: ["d"], 2: "a"}, reason)


def test_the_game_is_not_asked_about_what_cannot_be_read():
    with pytest.raises(InvalidMove, match=r"^expected a move as a string, got: 7$"):
        check_moves(ALONE, {1: 7}, None)


def test_a_match_is_over_when_nobody_is_asked():
    assert None is check_over(State({}))
    with pytest.raises(ValueError, match=r"^the match is not over: the seats \[0, 2\] are asked$"):
        check_over(TOGETHER)
