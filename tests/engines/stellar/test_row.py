"""Stellar: wiping the row, refilling it, and the piles.  One test a ruling, from deals written by hand."""

from collections import Counter
from random import Random

import pytest
from support.stellar_by_name import STELLAR, after, asked, dealt

from engines import playout
from engines.stellar.cards import CARDS, DECK, SLOTS


def at_turn(turn):
    """Return the state of a random match in which *turn* begins."""
    rng = Random(1)
    match = playout(STELLAR, STELLAR.deal(2, rng), 2, rng)
    return next(played.state for played in match if (turn, "take") == (played.state.turn, played.state.step))


def first_option(state, seat, choice):
    return choice.options[0]


# Wiping the row.

KEEPS = [
    pytest.param(("take 3", "C2.3@T2"), id="kept in hand"),
    pytest.param(("take 3", "S3@notebook", "A1.3@B1"), id="in the notebook"),
    pytest.param(("take 3", "S3@B2"), id="in the telescope"),
    pytest.param(("take 3", "S3@B2 down"), id="face down"),
]


@pytest.mark.parametrize("moves", KEEPS)
def test_st20_and_a7_a_satellite_taken_lets_the_other_seat_wipe_first_whatever_became_of_it(moves):
    state = after(dealt(), *moves).state
    assert {1: ["keep", "wipe"]} == asked(state)
    assert (1, "wipe") == (state.turn, state.step)
    assert None not in state.row


def test_st20_a_wipe_discards_the_row_and_deals_a_new_one():
    before = after(dealt(), "take 3", "C2.3@T2").state
    state, events = STELLAR.play(before, {1: "wipe"})
    assert tuple(sorted(before.row)) == state.discards
    assert before.pile[:5] == state.row
    assert {1: ["take 1", "take 2", "take 3", "take 4", "take 5"]} == asked(state)
    assert [{"event": "wipe", "seat": 1, "row": list(state.row)}] == [event.seen_by(0) for event in events]


def test_st20_keeping_the_row_changes_nothing_and_is_seen():
    before = after(dealt(), "take 3", "C2.3@T2").state
    state, events = STELLAR.play(before, {1: "keep"})
    assert (before.row, before.pile, before.discards) == (state.row, state.pile, state.discards)
    assert [{"event": "keep", "seat": 1}] == [event.seen_by(None) for event in events]
    assert "take" == state.step


def test_st20_the_wiper_gives_nobody_a_wipe_and_a7_a_satellite_after_a_wipe_does():
    deal = dealt("C2.3 A2.2  B2.3 M2.2  P1.3 P6.0 S3 C4.1 B5.0  A1.3 M5.0  S1 C1.3 A1.3 S5 M1.3")
    state = after(deal, "take 3", "C2.3@T2", "wipe", "take 2", "B2.3@T2").state
    assert ("take", [0]) == (state.step, list(asked(state)))
    state = after(deal, "take 3", "C2.3@T2", "wipe", "take 1", "B2.3@T2").state
    assert ("wipe", [0]) == (state.step, list(asked(state)))


def test_a7_the_wipe_is_asked_about_the_row_as_it_lies_after_the_refill():
    deal = dealt("C2.3 A2.2  B2.3 M2.2  P1.3 P6.0 S3 C4.1 B5.0  S1 M5.0")
    state = after(deal, "take 3", "C2.3@T2").state
    assert ["P1.3", "S1", "M5.0", "C4.1", "B5.0"] == STELLAR.view(state, 1)["row"]
    state = STELLAR.play(state, {1: "wipe"}).state
    assert ("B5.0", "C4.1", "M5.0", "P1.3", "S1") == state.discards


def test_st19_taking_no_satellite_lets_nobody_wipe():
    assert "take" == after(dealt(), "take 1", "C2.3@T2").state.step


def test_st21_the_taker_of_the_last_turn_lets_nobody_wipe():
    state = at_turn(21)
    seat = next(iter(STELLAR.choices(state)))
    state = state._replace(row=("S1", *state.row[1:]))
    state = STELLAR.play(state, {seat: "take 1"}).state
    state = STELLAR.play(state, {seat: STELLAR.choices(state)[seat].options[0]}).state
    assert ("final", {0, 1}) == (state.step, set(STELLAR.choices(state)))


# The piles.


def with_pile(state, size):
    """Return *state* with only *size* cards left in the draw pile; the others are discarded."""
    discards = tuple(sorted(state.discards + state.pile[size:]))
    return state._replace(pile=state.pile[:size], discards=discards)


def test_a6_a_wipe_with_two_cards_left_fills_two_slots_and_then_reshuffles_all_discards_with_the_row():
    order = [*reversed(DECK)]
    before = with_pile(after(dealt(reshuffles=[order]), "take 3", "C2.3@T2").state, 2)
    state, (event,) = STELLAR.play(before, {1: "wipe"})
    discarded = sorted(before.discards + before.row, key=order.index)
    assert before.pile == state.row[:2]
    assert tuple(discarded[:3]) == state.row[2:]
    assert tuple(discarded[3:]) == state.pile
    assert ((), 1) == (state.discards, state.reshuffles)
    assert {"event": "wipe", "seat": 1, "row": list(state.row), "reshuffled": True} == event.seen_by(None)


def test_a6_a_pile_that_becomes_empty_on_the_last_needed_card_is_not_reshuffled_yet():
    before = with_pile(after(dealt(), "take 3", "C2.3@T2").state, 5)
    state, (event,) = STELLAR.play(before, {1: "wipe"})
    assert ((), 0) == (state.pile, state.reshuffles)
    assert "reshuffled" not in event.public
    state = STELLAR.play(state, {1: "take 1"}).state
    state = STELLAR.play(state, {1: "M6.0@notebook"}).state  # a 6/0 needs the draw pile
    assert (1, ()) == (state.reshuffles, state.discards)


def test_st22_and_a5_the_first_name_of_the_order_is_drawn_next_and_equal_names_come_as_often_as_they_occur():
    names = Counter(DECK)
    order = [
        "P1.3",
        "A4.1",
        "P1.3",
        "A4.1",
        *sorted((names - Counter(["P1.3"] * 2 + ["A4.1"] * 2)).elements()),
    ]
    before = after(dealt(reshuffles=[order]), "take 1").state
    hand = Counter(("P1.3", "C2.3", "P6.0"))
    assert hand == Counter(before.players[0].hand)
    before = before._replace(pile=(), discards=("A4.1", "A4.1", "B1.3", "P1.3"))
    state, events = STELLAR.play(before, {0: "P6.0@notebook"})
    assert "P1.3" == state.waiting
    assert ("A4.1", "A4.1", "B1.3") == state.pile
    assert [True] == [event.public["reshuffled"] for event in events]


def test_a5_the_orders_are_used_one_after_the_other_and_then_from_the_start():
    orders = [sorted(DECK), sorted(DECK, reverse=True)]
    before = after(dealt(reshuffles=orders), "take 1").state
    waiting = []
    for k in range(4):
        state = before._replace(pile=(), discards=("A4.1", "B1.3", "C5.0"), reshuffles=k)
        state = STELLAR.play(state, {0: "P6.0@notebook"}).state
        waiting.append((state.waiting, state.reshuffles))
    assert [("A4.1", 1), ("C5.0", 2), ("A4.1", 3), ("C5.0", 4)] == waiting


def test_st23_pile_and_discards_hold_47_cards_less_two_a_turn():
    for seed in range(10):
        rng = Random(seed)
        for played in playout(STELLAR, STELLAR.deal(2, rng), 2, rng):
            state = played.state
            if state.step in ("take", "wipe"):
                assert 47 - 2 * state.turn == len(state.pile) + len(state.discards)


def test_st23_without_a_wipe_the_pile_lasts():
    *_, last = playout(STELLAR, dealt(), 2, first_option)  # which keeps
    assert (3, 0) == (len(last.state.pile), last.state.reshuffles)


def test_st24_the_row_is_refilled_from_slot_1():
    state = after(dealt(), "take 4", "C2.3@T2").state  # A2.3 leaves slot 2
    assert ("P1.3", "A1.3", "S3", "M5.0", "B5.0") == state.row


def test_st25_and_a4_the_row_is_refilled_after_the_last_turn_also_if_that_takes_a_reshuffle():
    state = with_pile(at_turn(21), 1)
    seat = next(iter(STELLAR.choices(state)))
    state = STELLAR.play(state, {seat: "take 1"}).state
    card = next(card for card in state.players[seat].hand if CARDS[card].number in range(2, 6))
    slot = next(slot for slot in SLOTS if slot not in state.players[seat].telescope)
    state, events = STELLAR.play(state, {seat: f"{card}@{slot} down"})  # so two slots are empty
    assert "final" == state.step
    assert None not in state.row
    assert 1 == state.reshuffles
    assert events[-1].public["reshuffled"]
