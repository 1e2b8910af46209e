"""Stella Quest: states as integers, copied, and written as JSON."""

from __future__ import annotations

from random import Random

import pytest

from engines import playout
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
