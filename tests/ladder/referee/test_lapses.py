"""Lapses: what a bot did that cost no match, and what follows if it does so again."""

import pytest

from ladder.referee.lapses import LENIENCE, Count, Lapses


def lapses(**counts):
    found = Lapses()
    found.raise_to({"a": Count(**counts)})
    return found


def test_a_bot_without_lapses_plays_as_it_said():
    assert not Lapses().alone("a")
    assert not Lapses().restarts("a")


def test_one_process_that_was_lost_among_several_matches_only_ends_that():
    assert lapses(unrepeated=1).alone("a")
    assert not lapses(unrepeated=1).alone("b")
    assert not lapses(unrepeated=1).restarts("a")


@pytest.mark.parametrize(("times", "enough"), [(LENIENCE - 1, False), (LENIENCE, True)])
def test_other_lapses_are_forgiven_until_there_are_too_many(times, enough):
    assert enough == lapses(repeated=times).alone("a")
    assert enough == lapses(stray=times).restarts("a")


def test_the_larger_count_of_each_kind_is_taken_over():
    found = lapses(stray=3, repeated=1)
    found.raise_to({"a": Count(stray=1, repeated=2), "b": Count(unrepeated=1)})
    assert {"a": Count(stray=3, repeated=2), "b": Count(unrepeated=1)} == found.counts


def test_lapses_are_counted_by_kind():
    found = lapses(stray=1)
    found.add("a", "stray")
    found.add("b", "repeated")
    assert {"a": Count(stray=2), "b": Count(repeated=1)} == found.counts
