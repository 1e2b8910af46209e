"""Stellar: the deck, and what telescopes and notebooks are worth."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from support.stellar_by_name import ByName, breakdown
from support.told import Player

import engines.stellar
from engines import Outcome, playout
from engines.stellar.cards import CARDS, DECK, SLOTS, STARTERS
from engines.stellar.scoring import run, section_totals

STELLAR = ByName()
DATA = Path(engines.stellar.__file__).parent


def player(notebook="", **cards):
    """Return a player: player("M4.1 M5.0", T1="M3.2", T2="P4.1 down")."""
    return Player(notebook=tuple(sorted(notebook.split())), telescope=cards)


def points(one, other=None):
    """Return the breakdown of a match that ended like this, for seat 0 or, given two, for both."""
    *_, last = playout(STELLAR, STELLAR.deal(2, Random(1)), 2, Random(1))
    scores = breakdown(last.state._replace(players=(one, other or player())))
    return scores if other else scores[0]


# The deck.


def test_the_deck_has_60_cards_11_of_each_type_and_5_satellites():
    assert 60 == len(DECK)
    assert {"P": 11, "M": 11, "A": 11, "C": 11, "B": 11, "S": 5} == Counter(card[0] for card in DECK)
    assert {f"S{number}": 1 for number in range(1, 6)} == {
        card: DECK.count(card) for card in DECK if card[0] == "S"
    }


@pytest.mark.parametrize("kind", "PMACB")
def test_every_type_has_two_cards_of_each_number_and_one_6_0(kind):
    expected = ["1.3", "1.3", "2.2", "2.3", "3.1", "3.2", "4.1", "4.1", "5.0", "5.1", "6.0"]
    assert expected == [card[1:] for card in DECK if card[0] == kind]


def test_the_deck_has_85_stars_and_no_card_has_more_than_three():
    assert 85 == sum(CARDS[card].stars for card in DECK)
    assert {0, 1, 2, 3} == {card.stars for card in CARDS.values()}


def test_stars_do_not_grow_with_the_number():
    for kind in "PMACB":
        cards = sorted(CARDS[card][1:] for card in DECK if card[0] == kind)
        fewest = {number: min(s for n, s in cards if n == number) for number, _ in cards}
        most = {number: max(s for n, s in cards if n == number) for number, _ in cards}
        assert all(most[number + 1] <= fewest[number] for number in range(1, 6))


def test_the_starters_are_the_threes_with_two_stars_one_of_each_type():
    assert ("A3.2", "B3.2", "C3.2", "M3.2", "P3.2") == STARTERS
    assert all(1 == DECK.count(card) for card in STARTERS)


@pytest.mark.parametrize("name", ["deck.json", "slots.json"])
def test_the_data_files_say_that_they_are_reconstructions(name):
    assert "RECONSTRUCTION" in json.loads((DATA / name).read_text("utf-8"))["about"]


# Types.


@pytest.mark.parametrize(
    ("numbers", "multiplier"),
    [
        ([], 0),
        ([3], 1),
        ([1, 3, 5], 1),
        ([4, 5, 6], 3),
        ([1, 2, 4, 5], 2),
        ([2, 3, 3, 4], 3),
        ([1, 2, 3, 4, 5], 5),
        ([1, 2, 3, 4, 5, 6], 6),
        ([1, 2, 6], 3),
        ([6], 1),
        ([5, 6], 2),
        ([2, 3, 6], 2),
        ([1, 5, 6], 2),
        ([1, 2, 4, 5, 6], 3),
        ([1, 2, 3, 5, 6], 4),
    ],
)
def test_the_multiplier_is_the_longest_run_and_st17_a_6_0_is_either_6_or_0(numbers, multiplier):
    assert multiplier == run(numbers)


TYPES = [
    ("Emma's moons have five stars and a run of 4 5 6", "M3.2 M1.3", "M4.1 M5.0 M6.0", 5 * 3),
    ("Carly has runs of 3, 1 and 1", "A3.2 P1.3 C2.3", "P4.1 A2.3 A3.1 A4.1 C1.3 C5.1", 2 * 3 + 3 + 3),
    ("like cards count once", "A3.2 P1.3 C2.3", "P4.1 A2.3 A3.1 A4.1 C1.3 C4.1 C4.1", 2 * 3 + 3 + 3),
    ("ST15: a satellite counts where it is worth most", "P1.3 M3.1", "P1.3 P3.2 M2.3 S2", 3 * 3 + 1),
    ("ST15: so beside more stars", "P4.1 M1.3 M1.3", "P1.3 M1.3 S2", 6 * 2 + 1),
    ("ST16: a satellite may make a stack of its own", "P1.3", "S4", 3),
    ("ST16: two may make one", "P1.3", "S4 S5", 3 * 2),
    ("ST17: a 6/0 does not join 6 and 0", "P3.2", "P1.3 P5.0 P6.0 P2.3", 2 * 3),
    ("ST18: an empty stack makes nothing of its stars", "P1.3", "M1.3", 0),
    ("A14: by itself the 6/0 is better as a 0, beside the 1", "P1.3", "P1.3 P3.2 P6.0", 3 * 2),
    ("A14: with both satellites it ends 3 4 5 6", "P1.3", "P1.3 P3.2 P6.0 S4 S5", 3 * 4),
]
"""A telescope from T1 on, a notebook, and what they are worth."""


@pytest.mark.parametrize(("ruling", "telescope", "notebook", "worth"), TYPES)
def test_types_are_worth_stars_times_runs(ruling, telescope, notebook, worth):
    cards = dict(zip(SLOTS, telescope.split(), strict=False))
    assert worth == points(player(notebook, **cards))["types"], ruling


def test_cards_face_down_have_no_stars_and_no_type():
    assert 0 == points(player("M4.1 M5.0", T1="M3.2 down"))["types"]


def test_st14_a_satellite_in_the_telescope_has_its_number_but_no_type_and_no_stars():
    one = player("S1 S2 S3", T1="S5")
    assert {"types": 0, "majorities": 10, "diversity": 0, "total": 10} == points(one)
    four = {"T2": "P1.3", "T3": "M1.3", "T4": "A1.3", "T5": "C1.3"}
    assert 0 == points(player(T1="S5", **four))["diversity"]


def test_st14_a_satellite_face_down_is_a_3():
    assert {"top": 3, "middle": 0, "bottom": 0} == section_totals(player(T1="S5 down").telescope)


def test_a13_every_player_has_the_maximum_apart():
    one, other = player("S4 S5", T1="P1.3"), player("S1 S2", T1="P1.3")
    assert [6, 6] == [score["types"] for score in points(one, other)]


# Majorities, diversity, result.


def section(slots, numbers):
    """Return cards of those numbers, in those slots, each of its own type as far as it goes."""
    names = {1: "1.3", 2: "2.3", 3: "3.1", 4: "4.1", 5: "5.0", 6: "6.0"}
    return {
        slot: "PMACB"[at] + names[number]
        for at, (slot, number) in enumerate(zip(slots, numbers, strict=True))
    }


def test_the_example_of_the_majorities_gives_carly_20_and_emma_10():
    top, middle, bottom = SLOTS[:5], SLOTS[5:8], SLOTS[8:]
    carly = section(top, [2, 3, 3, 3, 3]) | section(middle, [4, 4, 3]) | section(bottom, [4, 4, 4, 3])
    emma = section(top, [3, 3, 4, 3, 4]) | section(middle, [2, 2, 2]) | section(bottom, [3, 3, 3, 4])
    assert {"top": 14, "middle": 11, "bottom": 15} == section_totals(carly)
    assert {"top": 17, "middle": 6, "bottom": 13} == section_totals(emma)
    assert [20, 10] == [score["majorities"] for score in points(player(**carly), player(**emma))]


def test_st28_a_tied_section_gives_nothing():
    scores = points(player(T1="P3.2", M1="P4.1"), player(T1="M3.2", M1="M1.3"))
    assert [10, 0] == [score["majorities"] for score in scores]


def test_st28_face_down_is_3_a_satellite_its_number_and_a_6_0_is_6():
    assert {"top": 3 + 5, "middle": 6, "bottom": 3} == section_totals(
        player(T1="P1.3 down", T2="S5", M1="P6.0", B1="A6.0 down").telescope
    )


def test_st29_all_five_types_face_up_with_the_starter_give_10():
    four = {"T2": "P1.3", "T3": "A1.3", "M1": "C6.0", "B1": "B5.0"}
    assert 10 == points(player(T1="M3.2", **four))["diversity"]
    assert 0 == points(player(T1="M3.2", **four | {"T2": "P1.3 down"}))["diversity"]
    assert 0 == points(player(T1="A3.2", **four))["diversity"]


def test_a20_a_result_has_types_majorities_diversity_and_total():
    one = player("P1.3 P2.3", T1="P3.2", T2="M1.3", T3="A1.3", T4="C1.3", T5="B1.3")
    expected = {"types": 4, "majorities": 10, "diversity": 10, "total": 24}
    assert [expected, {"types": 0, "majorities": 0, "diversity": 0, "total": 0}] == points(one, player())


def over(one, other):
    *_, last = playout(STELLAR, STELLAR.deal(2, Random(1)), 2, Random(1))
    return last.state._replace(players=(one, other))


def test_st30_equal_points_are_a_shared_victory_and_more_points_win():
    better, worse = player(T1="S5"), player(T1="S4")
    assert Outcome((1, 2), (10, 0)) == STELLAR.outcome(over(better, worse))
    assert Outcome((2, 1), (0, 10)) == STELLAR.outcome(over(worse, better))
    assert Outcome((1, 1), (0, 0)) == STELLAR.outcome(over(worse, worse))
