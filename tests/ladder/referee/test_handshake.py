"""Hello and ready, through real pipes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.seating import bot

from ladder.referee.handshake import await_ready, ending
from ladder.referee.player import Player, start_player
from ladder.registry.build import command_of
from ladder.sandbox import confine
from protocol import encode
from protocol.messages import Limits, Ready

ENOUGH = Limits(start_ms=30_000)
Starter = Callable[..., Player]


@pytest.fixture
def started() -> Iterator[Starter]:
    players = []

    def start(program: str, **config: Any) -> Player:
        version = bot(program)
        hello = encode.hello("0", program, ["stellar"], config, Limits())
        confined = confine("none", command_of(version), Path(version.folder), {})
        players.append(start_player(version, confined, hello, 65_536))
        return players[-1]

    yield start
    for player in players:
        player.kill()


def test_ready_tells_what_the_bot_wants(started: Starter) -> None:
    player = started("manners", ready={"name": "x", "parallel": 4, "view": "none", "text": True})
    await_ready([player], ENOUGH)
    assert Ready(1, "x", 4, "none", True) == player.ready
    assert ("", False) == (player.failure, player.lost)


def test_a_bare_ready_wants_one_match_and_views(started: Starter) -> None:
    player = started("manners")
    await_ready([player], ENOUGH)
    assert Ready(1, "", 1, "full", False) == player.ready


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("exits_at_start", "the process ended before it was ready (exit status 3)"),
        ("speaks_protocol_2", "expected protocol 1, got: 2: "),
        ("prints_a_banner", "expected a JSON object, got: 'Bot 3000 (c) 1999' (log to stderr"),
        ("ready_twice", "expected one line in answer to hello, got 2: "),
        ("closes_stdout_at_start", "the process closed its stdout before it was ready"),
        (
            "never_ends_its_ready",
            "expected lines of at most 65,536 bytes, newline included, got a longer one",
        ),
    ],
)
def test_who_is_not_properly_ready_is_ended_and_told_why(started: Starter, program: str, reason: str) -> None:
    player = started(program)
    await_ready([player], ENOUGH)
    assert reason == player.failure[: len(reason)]
    assert player.ready is None
    assert player.lost
    assert player.process
    assert player.process.exit_status() is not None


def test_who_says_nothing_is_ended_when_the_time_is_over(started: Starter) -> None:
    player = started("never_ready")
    await_ready([player], Limits(start_ms=200))
    assert "no ready within 200 ms of its start" == player.failure
    assert player.process
    assert -9 == player.process.exit_status()


def test_what_a_bot_wrote_to_stderr_before_it_failed_is_kept(started: Starter) -> None:
    player = started("exits_at_start")
    await_ready([player], ENOUGH)
    assert player.process
    assert "no licence found\n" == player.process.stderr_text()


def test_one_failure_is_nobody_elses(started: Starter) -> None:
    players = [started("exits_at_start"), started("manners"), started("ready_twice"), started("manners")]
    await_ready(players, ENOUGH)
    assert [True, False, True, False] == [player.lost for player in players]
    assert [None, Ready(1), None, Ready(1)] == [player.ready for player in players]


def test_who_is_ready_is_not_awaited_again(started: Starter) -> None:
    player = started("manners")
    await_ready([player], ENOUGH)
    ready = player.ready
    await_ready([player], Limits(start_ms=0))
    assert player.ready is ready
    assert not player.lost


def test_a_hello_longer_than_the_pipe_arrives(started: Starter) -> None:
    player = started("manners", padding="x" * 300_000)
    await_ready([player], ENOUGH)
    assert Ready(1) == player.ready


def test_a_slow_start_within_the_limit_is_no_failure(started: Starter) -> None:
    player = started("starts_slowly")
    await_ready([player], ENOUGH)
    assert Ready(1) == player.ready


@pytest.mark.parametrize(
    ("expected", "status"),
    [("exit status 0", 0), ("exit status 3", 3), ("killed by signal 9", -9), ("nobody knows how", None)],
)
def test_an_ending_is_told_in_words(expected: str, status: int | None) -> None:
    assert expected == ending(status)
