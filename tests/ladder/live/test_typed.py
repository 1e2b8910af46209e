"""What a person types, as a move."""

import pytest

from engines.contract.wide_lines import wide_lines
from engines.game import IllegalMove, OneOf, Some
from ladder.live.typed import number_options, read_move

ONE = OneOf(("take 1", "take 2", "B5@T1"))
SOME = Some(("c01", "c02", "c03"), 0, 2)


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
