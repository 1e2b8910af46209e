"""What the house bots of earlier releases import from the engines: homes keep their files, and play them."""

from importlib import import_module

import pytest

from engines.starry_sky.boards import BOARDS
from engines.starry_sky.outlook import Outlook
from engines.stella.deck import DEFAULT, trusted_deck
from engines.stella_quest import players, state, table
from engines.stella_quest.cards import CODES, codes_of
from engines.stella_quest.rounds import winner, winning_place
from engines.stellar.cards import CARDS
from engines.stellar.scoring import run

NAMES = {
    "starry_sky.boards": "BOARDS",
    "starry_sky.outlook": "Outlook",
    "starry_sky.tokens": "ALL DOUBLE HIDDEN HOLE NAMES VALUES",
    "stella.deck": "DEFAULT trusted_deck",
    "stella.scoring": "SPARK SUPER_SPARK",
    "stella_quest.cards": "BACKS BACK_CODES BACK_OF BREAK BREAK_BACK BREAK_CARD CODES DECK JEWELS NAMES "
    "NO_BACK NUMBERS codes_of",
    "stella_quest.players": "DUMMY ORDERS",
    "stella_quest.rounds": "NO_WINNER winner winning_place",
    "stella_quest.state": "DRAWN DUMMY HAND ORDERS",
    "stella_quest.table": "DRAWN HAND",
    "stellar.cards": "BITS CARDS DOWN DOWN_NUMBER NEAR SIX_ZERO SLOTS",
    "stellar.scoring": "run",
}


@pytest.mark.parametrize("module", NAMES)
def test_the_names_are_there(module):
    found = import_module(f"engines.{module}")
    assert [] == [name for name in NAMES[module].split() if not hasattr(found, name)]


def test_an_outlook_is_asked_as_before():
    board = Outlook("Ari", (5, 3), [None, 1, None, 2, 0], 3, 2.0)
    board.guess(1, ["5", "H"], 12.0)
    board.put(3, "D")
    board.put(4, "10")
    gains = board.gains(0, ["5", "H"], 2, 0.0)
    assert 4 == len(gains)  # for each free star each token of the hand
    assert max(gains) == gains[2]  # the number beside the double star


def test_functions_are_called_as_before():
    assert 3 == run([1, 2, 3, 5])
    assert 1 == winning_place(CODES["G1"], codes_of(["B1", "B5", "R6"]))
    assert 1 == winner("G1", ["B1", "B5", "R6"])
    assert (table.DRAWN, table.HAND) == (state.DRAWN, state.HAND)
    assert (players.DUMMY, players.ORDERS) == (state.DUMMY, state.ORDERS)


def test_cards_are_read_as_before():
    deck = trusted_deck({"cards": [{"id": "p1", "text": "A lantern.", "tags": ["light"]}]})
    assert ("A lantern.", ("light",)) == (deck.pictures["p1"].text, deck.pictures["p1"].tags)
    assert 2 == len({deck, DEFAULT})  # keys of caches
    assert ("A", 3, 2) == (CARDS["A3.2"].type, CARDS["A3.2"].number, CARDS["A3.2"].stars)
    assert (5, 3) == BOARDS["Ari"].prizes
