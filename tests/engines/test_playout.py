"""Playing any game: playouts, replays, digests."""

from random import Random

import pytest
from support.games import each_table

from engines import GAMES, IllegalMove, canonical, deal_digest, onwards, playout, replay


@each_table
def test_a_playout_begins_with_the_start_and_ends_when_nobody_is_asked(game, seats):
    deal = game.deal(seats, Random(1))
    match = list(playout(game, deal, seats, Random(2)))
    assert ({}, *game.start(deal, seats)) == match[0]
    assert all(game.choices(played.state) for played in match[:-1])
    assert {} == game.choices(match[-1].state)


@each_table
def test_a_policy_is_asked_for_every_seat_that_must_act(game, seats):
    asked = []

    def first(state, seat, choice):
        asked.append((state, seat))
        return next(iter(choice))

    match = list(playout(game, game.deal(seats, Random(1)), seats, first))
    states = [played.state for played in match]
    assert [(state, seat) for state in states for seat in game.choices(state)] == asked


@each_table
def test_play_goes_onwards_from_any_state(game, seats):
    match = list(playout(game, game.deal(seats, Random(1)), seats, Random(2)))
    middle = match[(len(match) - 1) // 2].state  # the last one is over, and a match may have one step
    *_, last = onwards(game, middle, Random(3))
    assert {} == game.choices(last.state)
    assert [] == list(onwards(game, last.state, Random(3)))


def test_a_replay_takes_a_bare_move_where_one_seat_is_asked():
    game = GAMES["stellar"]
    deal = game.deal(2, Random(1))
    match = list(playout(game, deal, 2, Random(2)))
    moves = [
        next(iter(played.moves.values())) if len(played.moves) == 1 else played.moves for played in match[1:]
    ]
    assert [(played.state, played.events) for played in match] == list(replay(game, deal, 2, moves))


def test_a_replay_stops_at_an_illegal_move():
    game = GAMES["stellar"]
    with pytest.raises(IllegalMove):
        list(replay(game, game.deal(2, Random(1)), 2, ["take 1"]))


def test_canonical_text_is_compact_and_does_not_depend_on_the_order_of_keys():
    assert '{"a":[1,"é"],"b":null}' == canonical({"b": None, "a": [1, "é"]})
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))


def test_the_digest_of_a_deal_is_the_sha_256_of_its_canonical_text():
    assert "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" == deal_digest({})
    assert deal_digest({"a": 1, "b": 2}) == deal_digest({"b": 2, "a": 1}) != deal_digest({"a": 1, "b": 3})
