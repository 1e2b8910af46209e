"""The position of a game that does nothing for it."""

import json
from random import Random
from typing import Any

from support.short_game import Showdown

from engines import Event, OneOf, Step
from engines.position import read_events, read_view


class KeepsMoves(Showdown):
    """The game, with the very mapping of moves in an event."""

    def play(self, state, moves):
        after, events = super().play(state, moves)
        return Step(after, (*events, Event("moves", {"moves": moves})))


def test_a_game_may_keep_the_moves_that_it_is_given():
    game = KeepsMoves()
    position = game.begin(game.deal(2, Random(1)), 2)
    made: dict[str, Any] = {}
    while not position.over:
        option = position.options()[0]
        made[str(position.seat)] = position.move_of(option)
        position.play(option)
    assert {"event": "moves", "moves": made} == json.loads(position.write_events(None)[-1])


def test_a_move_is_named_once_for_the_record_and_for_the_game(monkeypatch):
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


class Written:
    """A position that has written already."""

    def write_view(self, seat):
        return b'{"seats":3,"seat":%b}' % (b"null" if seat is None else b"%d" % seat)

    def write_events(self, seat):
        own = {1: b'{"event":"draw","seat":1,"card":"A2","twice":true}'}
        return [own.get(seat, b'{"event":"draw","seat":1,"card":"back"}'), b'{"event":"end"}']


def test_a_view_is_read_from_what_its_position_writes():
    assert {"seats": 3, "seat": None} == read_view(Written(), None)
    assert {"seats": 3, "seat": 2} == read_view(Written(), 2)


def test_what_a_seat_sees_instead_of_a_spectator_or_besides_is_private_to_it():
    draw = Event("draw", {"seat": 1, "card": "back"}, {1: {"card": "A2", "twice": True}})
    assert (draw, Event("end")) == read_events(Written(), 3)
