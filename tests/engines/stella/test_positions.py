"""Stella played on in place: its options, which are sets of places."""

from random import Random

import pytest

from engines import IllegalMove, Some
from engines.stella import Stella
from engines.stella.deck import DEFAULT, deck_json
from engines.stella.moves import CROSSES, sample_crosses

STELLA = Stella()
FIRST, LAST = 1 << 14, 1  # the sets of the first and of the last place alone


def begun(seats=3, **options):
    """Return a position in which all seats are asked for their crosses."""
    return STELLA.begin(STELLA.deal(seats, Random(seats), {"word_vote": False} | options), seats)


def test_all_30_826_crosses_are_options_in_the_order_of_the_choice():
    position = begun()
    choice = STELLA.choices(position)[0]
    options = position.options()
    assert 30_826 == len(options) == len(set(options))
    assert [*choice] == [position.move_of(option) for option in options]


def test_crosses_are_the_set_of_their_places_with_the_first_place_as_the_highest_bit():
    position = begun()
    names = STELLA.choices(position)[0].options
    assert CROSSES + FIRST + LAST == position.option_of(0, [names[14], names[0]])
    assert (names[0], names[14]) == position.move_of(CROSSES + FIRST + LAST)


def test_no_crosses_eleven_crosses_and_what_is_no_set_are_not_open():
    position = begun()
    eleven = (1 << 11) - 1
    assert position.allows(0, CROSSES + (eleven >> 1))
    for closed in (CROSSES, CROSSES + eleven, CROSSES + 2 * FIRST, CROSSES - 1, 0, 15, 16, -1):
        assert not position.allows(0, closed)
        assert closed not in position.options()


def test_a_cross_that_another_seat_has_shown_is_not_open_any_more():
    position = begun()
    for places in (FIRST + LAST, FIRST, LAST):
        position.play(CROSSES + places)
    scout = position.seat
    shown = position.options()[0]
    assert position.allows(scout, shown)
    position.play(shown)
    assert not any(position.allows(seat, shown) for seat in range(3))
    name = position.grid.names[shown]
    with pytest.raises(IllegalMove, match=f"{name} has been shown already"):
        position.option_of(position.seat, f"show {name}")


def test_random_crosses_come_from_the_dice_that_the_choice_throws():
    choice = Some(tuple(map(str, range(15))), 1, 10)
    for seed in range(200):
        places = {14 - int(place) for place in choice.sample(Random(seed))}
        assert CROSSES + sum(1 << bit for bit in places) == sample_crosses(Random(seed).random)


def test_what_a_copy_plays_leaves_the_votes_of_the_others_as_they_are():
    position = STELLA.begin(STELLA.deal(4, Random(1)), 4)
    position.play(position.options()[0])
    copy = position.copy()
    copy.play(copy.options()[1])
    assert [1, 2] == [position.seat, copy.seat]
    for _ in range(3):
        position.play(position.options()[1])
    assert ("associate", False, "vote") == (position.step, position.flipped, copy.step)


def test_states_of_decks_with_their_cards_in_another_order_differ():
    deck = deck_json(DEFAULT)
    other = {**deck, "cards": deck["cards"][::-1]}
    words = [[*pair] for pair in DEFAULT.words[:4]]
    one, two = [
        STELLA.begin(
            {
                "options": {"deck": cards},
                "first": 0,
                "cards": [card["id"] for card in cards["cards"]],
                "words": words,
            },
            3,
        )
        for cards in (deck, other)
    ]
    assert one.grid.cards == two.grid.cards
    assert one.grid.names != two.grid.names
    assert one != two
