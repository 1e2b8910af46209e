"""Stellar: where a card may lie in a telescope."""

import pytest
from support.stellar_by_name import place_choice

from engines.stellar.cards import BITS, CARDS, NEAR, SECTIONS, SLOTS
from engines.stellar.moves import PLAYS

EDGES = (
    "T1-T2 T1-T3 T2-T3 T2-T4 T3-T5 T4-T5 T4-M1 T4-M2 T5-M2 T5-M3 M1-M2 M2-M3 "
    "M1-B1 M1-B2 M2-B2 M2-B3 M3-B3 M3-B4 B1-B2 B2-B3 B3-B4"
)


def up(built, card):
    """Return the slots in which *card* may lie face up."""
    return {PLAYS[move].slot for move in place_choice(built, card).options if not move.endswith("down")}


def neighbours(slot):
    return {other for other in SLOTS if NEAR[slot] & BITS[other]}


def test_there_are_twelve_slots_in_sections_of_five_three_and_four():
    assert ("T1", "T2", "T3", "T4", "T5", "M1", "M2", "M3", "B1", "B2", "B3", "B4") == SLOTS
    assert {"top": 5, "middle": 3, "bottom": 4} == {name: len(slots) for name, slots in SECTIONS.items()}
    assert list(SLOTS) == [slot for slots in SECTIONS.values() for slot in slots]


def test_the_slots_share_21_edges_and_those_that_touch_in_a_corner_none():
    edges = {frozenset((slot, other)) for slot in SLOTS for other in neighbours(slot)}
    assert {frozenset(edge.split("-")) for edge in EDGES.split()} == edges
    assert 21 == len(edges)


EMMA = "T1:P1.3, T2:P2.3, T4:P3.1, T5:M1.3, M2:M2.3, M3:M3.1, B1:A1.3, B2:A2.3, B3:C1.3"
MAY_LIE = [  # what lies there, another card, and where it may lie face up: *anywhere* is each free slot
    ("a type that is not there yet", "T1:M3.2, T4:P4.1", "A1.3", "anywhere"),
    ("ST3: one neighbour is enough", "T1:M3.2, T2:M1.3, T4:P1.3, M2:M2.3", "M4.1", "T3 T5 M1 M3 B2 B3"),
    ("ST4: cards face down and satellites do not help", "T1:M3.2, T2:M1.3 down, T3:S2", "M4.1", ""),
    ("ST4: satellites have no type", "T1:S1, T2:S2", "M4.1", "anywhere"),
    ("ST5: a type that is there without a free neighbour", "T1:M3.2, T2:P1.3, T3:A1.3", "M4.1", ""),
    ("ST6: any card may lie face down as well", "T1:M3.2, T2:M1.3, B4:S1", "P6.0", "anywhere"),
    ("ST7: a type only face down", "T1:M3.2, B1:P4.1 down, B2:P5.0 down", "P1.3", "anywhere"),
    ("ST14: a satellite", "T1:M3.2, B1:S4, B2:P5.0", "S5", "anywhere"),
    ("a 6/0 obeys the same rules as its type", "T1:M3.2", "M6.0", "T2 T3"),
    ("A23: Emma's third moon", EMMA, "M4.1", "T3 M1 B4"),
    ("A23: Emma's planet", EMMA, "P4.1", "T3 M1"),
    ("A23: a type that Emma has not", EMMA, "B4.1", "T3 M1 B4"),
]


@pytest.mark.parametrize(("ruling", "lying", "card", "slots"), MAY_LIE)
def test_a_card_may_lie_face_up_in_these_slots_and_face_down_in_every_free_one(ruling, lying, card, slots):
    built = dict(entry.split(":") for entry in lying.split(", "))
    free = {*SLOTS} - built.keys()
    assert (free if slots == "anywhere" else {*slots.split()}) == up(built, card), ruling
    moves = place_choice(built, card).options
    assert free == {PLAYS[move].slot for move in moves if move.endswith("down")}, ruling


@pytest.mark.parametrize("slot", SLOTS)
def test_st3_a_second_card_of_a_type_must_lie_beside_the_first(slot):
    assert neighbours(slot) == up({slot: "M3.2"}, "M1.3")


def test_a_type_with_neighbours_everywhere_still_needs_one():
    laid = dict.fromkeys(["T2", "T3", "T4", "T5", "M1", "M2", "M3", "B2", "B3"], "M1.3")
    assert {*SLOTS} == set.union(*(neighbours(slot) for slot in laid))
    assert {"T1", "B1", "B4"} == up(laid, "M4.1")
    assert {"B1", "B4"} == up({**laid, "T1": "M1.3"}, "M4.1")


def test_a_full_telescope_has_no_place():
    assert () == place_choice(dict.fromkeys(SLOTS, "S1"), "M4.1").options


def test_every_play_has_one_spelling():
    assert len(CARDS) * (2 * len(SLOTS) + 1) == len(PLAYS)
    assert all(f"{play.card}@{play.slot}" == move.removesuffix(" down") for move, play in PLAYS.items())
