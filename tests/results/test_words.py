"""Numbers in words: one function each for things, amounts and paces."""

import pytest

from results.words import count, find_fit, money, pace


@pytest.mark.parametrize(
    ("words", "number", "what", "of"),
    [
        ("1 core", 1, "core", None),
        ("0 cores", 0, "core", None),
        ("1,200 matches", 1200, "match", None),
        ("2 processes", 2, "process", None),
        ("2 discrepancies", 2, "discrepancy", None),
        ("1 of 2 matches", 1, "match", 2),
        ("1 of 1 match", 1, "match", 1),
        ("0 of 0 bots", 0, "bot", 0),
    ],
)
def test_one_thing_is_told_without_an_s(words, number, what, of):
    assert words == count(number, what, of)


@pytest.mark.parametrize(
    ("text", "dollars", "least"),
    [
        ("0.00", 0, 2),
        ("12.00", 12, 2),
        ("0.01", 0.01, 2),
        ("0.0124", 0.0124, 4),
        ("0.012", 0.0124, 2),
        ("0.00057", 0.000567, 4),
        ("0.000000001", 1e-9, 2),
        ("1,234.57", 1234.567, 2),
        ("-0.0034", -0.0034, 2),
        ("0.10", 0.1, 2),
        ("0.10", 0.0999, 2),
    ],
)
def test_an_amount_has_two_digits_that_count(text, dollars, least):
    assert text == money(dollars, least)


@pytest.mark.parametrize(
    ("words", "a_second"),
    [
        ("1,200/s", 1200),
        ("1/s", 0.9),
        ("24 a minute", 0.4),
        ("1 a minute", 1 / 60),
        ("12.0 an hour", 12 / 3600),
        ("0.5 an hour", 0.5 / 3600),
    ],
)
def test_no_pace_is_told_as_nought(words, a_second):
    assert words == pace(a_second)


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ((), None),
        (("sage",), None),
        (("sage-1",), "sage-1"),
        (("s*", "sage*"), "s*"),
        (("s*", "sage-1"), "sage-1"),
        (("Sage*", "*2", "sage-?"), "sage-?"),
        (("sage-[2-9]", "sage-[!2-9]"), "sage-[!2-9]"),
    ],
)
def test_a_name_stands_before_the_first_pattern_that_fits(names, found):
    assert found == find_fit("sage-1", names)
