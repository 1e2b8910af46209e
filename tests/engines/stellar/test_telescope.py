"""Stellar: where a card may lie in a telescope."""

import pytest
from support.stellar_by_name import ByName, place_choice

from engines.stellar.cards import BITS, CARDS, NEAR, SECTIONS, SLOTS
from engines.stellar.moves import PLAYS

STELLAR = ByName()
EDGES = (
    "T1-T2 T1-T3 T2-T3 T2-T4 T3-T5 T4-T5 T4-M1 T4-M2 T5-M2 T5-M3 M1-M2 M2-M3 "
    "M1-B1 M1-B2 M2-B2 M2-B3 M3-B3 M3-B4 B1-B2 B2-B3 B3-B4"
)
DEGREES = {
    "T1": 2,
    "T2": 3,
    "T3": 3,
    "T4": 4,
    "T5": 4,
    "M1": 4,
    "M2": 6,
    "M3": 4,
    "B1": 2,
    "B2": 4,
    "B3": 4,
    "B4": 2,
}


def telescope(**cards):
    """Return a telescope: telescope(T1="M3.2", T2="P4.1 down")."""
    return cards


def up(built, card):
    """Return the slots in which *card* may lie face up."""
    return {PLAYS[move].slot for move in place_choice(built, card).options if not move.endswith("down")}


def down(built, card):
    return {PLAYS[move].slot for move in place_choice(built, card).options if move.endswith("down")}


def free(built):
    return set(SLOTS) - set(built)


def neighbours(slot):
    return {other for other in SLOTS if NEAR[slot] & BITS[other]}


def test_there_are_twelve_slots_in_sections_of_five_three_and_four():
    assert ("T1", "T2", "T3", "T4", "T5", "M1", "M2", "M3", "B1", "B2", "B3", "B4") == SLOTS
    assert {"top": 5, "middle": 3, "bottom": 4} == {name: len(slots) for name, slots in SECTIONS.items()}
    assert list(SLOTS) == [slot for slots in SECTIONS.values() for slot in slots]


def test_the_slots_share_21_edges():
    edges = {frozenset((slot, other)) for slot in SLOTS for other in neighbours(slot)}
    assert {frozenset(edge.split("-")) for edge in EDGES.split()} == edges
    assert 21 == len(edges)
    assert DEGREES == {slot: len(neighbours(slot)) for slot in SLOTS}


def test_slots_that_touch_in_a_corner_are_not_neighbours():
    assert "T5" not in neighbours("T2")
    assert "T4" not in neighbours("T3")


def test_a_type_that_is_not_there_yet_may_lie_in_any_free_slot():
    built = telescope(T1="M3.2", T4="P4.1")
    assert free(built) == up(built, "A1.3")


@pytest.mark.parametrize("slot", SLOTS)
def test_st3_a_second_card_of_a_type_must_lie_beside_the_first(slot):
    assert neighbours(slot) == up(telescope(**{slot: "M3.2"}), "M1.3")


def test_st3_one_neighbour_of_the_type_is_enough_and_groups_need_not_be_connected():
    built = telescope(T1="M3.2", T2="M1.3", T4="P1.3", M2="M2.3")
    assert {"T3", "T5", "M1", "M3", "B2", "B3"} == up(built, "M4.1")


def test_st4_cards_face_down_and_satellites_do_not_help():
    built = telescope(T1="M3.2", T2="M1.3 down", T3="S2")
    assert set() == up(built, "M4.1")
    moons_anywhere = telescope(T1="S1", T2="S2")
    assert free(moons_anywhere) == up(moons_anywhere, "M4.1")


def test_st5_a_type_that_is_there_but_has_no_free_neighbour_must_lie_face_down():
    built = telescope(T1="M3.2", T2="P1.3", T3="A1.3")
    assert set() == up(built, "M4.1")
    assert free(built) == down(built, "M4.1")


@pytest.mark.parametrize("card", ["M4.1", "A1.3", "S4", "P6.0"])
def test_st6_any_card_may_lie_face_down_in_any_free_slot(card):
    built = telescope(T1="M3.2", T2="M1.3", B4="S1")
    assert free(built) == down(built, card)


def test_st7_a_type_that_is_there_only_face_down_may_lie_in_any_free_slot():
    built = telescope(T1="M3.2", B1="P4.1 down", B2="P5.0 down")
    assert free(built) == up(built, "P1.3")


def test_st14_a_satellite_may_lie_in_any_free_slot_also_face_down():
    built = telescope(T1="M3.2", B1="S4", B2="P5.0")
    assert free(built) == up(built, "S5") == down(built, "S5")


def test_a_6_0_obeys_the_same_rules_as_its_type():
    assert {"T2", "T3"} == up(telescope(T1="M3.2"), "M6.0")


A23 = telescope(
    T1="P1.3", T2="P2.3", T4="P3.1", T5="M1.3", M2="M2.3", M3="M3.1", B1="A1.3", B2="A2.3", B3="C1.3"
)


@pytest.mark.parametrize(
    ("card", "slots"), [("M4.1", {"T3", "M1", "B4"}), ("P4.1", {"T3", "M1"}), ("B4.1", {"T3", "M1", "B4"})]
)
def test_a23_a_telescope_like_emmas_has_three_two_and_three_places(card, slots):
    assert slots == up(A23, card)


def test_a_type_with_neighbours_everywhere_still_needs_one():
    laid = dict.fromkeys(["T2", "T3", "T4", "T5", "M1", "M2", "M3", "B2", "B3"], "M1.3")
    built = telescope(**laid)
    assert {*SLOTS} == set.union(*(neighbours(slot) for slot in laid))
    assert {"T1", "B1", "B4"} == up(built, "M4.1")
    assert {"B1", "B4"} == up(telescope(**laid, T1="M1.3"), "M4.1")


def test_a_full_telescope_has_no_place():
    assert () == place_choice(telescope(**dict.fromkeys(SLOTS, "S1")), "M4.1").options


def test_every_play_has_one_spelling():
    assert len(CARDS) * (2 * len(SLOTS) + 1) == len(PLAYS)
    assert all(f"{play.card}@{play.slot}" == move.removesuffix(" down") for move, play in PLAYS.items())
