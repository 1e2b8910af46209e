"""The log of one process: its beginning, its end, and the marks between."""

from ladder.process.bot import KEPT, Stderr


def logged(*parts):
    stderr = Stderr()
    for data, where in parts:
        stderr.add(data, where)
    return stderr


def test_a_mark_stands_before_the_first_words_of_a_place():
    stderr = logged((b"a\n", "step 1"), (b"b\n", "step 1"), (b"c\n", "step 2"))
    assert "--- step 1\na\nb\n--- step 2\nc\n" == stderr.text(100)


def test_words_from_nowhere_stand_with_those_before():
    assert "--- step 1\na\nb\n" == logged((b"a\n", "step 1"), (b"b\n", "")).text(100)
    assert "loading\n--- step 0\na" == logged((b"loading\n", ""), (b"a", "step 0")).text(100)


def test_a_match_has_its_own_words_and_its_own_marks():
    stderr = logged((b"old\n", "step 7"), (b"no newline", "step 7"))
    begin = stderr.begin()
    stderr.add(b"new\n", "step 7")
    assert "--- step 7\nnew\n" == stderr.text(100, begin)
    assert "old" in stderr.text(100)


def test_where_a_match_begins_holds_when_the_middle_is_gone():
    stderr = logged((b"x" * (KEPT + 10), ""))
    before = stderr.begin()
    stderr.add(b"y" * 5, "step 0")
    assert "--- step 0\nyyyyy" == stderr.text(100, before)
    stderr.add(b"z" * 2 * KEPT, "step 1")
    assert "z" * KEPT == stderr.text(4 * KEPT, before)
    assert 2 * KEPT == len(stderr.text(4 * KEPT))


def test_of_much_the_beginning_and_the_end_are_kept():
    text = logged((b"the beginning" + b"." * 3 * KEPT, ""), (b"the end", "")).text(4 * KEPT)
    assert ("the beginning.", ".the end", 2 * KEPT) == (text[:14], text[-8:], len(text))


def test_its_size_counts_what_was_written_and_no_marks():
    assert 4 == logged((b"ab", "step 1"), (b"cd", "step 2")).size
