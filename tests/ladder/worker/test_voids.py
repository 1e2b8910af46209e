"""Matches that the machine itself could not play: nothing of them is stored, and not for ever tried again."""

import errno

import msgspec
import pytest
from support.scripts import play_blocks, stage
from support.seating import facts, good

from ladder.errors import LadderError, TooBusy
from ladder.referee.attribution import BEARS
from ladder.referee.player import Player
from ladder.sandbox import CannotConfine
from ladder.worker import starter
from ladder.worker.worker_messages import Unplayed
from results.record import Block

A, B = good("a"), good("b")
LATE = "a@1: no ready within 30000 ms of its start; but it waited"


def failing(monkeypatch, times, error):
    """Let the first *times* starts of a bot fail as the machine's own doing."""
    left = [error] * times
    real = starter.start_player

    def start(*arguments):
        if left:
            raise left.pop()
        return real(*arguments)

    monkeypatch.setattr(starter, "start_player", start)


def delaying(monkeypatch, times, slow=A, others_too=False, after=0):
    """Let the machine delay the starts of *slow* *times* times, when it has started *after* times in time."""
    real = starter.start_player
    starts = iter([False] * after + [True] * times)

    def start(bot, *arguments):
        if bot.id == slow.id and next(starts, False):
            late = Player(bot, None, "no ready within 30000 ms of its start")
            late.delay = "it waited"
            return late
        player = real(bot, *arguments)
        player.overran = others_too
        return player

    monkeypatch.setattr(starter, "start_player", start)


@pytest.mark.parametrize("error", [CannotConfine("no sandbox"), OSError(errno.EMFILE, "too many open files")])
def test_bots_that_could_not_be_started_are_started_again(monkeypatch, error, caplog):
    expected = play_blocks(A, B)
    failing(monkeypatch, 2, error)
    blocks = play_blocks(A, B)
    assert facts(expected) == facts(blocks)
    assert "the bots of match 0 are started again" in caplog.text


@pytest.mark.parametrize(
    "error",
    [CannotConfine("no sandbox"), TooBusy("no sandbox"), MemoryError("no sandbox"), OSError("no sandbox")],
)
def test_bots_that_cannot_be_started_a_third_time_leave_their_block_unplayed(monkeypatch, error):
    failing(monkeypatch, 3, error)
    with stage(A, B) as play, pytest.raises(TooBusy, match="this machine let no bot start: no sandbox"):
        play.record(0)


def test_what_no_machine_causes_is_not_tried_again(monkeypatch):
    failing(monkeypatch, 1, ZeroDivisionError("of the ladder"))
    with stage(A, B) as play, pytest.raises(ZeroDivisionError):
        play.record(0)


def test_a_home_that_was_moved_is_named(monkeypatch, tmp_path):
    failing(monkeypatch, 3, CannotConfine("no such file"))
    moved = msgspec.structs.replace(A, folder=str(tmp_path / "gone"))
    with (
        stage(moved, B) as play,
        pytest.raises(LadderError, match="the folder of a bot is gone") as error,
    ):
        play.record(0)
    assert moved.folder in str(error.value)
    assert "ladder run --resume --home" in error.value.hint


def test_a_void_match_is_played_again_with_new_processes_and_nothing_else_differs(monkeypatch):
    expected = play_blocks(A, B)
    delaying(monkeypatch, 2)
    with stage(A, B) as play:
        blocks = play.record(0)
        matches = {player.matches for player in play.players if player.process}
    assert facts(expected) == facts(blocks)
    assert [0, 0] == [match.attempt for block in blocks for match in block.matches]
    assert {0, 1} == matches


@pytest.mark.parametrize("after", [0, 1], ids=["the first match is void", "the second match is void"])
def test_after_three_void_attempts_the_block_is_given_back_and_the_others_are_played(monkeypatch, after):
    expected = play_blocks(A, B, numbers=[1])
    delaying(monkeypatch, 3, after=after)
    with stage(A, B) as play:
        coming = [*play.attempt([play.block(0), play.block(1)])]
    assert [Unplayed(0, LATE, ("a@1",), in_time=True)] == [b for b in coming if isinstance(b, Unplayed)]
    assert facts(expected) == facts([block for block in coming if isinstance(block, Block)])


def test_a_block_that_is_given_back_says_whether_others_were_late(monkeypatch):
    delaying(monkeypatch, 3, others_too=True)
    with stage(A, B) as play:
        (given_back,) = play.attempt([play.block(0)])
    assert (("a@1",), False) == (given_back.late, given_back.in_time)


def test_a_bot_that_may_remember_gets_no_second_attempt(monkeypatch):
    delaying(monkeypatch, 1)
    with stage(A, B) as play:
        play.practice = False
        (given_back,) = play.attempt([play.block(0)])
        assert 0 == given_back.block
        (block,) = play.attempt([play.block(0)], alone=True)
    assert facts(play_blocks(A, B)) == facts([block])


def test_a_block_that_is_played_alone_gets_new_processes_in_every_match(monkeypatch):
    with stage(A, B) as play:
        play.record(1)
        (block,) = play.attempt([play.block(0)], alone=True)
        assert [1, 1, 1, 1] == [player.matches for player in play.players[-4:]]
    assert facts(play_blocks(A, B)) == facts([block])


def test_a_delay_is_charged_to_the_bot_that_bears_it(monkeypatch):
    delaying(monkeypatch, 2)
    with stage(A, B) as play:
        (block,) = play.attempt([play.block(0)], alone=True, charge="a@1")
    assert ["start", "start"] == [fault.kind for fault in block.faults]
    assert {"a"} == {fault.bot for fault in block.faults if fault.charged}
    reason = "no ready within 30000 ms of its start; it waited" + BEARS
    assert {reason} == {fault.reason for fault in block.faults}


def test_a_delay_of_another_bot_makes_the_match_void_all_the_same(monkeypatch):
    delaying(monkeypatch, 1)
    with stage(A, B) as play:
        play.practice = False
        (given_back,) = play.attempt([play.block(0)], alone=True, charge="b@1")
    assert ("a@1",) == given_back.late


def test_whoever_cannot_wait_for_another_attempt_is_told_that_the_machine_is_too_busy(monkeypatch):
    delaying(monkeypatch, 3)
    with (
        stage(A, B) as play,
        pytest.raises(TooBusy, match="is too busy: a@1: no ready") as error,
    ):
        play.record(0)
    assert 8 == error.value.exit_code
