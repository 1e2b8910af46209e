"""Stellar: deals made, deals refused, and answers that are no moves."""

import copy
from random import Random

import pytest
from support.broken_deals import break_deal, check_refused_or_playable
from support.draws import draws

from engines.stellar import Stellar
from engines.stellar.luck import complete_deal

STELLAR = Stellar()
STARTERS = ["A3.2", "B3.2", "C3.2", "M3.2", "P3.2"]
OF_A_TYPE = ["1.3", "1.3", "2.3", "2.2", "3.2", "3.1", "4.1", "4.1", "5.1", "5.0", "6.0"]
CARDS = sorted([*(kind + card for kind in "PMACB" for card in OF_A_TYPE), "S1", "S2", "S3", "S4", "S5"])
"""The 60 names as the page lists them."""


def dealt(**more):
    """Return a deal: seat 0 has the asteroid and the black hole, seat 1 the cloud and the moon."""
    deck = [card for card in CARDS if card not in STARTERS[:4]]
    whole = {"options": {}, "first": 0, "starters": STARTERS, "deck": deck, "reshuffles": [CARDS]}
    return whole | more


# Deals made.


def test_every_starter_and_every_card_comes_to_every_place_in_random_deals():
    deals = [STELLAR.deal(2, Random(seed)) for seed in range(600)]
    for place in range(5):
        assert set(STARTERS) == {deal["starters"][place] for deal in deals}
    for place in (0, 3, 8, 9, 55):
        assert set(CARDS) == {deal["deck"][place] for deal in deals} | set(STARTERS)
    assert set(CARDS) == {order[0] for deal in deals for order in deal["reshuffles"]}


def test_a_deal_written_by_hand_is_completed_in_the_order_of_the_names():
    deal = complete_deal({"starters": ["M3.2", "P3.2", "A3.2", "C3.2", "B3.2"], "deck": ["S5", "P1.3"]})
    assert ["S5", "P1.3", "A1.3", "A1.3"] == deal["deck"][:4]
    assert CARDS == sorted([*deal["starters"][:4], *deal["deck"]])
    assert (0, {}, [CARDS]) == (deal["first"], deal["options"], deal["reshuffles"])


# Deals refused.


def test_a15_one_reshuffle_order_is_enough_and_a_deal_may_hold_tuples():
    STELLAR.start(dealt(reshuffles=(tuple(CARDS),)), 2)


def without(card, *more):
    """Return the deck of `dealt` with *more* cards in the place of one *card*."""
    deck = dealt()["deck"]
    at = deck.index(card)
    return [*deck[:at], *more, *deck[at + 1 :]]


WRONG = [
    ("first", 2, "first .* got: 2"),
    ("starters", [*STARTERS[:4], "P3.1"], "starters .*'P3.1'"),
    ("starters", [*STARTERS[:4], "A3.2"], "starters .*'(A3.2|P3.2)'"),
    ("starters", STARTERS[:4], "starters .*'P3.2'.* 0"),
    ("starters", [*STARTERS, "A3.2"], "starters .*'A3.2'.* 2"),
    ("deck", CARDS, "deck .*'A3.2'.* 2"),
    ("deck", without("S4"), "deck .*'S4'.* 0"),
    ("deck", without("S4", "S4", "S4"), "deck .*'S4'.* 2"),
    ("deck", without("S4", "S6"), "deck .*'(S4|S6)'"),
    ("deck", without("P3.2", "A3.2"), "deck .*'(P3.2|A3.2)'"),
    ("deck", "P1.3", "deck as a list .* got: 'P1.3'"),
    ("reshuffles", [], "at least one order in reshuffles"),
    ("reshuffles", None, "at least one order in reshuffles"),
    ("reshuffles", "P1.3", r"reshuffles"),
    ("reshuffles", [CARDS[1:]], r"reshuffles\[0\] .*'A1.3'"),
    ("reshuffles", [CARDS, ["P1.3"] * 60], r"reshuffles\[1\]"),
    ("reshuffles", [CARDS, None], r"reshuffles\[1\] as a list .* got: None"),
    ("options", {"face_down": "three"}, "option .* got: 'face_down'"),
    ("options", {"face_down_number": 3}, "face_down_number .* got: 3"),
    ("options", {"face_down_number": None}, "face_down_number .* got: None"),
    ("options", {"face_down_number": ["three"]}, r"face_down_number .* got: \['three'\]"),
]


@pytest.mark.parametrize(("key", "value", "fault"), WRONG)
def test_a15_an_impossible_deal_is_refused_and_the_fault_named(key, value, fault):
    deal = dealt() | {key: value}
    before = copy.deepcopy(deal)
    with pytest.raises(ValueError, match=fault):
        STELLAR.start(deal, 2)
    assert before == deal


@draws(40, 200, break_deal(STELLAR.deal(2, Random(1))))
def test_a_broken_deal_is_refused_by_name_or_can_be_played(deal):
    check_refused_or_playable(STELLAR, deal, 2)
