"""Stellar: the deal, the turns and the end.  One test a ruling, from deals written by hand."""

from collections import Counter
from random import Random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.stellar_by_name import STELLAR, after, asked, dealt

from engines import IllegalMove, playout, replay
from engines.stellar.cards import CARDS, DECK, SATELLITES, SLOTS


def places(choice):
    return {option.split("@")[1] for option in choice if "@" in option}


def first_option(state, seat, choice):
    return choice.options[0]


def upright(rng):
    """Return a policy that lays nothing face down unless it must."""

    def policy(state, seat, choice):
        up = [option for option in choice.options if not option.endswith("down")]
        return rng.choice(up or choice.options)

    return policy


def at_the_end():
    """Return a state of a random match in which the last cards are asked for."""
    rng = Random(1)
    return list(playout(STELLAR, STELLAR.deal(2, rng), 2, upright(rng)))[-2].state


# Decision 1.


def test_st1_the_starters_are_chosen_in_secret_before_hands_and_row_are_known():
    state, (event,) = STELLAR.start(dealt(), 2)
    assert {0: ["M3.2@T1", "P3.2@T1"], 1: ["A3.2@T1", "C3.2@T1"]} == asked(state)
    view = STELLAR.view(state, 0)
    assert ["M3.2", "P3.2"] == view["hand"]
    assert ([None] * 5, 56, [{}, {}]) == (view["row"], view["pile"], view["telescopes"])
    assert {"M3.2", "P3.2"} == {name for name in DECK if name in str(view)}
    assert {"event": "start", "first": 0, "options": {"face_down_number": "printed"}} == event.seen_by(None)


def test_st1_the_other_starter_goes_to_the_notebook_by_itself_and_hands_and_row_follow():
    view = STELLAR.view(after(dealt()).state, 1)
    assert [{"T1": "M3.2"}, {"T1": "A3.2"}] == view["telescopes"]
    assert [["P3.2"], ["C3.2"]] == view["notebooks"]
    assert ["B2.3", "M6.0"] == view["hand"]
    assert ["P1.3", "A2.3", "S3", "C4.1", "B5.0"] == view["row"]
    assert 47 == view["pile"]


def test_the_fifth_starter_is_in_the_deck():
    assert "B3.2" in STELLAR.start(dealt(), 2).state.pile


@pytest.mark.parametrize("first", [0, 1])
def test_st2_the_start_player_comes_from_the_deal_and_the_seats_take_turns(first):
    for played in playout(STELLAR, dealt(first=first), 2, first_option):
        if played.state.step in ("wipe", "take", "play", "place"):
            assert [(first + played.state.turn) % 2] == list(STELLAR.choices(played.state))


@pytest.mark.parametrize("first", [0, 1])
def test_a8_who_is_first_is_known_at_decision_1(first):
    state = STELLAR.start(dealt(first=first), 2).state
    assert [first] * 3 == [STELLAR.view(state, seat)["first"] for seat in (0, 1, None)]


def test_a9_both_starters_and_both_last_cards_are_revealed_together():
    _, events = after(dealt())
    starters = {"event": "starters", "moves": ["M3.2@T1", "A3.2@T1"], "notebooks": [["P3.2"], ["C3.2"]]}
    assert starters == events[0].seen_by(0) == events[0].seen_by(None)
    *_, last, over = playout(STELLAR, dealt(), 2, first_option)
    assert "final" == last.state.step
    assert [over.moves[0], over.moves[1]] == over.events[0].seen_by(None)["moves"]


# A turn.


def test_a_turn_begins_with_one_of_five_cards_of_the_row():
    assert {0: ["take 1", "take 2", "take 3", "take 4", "take 5"]} == asked(after(dealt()).state)
    state, events = after(dealt(), "take 4")
    assert ["C2.3", "C4.1", "P6.0"] == STELLAR.view(state, 0)["hand"]
    assert ["P1.3", "A2.3", "S3", None, "B5.0"] == STELLAR.view(state, 0)["row"]
    assert [{"event": "take", "seat": 0, "slot": 4, "card": "C4.1"}] == [event.seen_by(1) for event in events]


def test_a3_the_options_of_c_are_all_slots_face_up_and_down_and_the_notebook_for_every_different_card():
    state = after(dealt("M5.0 C2.3  B2.3 M6.0  P1.3 A2.3 S3 M5.1 B5.0"), "take 4").state
    free = ["T2", "T3", "T4", "T5", "M1", "M2", "M3", "B1", "B2", "B3", "B4"]
    down = [f"{slot} down" for slot in free]
    expected = [f"C2.3@{place}" for place in [*free, *down, "notebook"]]
    expected += [f"M5.0@{place}" for place in ["T2", "T3", *down, "notebook"]]
    expected += [f"M5.1@{place}" for place in ["T2", "T3", *down, "notebook"]]
    assert {0: expected} == asked(state)


def test_equal_cards_in_hand_make_one_option():
    state = after(dealt("P1.3 C2.3  B2.3 M6.0  P1.3 A2.3 S3 M5.1 B5.0"), "take 1").state
    options = asked(state)[0]
    assert 1 == options.count("P1.3@notebook")
    assert len(options) == len(set(options))


def test_a3_the_options_of_d_are_all_slots_face_up_and_down_without_the_notebook():
    state = after(dealt("M2.3 C2.3  B2.3 M6.0  P1.3 M4.1 S3 M5.1 B5.0"), "take 1", "M2.3@notebook").state
    free = ["T2", "T3", "T4", "T5", "M1", "M2", "M3", "B1", "B2", "B3", "B4"]
    assert {0: ["M4.1@T2", "M4.1@T3", *[f"M4.1@{slot} down" for slot in free]]} == asked(state)


def test_the_example_of_carly_who_takes_a_3_plays_a_1_and_notes_the_4_of_the_first_slot():
    deal = dealt("B1.3 C2.3  B2.3 M6.0  A4.1 M4.1 P3.1 M5.1 B5.0  C1.3 C5.1")
    state, events = after(deal, "take 3", "B1.3@T2")
    view = STELLAR.view(state, 0)
    assert ["C2.3", "P3.1"] == view["hand"]
    assert "B1.3" == view["telescopes"][0]["T2"]
    assert ["A4.1", "P3.2"] == view["notebooks"][0]
    assert ["C1.3", "M4.1", "C5.1", "M5.1", "B5.0"] == view["row"]
    assert [
        {"event": "play", "seat": 0, "move": "B1.3@T2", "slot": 1, "card": "A4.1"},
        {"event": "place", "seat": 0, "move": "A4.1@notebook", "row": view["row"]},
    ] == [event.seen_by(1) for event in events]


def test_carlys_notebook_takes_a_second_cloud_between_two_others():
    state = after(dealt("C4.1 C2.3  B2.3 M6.0  P1.3 M4.1 S3 M5.1 B5.0"), "take 1").state
    carly = state.players[0]._replace(notebook=("A2.3", "A3.2", "A4.1", "C1.3", "C5.1", "P4.1"))
    state = STELLAR.play(state._replace(players=(carly, state.players[1])), {0: "C4.1@notebook"}).state
    assert ("A2.3", "A3.2", "A4.1", "C1.3", "C4.1", "C5.1", "P4.1") == state.players[0].notebook


CALLS = [
    ("ST8: face down, the number", "printed", "C5.0 P6.0", "take 1", "C5.0@T2 down", 5, "B5.0"),
    ("ST8: or 3, as the option says", "three", "C5.0 P6.0", "take 1", "C5.0@T2 down", 3, "S3"),
    ("ST8: face up, the number", "printed", "C5.0 P6.0", "take 1", "C5.0@T2", 5, "B5.0"),
    ("ST8: also under three", "three", "C5.0 P6.0", "take 1", "C5.0@T2", 5, "B5.0"),
    ("A1: a 6/0 face down, the draw pile", "printed", "C2.3 P6.0", "take 1", "P6.0@T2 down", None, "A1.3"),
    ("A1: or 3 under three", "three", "C2.3 P6.0", "take 1", "P6.0@T2 down", 3, "S3"),
    ("A1: a satellite face down, its number", "printed", "S5 P6.0", "take 1", "S5@T2 down", 5, "B5.0"),
    ("A1: or 3 under three", "three", "S5 P6.0", "take 1", "S5@T2 down", 3, "S3"),
    ("A2: if 3 is empty, the draw pile", "three", "C2.3 P6.0", "take 3", "C2.3@T2 down", None, "A1.3"),
    ("ST12: a 6/0 in hand, the draw pile", "printed", "C2.3 P6.0", "take 1", "P6.0@T3", None, "A1.3"),
    ("ST13: a satellite in hand, its number", "printed", "S4 A2.2", "take 1", "S4@M2", 4, "C4.1"),
]


@pytest.mark.parametrize(("ruling", "number", "hand", "take", "play", "slot", "card"), CALLS)
def test_a_card_calls_for_a_slot_of_the_row_or_the_draw_pile(ruling, number, hand, take, play, slot, card):
    deck = f"{hand}  B2.3 M6.0  P1.3 A2.3 S3 C4.1 B5.0  A1.3"
    _, events = after(dealt(deck, options={"face_down_number": number}), take, play)
    assert (slot, card) == (events[0].public["slot"], events[0].public["card"]), ruling


@pytest.mark.parametrize("number", ["printed", "three"])
def test_st9_and_a19_all_see_which_cards_lie_face_down_also_one_from_the_draw_pile(number):
    deal = dealt(options={"face_down_number": number})
    state = after(deal, "take 1", "P6.0@notebook", "A1.3@B4 down").state
    for seat in (0, 1, None):
        assert {"T1": "M3.2", "B4": "A1.3 down"} == STELLAR.view(state, seat)["telescopes"][0]


def test_st10_the_card_from_the_pile_is_seen_only_when_the_first_play_is_complete():
    state = after(dealt(), "take 1").state
    assert "A1.3" not in str(STELLAR.view(state, 0))
    state = STELLAR.play(state, {0: "P6.0@notebook"}).state
    assert ["A1.3"] * 3 == [STELLAR.view(state, seat)["waiting"] for seat in (0, 1, None)]
    assert all(option.startswith("A1.3@") for option in asked(state)[0])


def test_st11_an_empty_row_slot_means_the_top_of_the_draw_pile_for_the_notebook():
    state, events = after(dealt(), "take 2", "C2.3@T2")
    assert (None, "A1.3") == (events[0].public["slot"], events[0].public["card"])
    assert ["A1.3", "P3.2"] == STELLAR.view(state, 0)["notebooks"][0]
    assert ["P1.3", "M5.0", "S3", "C4.1", "B5.0"] == STELLAR.view(state, 0)["row"]


def test_st11_an_empty_row_slot_means_the_top_of_the_draw_pile_for_the_telescope_under_its_rules():
    deal = dealt("C2.3 P6.0  B2.3 M6.0  P1.3 A2.3 S3 C4.1 B5.0  M5.0 A1.3")
    state = after(deal, "take 2", "C2.3@notebook").state
    up = {place for place in places(asked(state)[0]) if "down" not in place}
    assert {"T2", "T3"} == up  # the moon 5 beside the moon on T1


def test_st13_a_6_0_from_the_row_has_no_special_effect():
    deal = dealt("C2.3 A2.2  B2.3 M6.0  P1.3 P6.0 S3 C4.1 B5.0  A1.3 M5.0")
    state, events = after(deal, "take 1", "C2.3@T2")
    assert (2, "P6.0") == (events[0].public["slot"], events[0].public["card"])
    assert (["P3.2", "P6.0"], 45) == (list(state.players[0].notebook), len(state.pile))


def test_st13_and_st19_a_satellite_from_the_row_in_step_d_lets_nobody_wipe():
    deal = dealt("C3.1 A2.2  B2.3 M6.0  P1.3 P6.0 S3 C4.1 B5.0  A1.3 M5.0")
    assert {1: ["take 1", "take 2", "take 3", "take 4", "take 5"]} == asked(
        after(deal, "take 1", "C3.1@T2").state
    )
    state = after(deal, "take 1", "C3.1@notebook", "S3@B1").state
    assert ("take", [1]) == (state.step, list(asked(state)))


# The end.


def test_st26_and_a11_the_last_card_is_asked_for_and_may_be_the_worse_one():
    state = at_the_end()
    choices = asked(state)
    for seat, player in enumerate(state.players):
        assert [f"{card}@notebook" for card in dict.fromkeys(player.hand)] == choices[seat]
    for pick in (0, -1):
        after_it = STELLAR.play(state, {seat: options[pick] for seat, options in choices.items()}).state
        for seat, player in enumerate(state.players):
            assert player.hand[pick] in after_it.players[seat].notebook
            assert 13 == len(after_it.players[seat].notebook)


def test_st27_the_last_card_may_be_a_satellite_or_a_6_0():
    view = STELLAR.view(at_the_end(), 0)
    for last in ("S1", "C6.0"):
        state = STELLAR.imagine(view | {"hand": [last, "P1.3"]}, Random(1))
        state = STELLAR.play(state, {0: f"{last}@notebook", 1: STELLAR.choices(state)[1].options[0]}).state
        assert last in state.players[0].notebook


def test_a10_the_other_card_is_discarded_nothing_is_drawn_and_its_name_is_shown():
    before = at_the_end()
    moves = {seat: options[0] for seat, options in asked(before).items()}
    state, (event,) = STELLAR.play(before, moves)
    thrown = [player.hand[1] for player in before.players]
    assert tuple(sorted([*before.discards, *thrown])) == state.discards
    assert (before.row, before.pile) == (state.row, state.pile)
    assert thrown == event.seen_by(None)["thrown"] == STELLAR.view(state, None)["thrown"]
    assert [0, 0] == STELLAR.view(state, None)["hands"]


def test_a12_d_with_one_free_slot_that_st5_forbids_and_3_with_equal_cards_are_asked_with_one_option():
    seen = set()
    for seed in range(400):
        rng = Random(seed)
        for played in playout(STELLAR, STELLAR.deal(2, rng), 2, upright(rng)):
            for choice in STELLAR.choices(played.state).values():
                if choice.count() == 1:
                    seen.add(played.state.step)
        if {"place", "final"} == seen:
            return
    raise AssertionError(seen)


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_a21_a_seat_has_11_of_22_turns_and_makes_24_to_40_decisions(seed):
    rng = Random(seed)
    policy = rng if seed % 2 else upright(rng)
    match = [*playout(STELLAR, STELLAR.deal(2, rng), 2, policy)]
    made = [(seat, move) for played in match for seat, move in played.moves.items()]
    assert {0: 11, 1: 11} == Counter(seat for seat, move in made if move.startswith("take"))
    assert all(24 <= count <= 40 for count in Counter(seat for seat, _ in made).values())


def test_a22_random_play_without_needless_face_down_cards_scores_about_51_a_seat_with_a_wipe_a_match():
    points, played_down, wipes = [], 0, 0
    for seed in range(150):
        rng = Random(seed)
        for played in playout(STELLAR, STELLAR.deal(2, rng), 2, upright(rng)):
            played_down += sum(move.endswith("down") for move in played.moves.values())
            wipes += "wipe" in played.moves.values()
        points += STELLAR.outcome(played.state).scores
    assert 48 < mean(points) < 54
    assert 0.6 < played_down / 300 < 1.2
    assert 0.7 < wipes / 150 < 1.2


def test_relabelling_the_seats_relabels_the_result():
    for seed in range(20):
        rng = Random(seed)
        deal = STELLAR.deal(2, rng)
        match = list(playout(STELLAR, deal, 2, rng))
        starters, deck = deal["starters"], deal["deck"]
        other = deal | {
            "first": 1 - deal["first"],
            "starters": [*starters[2:4], *starters[0:2], starters[4]],
            "deck": [*deck[2:4], *deck[0:2], *deck[4:]],
        }
        moves = [{1 - seat: move for seat, move in played.moves.items()} for played in match[1:]]
        *_, last = replay(STELLAR, other, 2, moves)
        assert STELLAR.outcome(match[-1].state).scores[::-1] == STELLAR.outcome(last.state).scores


# Refusals.

REFUSED = [
    ("P6.0@T1", "T1 is not free"),
    ("M6.0@T2", "M6.0 is not in hand"),
    ("keep", "not what is asked now"),
    ("take 6", "not a move of stellar"),
    ("P9.9@T2", "not a move of stellar"),
    ("M4.1@M2", "M2 is not beside a card of the type of M4.1"),
]


@pytest.mark.parametrize(("move", "why"), REFUSED)
def test_a_refusal_says_why(move, why):
    state = after(dealt("M4.1 P6.0  B2.3 M6.0  P1.3 A2.3 S3 C4.1 B5.0"), "take 1").state
    with pytest.raises(IllegalMove) as refusal:
        STELLAR.play(state, {0: move})
    assert f"expected one of 60 moves, got: {move!r} ({why})" == str(refusal.value)


def test_a_refusal_names_the_card_that_must_be_placed():
    state = after(dealt(), "take 1", "P6.0@notebook").state
    for move, why in [("C2.3@T2", "A1.3 must be placed"), ("A1.3@notebook", "not what is asked now")]:
        with pytest.raises(IllegalMove, match=why):
            STELLAR.play(state, {0: move})


def test_a16_satellites_are_named_without_stars_and_slots_without_a_dot():
    assert {"S1", "S2", "S3", "S4", "S5"} == SATELLITES
    assert all("." in card for card in set(CARDS) - SATELLITES)
    assert not any("." in slot for slot in SLOTS)
