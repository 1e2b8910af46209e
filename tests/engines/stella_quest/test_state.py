"""Stella Quest: states as integers, copied, and written as JSON."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest

from engines import canonical, playout
from engines.game import shuffled
from engines.stella_quest import StellaQuest, players, state, table
from engines.stella_quest.cards import CODES, DECK, codes_of
from engines.stella_quest.rounds import NO_WINNER, winner, winning_place
from engines.stella_quest.testing import keeper

QUEST = StellaQuest()
each_table = pytest.mark.parametrize("seats", [2, 3, 4])


def match(seats, seed):
    rng = Random(seed)
    return [played.state for played in playout(QUEST, QUEST.deal(seats, rng), seats, keeper(rng))]


@each_table
def test_a_state_that_is_pickled_is_the_same_state_again(seats):
    for seed in range(3):
        for one in match(seats, seed):
            again = pickle.loads(pickle.dumps(one))
            assert (one, hash(one)) == (again, hash(again))


@each_table
def test_two_states_of_one_match_differ(seats):
    states = match(seats, 1)
    assert len(states) == len(set(states))


@each_table
def test_what_is_kept_of_a_view_belongs_to_the_copy_that_wrote_it(seats):
    rng = Random(2)
    position = QUEST.begin(QUEST.deal(seats, rng), seats)
    while not position.over:
        copies = [position.copy() for _ in range(2)]
        for _ in range(3):
            for copy in [one for one in copies if not one.over]:
                copy.play(copy.options()[int(rng.random() * len(copy.options()))])
                for seat in [*range(seats), None]:
                    assert canonical(QUEST.view(copy, seat)) == canonical(json.loads(copy.write_view(seat)))
        position.play(position.options()[0])


def test_a_winner_by_name_is_the_winner_by_code():
    rng = Random(4)
    for _ in range(200):
        top, *cards = shuffled(DECK, rng)[: 3 + int(3 * rng.random())]
        place = winning_place(CODES[top], codes_of(cards))
        assert winner(top, cards) == (None if place == NO_WINNER else place)
    assert winner("B1", ["XX", "XX"]) is None


def test_names_for_bots_stand_where_their_versions_import_them():
    assert (table.DRAWN, table.HAND) == (state.DRAWN, state.HAND)
    assert (players.DUMMY, players.ORDERS) == (state.DUMMY, state.ORDERS)
