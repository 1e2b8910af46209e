"""Texts in pictures: how wide they are, and how they are cut and broken."""

import pytest

from engines.drawing import cut, text_width, wrap
from engines.drawing.widths import SQUEEZED, halve

SENTENCE = (
    "Each evening a hermit lowers a basket from his pillar, and each evening the town fills it with gossip."
)


def test_a_text_is_as_wide_as_its_letters_and_its_size():
    assert text_width("mmm") > text_width("nnn") > text_width("iii") > 0
    assert text_width("word", 44) == pytest.approx(2 * text_width("word", 22))
    assert text_width("星", 22) == 22
    assert text_width("") == 0


def test_bold_letters_are_wider_and_those_of_notation_all_as_wide():
    assert text_width("word", 22, "ink strong") > text_width("word", 22, "ink")
    assert text_width("iii", 22, "ink notation") == text_width("mmm", 22, "ink notation")


def test_a_text_that_fits_stays_and_a_longer_one_ends_in_an_ellipsis():
    assert cut("c17", 60) == "c17"
    short = cut(SENTENCE, 200)
    assert short.endswith("…")
    assert SENTENCE.startswith(short[:-1])
    assert text_width(short) <= 200 < text_width(SENTENCE)


def test_a_sentence_is_broken_between_words_and_loses_none():
    lines = wrap(SENTENCE, 300)
    assert SENTENCE == " ".join(lines)
    assert len(lines) > 2
    assert max(map(text_width, lines)) <= 300


def test_no_more_lines_than_asked_for_the_last_one_with_an_ellipsis():
    *first, last = wrap(SENTENCE, 300, most=2)
    assert [*wrap(SENTENCE, 300)[:1]] == first
    assert last.endswith("…")
    assert text_width(last) <= 300
    assert wrap(SENTENCE, 300) == wrap(SENTENCE, 300, most=9)


def test_a_word_that_is_wider_than_a_line_is_cut():
    assert all(text_width(line) <= 100 for line in wrap("a Donaudampfschifffahrtsgesellschaft b", 100))
    assert wrap("", 100) == ("",)


@pytest.mark.parametrize(
    "text", ["Wandering Walrus", "Wanderingwalrus", "x", "龙" * 9, SENTENCE, "", "M" * 64, " "]
)
def test_a_long_name_takes_two_lines_which_break_at_a_space_and_may_be_squeezed(text):
    lines = halve(text, 100)
    assert len(lines) == 1 + (text_width(text) > 100)
    assert all(text_width(line) <= SQUEEZED * 100 for line in lines)
    assert text.replace(" ", "").startswith("".join(lines).removesuffix("…").replace(" ", ""))
    assert halve("Wandering Walrus", 100) == ("Wandering", "Walrus")
