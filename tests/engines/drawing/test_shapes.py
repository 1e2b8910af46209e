"""Lines of text and sentences in pictures: what is done where there may be too little room."""

from xml.etree import ElementTree as ET

import pytest

from engines.drawing import SMALLEST, prose, text_width, words

LONG = "The unbearable lightness of being at sea"


def written(text, room, size=22):
    return ET.fromstring(words(text, 0, 0, size, room=room))


def size_of(element):
    return float(element.get("font-size", "0"))


def test_a_line_that_has_room_in_every_font_keeps_its_size():
    for room in (0, text_width(LONG) + 1):
        line = written(LONG, room)
        assert (22, None) == (size_of(line), line.get("textLength"))


def test_a_line_that_may_be_too_long_is_set_smaller():
    room = 0.9 * text_width(LONG)
    line = written(LONG, room)
    assert None is line.get("textLength")
    assert text_width(LONG, size_of(line)) <= room
    assert SMALLEST < size_of(line) < 22


def test_a_line_that_may_be_too_long_even_then_is_squeezed_into_its_room():
    line = written(LONG, 200)
    assert (SMALLEST, "200", "spacingAndGlyphs") == (
        size_of(line),
        line.get("textLength"),
        line.get("lengthAdjust"),
    )
    assert 12 == size_of(written(LONG, 100, size=12)), "a smaller text is never made larger"


def test_a_line_that_fills_its_room_is_as_wide_in_every_font():
    filled = ET.fromstring(words("ab", size=20, room=300, fill=True))
    assert ("300", 20) == (filled.get("textLength"), size_of(filled))


@pytest.mark.parametrize(("lines", "name"), [(1, "one-line"), (2, "two-lines"), (3, "three-lines")])
def test_a_sentence_is_html_with_room_for_its_lines(lines, name):
    holder = ET.fromstring(prose("<b> & so on", 1, 2, 300, 20, "muted", lines))
    (sentence,) = holder
    assert ("{http://www.w3.org/1999/xhtml}p", "<b> & so on", name) == (
        sentence.tag,
        sentence.text,
        sentence.get("class"),
    )
    assert float(holder.get("height", "0")) >= 1.2 * 20 * lines
