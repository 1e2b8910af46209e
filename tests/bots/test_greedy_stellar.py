"""The house bot's play in Stellar: what every style sees, and where the styles part."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest
from support import greedy_bot

from engines import GAMES, playout

bot = greedy_bot.module("stellar")

STELLAR = GAMES["stellar"]
STYLES = ["greedy", "bold", "careful"]


def chosen(style, view, options):
    """Return the bot's move; all that it is told is the view and the options."""
    return bot.chooser(style)(SimpleNamespace(view=view, choice=SimpleNamespace(options=options)))


def by_style(view, *options):
    return {style: chosen(style, view, list(options)) for style in STYLES}


def all_choose(move):
    return dict.fromkeys(STYLES, move)


def view_of(step, hand, row, telescope, notebook):
    """Return what of a view the bot reads; - is an empty slot of the *row*, cards lie "slot:card"."""
    lying = dict(entry.split(":") for entry in telescope.split())
    return {
        "seat": 0,
        "step": step,
        "hand": hand.split(),
        "row": [None if card == "-" else card for card in row.split()],
        "telescopes": [lying, {"T1": "C3.2"}],
        "notebooks": [notebook.split(), ["B3.2"]],
    }


@pytest.mark.parametrize("number", STELLAR.options["face_down_number"])
@pytest.mark.parametrize("style", STYLES)
def test_every_choice_is_an_offered_move(style, number):
    """Own moves and random ones by turns: good positions, and those that nobody would play into."""
    choose, rng = bot.chooser(style), Random(f"{style}/{number}")
    steps = set()

    def policy(state, seat, choice):
        view = STELLAR.view(state, seat)
        options = choice.to_json()["options"]
        move = choose(SimpleNamespace(view=view, choice=SimpleNamespace(options=options)))
        assert move in options
        steps.add(view["step"])
        return move if rng.random() < 0.7 else choice.sample(rng)

    for _ in range(8):
        for _ in playout(STELLAR, STELLAR.deal(2, rng, {"face_down_number": number}), 2, policy):
            pass
    assert {"starter", "wipe", "take", "play", "place", "final"} == steps


STARS = "T1:A3.2 T2:A1.3 T3:A2.3"
"""Eight stars of one type."""


def test_a_card_that_lengthens_the_run_of_many_stars_is_taken():
    view = view_of("take", "C6.0 P5.0", "B5.0 C5.0 P5.1 A4.1 M5.0", f"{STARS} T4:A1.3", "A2.2 A3.1")
    assert all_choose("take 4") == by_style(view, "take 1", "take 2", "take 3", "take 4", "take 5")


def test_a_card_that_lengthens_the_run_of_many_stars_goes_to_the_notebook():
    view = view_of("play", "A4.1 C5.0 P5.0", "B1.3 C5.1 P5.1 - M5.0", f"{STARS} T4:A1.3", "A2.2 A3.1")
    assert all_choose("A4.1@notebook") == by_style(
        view, "A4.1@T5", "A4.1@T5 down", "A4.1@notebook", "C5.0@B4"
    )


def test_stars_of_a_type_with_a_long_run_go_to_the_telescope():
    view = view_of("play", "A2.3 C5.0 P5.0", "B1.3 - P5.1 B4.1 M5.0", "T1:A3.2", "A2.2 A3.1 A4.1 A5.1")
    assert all_choose("A2.3@T2") == by_style(view, "A2.3@T2", "A2.3@T2 down", "A2.3@notebook", "C5.0@B4")


def test_a_card_lies_face_up_where_it_can():
    view = view_of("place", "C5.0 P5.0", "B1.3 - P5.1 B4.1 M5.0", STARS, "A2.2")
    assert all_choose("A1.3@T5") == by_style(view, "A1.3@T5", "A1.3@B1 down", "A1.3@T5 down")


def test_the_last_card_kept_is_the_one_that_the_notebook_gains_most_from():
    view = view_of("final", "A4.1 P1.3", "B1.3 C5.1 P5.1 C4.1 M5.0", STARS, "A2.2 A3.1 P3.2")
    assert all_choose("A4.1@notebook") == by_style(view, "P1.3@notebook", "A4.1@notebook")


def test_a_row_with_a_great_card_is_never_wiped():
    view = view_of(
        "wipe", "C6.0 P5.0", "B5.0 C5.0 P5.1 A4.1 M5.0", f"{STARS} T4:A1.3 M1:A4.1", "A1.3 A2.2 A3.1"
    )
    assert all_choose("keep") == by_style(view, "keep", "wipe")


def test_bold_wipes_a_row_that_greedy_keeps():
    view = view_of("wipe", "C1.3 P1.3", "B5.0 C5.0 P5.1 A4.1 M5.0", STARS, "A2.2 A3.1")
    assert {"greedy": "keep", "bold": "wipe", "careful": "keep"} == by_style(view, "keep", "wipe")


def test_careful_keeps_a_row_that_greedy_wipes():
    view = view_of("wipe", "C1.3 P1.3", "P1.3 P2.3 M2.3 M1.3 A1.3", "T1:A3.2 T2:M3.1 T3:P3.1", "")
    assert {"greedy": "wipe", "bold": "wipe", "careful": "keep"} == by_style(view, "keep", "wipe")


def test_careful_looks_for_room_before_it_plays_a_card_and_the_others_do_not():
    """The asteroids lie around the moon: another moon can only lie face down, without its three stars."""
    view = view_of(
        "play", "M1.3 C5.0 P4.1", "- A2.2 P5.1 B4.1 M5.0", "T1:M3.2 T2:A3.1 T3:A1.3", "M2.3 M3.1 M4.1"
    )
    moves = by_style(view, "M1.3@B1 down", "M1.3@notebook", "C5.0@B4", "C5.0@notebook", "P4.1@B4")
    assert {"greedy": "M1.3@B1 down", "bold": "M1.3@B1 down", "careful": "C5.0@B4"} == moves


def test_bold_and_greedy_lengthen_a_run_and_careful_completes_the_types():
    telescope = "T1:P3.2 T2:A3.2 T5:A1.3 T3:M4.1 M1:C4.1"
    view = view_of("play", "A5.1 B5.0 P5.0", "M1.3 M2.2 C1.3 C4.1 -", telescope, "A3.1 A4.1 P3.1")
    moves = by_style(view, "A5.1@T4", "A5.1@notebook", "B5.0@B4", "B5.0@notebook", "P5.0@notebook")
    assert {"greedy": "A5.1@notebook", "bold": "A5.1@notebook", "careful": "B5.0@B4"} == moves
