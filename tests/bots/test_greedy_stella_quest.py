"""The house bot's play in Stella Quest: what every style sees, and where the styles part."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest
from support import greedy_bot

from engines import GAMES, playout
from engines.stella_quest.cards import BACKS

bot = greedy_bot.module("stella_quest")

QUEST = GAMES["stella-quest"]
STYLES = ["greedy", "bold", "careful"]


def chosen(style, view, options):
    """Return the bot's move; all that it is told is the view and the options."""
    return bot.chooser(style)(SimpleNamespace(view=view, choice=SimpleNamespace(options=options)))


def by_style(view, options):
    return {style: chosen(style, view, options) for style in STYLES}


def all_choose(move):
    return dict.fromkeys(STYLES, move)


def view_of(hand, table=(), *, seat=2, top="Y4", step="play", **given):
    """Return what a seat of three sees: its *hand*, what it follows, and what is *given*; backs by seat."""
    table = [[seat - len(table) + place, card] for place, card in enumerate(table)]
    backs = given.pop("backs", [["Y?", "Y?"]] * 3)
    hand = sorted(hand.split())
    return {
        "seats": 3,
        "seat": seat,
        "step": step,
        "leader": table[0][0] if table else seat,
        "lead": next((BACKS[card] for _, card in table if card != "XX"), None),
        "table": table,
        "top": top,
        "marker": None,
        "discards": [top],
        "back": "Y?",
        "hand": hand,
        "backs": [*backs[:seat], [BACKS[card] for card in hand], *backs[seat + 1 :]],
        "lights": [5, 5, 5],
        "collections": [[], [], []],
    } | given


@pytest.mark.parametrize("seats", QUEST.seats)
@pytest.mark.parametrize("style", STYLES)
def test_every_choice_is_an_offered_move(style, seats):
    """Own moves and random ones by turns: good positions, and those that nobody would play into."""
    choose, rng = bot.chooser(style), Random(f"{style}/{seats}")
    steps = set()

    def policy(state, seat, choice):
        view = QUEST.view(state, seat)
        options = choice.to_json()["options"]
        move = choose(SimpleNamespace(view=view, choice=SimpleNamespace(options=options)))
        assert move in options
        steps.add(view["step"])
        return move if rng.random() < 0.7 else choice.sample(rng)

    for _ in range(10):
        for _ in playout(QUEST, QUEST.deal(seats, rng), seats, policy):
            pass
    assert {"play", "take", "top"} == steps


def test_the_sixth_number_is_won_by_the_last_to_play():
    view = view_of("B1 B6", ["B4", "B2"], collections=[[], [], ["G1", "G3", "R4", "Y5", "Y6"]])
    assert all_choose("play B6") == by_style(view, ["play B1", "play B6", "draw"])


def test_the_cheapest_winner_is_good_enough():
    view = view_of("B3 B6", ["B1", "B2"])
    assert all_choose("play B3") == by_style(view, ["play B3", "play B6"])


def test_the_twin_of_the_top_card_wins_whatever_its_colour():
    view = view_of("G2 R6", ["B5", "B1"], top="G2")
    assert all_choose("play G2") == by_style(view, ["play G2", "play R6"])


def test_nobody_wins_with_the_marker_and_a_single_light():
    view = view_of("B1 B6", ["B4", "B2"], marker=2, lights=[5, 5, 1])
    assert all_choose("play B1") == by_style(view, ["play B1", "play B6"])


def test_a_break_card_saves_from_a_number_that_would_cost_the_last_light():
    view = view_of("B3 XX", ["B2", "B2"], top="B3", lights=[5, 5, 1], collections=[[], [], ["G2", "G3"]])
    assert all_choose("play XX") == by_style(view, ["play B3", "play XX"])


def test_a_light_is_burnt_for_the_last_chance_to_stay_alive():
    """The only card wins, and the marker and a number held already take both lights that are left."""
    view = view_of("B6", ["B4", "B3"], marker=2, lights=[5, 5, 2], collections=[[], [], ["G3", "R4", "Y6"]])
    assert all_choose("draw") == by_style(view, ["play B6", "draw"])


def test_a_round_that_only_harms_is_left_to_the_others():
    """All of its numbers are in the collection, and cost lights."""
    view = view_of("B2 B6", ["B4", "B3"], collections=[[], [], ["G2", "G3", "R4", "R6"]])
    assert all_choose("play B2") == by_style(view, ["play B2", "play B6"])


def test_of_new_numbers_the_one_with_most_jewels_is_taken():
    view = view_of("R5", ["B5", "B3"], step="take", collections=[[], [], ["G1"]])
    assert all_choose("take B3") == by_style(view, ["take B1", "take B3", "take B5"])


def test_a_number_held_already_is_taken_where_it_costs_least():
    view = view_of("R5", step="take", collections=[[], [], ["G1", "G3", "G6"]])
    assert all_choose("take B6") == by_style(view, ["take B1", "take B3", "take B6"])


def test_the_number_that_is_spoilt_already_costs_less_than_another():
    view = view_of("R5", step="take", collections=[[], [], ["G3", "R3", "G4"]])
    assert all_choose("take B3") == by_style(view, ["take B3", "take B4"])


def test_the_colour_of_strong_cards_becomes_trump():
    """The six of red would be the sixth number; a seat that has only blue would trump it with blue."""
    view = view_of("R5 R6", ["B2", "R2"], step="top", backs=[["B?", "R?"], ["B?", "B?"], []])
    view["collections"][2] = ["G1", "G2", "G3", "G4", "G5"]
    assert all_choose("top R2") == by_style(view, ["top B2", "top R2"])


def test_a_leader_counts_on_seats_that_are_void():
    """With green led and trump, only those who hold green could win; nobody does."""
    view = view_of("G3 Y6", seat=0, top="G1", backs=[[], ["B?", "R?"], ["B?", "B?"]])
    assert all_choose("play G3") == by_style(view, ["play G3", "play Y6"])


def test_the_dummy_is_reckoned_with_by_the_back_of_its_card():
    """A red card comes next, and red is trump: it beats a blue five, but hardly a red one."""
    view = view_of("B5 R5", seat=0, seats=2, top="R1", lights=[5, 5])
    view |= {"backs": [["B?", "R?"], ["G?"]], "back": "R?"}
    view |= {"collections": [["G1", "G2", "G3", "G4", "G6"], []]}
    assert all_choose("play R5") == by_style(view, ["play B5", "play R5"])


def test_bold_wins_round_after_round_and_careful_keeps_its_lights():
    """It has the marker: a number with two jewels costs a light, and the next one another."""
    view = view_of("G1 G4", ["G3", "G2"], marker=2, collections=[[], [], ["B1", "B2", "B3"]])
    moves = by_style(view, ["play G1", "play G4"])
    assert ("play G4", "play G1") == (moves["bold"], moves["careful"])


def test_bold_alone_burns_a_light_for_three_jewels():
    view = view_of("Y1", ["B5", "B1"], top="R4", collections=[[], [], ["G5"]])
    moves = {"greedy": "play Y1", "bold": "draw", "careful": "play Y1"}
    assert moves == by_style(view, ["play Y1", "draw"])


def test_for_the_sixth_number_all_burn_a_light_if_they_have_enough_of_them():
    view = view_of("Y1", ["B5", "B1"], top="R4", collections=[[], [], ["G2", "G3", "G4", "G5", "G6"]])
    assert all_choose("draw") == by_style(view, ["play Y1", "draw"])
    moves = by_style(view | {"lights": [5, 5, 2]}, ["play Y1", "draw"])
    assert {"greedy": "draw", "bold": "draw", "careful": "play Y1"} == moves
