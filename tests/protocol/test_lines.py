"""Framing."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.lines import LINE_BYTES, Lines, LineTooLong

fragments = st.lists(st.sampled_from([b"\n", b"\r", b"a", b"bc", b"\xff", b"\xe2\x80\xa8", b" "]))


def test_a_line_in_pieces_comes_when_it_ends():
    lines = Lines()
    assert [[], [], [b"abcd"]] == [lines.feed(data) for data in (b"ab", b"c", b"d\n")]


@pytest.mark.parametrize("end", ["\u2028", "\u0085", "\v", "\f", "\r", "\x1c"])
def test_nothing_but_line_feed_ends_a_line(end):
    assert [f"a{end}b".encode()] == Lines().feed(f"a{end}b\n".encode())


def test_a_line_may_be_as_long_as_the_limit_newline_included():
    assert [b"x" * (LINE_BYTES - 1)] == Lines().feed(b"x" * (LINE_BYTES - 1) + b"\n")


def test_a_line_one_byte_longer_is_too_long():
    with pytest.raises(LineTooLong, match="at most 65,536 bytes"):
        Lines().feed(b"x" * LINE_BYTES + b"\n")


def test_a_line_is_too_long_before_its_end_has_come():
    lines = Lines(10)
    assert [] == lines.feed(b"x" * 9)
    with pytest.raises(LineTooLong):
        lines.feed(b"x")


@pytest.mark.parametrize("data", [b"ok\n" + b"x" * 10, b"ok\n" + b"x" * 10 + b"\nok\n"])
def test_a_long_line_is_found_after_others_which_are_not_lost(data):
    with pytest.raises(LineTooLong) as caught:
        Lines(10).feed(data)
    assert [b"ok"] == caught.value.before


def test_the_head_of_a_line_too_long_is_kept_and_no_more():
    lines = Lines(10)
    for _ in range(3):
        with pytest.raises(LineTooLong):
            lines.feed(b"x" * 1000)
    assert b"x" * 10 == lines.rest


@given(fragments, st.data())
def test_chunks_do_not_matter(parts, data):
    whole = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)))))
    chunks = [whole[start:end] for start, end in itertools.pairwise([0, *cuts, len(whole)])]
    lines = Lines()
    *expected, rest = whole.split(b"\n")
    assert expected == [line for chunk in chunks for line in lines.feed(chunk)]
    assert rest == lines.rest


@given(fragments, st.integers(1, 8))
def test_a_limit_holds_for_every_chunking(parts, limit):
    def outcome(chunks):
        lines, found = Lines(limit), []
        try:
            for chunk in chunks:
                found += lines.feed(chunk)
        except LineTooLong as error:
            return found + error.before, False
        return found, True

    whole = b"".join(parts)
    *ended, rest = whole.split(b"\n")
    good = list(itertools.takewhile(lambda line: len(line) < limit, ended))
    expected = good, len(good) == len(ended) and len(rest) < limit
    assert expected == outcome([whole]) == outcome([bytes([byte]) for byte in whole]) == outcome(parts)
