"""The greedy policies of Stellar: what every style sees, and where the styles part."""

from random import Random

from engines import GAMES
from engines.position import chosen_by
from engines.stellar.cards import CODES, codes_of
from engines.stellar.moves import lay_option
from engines.stellar.state import new_state
from engines.stellar.turns import STEPS

STELLAR = GAMES["stellar"]
STYLES = ["greedy", "bold", "careful"]
POLICIES = {style: STELLAR.policies()[f"{style}-1"] for style in STYLES}


def by_style(state):
    return {style: state.move_of(chosen_by(policy, state, Random(0))) for style, policy in POLICIES.items()}


def all_choose(move):
    return dict.fromkeys(STYLES, move)


def state_of(step, hand, row, telescope, notebook, waiting=None):
    """Return a state in which seat 0 is asked; - is an empty slot of the *row*, cards lie "slot:card"."""
    state = new_state(0, False, [])
    state.stage = STEPS.index(step)
    state.hands = [sorted(codes_of(hand.split())), []]
    state.row = codes_of(None if card == "-" else card for card in row.split())
    state.notebooks = [sorted(codes_of(notebook.split())), codes_of(["B3.2"])]
    for seat, cards in enumerate((telescope, "T1:C3.2")):
        for entry in cards.split():
            state.lay(seat, lay_option(*entry.split(":")))
    if waiting:
        state.waiting = CODES[waiting]
    return state


STARS = "T1:A3.2 T2:A1.3 T3:A2.3"
"""Eight stars of one type."""


def test_a_card_that_lengthens_the_run_of_many_stars_is_taken():
    state = state_of("take", "C6.0 P5.0", "B5.0 C5.0 P5.1 A4.1 M5.0", f"{STARS} T4:A1.3", "A2.2 A3.1")
    assert all_choose("take 4") == by_style(state)


def test_a_card_that_lengthens_the_run_of_many_stars_goes_to_the_notebook():
    state = state_of("play", "A4.1 C5.0 P5.0", "B1.3 C5.1 P5.1 - M5.0", f"{STARS} T4:A1.3", "A2.2 A3.1")
    assert all_choose("A4.1@notebook") == by_style(state)


def test_stars_of_a_type_with_a_long_run_go_to_the_telescope():
    state = state_of("play", "A2.3 C5.0 P5.0", "B1.3 - P5.1 B4.1 M5.0", "T1:A3.2", "A2.2 A3.1 A4.1 A5.1")
    assert all_choose("A2.3@T2") == by_style(state)


def test_a_card_lies_face_up_where_it_can():
    state = state_of("place", "C5.0 P5.0", "B1.3 - P5.1 B4.1 M5.0", STARS, "A2.2", "A1.3")
    assert all_choose("A1.3@T4") == by_style(state)


def test_the_last_card_kept_is_the_one_that_the_notebook_gains_most_from():
    state = state_of("final", "A4.1 P1.3", "B1.3 C5.1 P5.1 C4.1 M5.0", STARS, "A2.2 A3.1 P3.2")
    assert all_choose("A4.1@notebook") == by_style(state)


def test_a_row_with_a_great_card_is_never_wiped():
    state = state_of(
        "wipe", "C6.0 P5.0", "B5.0 C5.0 P5.1 A4.1 M5.0", f"{STARS} T4:A1.3 M1:A4.1", "A1.3 A2.2 A3.1"
    )
    assert all_choose("keep") == by_style(state)


def test_bold_wipes_a_row_that_greedy_keeps():
    state = state_of("wipe", "C1.3 P1.3", "B5.0 C5.0 P5.1 A4.1 M5.0", STARS, "A2.2 A3.1")
    assert {"greedy": "keep", "bold": "wipe", "careful": "keep"} == by_style(state)


def test_careful_keeps_a_row_that_greedy_wipes():
    state = state_of("wipe", "C1.3 P1.3", "P1.3 P2.3 M2.3 M1.3 A1.3", "T1:A3.2 T2:M3.1 T3:P3.1", "")
    assert {"greedy": "wipe", "bold": "wipe", "careful": "keep"} == by_style(state)


def test_careful_looks_for_room_before_it_plays_a_card_and_the_others_do_not():
    """The asteroids lie around the moon: another moon can only lie face down, without its three stars."""
    state = state_of(
        "play", "M1.3 C5.0 P4.1", "- A2.2 P5.1 B4.1 M5.0", "T1:M3.2 T2:A3.1 T3:A1.3", "M2.3 M3.1 M4.1"
    )
    moves = by_style(state)
    assert {"greedy": "M1.3@B1 down", "bold": "M1.3@B1 down", "careful": "C5.0@M2"} == moves


def test_bold_and_greedy_lengthen_a_run_and_careful_completes_the_types():
    telescope = "T1:P3.2 T2:A3.2 T5:A1.3 T3:M4.1 M1:C4.1"
    state = state_of("play", "A5.1 B5.0 P5.0", "M1.3 M2.2 C1.3 C4.1 -", telescope, "A3.1 A4.1 P3.1")
    moves = by_style(state)
    assert {"greedy": "A5.1@notebook", "bold": "A5.1@notebook", "careful": "B5.0@M2"} == moves
