"""Positions, which are played on in place and written as bytes, agree with states and dictionaries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from engines.contract.secrets import random_options
from engines.contract.subject import Subject, matches_of
from engines.game import Game, IllegalMove, Json
from engines.playout import onwards
from engines.position import PlainPosition, round_of

FEW = 60
"""Choices with more moves than this are looked at in part."""


def compact(value: Json) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def matches(game: Game[Any], seats: int, seeds: int) -> Iterator[tuple[Any, Any, Random]]:
    """Yield random matches as a position and the step that it must agree with, before each of its steps.

    The position is the same one all along; the state is a new one each time.
    """
    for seed in range(seeds):
        rng = Random(seed)
        deal = game.deal(seats, rng, random_options(game, rng))
        position, step = game.begin(deal, seats), game.start(deal, seats)
        yield position, step, rng
        while choices := game.choices(step.state):
            moves = {seat: choice.sample(rng) for seat, choice in choices.items()}
            step = game.play(step.state, moves)
            for seat, move in moves.items():
                position.play(position.option_of(seat, move))
            yield position, step, rng


def test_a_position_writes_what_the_dictionaries_say(subject: Subject, seats: int) -> None:
    game = subject.game
    for position, step, _ in matches(game, seats, 4):
        for seat in [*range(seats), None]:
            assert compact(game.view(step.state, seat)) == position.write_view(seat)
            assert [compact(event.seen_by(seat)) for event in step.events] == position.write_events(seat)
        for seat, choice in game.choices(step.state).items():
            assert compact(choice.to_json()) == position.write_choice(seat)


def test_a_position_writes_what_the_dictionaries_say_of_what_is_rare(subject: Subject) -> None:
    game = subject.game
    for seats, (state, events) in subject.known.rare(partial(matches_of, subject)):
        position = game.position(state)
        # a state that is a position remembers the events of the step that led to it
        told = state if hasattr(state, "write_events") else PlainPosition(game, state, events)
        for seat in [*range(seats), None]:
            assert compact(game.view(state, seat)) == position.write_view(seat)
            assert [compact(event.seen_by(seat)) for event in events] == told.write_events(seat)
        for seat, choice in game.choices(state).items():
            assert compact(choice.to_json()) == position.write_choice(seat)


def test_a_position_of_any_state_writes_what_the_dictionaries_say(subject: Subject, seats: int) -> None:
    game = subject.game
    for _, step, rng in matches(game, seats, 1):
        for state in (step.state, game.imagine(game.view(step.state, 0), rng)):
            position = game.position(state)
            assert compact(game.view(state, 0)) == position.write_view(0)
            assert [] == position.write_events(0)


def test_the_options_are_the_moves_of_the_choices_in_their_order(subject: Subject, seats: int) -> None:
    game = subject.game
    for position, step, _ in matches(game, seats, 2):
        choices = game.choices(step.state)
        assert [*choices] == [*position.seats()]
        assert position.over == (not choices)
        for seat, choice in choices.items():
            options = position.options_of(seat)
            assert choice.count() == len(options)
            for option, move in zip(options[:FEW], choice, strict=False):
                assert option == position.option_of(seat, move)
                assert position.allows(seat, option)


def test_only_the_options_of_a_seat_are_open_to_it(subject: Subject, seats: int) -> None:
    game = subject.game
    seen: set[int] = set()
    for position, _, _ in matches(game, seats, 1):
        for seat in position.seats():
            options = position.options_of(seat)
            seen.update(options[:FEW])
            for option in seen:
                assert (option in options) == position.allows(seat, option)
            with pytest.raises(IllegalMove):
                position.option_of(seat, "nonsense")


def test_a_move_has_the_notation_of_its_option(subject: Subject, seats: int) -> None:
    for position, _, rng in matches(subject.game, seats, 1):
        copy = position.copy()
        for seat in position.seats():
            assert seat == copy.seat
            options = copy.options()
            assert options == copy.options_of(seat)
            move = copy.move_of(option := options[int(rng.random() * len(options))])
            assert option == copy.option_of(seat, move)
            copy.play(option)


def test_a_position_that_is_over_has_no_seats_and_no_options(subject: Subject, seats: int) -> None:
    *_, (position, _, _) = matches(subject.game, seats, 1)
    for last in (position, position.copy()):
        assert (True, 0, [], []) == (last.over, last.seat, [*last.seats()], [*last.options()])


def test_a_list_that_a_position_hands_out_is_not_its_own(subject: Subject, seats: int) -> None:
    for position, _, _ in matches(subject.game, seats, 1):
        asked = (*position.seats(),)
        lists = [position.seats, position.points, *(partial(position.options_of, seat) for seat in asked)]
        for given in lists:
            before = [*(given() or ())]
            if isinstance(handed := given(), list):
                handed.clear()
            assert before == [*(given() or ())]


def test_nothing_is_shown_before_the_last_seat_has_chosen(subject: Subject, seats: int) -> None:
    game = subject.game
    for position, step, _ in matches(game, seats, 1):
        copy = position.copy()
        for seat in position.seats():
            for other in [*range(seats), None]:
                assert compact(game.view(step.state, other)) == copy.write_view(other)
            assert seat == copy.seat
            copy.play(copy.options()[0])


def test_a_copy_is_played_on_by_itself(subject: Subject, seats: int) -> None:
    game = subject.game
    for position, step, rng in matches(game, seats, 1):
        copy = position.copy()
        while not copy.over:
            options = copy.options()
            copy.play(options[int(rng.random() * len(options))])
        assert len(copy.outcome().ranks) == seats
        for seat in [*range(seats), None]:
            assert compact(game.view(step.state, seat)) == position.write_view(seat)


def test_a_playout_is_the_match_that_the_states_make(subject: Subject, seats: int) -> None:
    game = subject.game
    for number, (position, step, _) in enumerate(matches(game, seats, 2)):
        state = step.state
        for played in onwards(game, state, Random(number)):
            state = played.state
        outcome = game.outcome(state)
        assert (outcome.ranks, outcome.scores) == position.playout(Random(number))
        assert (outcome.ranks, outcome.scores) == game.position(step.state).playout(Random(number))


def test_points_and_rounds_are_those_that_the_view_tells(subject: Subject, seats: int) -> None:
    game = subject.game
    for position, step, _ in matches(game, seats, 2):
        view = game.view(step.state, None)
        points = position.points()
        assert game.points(view) == (None if points is None else tuple(points))
        assert (round_of(view) or 1) == position.round
        tallies = game.tallies(view)
        assert len(tallies) <= 8
        assert all(len(counts) == seats for counts in tallies.values())


def test_a_round_ends_where_the_next_one_begins(subject: Subject, seats: int) -> None:
    for number, (position, _, _) in enumerate(matches(subject.game, seats, 1)):
        before = position.write_view(None)
        for rounds in (1, 2):
            later = position.play_on(Random(number), rounds=rounds)
            assert later.over or position.round + rounds == later.round
            assert later.write_view(None) == position.play_on(Random(number), rounds=rounds).write_view(None)
        assert before == position.write_view(None)
    with pytest.raises(ValueError, match="expected at least one round, got 0"):
        position.play_on(Random(0), rounds=0)


def test_played_on_to_the_end_it_is_a_playout(subject: Subject, seats: int) -> None:
    for number, (position, _, _) in enumerate(matches(subject.game, seats, 1)):
        outcome = position.play_on(Random(number), rounds=1_000_000).outcome()
        assert (tuple(outcome.ranks), tuple(outcome.scores)) == position.playout(Random(number))


def test_a_policy_chooses_for_every_seat_and_only_what_is_offered(subject: Subject, seats: int) -> None:
    asked: list[int] = []

    def last(position: Any, seat: int, rng: Random) -> int:
        assert seat == position.seat
        asked.append(seat)
        return int(position.options()[-1])

    position, _, _ = next(matches(subject.game, seats, 1))
    copy = position.copy()
    later = position.play_on(Random(0), last, rounds=2)
    for seat in asked:
        assert seat == copy.seat
        copy.play(copy.options()[-1])
    assert copy.write_view(None) == later.write_view(None)
    with pytest.raises(ValueError, match="which is not among its options"):
        position.play_on(Random(0), lambda position, seat, rng: -7)


def test_a_position_of_a_state_leaves_the_state_as_it_is(subject: Subject, seats: int) -> None:
    game = subject.game
    for _, step, rng in matches(game, seats, 1):
        before = hash(step.state)
        position = game.position(step.state)
        while not position.over:
            options = position.options()
            position.play(options[int(rng.random() * len(options))])
        assert before == hash(step.state)
