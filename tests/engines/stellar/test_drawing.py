"""Stellar, drawn: cards face up, face down and in other hands; notebooks, points, keys and clicks."""

from itertools import pairwise
from random import Random

import pytest
from support.pictures import list_changed, parts_of
from support.stellar_by_name import CHOSEN, DECK_TOP, dealt

from engines import GAMES, playout, replay
from engines.stellar.cards import DECK, DOWN, SLOTS
from engines.stellar.text import in_words, name_slot

STELLAR = GAMES["stellar"]


def after(*moves, deck=DECK_TOP):
    *_, step = replay(STELLAR, dealt(deck), 2, moves)
    return step.state


def seen(state, *seats):
    """Return the picture of what *seats* know together; None is a spectator."""
    return STELLAR.draw(*[STELLAR.view(state, seat) for seat in seats])


def parts(state, *seats):
    return parts_of(seen(state, *seats))


START = after(CHOSEN)
SOME_TURNS = after(CHOSEN, "take 3", "C2.3@B1 down", "wipe", "take 1", "B2.3@notebook")


def test_a_card_shows_its_name_its_suit_and_its_stars():
    moon, satellite = (parts(START, 0)[key] for key in ("card-M3.2-1", "card-S3-1"))
    assert (["M3"], ["moon", "star", "star"]) == (moon.texts, moon.marks)
    assert (["S3"], ["satellite"]) == (satellite.texts, satellite.marks)
    assert {"hue-blue", "card"} <= moon.classes


def test_the_row_stands_in_the_order_of_its_numbers():
    row = [parts(START, None)[f"card-{card}-1"] for card in ("P1.3", "A2.3", "S3", "C4.1", "B5.0")]
    assert sorted(card.x for card in row) == [card.x for card in row]
    assert 1 == len({card.y for card in row})
    assert ["1", "2", "3", "4", "5"] == parts(START, None)["row-numbers"].texts


def test_a_row_slot_that_is_empty_is_drawn_as_a_place():
    taken = parts(after(CHOSEN, "take 3"), 0)
    assert "slot" in taken["row-3"].classes
    assert taken["row-3"].x == parts(START, 0)["card-S3-1"].x


def test_piles_show_how_many_cards_they_have():
    drawn = parts(SOME_TURNS, None)
    assert (["40", "pile"], ["5", "discards"]) == (drawn["pile"].texts, drawn["discards"].texts)


def test_a_seat_sees_its_own_hand_and_the_back_of_what_it_does_not_know():
    drawn = parts(SOME_TURNS, 1)
    own = {"card-M6.0-1", "card-P2.2-1"}  # after the wipe seat 1 took the P2.2
    assert own <= drawn.keys()
    assert 1 == len({drawn[key].y for key in own})
    other = drawn["hidden-0-0"]
    assert ([], []) == (other.texts, other.marks)
    assert "card-P6.0-1" not in drawn


def test_a_card_that_all_know_is_shown_in_a_hand_of_others_but_marked():
    of_spectator, own = (parts(SOME_TURNS, who)["card-S3-1"] for who in (None, 0))
    assert (["S3"], ["S3"]) == (of_spectator.texts, own.texts)
    assert "held" in of_spectator.classes
    assert "held" not in own.classes


def test_views_of_both_seats_show_both_hands_and_no_back():
    drawn = parts(SOME_TURNS, 0, 1)
    assert {"card-P6.0-1", "card-S3-1", "card-M6.0-1", "card-P2.2-1"} <= drawn.keys()
    assert not [key for key in drawn if key.startswith("hidden")]
    assert "Seat 0, hand: P6.0, S3" in seen(SOME_TURNS, 0, 1).description


def test_the_telescope_is_a_pyramid_of_places():
    drawn = parts(after(), None)
    places = {slot: drawn[f"slot-0-{slot}"] for slot in SLOTS}
    assert [*map(name_slot, SLOTS)] == [place.texts[0] for place in places.values()]
    rows = [[slot for slot in SLOTS if places[slot].y == y] for y in sorted({p.y for p in places.values()})]
    assert [["T1"], ["T2", "T3"], ["T4", "T5"], ["M1", "M2", "M3"], ["B1", "B2", "B3", "B4"]] == rows
    middles = {sum(places[slot].x for slot in row) / len(row) for row in rows}
    assert 1 == len(middles)


def test_a_card_face_down_is_a_3_without_type_and_all_know_which_it_is():
    card = parts(SOME_TURNS, None)["card-C2.3-1"]
    assert (["3", "(C2)"], []) == (card.texts, card.marks)
    assert "back" in card.classes


def test_a_card_that_waits_for_its_place_stands_behind_the_hand():
    drawn = parts(SOME_TURNS, None)
    waiting, hand = drawn["card-A1.3-1"], drawn["card-P2.2-1"]
    assert waiting.y == hand.y
    assert waiting.x > hand.x
    assert "hint" in waiting.classes


def test_the_notebook_has_a_line_for_each_type_and_a_column_for_each_number():
    drawn = parts(after(CHOSEN, "take 1", "P6.0@notebook", "A1.3@M2", "take 2", "B2.3@notebook"), None)
    page = drawn["notebook-0"]
    assert ["0", "1", "2", "3", "4", "5", "6", "\u00d7run"] == drawn["scale-0"].texts
    assert [] == page.texts, "it is a button, which is called by its name alone"
    seat_and_types = ["circle", "planet", "moon", "asteroid", "cloud", "hole", "satellite"]
    assert seat_and_types == page.marks
    three, six = drawn["card-P3.2-1"], drawn["card-P6.0-1"]
    assert (["3"], ["6", "0"]) == (three.texts, six.texts)
    assert six.y == pytest.approx(three.y, abs=3)
    assert 3 * 26 == pytest.approx(six.x - three.x, abs=3)


def test_the_notebook_says_stars_times_run():
    state = after(CHOSEN, "take 4", "C4.1@notebook", "A1.3@M2")
    drawn = parts(state, None)
    assert ["2 \u00d7 0"] == drawn["run-0-M"].texts
    assert ["0 \u00d7 1"] == drawn["run-0-P"].texts
    assert ["+ 0"] == drawn["run-0-S"].texts


@pytest.mark.parametrize("seed", range(3))
def test_the_points_in_the_end_are_those_of_the_result(seed):
    rng = Random(seed)
    *_, last = playout(STELLAR, STELLAR.deal(2, rng), 2, rng)
    drawn = parts(last.state, None)
    for seat, points in enumerate(STELLAR.view(last.state, None)["scores"]):
        for what in ("types", "majorities", "diversity"):
            assert [str(points[what]), what] == drawn[f"{what}-{seat}"].texts
        assert f"{points['total']} points" == drawn[f"seat-{seat}"].texts[-1]
        lines = [drawn[f"run-{seat}-{kind}"].texts[0] for kind in "PMACBS"]
        assert points["types"] == sum(eval(line.replace("\u00d7", "*").replace("+ ", "")) for line in lines)


def test_the_larger_sum_of_a_section_is_bold():
    drawn = parts(after(CHOSEN, "take 4", "C4.1@notebook", "A1.3@M2"), None)
    assert (["M sum", "1"], ["M sum", "0"]) == (drawn["M sum-0"].texts, drawn["M sum-1"].texts)
    assert "strong" in drawn["M sum-0"].classes
    assert "strong" not in drawn["M sum-1"].classes
    assert not {"strong"} & (drawn["T sum-0"].classes | drawn["T sum-1"].classes)  # 3 each


def test_the_seat_that_must_act_is_marked():
    drawn = parts(SOME_TURNS, 0)
    assert "asked" in drawn["seat-1"].classes
    assert "asked" not in drawn["seat-0"].classes
    assert "Seat 0 (you)" in drawn["seat-0"].texts
    assert "Seat 1" in drawn["seat-1"].texts


def test_a_card_keeps_its_key_on_its_way_from_the_row_to_the_telescope():
    before, taken = seen(START, 0), seen(after(CHOSEN, "take 1"), 0)
    laid = seen(after(CHOSEN, "take 1", "P1.3@T2"), 0)
    places = [parts_of(picture)["card-P1.3-1"] for picture in (before, taken, laid)]
    assert 3 == len({(card.x, card.y) for card in places})
    assert "card-P1.3-1" in list_changed(laid, taken)
    assert "slot-0-T2" not in parts_of(laid)


def test_the_cards_thrown_away_are_shown_in_the_end():
    rng = Random(1)
    *_, last = playout(STELLAR, STELLAR.deal(2, rng), 2, rng)
    thrown = [card.split(".")[0] for card in STELLAR.view(last.state, None)["thrown"]]
    faint = [card.texts[0] for card in parts(last.state, None).values() if "faint" in card.classes]
    assert sorted(thrown) == sorted(faint)


@pytest.mark.parametrize("seed", range(3))
def test_what_lies_in_a_telescope_or_a_notebook_is_never_outlined_again(seed):
    """Except for cards of which the deck has two: a notebook does not tell which of them came first."""
    rng = Random(seed)
    states = [played.state for played in playout(STELLAR, STELLAR.deal(2, rng), 2, rng)]
    for before, now in pairwise(states[1:]):
        view = STELLAR.view(before, None)
        lie = {card.removesuffix(DOWN) for cards in view["telescopes"] for card in cards.values()}
        lie |= {card for cards in view["notebooks"] for card in cards}
        lie = {card for card in lie if DECK.count(card) == 1}
        assert lie
        assert set() == {f"card-{card}-1" for card in lie} & list_changed(seen(now, None), seen(before, None))


# Clicks.


def click(state, seat, option):
    return [[*part.keys] for part in STELLAR.parts_of(STELLAR.view(state, seat), option)]


def test_a_starter_is_a_card_and_its_slot_and_a_card_of_the_row_is_itself():
    start = after()
    assert [["card-M3.2-1"], ["slot-0-T1"]] == click(start, 0, "M3.2@T1")
    assert [["card-A3.2-1"], ["slot-1-T1"]] == click(start, 1, "A3.2@T1")
    assert [["card-S3-1"]] == click(START, 0, "take 3")


def test_a_play_is_a_card_and_a_place_and_keeping_the_row_has_no_part():
    state = after(CHOSEN, "take 3")
    assert [["card-C2.3-1"], ["slot-0-B1"]] == click(state, 0, "C2.3@B1") == click(state, 0, "C2.3@B1 down")
    assert [["card-S3-1"], ["notebook-0"]] == click(state, 0, "S3@notebook")
    assert [["card-A1.3-1"], ["slot-1-M2"]] == click(SOME_TURNS, 1, "A1.3@M2 down")
    wipe = after(CHOSEN, "take 3", "C2.3@B1 down")
    assert [] == click(wipe, 1, "keep") == click(wipe, 1, "wipe")


def test_the_title_tells_who_sees_it():
    view = STELLAR.view(SOME_TURNS, 1)
    assert "Stellar, as seat 1 sees it" == STELLAR.draw(view).title
    assert "Stellar, everything" == seen(SOME_TURNS, 0, 1).title


def test_a_card_is_called_by_its_type_its_number_and_its_stars():
    words = ["planet 5", "moon 1 with 3 stars", "asteroid 6/0", "cloud 5", "black hole 5", "satellite 3"]
    assert words == [in_words(card) for card in ("P5.0", "M1.3", "A6.0", "C5.0", "B5.0", "S3")]
