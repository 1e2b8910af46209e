"""One way to play a match, whatever sits in its seats; what happens in it is told as it happens."""

import contextlib
import json
import os
import socket
from contextlib import contextmanager
from threading import Thread

import pytest
from support.scripts import stage
from support.seating import bot, good, setup_for

from ladder.contest.blocks import PlannedBlock, matches_of
from ladder.process.seat_kinds import SeatKind
from ladder.referee.table_events import BotStarted, Event, MatchOver, StepPlayed
from ladder.sandbox import CannotConfine
from ladder.worker import starter
from ladder.worker.worker import Worker
from protocol.client import serve_pipes

NAMES = ("process", "function", "person", "connected")


def choose(act):
    """Return the first move."""
    choice = act.choice
    return choice.options[0] if choice.kind == "one" else tuple(choice.options[: choice.low])


@contextmanager
def connected():
    """Yield the ladder's end of the socket of a bot that its author has started."""
    own, other = socket.socketpair()
    author = Thread(target=serve_pipes, args=(choose, other.fileno(), other.fileno()))
    author.start()
    try:
        yield own
    finally:
        own.close()
        author.join(300)
        other.close()


def first_match(setup):
    """Return the first match of the only contest."""
    return matches_of(PlannedBlock(0, 0, 0, setup.contests[0].bots), setup.contests[0])[0]


@pytest.mark.process
def test_a_process_a_function_a_person_and_a_socket_play_one_match():
    setup = setup_for(*map(good, NAMES), game="stella-quest")
    seats = {"function@1": SeatKind.of_function(choose), "person@1": SeatKind.of_person(choose)}
    with connected() as connection:
        seats["connected@1"] = SeatKind.of_socket(connection)
        with Worker(setup, seats=seats) as worker:
            block = worker.play_match(first_match(setup))
    (match,) = block.matches
    assert sorted(NAMES) == sorted(seat.bot for seat in match.seats)
    assert [] == block.faults
    assert all(seat.score is not None and seat.think_us for seat in match.seats)
    # only the time of a process is measured
    assert {"process"} == {seat.bot for seat in match.seats if seat.cpu_us is not None}


def test_who_plays_the_same_moves_plays_the_same_match_in_each_kind_of_seat():
    setup = setup_for(good("function"), good("person"))
    moves = []
    for kind in (SeatKind.of_function(choose), SeatKind.of_person(choose)):
        with Worker(setup, seats={"function@1": kind, "person@1": SeatKind.of_function(choose)}) as worker:
            moves.append(worker.play_match(first_match(setup)).matches[0].moves)
    assert moves[0] == moves[1]


def test_all_that_happens_is_told_in_order():
    heard: list[Event] = []
    views: list[tuple[bytes, bytes]] = []
    news: list[list[str]] = []

    def hear(event):
        heard.append(event)
        if isinstance(event, StepPlayed):
            views.append((event.view(0), event.view(None)))
            news.append([json.loads(told)["event"] for told in event.told(None)])

    setup = setup_for(good("a"), good("b"))
    seats = {f"{name}@1": SeatKind.of_function(choose) for name in "ab"}
    with Worker(setup, seats=seats, on_event=hear) as worker:
        block = worker.play_match(first_match(setup))
    (match,) = block.matches
    steps = [event for event in heard if isinstance(event, StepPlayed)]
    kinds = [BotStarted] * 2 + [StepPlayed] * len(steps) + [MatchOver]
    assert kinds == [type(event) for event in heard]
    assert ["a", "b"] == [event.player.bot.bot for event in heard[:2]]  # type: ignore[union-attr]  # of starts
    assert MatchOver(match, []) == heard[-1]
    moves = json.loads(match.moves)
    assert [*range(-1, len(moves))] == [step.step for step in steps]
    assert [[seat for seat, *_ in step] for step in moves] == [list(step.asked) for step in steps[:-1]]
    assert [] == list(steps[-1].asked)
    assert ["start"] == news[0]
    assert "final" in news[-1]
    assert any(of_a_seat != of_nobody for of_a_seat, of_nobody in views), "a spectator does not see a hand"


def test_a_match_with_a_fault_is_told_with_it():
    heard: list[Event] = []
    with stage(good("honest"), bot("plays_what_is_not_offered")) as play:
        play.on_event = heard.append
        (block,) = play.record(0)
    faults = [fault for event in heard if isinstance(event, MatchOver) for fault in event.faults]
    assert [("plays_what_is_not_offered", True)] * 2 == [(fault.bot, fault.charged) for fault in faults]
    assert block.faults == faults


@pytest.mark.process
def test_a_person_is_asked_for_a_seat_once_and_a_function_each_time(monkeypatch):
    """The bots of a match are started again where the machine could not confine one."""
    greeted: dict[str, int] = {"person": 0, "function": 0}

    def seat(name):
        def act(act):
            return choose(act)

        def open_link(line_bytes):
            greeted[name] += 1
            return SeatKind.of_function(act).open(line_bytes)

        return open_link

    setup = setup_for(good("function"), good("person"), good("process"), game="stella-quest")
    seats = {
        "function@1": SeatKind(seat("function")),
        "person@1": SeatKind(seat("person"), has_clock=False, once=True),
    }
    left = [CannotConfine("the machine cannot")]
    confine = starter.confine

    def fail_once(*arguments, **named):
        if left:
            raise left.pop()
        return confine(*arguments, **named)

    monkeypatch.setattr(starter, "confine", fail_once)
    with Worker(setup, seats=seats) as worker:
        block = worker.play_match(first_match(setup))
    assert [] == block.faults
    assert {"function": 2, "person": 1} == greeted


@pytest.mark.process
def test_a_worker_ends_its_bots_whatever_happens():
    setup = setup_for(bot("manners", "a"), bot("manners", "b"))
    players = []

    def hear(event):
        if isinstance(event, BotStarted):
            players.append(event.player)

    with contextlib.suppress(KeyboardInterrupt), Worker(setup, on_event=hear) as worker:
        next(worker.play([PlannedBlock(0, 0, 0, (0, 1))]))
        raise KeyboardInterrupt
    assert 2 <= len(players)
    for player in players:
        assert player.process.exit_status(patience=300) is not None
        with pytest.raises(ProcessLookupError):
            os.kill(player.process.pid, 0)
