"""The checks of texts find what leaves a picture, or covers another text, and which line is too wide."""

from engines.contract.texts import faults_of, wide_lines
from engines.drawing import Picture, back, card, label, make_part, outline, words


def faults(*parts, across=False):
    return [*faults_of(Picture(100, 100, "a game", "", parts), across=across)]


def test_a_text_that_leaves_its_picture_is_found_with_its_part_and_by_how_much():
    assert ["'mmmm' of part far leaves the picture by 48.0 units"] == faults(label("far", 60, 50, "mmmm"))
    assert [] == faults(label("far", 60, 50, "mmmm", room=40)), "it is squeezed into its room"
    assert [] != faults(label("high", 10, 2, "m"))


def test_texts_of_a_part_that_cover_each_other_are_found():
    for y, found in ((50, 1), (75, 0)):
        content = words("mm", 0, 0) + words("nn", 20, y - 50)
        assert found == len(faults(make_part("both", 10, 50, outline(9, 9), content)))


def test_texts_of_parts_that_are_no_cards_are_compared_if_asked():
    one, other = label("one", 10, 50, "mm"), label("other", 20, 50, "nn")
    assert (0, 1) == (len(faults(one, other)), len(faults(one, other, across=True)))
    assert [] == faults(card("a", 0, 0, "12"), back("b", 9, 0, "34"), across=True)


def test_a_line_that_is_too_wide_is_told_with_its_number_and_its_columns():
    assert ["line 2 has 6 columns, 1 too many: '123456'"] == wide_lines("12345\n123456\n", 5)
    assert [] == wide_lines(["12345", ""], 5)
