"""The position of a game that does nothing for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from support.short_game import Showdown, State

from engines import Event, Move, OneOf, Seat, Step


class KeepsMoves(Showdown):
    """The game, with the very mapping of moves in an event."""

    def play(self, state: State, moves: Mapping[Seat, Move]) -> Step[State]:
        after, events = super().play(state, moves)
        return Step(after, (*events, Event("moves", {"moves": moves})))


def test_a_game_may_keep_the_moves_that_it_is_given() -> None:
    game = KeepsMoves()
    position = game.begin(game.deal(2, Random(1)), 2)
    made: dict[str, Any] = {}
    while not position.over:
        option = position.options()[0]
        made[str(position.seat)] = position.move_of(option)
        position.play(option)
    assert {"event": "moves", "moves": made} == json.loads(position.write_events(None)[-1])


def test_a_move_is_named_once_for_the_record_and_for_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[int] = []
    move_at = OneOf.move_at
    monkeypatch.setattr(OneOf, "move_at", lambda choice, rank: named.append(rank) or move_at(choice, rank))
    game = Showdown()
    position = game.begin(game.deal(2, Random(1)), 2)
    while not position.over:
        for option in position.options():
            assert option == position.option_of(position.seat, position.move_of(option))
        named.clear()
        position.move_of(0)
        position.play(0)
        assert [0] == named
