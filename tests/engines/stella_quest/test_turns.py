"""Stella Quest: deal, plays, drawing and shuffling.  One test a ruling, from deals written by hand."""

from collections import Counter
from random import Random

import pytest
from hypothesis import strategies as st
from support.broken_deals import break_deal, check_started_or_refused
from support.draws import draws
from support.stella_quest_by_name import QUEST, ask_next, kinds, options, play
from support.told import put

from engines import IllegalMove, replay
from engines.stella_quest.cards import BACKS, DECK, JEWELS, NUMBERS
from engines.stella_quest.luck import complete_deal
from engines.stella_quest.players import ORDERS

HANDS = ["B4 B6 G2 R3 Y1", "B2 G5 R6 XX Y4", "G3 G4 R1 R2 XX", "Y1 Y2 Y3 R5 XX"]
PILE = "R5 B5 Y2 G3 XX B1 G6"


def dealt(*hands, top="G1", pile=PILE, **more):
    """Return a deal with these hands, the card turned up, and what is drawn first."""
    return complete_deal({"deck": " ".join([*hands, top, pile]).split()} | more)


def after(seats, *moves, **deal):
    """Return the last step of a match in which *moves* are made."""
    *_, step = replay(QUEST, dealt(*HANDS[:seats], **deal), seats, moves)
    return step


def start(seats=3, **deal):
    return after(seats, **deal).state


def holding(state, seat, hand, lights=None):
    """Return *state* with another hand in *seat*, and with other lights if they are given."""
    lit = state.lights if lights is None else put(state.lights, seat, lights)
    return state._replace(hands=put(state.hands, seat, sorted(hand.split())), lights=lit)


def piled(state, pile, discards=None):
    """Return *state* with another draw pile, and other discards below the top one."""
    cards = state.discards if discards is None else (*discards.split(), state.top)
    return state._replace(pile=pile.split(), discards=cards)


# The cards and the deal.


def test_there_are_48_emotion_cards_two_of_each_and_6_break_cards():
    assert 54 == len(DECK)
    assert dict.fromkeys(NUMBERS, 2) | {"XX": 6} == Counter(DECK)
    assert {colour + number for colour in "BGRY" for number in "123456"} == set(NUMBERS)


def test_jewels_are_3_on_1_and_2_and_2_on_3_and_4_and_1_on_5_and_6():
    for card, jewels in JEWELS.items():
        assert {1: 3, 2: 3, 3: 2, 4: 2, 5: 1, 6: 1}[NUMBERS[card]] == jewels


def test_backs_show_the_colour_and_a_break_card_its_own_grey():
    assert ("B?", "G?", "R?", "Y?", "XX") == tuple(BACKS[card] for card in ("B4", "G1", "R6", "Y2", "XX"))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_five_cards_for_each_hand_one_is_turned_up_and_the_rest_is_the_draw_pile(seats):
    state = start(seats)
    assert [sorted(hand.split()) for hand in HANDS[:seats]] == [*map(list, state.hands)]
    assert ("G1", ("G1",)) == (state.top, state.discards)
    assert ("R5", 53 - 5 * seats) == (state.pile[0], len(state.pile))
    assert [5] * seats == state.lights
    assert state.marker is None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sq1_the_first_leader_comes_from_the_deal(seats):
    for first in range(seats):
        assert [first] == list(QUEST.choices(start(seats, first=first)))


def test_sq2_a_break_card_turned_up_means_no_trump():
    state = start(top="XX", pile="G1 R5")
    assert "XX" == QUEST.view(state, None)["top"]
    assert 0 == play(state, "play B6", "play B2", "play G4")[0].turn


WRONG = [
    ("first", 3, "first"),
    ("deck", list(DECK[1:]), "deck to hold 2 of 'B1', got 1"),
    ("deck", [*DECK, "B1"], "deck to hold 2 of 'B1', got 3"),
    ("deck", [*DECK[1:], "B7"], "deck to hold 0 of 'B7', got 1"),
    ("reshuffles", [], "at least one order"),
    ("reshuffles", None, "at least one order"),
    ("reshuffles", [list(DECK), ["B1"] * 54], r"reshuffles\[1\]"),
    ("reshuffles", [[]], r"reshuffles\[0\] to hold 2 of 'B1', got 0"),
    ("reshuffles", [None], r"reshuffles\[0\]"),
    ("options", {"dummy": True}, "dummy"),
]


@pytest.mark.parametrize(("key", "value", "fault"), WRONG)
def test_q1_an_impossible_deal_is_refused_and_the_fault_named(key, value, fault):
    with pytest.raises(ValueError, match=fault):
        QUEST.start(dealt(*HANDS[:3]) | {key: value}, 3)


WHOLE = Counter(map(repr, DECK))


def possible(deal, seats):
    """Return whether a deal can happen."""
    if not isinstance(deal, dict) or deal.keys() != {"options", "first", "deck", "reshuffles"}:
        return False
    lists = [deal["deck"], *deal["reshuffles"]] if isinstance(deal["reshuffles"], list) else []
    decks = [cards for cards in lists if isinstance(cards, list) and Counter(map(repr, cards)) == WHOLE]
    fits = deal["options"] == {} and type(deal["first"]) is int and 0 <= deal["first"] < seats
    return fits and 2 <= len(decks) == len(lists)


@pytest.mark.parametrize("seats", [2, 3, 4])
@draws(40, 150, data=st.data())
def test_q1_a_deal_starts_just_if_it_can_happen_and_stays_as_it_is(seats, data):
    deal = data.draw(break_deal(QUEST.deal(seats, Random(1)) | {"reshuffles": [list(DECK)] * 2}))
    check_started_or_refused(QUEST, deal, seats, starts=possible(deal, seats))


def test_q1_one_order_of_reshuffling_is_enough_and_a_deal_may_hold_tuples():
    QUEST.start(dealt(*HANDS[:3], deck=DECK, reshuffles=(DECK,)), 3)


# What may be played.

TEN = "B1 B2 B3 B4 B5 B6 G1 G2 G3 G4"
OPTIONS = [  # who, the state at which it is asked, and its options: cards that it may play, and drawing
    ("Q13: in the order of the rules", start(), "B4 B6 G2 R3 Y1 draw"),
    ("Q13: each card once", holding(start(), 0, "XX Y6 Y1 R2 G6 G1 B3 B1 XX B3"), "B1 B3 G1 G6 R2 Y1 Y6 XX"),
    ("Q13: also to follow", play(holding(start(), 1, "Y1 B5 B2 XX"), "play B4")[0], "B2 B5 XX draw"),
    ("SQ3: the leading colour or a Break Card", after(3, "play G2").state, "G5 XX draw"),
    ("SQ3: also the third", after(3, "play G2", "play G5").state, "G3 G4 XX draw"),
    ("SQ3, SQ5: void, anything", after(3, "play B4", "play B2").state, "G3 G4 R1 R2 XX draw"),
    ("SQ4: no Super Trump", play(holding(start(top="Y3"), 1, "B2 Y3"), "play B4")[0], "B2 draw"),
    ("SQ17: no drawing with one light", holding(start(), 0, "B4 B6", lights=1), "B4 B6"),
    ("SQ17: drawing with two", holding(start(), 0, "B4 B6", lights=2), "B4 B6 draw"),
    ("SQ19: no drawing with ten cards", holding(start(), 0, TEN), TEN),
    ("SQ19: no drawing where nothing is", piled(start(), "", ""), "B4 B6 G2 R3 Y1"),
    ("SQ19: drawing of one card", piled(start(), "B1", ""), "B4 B6 G2 R3 Y1 draw"),
    ("Q18: void, before drawing", holding(after(3, "play B4").state, 1, "G5 R6"), "G5 R6 draw"),
    ("Q18: but B5 is drawn", play(holding(after(3, "play B4").state, 1, "G5 R6"), "draw")[0], "B5 draw"),
]


@pytest.mark.parametrize(("ruling", "state", "expected"), OPTIONS)
def test_a_seat_may_play_these_cards_or_draw(ruling, state, expected):
    assert expected.split() == [option.removeprefix("play ") for option in options(state)], ruling


def test_sq6_after_a_break_card_was_led_the_first_other_card_sets_the_leading_colour():
    state = holding(start(4), 0, "XX B1 B4")
    state, _ = play(state, "play XX")
    assert (None, 5 + 1) == (QUEST.view(state, 1)["lead"], len(options(state)))
    state, _ = play(state, "play XX")
    assert (None, 5 + 1) == (QUEST.view(state, 2)["lead"], len(options(state)))
    state, _ = play(state, "play R1")
    assert ("R?", ["play R5", "play XX", "draw"]) == (QUEST.view(state, 3)["lead"], options(state))


def test_seats_play_clockwise_from_the_leader():
    state, turns = start(4, first=2), []
    while state.step == "play":
        turns.append(state.turn)
        state, _ = play(state, options(state)[0])
    assert [2, 3, 0, 1] == turns


# Burning a light.


def test_sq17_a_light_buys_three_cards_before_the_own_play_as_often_as_wanted():
    state, events = play(start(), "draw")
    assert (4, ("B4", "B5", "B6", "G2", "R3", "R5", "Y1", "Y2")) == (
        state.lights[0],
        state.hands[0],
    )
    assert [0] == list(QUEST.choices(state))
    state, _ = play(holding(state, 0, "B4 B6"), "draw", "draw")
    assert (2, 8, 0) == (state.lights[0], len(state.hands[0]), state.turn)
    assert [
        {"event": "draw", "seat": 0, "lights": 4, "backs": ["B?", "R?", "Y?"]},
        {"event": "pile", "pile": 35, "back": "G?"},
    ] == [event.seen_by(1) for event in events]
    assert ["B5", "R5", "Y2"] == events[0].seen_by(0)["cards"]


def test_sq17_nobody_draws_when_it_is_not_asked_to_play():
    state = after(3, "play B6", "play B2", "play G3").state
    with pytest.raises(IllegalMove, match="not what is asked now"):
        QUEST.play(state, {state.turn: "draw"})
    with pytest.raises(ValueError, match="seats"):
        QUEST.play(start(), {1: "draw"})


@pytest.mark.parametrize(("cards", "drawn"), [(7, 3), (8, 2), (9, 1)])
def test_sq18_a_light_buys_cards_up_to_ten_in_hand(cards, drawn):
    hand = ["B1", "B2", "B3", "B4", "B5", "B6", "G1", "G2", "G3"][:cards]
    state, events = play(holding(start(), 0, " ".join(hand)), "draw")
    assert (cards + drawn, 4) == (len(state.hands[0]), state.lights[0])
    assert drawn == len(events[0].public["backs"])


# Empty hands, and the piles.


@pytest.mark.parametrize(("lights", "cards"), [(5, 5), (4, 4), (3, 3), (2, 2), (1, 2)])
def test_sq20_an_empty_hand_is_refilled_at_once_with_a_card_a_light_but_at_least_two(lights, cards):
    state = holding(start(), 0, "B4", lights=lights)
    state, events = play(state, "play B4")
    assert (cards, lights) == (len(state.hands[0]), state.lights[0])
    assert 1 == state.turn  # in the middle of the round
    assert ["play", "refill", "pile"] == kinds(events)
    assert (PILE.split()[:cards], lights) == (
        events[1].seen_by(0)["cards"] and PILE.split()[:cards],
        events[1].public["lights"],
    )
    assert sorted(PILE.split()[:cards]) == events[1].seen_by(0)["cards"]
    assert "cards" not in events[1].seen_by(1)


def test_sq20_the_last_player_of_a_round_refills_before_the_round_is_resolved():
    state = holding(after(3, "play B4", "play B2").state, 2, "B5")
    state, events = play(state, "play B5")
    assert ["play", "refill", "win", "pile"] == kinds(events)
    assert (2, "take") == (state.turn, state.step)


def test_sq21_a_draw_that_meets_an_empty_deck_goes_on_after_the_reshuffle():
    order = ["Y6", "R6", "B3", *sorted((Counter(DECK) - Counter(["Y6", "R6", "B3"])).elements())]
    state = piled(start(reshuffles=[order]), "Y5", "B3 R6 Y6 XX")
    state, events = play(state, "draw")
    assert Counter(["B4", "B6", "G2", "R3", "Y1", "Y5", "Y6", "R6"]) == Counter(state.hands[0])
    assert (("B3", "XX"), ("G1",)) == (state.pile, state.discards)
    assert ["draw", "reshuffle", "draw", "pile"] == kinds(events)
    assert [4, 4] == [event.public["lights"] for event in events if event.kind == "draw"]
    assert ["B3", "R6", "XX", "Y6"] == events[1].public["cards"]


def test_sq22_the_discards_but_the_top_one_become_the_pile_as_soon_as_it_is_empty():
    state, _ = play(piled(start(), "Y5 Y6 R5", "B3 R6"), "draw")
    assert (("B3", "R6"), ("G1",), "G1") == (state.pile, state.discards, state.top)
    assert 1 == QUEST.view(state, None)["reshuffles"]


def test_sq22_with_only_the_top_discard_it_waits_for_the_end_of_the_round():
    state, _ = play(piled(start(), "Y5 Y6 R5", ""), "draw")
    assert ((), 0) == (state.pile, QUEST.view(state, None)["reshuffles"])
    state, _ = play(state, "play B6", "play B2", "play G3", "take G3")
    assert ((), "top") == (state.pile, state.step)  # the cards on the table are no discards
    state, events = play(state, "top B6")
    assert (("B2", "G1"), ("B6",)) == (state.pile, state.discards)
    assert ["discard", "reshuffle", "round", "pile"] == kinds(events)


def test_q2_the_orders_are_used_one_after_the_other_and_then_from_the_start():
    state = start(reshuffles=[sorted(DECK), sorted(DECK, reverse=True)])
    for k, expected in enumerate([("B3", "R6", "Y2"), ("Y2", "R6", "B3"), ("B3", "R6", "Y2")]):
        nine = holding(state, 0, "B4 B6 G2 G3 G4 G5 G6 R1 R2", lights=5)
        state, _ = play(piled(nine, "Y5", "B3 R6 Y2"), "draw")
        assert (expected, k + 1) == (state.pile, len(state.past))


def test_q2_equal_names_come_as_often_as_they_occur_and_one_card_is_a_reshuffle_too():
    order = ["B3", "Y2", "B3", *sorted((Counter(DECK) - Counter(["B3", "Y2", "B3"])).elements())]
    full = holding(start(reshuffles=[order]), 0, "B4 B6 G2 G3 G4 G5 G6 R1 R2")
    assert ("B3", "Y2", "B3") == play(piled(full, "Y5", "Y2 B3 B3"), "draw")[0].pile
    state, _ = play(piled(full, "Y5", "Y2"), "draw")
    assert (("Y2",), 1) == (state.pile, len(state.past))


def test_q8_a_twin_of_the_top_card_goes_into_the_pile():
    full = holding(start(), 0, "B4 B6 G2 G3 G4 G5 G6 R1 R2")
    state, _ = play(piled(full, "Y5", "G1 B1"), "draw")
    assert (("B1", "G1"), ("G1",)) == (state.pile, state.discards)


def exhausted(*hands):
    """Return a state with these hands, nothing to draw and nothing to shuffle."""
    state = piled(start(len(hands)), "", "")
    for seat, hand in enumerate(hands):
        state = holding(state, seat, hand)
    return state


def test_sq23_and_q15_a_light_buys_what_is_there():
    state, events = play(piled(start(), "Y5", ""), "draw")
    assert (("B4", "B6", "G2", "R3", "Y1", "Y5"), 4) == (state.hands[0], state.lights[0])
    assert (["draw", "pile"], {"pile": 0, "back": None}) == (kinds(events), events[1].public)
    assert "draw" not in options(state)


def test_sq23_and_q15_an_empty_hand_is_refilled_with_what_is_there():
    state, events = play(holding(piled(start(), "Y5 Y6", ""), 0, "B4"), "play B4")
    assert (("Y5", "Y6"), ["play", "refill", "pile"]) == (state.hands[0], kinds(events))


def test_sq23_q3_and_q15_a_seat_without_cards_is_skipped_when_nothing_can_be_drawn():
    state = exhausted("B4 B6", "", "G3 G4", "R5 R6")
    state, events = play(state, "play B4")
    assert (["play", "skip"], 2) == (kinds(events), state.turn)
    assert {"event": "skip", "seat": 1} == events[1].seen_by(0)


def test_q3_a_skipped_leader_lets_the_next_seat_play_first():
    state, events = ask_next(exhausted("", "B2 B3", "B5", ""), ORDERS[4][3])
    assert (["skip", "skip"], 1) == (kinds(events), state.turn)
    assert [3, 0] == [event.public["seat"] for event in events]
    state, events = play(state, "play B2")
    assert (2, ["play"]) == (state.turn, kinds(events))
    assert "take" == play(state, "play B5")[0].step


def test_q3_an_empty_hand_is_refilled_when_its_turn_comes_if_there_is_something_by_then():
    state = piled(exhausted("B4", "B2 B1", "B3 B5"), "", "")
    state, events = play(state, "play B4")
    assert ((), ["play"]) == (state.hands[0], kinds(events))
    state, _ = play(state, "play B1", "play B3", "take B1")
    state, events = play(state, "top B3")
    assert ["discard", "reshuffle", "round", "refill"] == kinds(events)  # the pile is as empty as before
    assert (("B4", "G1"), 0, 5) == (state.hands[0], state.turn, state.lights[0])


@pytest.mark.parametrize(("lights", "cards"), [(1, "B4 B6"), (2, "B4 B6"), (3, "B4 B6 G1"), (5, "B4 B6 G1")])
def test_q3_that_refill_has_the_same_number_of_cards_and_is_free_of_charge(lights, cards):
    state = holding(exhausted("B6", "B1 B2", "B3 B5", "B4 G2"), 0, "B6", lights=lights)
    state, events = play(state, "play B6", "play B1", "play B3", "play B4", "take B1", "top B3")
    assert "refill" in kinds(events)
    assert (cards.split(), lights) == (list(state.hands[0]), state.lights[0])


@pytest.mark.parametrize("cards", [("B4", "B2", "XX"), ("B4", "B2")], ids=["of three", "with the Dummy"])
def test_q5_before_a_round_without_any_card_but_the_dummys_the_match_is_over(cards):
    state, _ = play(exhausted(*cards), *(f"play {card}" for card in cards))
    assert "take" == state.step
    state = state._replace(table=["B4"], by=[0])
    state, events = play(state, "take B4")
    assert (["take", "discard", "over"], "cards") == (kinds(events), events[-1].public["why"])
    assert {} == QUEST.choices(state)
    assert (1, 2, 2)[: len(cards)] == QUEST.outcome(state).ranks


def test_q5_with_a_card_to_draw_there_is_another_round():
    state, _ = play(exhausted("B4", "B2", "XX"), "play B4", "play B2", "play XX")
    state, events = play(state, "take B4")
    assert ["take", "discard", "reshuffle", "round", "refill"] == kinds(events)
    assert (("B2", "G1"), 0) == (state.hands[0], state.turn)


REFUSED = [
    ("play B1", "B1 is not in hand"),
    ("play R6", "green is led and in hand"),
    ("play B7", "not a move of stella-quest"),
    ("burn", "not a move of stella-quest"),
    ("take G5", "not what is asked now"),
    ("top G5", "not what is asked now"),
    ("play", "not a move of stella-quest"),
]


@pytest.mark.parametrize(("move", "why"), REFUSED)
def test_a_refusal_says_why(move, why):
    state = after(3, "play G2").state
    with pytest.raises(IllegalMove) as refusal:
        QUEST.play(state, {1: move})
    assert f"expected one of 3 moves, got: {move!r} ({why})" == str(refusal.value)


NO_DRAW = [
    ({"lights": 1}, PILE, "the last light cannot be burnt"),
    ({}, "", "there is no card to draw"),
    ({"hand": "B1 B2 B3 B4 B5 B6 G1 G2 G3 G4"}, PILE, "10 cards are in hand"),
]


@pytest.mark.parametrize(("player", "pile", "why"), NO_DRAW)
def test_a_refused_draw_says_why(player, pile, why):
    state = holding(piled(start(), pile, ""), 0, **{"hand": "B4 B6 G2", **player})
    with pytest.raises(IllegalMove, match=why):
        QUEST.play(state, {0: "draw"})


def test_a_refused_take_or_top_says_why():
    state = after(3, "play B6", "play B2", "play G3").state
    for move, why in [
        ("take XX", "not a move"),
        ("take B?", "not a move"),
        ("take B4", "B4 is not on the table"),
        ("top B6", "not what"),
    ]:
        with pytest.raises(IllegalMove, match=why):
            QUEST.play(state, {2: move})
    with pytest.raises(IllegalMove, match="G3 is not on the table"):
        play(state, "take G3", "top G3")
