"""What a person types, as a move."""

import pytest

from engines.contract.texts import wide_lines
from engines.game import IllegalMove, MovePart, OneOf, Some
from ladder.live.typed import OfferedMoves, number_options, offer

ONE = OneOf(("take 1", "take 2", "B5@T1"))
SOME = Some(("c01", "c02", "c03"), 0, 2)


def read_move(choice, text):
    """Return the move that *text* means where options are offered as they are written."""
    return offer(choice, choice.options, [()] * len(choice.options)).read(text)


@pytest.mark.parametrize(
    ("choice", "text", "move"),
    [
        *((ONE, text, "take 2") for text in ("2", " 2 ", "take 2", "TAKE 2")),
        *((SOME, text, ("c01", "c03")) for text in ("1 3", "3,1", "c03 1", "C01, c03")),
        (SOME, "none", ()),
        (Some(("two words", "other"), 1, 1), "two words", ("two words",)),
        (OneOf(("2", "1")), "2", "2"),  # a number that is an option means that option
    ],
)
def test_an_option_is_meant_by_its_number_and_by_its_name_and_several_in_any_order(choice, text, move):
    assert move == read_move(choice, text)


@pytest.mark.parametrize(
    ("choice", "text", "why"),
    [
        (ONE, "4", "expected a number from 1 to 3, got: 4"),
        (ONE, "0", "expected a number from 1 to 3, got: 0"),
        (ONE, "-1", "expected a number from 1 to 3, or a move as it is written, got: '-1'"),
        (ONE, "pass", "expected a number from 1 to 3, or a move as it is written, got: 'pass'"),
        (ONE, "9" * 5_000, "expected a number from 1 to 3"),
        (SOME, "1 2 3", "expected 0 to 2 options, got 3"),
        (SOME, "1 1", "expected different options"),
        (Some(("a", "b"), 1, 2), "none", "expected 1 to 2 options, got 0"),
    ],
)
def test_what_is_no_move_is_refused_with_what_was_expected(choice, text, why):
    with pytest.raises(IllegalMove) as caught:
        read_move(choice, text)
    assert why in str(caught.value)


def test_options_stand_in_columns_that_fit():
    options = tuple(f"{n}@Cnc.{n % 7}" for n in range(184))
    lines = number_options(options, 78)
    assert [] == wide_lines(lines, 78)
    numbers = [word for line in lines for word in line.split() if word.endswith(")")]
    assert {f"{n + 1})" for n in range(184)} == set(numbers)
    assert ["1) a", "2) b"] == number_options(("a", "b"), 78)


PLACES = {  # options with their words, and the card and the place that they are made of
    "P4@n": ("Planet 4 into the notebook", "planet 4", "your notebook"),
    "P4@M2": ("Planet 4 on mid 2", "planet 4", "mid 2"),
    "P4@M2 down": ("Planet 4 on mid 2, face down", "planet 4", "mid 2"),
    "3@M2": ("3 on mid 2", "3", "mid 2"),
    "3@n": ("3 into the notebook", "3", "your notebook"),
    "B1@M2": ("Black hole 1 on mid 2", "black hole 1", "mid 2"),
}


def offered(options=PLACES, said=None):
    parts = [[MovePart(name, ("key",)) for name in PLACES[option][1:]] for option in options]
    return offer(OneOf(tuple(options)), said or [PLACES[option][0] for option in options], parts)


def test_a_card_is_asked_first_then_its_place_and_back_is_a_new_offer():
    asked = offered()
    assert ("planet 4", "3", "Black hole 1 on mid 2") == asked.labels
    assert None is asked.read("1")
    assert ("into the notebook", "mid 2", "mid 2, face down") == asked.labels
    assert "P4@M2 down" == asked.read("3")
    assert "P4@M2" == asked.read("MID 2")
    assert "B1@M2" == asked.read("b1@m2"), "notation is read wherever one is"


@pytest.mark.parametrize(
    ("typed", "move"), [(["3"], "B1@M2"), (["2", "1"], "3@M2"), (["planet 4", "1"], "P4@n"), (["3@n"], "3@n")]
)
def test_a_number_is_that_of_the_list_even_where_a_card_is_a_number(typed, move):
    asked = offered()
    assert move == [asked.read(text) for text in typed][-1]


def test_one_question_is_asked_where_no_card_has_two_places_or_there_is_one_card():
    one_each = offered(["P4@n", "3@M2"])
    assert ("Planet 4 into the notebook", "3 on mid 2") == one_each.labels
    assert "P4@n" == one_each.read("1")
    assert "P4@M2" == offered(["P4@n", "P4@M2"]).read("2")


def test_words_alike_and_a_game_without_parts_leave_no_move_out():
    alike = offered(said=["the same"] * len(PLACES))
    assert tuple(PLACES) == alike.labels
    assert [*PLACES] == [alike.read(str(number)) for number in range(1, len(PLACES) + 1)]
    assert ("take 1", "take 2", "B5@T1") == OfferedMoves(ONE, {"": {o: o for o in ONE.options}}).labels
    assert ("c01", "c03") == offer(SOME, ["A cat", "A dog", "A hen"], [()] * 3).read("1 3")


@pytest.mark.parametrize("width", [20, 40])
def test_long_options_are_broken_between_words(width):
    lines = number_options(["a beekeeper lifts the roof off a house"] * 11, width)
    assert [] == wide_lines(lines, width)
    assert {"a", "beekeeper", "lifts", "the", "roof", "off", "house"} <= set(" ".join(lines).split())
