"""The position of a game that does nothing for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from support.short_game import Showdown, State

from engines import Event, Move, Seat, Step


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
