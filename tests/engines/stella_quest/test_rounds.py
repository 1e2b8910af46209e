"""Stella Quest: who wins a round, what that costs, the Dummy, and the ends.  One test a ruling."""

from collections import Counter

import pytest
from support.stella_quest_by_name import QUEST, breakdown, kinds, options, play

from engines import Outcome, replay
from engines.stella_quest.cards import BREAK, DECK, JEWELS
from engines.stella_quest.luck import complete_deal
from engines.stella_quest.rounds import winner
from engines.stella_quest.scoring import jewels


def round_of(top, *cards, first=0, seats=None, number=1, marker=None, **players):
    """Return the last step of a round in which these *cards* are played upon *top*.

    With *seats* 2 the second card is the Dummy's.  Each hand is filled with cards that leave its owner free;
    *marker*, and by seat s0, s1, ... (lights, collection), are what they should be before the round.
    """
    seats = seats or len(cards)
    by = [(first + turn) % seats for turn in range(seats)]
    by = [by[0], "dummy", by[1]] if seats == 2 else by
    lead = next((card[0] for card in cards if card != BREAK), "")
    spare = sorted((Counter(DECK) - Counter([top, *cards])).elements())
    hands = {}
    for who, card in zip(by, cards, strict=True):
        if who != "dummy":
            fill = [other for other in spare if other[0] not in (lead, "X")][:4]
            spare = sorted((Counter(spare) - Counter(fill)).elements())
            hands[who] = [card, *fill]
    pile = [card for who, card in zip(by, cards, strict=True) if who == "dummy"]
    deck = [*[card for seat in range(seats) for card in hands[seat]], top, *pile]
    state = QUEST.start(complete_deal({"deck": deck, "first": first}), seats).state
    had = [players.get(f"s{seat}", (5, "")) for seat in range(seats)]
    state = state._replace(
        marker=marker,
        number=number,
        lights=[lights for lights, _ in had],
        collections=[collection.split() for _, collection in had],
    )
    events = ()
    for who, card in zip(by, cards, strict=True):
        if who != "dummy":
            assert who == state.turn
            state, events = play(state, f"play {card}")
    return state, events


REMI, CHARLIE, MARLENE = 0, 1, 2


# The worked examples of the rule book.


def test_the_example_round_in_which_charlie_must_follow_and_marlene_may_play_anything():
    remi, charlie, marlene = "B5 R1 R2 Y1 Y2", "B2 R3 R4 XX Y3", "G6 R5 R6 Y4 Y5"
    deal = complete_deal({"deck": [*remi.split(), *charlie.split(), *marlene.split(), "XX"]})
    state, _ = play(QUEST.start(deal, 3).state, "play B5")
    assert (CHARLIE, ["play B2", "play XX", "draw"]) == (state.turn, options(state))
    state, _ = play(state, "play B2")
    assert (MARLENE, [f"play {card}" for card in marlene.split()]) == (state.turn, options(state)[:-1])
    assert REMI == play(state, "play G6")[0].turn


def test_the_example_round_in_which_remi_takes_the_blue_2_and_puts_the_green_6_on_top():
    state, _ = round_of("XX", "B5", "B2", "G6")
    assert (REMI, ["take B2", "take B5", "take G6"]) == (state.turn, options(state))
    state, _ = play(state, "take B2")
    assert ["top B5", "top G6"] == options(state)
    state, events = play(state, "top G6")
    view = QUEST.view(state, None)
    assert ("G6", ["B5", "G6", "XX"], [["B2"], [], []]) == (
        view["top"],
        view["discards"],
        view["collections"],
    )
    assert (REMI, REMI, REMI, 2) == (view["marker"], view["leader"], view["turn"], view["round"])
    assert [
        {"event": "discard", "top": "G6", "marker": 0},
        {"event": "round", "round": 2, "leader": 0},
    ] == [event.seen_by(1) for event in events]


def test_the_example_of_remi_who_loses_three_lights_in_one_round():
    state, events = round_of("XX", "G4", "G2", "XX", marker=REMI, s0=(5, "B2 R3 Y4"))
    assert {"event": "win", "seat": REMI, "lights": 4} == events[-1].seen_by(None)
    assert ["take G2", "take G4"] == options(state)
    state, events = play(state, "take G4")
    assert {"event": "take", "seat": REMI, "card": "G4", "lights": 2} == events[0].seen_by(None)
    assert [2, 5, 5] == state.lights


def test_the_example_of_the_three_fives_that_count_nothing():
    assert 0 == jewels(["B5", "G5", "R5"])
    assert 3 + 2 + 1 == jewels(["B5", "G5", "R5", "B1", "G4", "Y6"])


# Who wins.

WINS = [
    ("the example of the blue 6 that wins without a trump", "Y1", "B6 B2 G6", REMI),
    ("the example of the green 1 that trumps a blue lead", "G4", "B5 G1 B6", CHARLIE),
    ("the example of the blue 2 over green and a Break Card when red is trump", "R3", "B2 G6 XX", REMI),
    ("the example of the second blue 2 that beats the blue 6", "Y1", "B2 B6 B2", MARLENE),
    ("the example of the second green 2 that is neither led nor trump", "B3", "B6 G2 G2", MARLENE),
    ("the example of two Super Trumps of which the last one wins", "Y3", "B6 B6 Y3", MARLENE),
    ("SQ10: a twin of the top card becomes a Super Trump", "G1", "B6 G1 G6", 1),
    ("SQ10: also where it leads", "B1", "B1 B6 B5", 0),
    ("SQ10: the later of two twins becomes the Super Trump", "Y1", "B2 B2 B6", 1),
    ("SQ11: Break Cards never pair", "XX", "XX B1 XX", 1),
    ("SQ12: of two Super Trumps the last one wins", "Y6", "Y6 B1 B1", 2),
    ("SQ12: also if it is the twin of the top", "B1", "Y6 Y6 B1", 2),
    ("SQ12: also among four", "G4", "B1 B1 G4 G6", 2),
    ("SQ12: also of two pairs", "Y3", "B2 B2 R1 R1", 3),
    ("SQ13: a Super Trump of any other colour beats a trump", "G4", "B6 R1 G6 R1", 3),
    ("SQ14: without one the highest trump wins", "G4", "B6 G2 G5 Y6", 2),
    ("SQ14: and else the highest of the leading colour", "R4", "B1 B3 B2 Y6", 1),
    ("SQ14: which may be trump", "B4", "B1 G3 G2 Y6", 0),
    ("SQ14: and is that of the first Emotion Card", "G4", "XX B1 Y6 XX", 1),
]


@pytest.mark.parametrize(("ruling", "top", "cards", "seat"), WINS)
def test_a_round_is_won_by(ruling, top, cards, seat):
    assert seat == round_of(top, *cards.split())[0].turn, ruling
    assert seat == winner(top, cards.split()), ruling


# After the round.


@pytest.mark.parametrize("taken", ["B6", "B2", "G3"])
def test_sq15_the_winner_takes_one_emotion_card_own_or_not_also_if_it_costs_lights(taken):
    state, _ = round_of("Y1", "B6", "B2", "G3", s0=(5, "R6 R2 R3"))
    assert ["take B2", "take B6", "take G3"] == options(state)
    state, _ = play(state, f"take {taken}")
    assert ("R6", "R2", "R3", taken) == state.collections[0]
    assert 5 - JEWELS[taken] == state.lights[0]


def test_sq15_never_a_break_card():
    assert ["take B6"] == options(round_of("Y1", "XX", "B6", "XX")[0])


def test_sq16_with_a_break_card_among_them_it_goes_on_top_and_nobody_is_asked():
    state, _ = round_of("Y1", "B6", "XX", "B3")
    state, events = play(state, "take B3")
    assert ("XX", ("B6", "XX", "Y1"), "play") == (state.top, state.discards, state.step)
    assert ["take", "discard", "round"] == kinds(events)


def test_sq16_otherwise_the_winner_chooses_the_top_among_the_cards_left():
    state, _ = play(round_of("Y1", "B6", "B2", "G3")[0], "take B6")
    assert ["top B2", "top G3"] == options(state)
    for top in ("B2", "G3"):
        assert top == play(state, f"top {top}")[0].top


@pytest.mark.parametrize(("third", "moves"), [("B5", ["take B2", "top B5"]), ("XX", ["take B2"])])
def test_the_winner_gets_the_marker_and_leads_the_next_round(third, moves):
    state, _ = play(round_of("Y1", "B2", "B6", third, marker=2)[0], *moves)
    assert (1, 1, 1) == (state.marker, state.leader, state.turn)


def test_q20_the_twin_of_the_card_taken_may_go_on_top():
    state, _ = play(round_of("Y1", "B2", "B2", "G3")[0], "take B2")
    assert ["top B2", "top G3"] == options(state)
    state, _ = play(state, "top B2")
    assert (["B2"], "B2") == (list(state.collections[1]), state.top)


def test_equal_cards_for_the_top_make_one_option():
    state, _ = play(round_of("Y1", "B6", "G2", "G2", "R3")[0], "take R3")
    assert ["top B6", "top G2"] == options(state)


def test_q21_with_no_card_left_the_old_top_stays():
    state, _ = round_of("Y1", "B6", "B2", "G3")
    state = state._replace(table=["B6"], by=[0])
    state, events = play(state, "take B6")
    assert ("Y1", "play") == (state.top, state.step)
    assert {"event": "discard", "top": "Y1", "marker": 0} == events[1].seen_by(1)


def test_sq7_with_break_cards_only_the_holder_of_the_marker_leads_and_loses_nothing():
    state, events = round_of("Y1", "XX", "XX", "XX", marker=2)
    assert (2, 2, [5, 5, 5], "XX") == (state.turn, state.marker, state.lights, state.top)
    assert ["play", "win", "discard", "round"] == kinds(events)
    assert {"event": "win", "seat": None} == events[1].seen_by(0)


def test_sq8_with_break_cards_only_and_no_marker_the_same_seat_leads_again():
    state, _ = round_of("Y1", "XX", "XX", "XX", first=1)
    assert (1, None, 2) == (state.turn, state.marker, state.number)
    assert winner("Y1", ["XX", "XX", "XX"]) is None


def test_sq9_with_break_cards_only_and_the_marker_with_the_dummy_the_last_player_leads():
    state, _ = round_of("Y1", "XX", "XX", "XX", seats=2, marker="dummy")
    assert (1, "dummy") == (state.turn, state.marker)


def test_sq24_only_who_had_the_marker_before_loses_a_light():
    assert [5, 5, 5] == round_of("Y1", "B6", "B2", "G3")[0].lights
    assert [5, 5, 5] == round_of("Y1", "B6", "B2", "G3", marker=1)[0].lights
    assert [4, 5, 5] == round_of("Y1", "B6", "B2", "G3", marker=0)[0].lights


def test_sq24_a_round_of_break_cards_does_not_clear_the_marker():
    cards = "XX B6 B5 B4 R1  XX B1 G2 G3 G4  XX B2 G5 G6 R2  Y1"
    start = QUEST.start(complete_deal({"deck": cards.split()}), 3).state._replace(marker=0)
    state, _ = play(start, "play XX", "play XX", "play XX", "play B6", "play B1", "play B2")
    assert (0, "take", [4, 5, 5]) == (state.turn, state.step, state.lights)


def test_sq24_a_win_of_the_dummy_does_clear_it():
    cards = "B2 R5 G1 G2 G3  B1 R2 G4 G5 G6  Y1  B6 R1 Y2"  # two hands, the first discard, the draw pile
    start = QUEST.start(complete_deal({"deck": cards.split()}), 2).state._replace(marker=0)
    state, _ = play(start, "play B2", "play B1")
    assert ("dummy", 1) == (state.marker, state.turn)
    state, _ = play(state, "play R2", "play R5")
    assert (0, "take", [5, 5]) == (state.turn, state.step, state.lights)
    assert 0 == play(state, "take R5", "top R1")[0].marker


def test_sq25_the_marker_comes_first_then_the_card_then_its_cost():
    state, events = round_of("Y1", "B6", "B2", "G3", marker=0, s0=(3, "R6"))
    assert (2, ()) == (events[-1].public["lights"], tuple(state.collections[0][1:]))
    assert 1 == play(state, "take B6")[0].lights[0]


def test_sq26_and_q7_the_last_light_lost_to_the_marker_ends_the_match_before_a_card_is_taken():
    state, events = round_of("Y1", "B6", "B2", "G3", marker=0, s0=(1, "R1"))
    assert ["play", "win", "over"] == kinds(events)
    assert ({}, ("R1",), 0) == (QUEST.choices(state), state.collections[0], state.marker)
    view = QUEST.view(state, None)
    assert [[0, "B6"], [1, "B2"], [2, "G3"]] == view["table"]
    assert {"why": "eliminated", "seat": 0} == view["ending"]


def test_sq27_a_loss_larger_than_what_is_left_takes_what_is_left():
    state, events = play(round_of("Y1", "B6", "B2", "G3", s0=(2, "R2"))[0], "take B2")
    assert (0, {}) == (state.lights[0], QUEST.choices(state))
    assert ["take", "over"] == kinds(events)


def test_q7_when_a_number_costs_the_last_light_the_marker_stays_and_the_rest_on_the_table():
    state, _ = play(round_of("Y1", "B6", "B2", "G3", marker=2, s0=(1, "R2"))[0], "take B2")
    assert (2, ("B6", "G3"), "Y1") == (state.marker, state.table, state.top)
    assert ("R2", "B2") == state.collections[0]


@pytest.mark.parametrize(("collection", "why"), [("R2", "eliminated"), ("R1 R3 R4 R5 R6", "enlightened")])
def test_q7_at_the_end_of_the_match_nothing_is_shuffled(collection, why):
    state, _ = round_of("Y1", "B6", "B2", "G3", s0=(1, collection))
    state = state._replace(pile=[])
    state, events = play(state, "take B2")
    assert (why, ["take", "over"]) == (state.ending[0], kinds(events))
    assert ((), ("Y1",), []) == (state.pile, state.discards, state.past)


def test_sq28_and_q14_who_loses_the_last_light_to_the_marker_takes_no_sixth_number():
    state, events = round_of("Y1", "B6", "B2", "G3", marker=0, s0=(1, "R1 R2 R3 R4 R5"))
    assert "eliminated" == events[-1].public["why"]
    assert (3, 1, 1) == QUEST.outcome(state).ranks
    assert 3 + 3 + 2 + 2 + 1 == QUEST.outcome(state).scores[0]


def test_sq29_and_q7_all_six_numbers_win_at_once():
    state, events = play(
        round_of("Y1", "B6", "B2", "G3", s0=(1, "R1 R2 R3 R4 R5"), s1=(5, "B4"))[0], "take B6"
    )
    assert ["take", "over"] == kinds(events)
    assert ({}, None, ("B2", "G3")) == (QUEST.choices(state), state.marker, state.table)
    assert {"why": "enlightened", "seat": 0} == QUEST.view(state, 1)["ending"]
    assert Outcome((1, 2, 3), (13, 7, 5)) == QUEST.outcome(state)


def test_sq29_also_with_a_number_twice():
    state, _ = play(round_of("Y1", "B6", "B2", "G3", s0=(1, "R1 G1 R2 R3 R4 R5"))[0], "take B6")
    assert "enlightened" == state.ending[0]
    assert (1, 2, 2) == QUEST.outcome(state).ranks


def test_sq30_and_q12_the_eliminated_seat_is_last_whatever_its_points():
    state, _ = round_of("Y1", "B6", "B2", "G3", marker=0, s0=(1, "R1 R2 R3"), s1=(1, ""), s2=(1, "B1"))
    assert Outcome((3, 2, 1), (8, 1, 4)) == QUEST.outcome(state)


def test_sq30_with_two_seats_the_survivor_wins():
    state, _ = round_of("Y1", "B6", "G1", "B2", seats=2, marker=0, s0=(1, "R1 R2 R3"), s1=(1, ""))
    assert Outcome((2, 1), (8, 1)) == QUEST.outcome(state)


def test_sq31_points_are_lights_and_the_jewels_of_numbers_held_once():
    state, _ = round_of("Y1", "B6", "B2", "G3", s0=(2, "R1 R4 G4 Y5"), s1=(5, ""), s2=(1, "B2 G2 R2"))
    assert [
        {"lights": 2, "jewels": 4, "total": 6},
        {"lights": 5, "jewels": 0, "total": 5},
        {"lights": 1, "jewels": 0, "total": 1},
    ] == breakdown(state.lights, state.collections)


def test_sq32_and_q12_equal_points_share_the_better_place():
    state, _ = round_of(
        "Y1", "B6", "B2", "G3", "R4", marker=0, s0=(1, ""), s1=(3, ""), s2=(1, "B5 G5"), s3=(1, "R4")
    )
    assert Outcome((4, 1, 3, 1), (0, 3, 1, 3)) == QUEST.outcome(state)


def test_sq34_and_q9_round_200_is_played_to_its_end_then_all_are_ranked_by_points():
    state, _ = play(round_of("Y1", "B6", "B2", "G3", number=200)[0], "take B2")
    assert ["top B6", "top G3"] == options(state)
    state, events = play(state, "top G3")
    assert ["discard", "over"] == kinds(events)
    assert ({"why": "rounds", "seat": None}, 200) == (
        QUEST.view(state, None)["ending"],
        QUEST.view(state, None)["round"],
    )
    assert Outcome((1, 2, 2), (8, 5, 5)) == QUEST.outcome(state)
    assert ("G3", 0) == (state.top, state.marker)
    assert "play" == play(round_of("Y1", "B6", "XX", "G3", number=199)[0], "take B6")[0].step


def test_q9_rounds_of_break_cards_and_of_the_dummy_count():
    assert 2 == round_of("Y1", "XX", "XX", "XX")[0].number
    assert 2 == round_of("Y1", "B2", "B6", "B5", seats=2)[0].number


@pytest.mark.parametrize("cards", [("B2", "B6", "B5"), ("XX", "XX", "XX")])
def test_q9_round_200_may_be_one_of_the_dummy_or_of_break_cards(cards):
    state, events = round_of("Y1", *cards, seats=2, number=200)
    assert (["play", "win", "discard", "over"], "rounds") == (kinds(events), events[-1].public["why"])
    assert Outcome((1, 1), (5, 5)) == QUEST.outcome(state)


# The Dummy.


def test_sq40_sq41_and_q11_the_dummy_is_always_second_with_the_top_of_the_deck_and_follows_nothing():
    for first in (0, 1):
        state, _ = round_of("Y1", "B6", "G2", "B2", seats=2, first=first)
        assert [[first, "B6"], ["dummy", "G2"], [1 - first, "B2"]] == QUEST.view(state, None)["table"]
        assert (first, ("G2",)) == (state.turn, state.dummy)


def test_sq41_the_leader_sees_the_back_of_the_dummys_card():
    deal = complete_deal({"deck": ["B1", "B2", "B3", "B4", "B5", "G1", "G2", "G3", "G4", "G5", "Y1", "R6"]})
    start, after = replay(QUEST, deal, 2, ["play B1"])
    assert ["R?"] * 3 == [QUEST.view(start.state, seat)["back"] for seat in (0, 1, None)]
    assert {"event": "play", "seat": "dummy", "card": "R6"} == after.events[1].seen_by(1)


def test_sq42_the_dummys_card_is_the_leading_colour_after_a_break_card():
    deal = complete_deal({"deck": ["B1", "B2", "B3", "B4", "XX", "R1", "G2", "G3", "G4", "G5", "Y1", "R6"]})
    *_, step = replay(QUEST, deal, 2, ["play XX"])
    assert ("R?", ["play R1", "draw"]) == (QUEST.view(step.state, 1)["lead"], options(step.state))


def test_sq43_the_winner_may_take_the_dummys_card():
    state, _ = round_of("Y1", "B6", "G2", "B2", seats=2)
    assert ["take B2", "take B6", "take G2"] == options(state)
    assert ("G2",) == play(state, "take G2")[0].collections[0]


def test_sq44_the_dummys_card_may_be_the_first_twin_or_the_super_trump():
    assert 1 == round_of("Y1", "B6", "G2", "G2", seats=2)[0].turn
    assert "dummy" == round_of("Y1", "B2", "B2", "B6", seats=2)[0].marker
    assert "dummy" == round_of("Y1", "B2", "Y1", "B6", seats=2)[0].marker


def test_sq45_when_the_dummy_wins_nobody_takes_a_card_and_the_last_player_leads():
    state, events = round_of("Y1", "B2", "B6", "B5", seats=2)
    assert (1, "dummy", 2) == (state.turn, state.marker, state.number)
    assert (("B2", "B5", "B6", "Y1"), "B6") == (state.discards, state.top)
    assert ((), ()) == state.collections
    assert ["play", "win", "discard", "round"] == kinds(events)
    assert {"event": "win", "seat": "dummy"} == events[1].seen_by(0)


def test_sq45_with_a_break_card_in_the_round_it_goes_on_top():
    assert "XX" == round_of("Y1", "B2", "B6", "XX", seats=2)[0].top
    assert "XX" == round_of("Y1", "XX", "B6", "B5", seats=2)[0].top


def test_sq46_the_dummy_loses_nothing_by_winning_with_the_marker():
    state, _ = round_of("Y1", "B2", "B6", "B5", seats=2, marker="dummy")
    assert ("dummy", [5, 5]) == (state.marker, state.lights)


def test_sq47_who_wins_while_the_dummy_has_the_marker_loses_nothing_and_gets_it():
    state, _ = round_of("Y1", "B6", "B2", "B5", seats=2, marker="dummy")
    assert [5, 5] == state.lights
    assert 0 == play(state, "take B2", "top B5")[0].marker


def short(pile, discards=""):
    """Return a two-seat state at the start of a round, with these cards to draw and below the top discard."""
    deal = complete_deal({"deck": ["B1", "B2", "B3", "B4", "XX", "R1", "G2", "G3", "G4", "G5", "Y1", "R6"]})
    state = QUEST.start(deal, 2).state
    return state._replace(pile=pile.split(), discards=[*discards.split(), "Y1"])


def test_sq48_the_dummys_card_may_empty_the_deck():
    state, events = play(short("R6", "Y2 Y3"), "play B1")
    assert (("Y2", "Y3"), ("Y1",)) == (state.pile, state.discards)
    assert ["play", "play", "reshuffle", "pile"] == kinds(events)
    assert ("R6",) == state.past[0].dummy  # it was drawn before the reshuffle
    assert [[0, "B1"], ["dummy", "R6"]] == QUEST.view(state, 0)["table"]


def test_sq48_with_nothing_to_draw_the_dummy_plays_nothing():
    state, events = play(short(""), "play B1")
    assert ([[0, "B1"]], 1) == (QUEST.view(state, 0)["table"], state.turn)
    assert {"event": "skip", "seat": "dummy"} == events[1].seen_by(0)


def test_sq49_the_discards_are_a_multiset_and_a_top_card():
    one, _ = round_of("Y1", "B2", "B6", "B5", seats=2)
    other, _ = round_of("Y1", "B5", "B6", "B2", seats=2)
    assert one.discards == other.discards
    assert one.top == other.top
