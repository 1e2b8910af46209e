"""Matches that the machine itself could not play: kept, not rated, played again, and not for ever."""

from __future__ import annotations

import errno

import pytest
from support.seating import facts, good, hall

from ladder.errors import LadderError
from ladder.sandbox import CannotConfine
from ladder.worker import worker
from results.rating.tally import Tally
from results.record import Block

A, B = good("a"), good("b")


def failing(monkeypatch, times, error):
    """Let the first *times* starts of a bot fail as the machine's own doing."""
    left = [error] * times
    real = worker.start_player

    def start(*arguments):
        if left:
            raise left.pop()
        return real(*arguments)

    monkeypatch.setattr(worker, "start_player", start)


@pytest.mark.parametrize("error", [CannotConfine("no sandbox"), OSError(errno.EMFILE, "too many open files")])
def test_a_match_that_could_not_be_started_is_void_and_its_next_attempt_stands(monkeypatch, error, caplog):
    with hall(A, B) as play:
        (expected,) = play.record(0)
    failing(monkeypatch, 2, error)
    with hall(A, B) as play:
        (block,) = play.record(0)
    assert [(0, 0, True), (0, 1, True), (0, 2, False), (1, 0, False)] == [
        (match.number, match.attempt, match.void) for match in block.matches
    ]
    assert facts(expected.matches) == facts([match for match in block.matches if not match.void])
    assert [] == block.faults
    assert {None} == {seat.rank for match in block.matches[:2] for seat in match.seats}
    assert "match 0 is void, and its bots are not to blame" in caplog.text


def test_a_void_match_is_not_rated(monkeypatch):
    failing(monkeypatch, 1, CannotConfine("no sandbox"))
    with hall(A, B) as play:
        (block,) = play.record(0)
    tally = Tally()
    tally.add(Block(0, block.matches, block.faults))
    assert {2} == {standing.matches for standing in tally.total().standings().values()}


def test_a_third_void_attempt_is_the_last(monkeypatch):
    failing(monkeypatch, 3, CannotConfine("no sandbox"))
    with hall(A, B) as play, pytest.raises(LadderError, match="match 0 could not be played in 3"):
        play.record(0)
