"""The greedy policies of Stella Quest: what every style sees, and where the styles part."""

from random import Random

import pytest

from engines import GAMES
from engines.position import chosen_by
from engines.stella_quest.cards import BACK_OF, BREAK_CARD, CODES, NO_BACK, codes_of
from engines.stella_quest.players import NOBODY
from engines.stella_quest.state import new_state
from engines.stella_quest.turns import STEPS

QUEST = GAMES["stella-quest"]
STYLES = ["greedy", "bold", "careful"]
POLICIES = {style: QUEST.policies()[f"{style}-1"] for style in STYLES}
YELLOW = ("Y5 Y5", "Y5 Y5", "Y5 Y5")


def by_style(state):
    return {style: state.move_of(chosen_by(policy, state, Random(0))) for style, policy in POLICIES.items()}


def all_choose(move):
    return dict.fromkeys(STYLES, move)


def state_of(
    hand,
    table="",
    *,
    seat=2,
    step="play",
    top="Y4",
    pile="",
    hands=YELLOW,
    marker=NOBODY,
    lights=(5, 5, 5),
    **taken,
):
    """Return a state in which *seat* is asked: its *hand*, the *hands* of the others, the *table* so far.

    Nobody can burn a light unless there is a *pile*.  By seat s0, s1, ... what it has *taken*.
    """
    cards = codes_of(table.split())
    by = [seat - len(cards) + place for place in range(len(cards))] if step == "play" else range(len(cards))
    state = new_state(len(lights), by[0] if cards else seat, CODES[top], [])
    state.seat, state.stage, state.marker = seat, STEPS.index(step), marker
    state.table, state.by = cards, [*by]
    state.lead = next((BACK_OF[card] for card in cards if card != BREAK_CARD), NO_BACK)
    state.hands = [
        sorted(codes_of((hand if own == seat else hands[own]).split())) for own in range(len(lights))
    ]
    state.pile = codes_of(pile.split())
    state.lights = [*lights]
    state.collections = [codes_of(taken.get(f"s{own}", "").split()) for own in range(len(lights))]
    return state


ALL_CHOOSE = [
    ("no cards: the first trump", "top B1", state_of("", "B1 G3", step="top")),
    ("the last wins a sixth", "play B6", state_of("B1 B6", "B4 B2", pile="Y1", s2="G1 G3 R4 Y5 Y6")),
    ("the cheapest winner is good enough", "play B3", state_of("B3 B6", "B1 B2")),
    ("the twin of the top wins in any colour", "play G2", state_of("G2 R6", "B5 B1", top="G2")),
    ("marker, one light: no win", "play B1", state_of("B1 B6", "B4 B2", marker=2, lights=(5, 5, 1))),
    ("no win if all numbers cost lights", "play B2", state_of("B2 B6", "B4 B3", s2="G2 G3 R4 R6")),
    ("the new number with most jewels", "take B3", state_of("R5", "B5 B3 B1", step="take", s2="G1")),
    ("an old one where it costs least", "take B6", state_of("R5", "B1 B3 B6", step="take", s2="G1 G3 G6")),
    ("rather one that is spoilt", "take B3", state_of("R5", "B3 B4 XX", step="take", s2="G3 R3 G4")),
    ("a lead that none beats", "play G3", state_of("G3 Y6", seat=0, top="G1", hands=("", "B5 R4", "B5 B4"))),
]


@pytest.mark.parametrize(("what", "move", "state"), ALL_CHOOSE)
def test_all_styles_choose_the_same(what, move, state):
    assert all_choose(move) == by_style(state), what


def test_a_break_card_saves_from_a_number_that_would_cost_the_last_light():
    state = state_of("B3 XX", "B2 B2", top="B3", lights=(5, 5, 1), s2="G2 G3")
    assert all_choose("play XX") == by_style(state)


def test_a_light_is_burnt_for_the_last_chance_to_stay_alive():
    """The only card wins, and the marker and a number held already take both lights that are left."""
    state = state_of("B6", "B4 B3", pile="Y1", marker=2, lights=(5, 5, 2), s2="G3 R4 Y6")
    assert all_choose("draw") == by_style(state)


def test_the_colour_of_strong_cards_becomes_trump():
    """The six of red would be the sixth number; a seat that has only blue would trump it with blue."""
    state = state_of("R5 R6", "B2 R2", step="top", hands=("B5 R4", "B5 B4", ""), s2="G1 G2 G3 G4 G5")
    assert all_choose("top R2") == by_style(state)


def test_the_dummy_is_reckoned_with_by_the_back_of_its_card():
    """A red card comes next, and red is trump: it beats a blue five, but hardly a red one."""
    state = state_of(
        "B5 R5", seat=0, top="R1", pile="R4", hands=("", "G5"), lights=(5, 5), s0="G1 G2 G3 G4 G6"
    )
    assert all_choose("play R5") == by_style(state)


def test_bold_wins_round_after_round_and_careful_keeps_its_lights():
    """It has the marker: a number with two jewels costs a light, and the next one another."""
    state = state_of("G1 G4", "G3 G2", marker=2, s2="B1 B2 B3")
    moves = by_style(state)
    assert ("play G4", "play G1") == (moves["bold"], moves["careful"])


def test_bold_alone_burns_a_light_for_three_jewels():
    state = state_of("Y1", "B5 B1", top="R4", pile="Y1", s2="G5")
    moves = {"greedy": "play Y1", "bold": "draw", "careful": "play Y1"}
    assert moves == by_style(state)


def test_for_the_sixth_number_all_burn_a_light_if_they_have_enough_of_them():
    state = state_of("Y1", "B5 B1", top="R4", pile="Y1", s2="G2 G3 G4 G5 G6")
    assert all_choose("draw") == by_style(state)
    state.lights = [5, 5, 2]
    assert {"greedy": "draw", "bold": "draw", "careful": "play Y1"} == by_style(state)
