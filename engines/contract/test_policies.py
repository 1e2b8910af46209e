"""Policies choose what is offered, by what their seat sees and nothing else."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import Any

import pytest

from engines.contract.secrets import random_options
from engines.contract.subject import Subject
from engines.game import Game, Seat
from engines.playout import decide, find_policy
from engines.position import Policy, Position, chosen_by, read_view

WORLDS = 2
"""How many other worlds that look the same are compared at a decision."""
LONGEST = 10.0
"""The CPU seconds that a policy may take for one decision, before the tests say that it does not end."""


@contextmanager
def _ends(name: str) -> Iterator[None]:
    """Fail if what is inside takes too much CPU time, where the system can tell."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"{name} took more than {LONGEST:g} s of CPU time for one decision")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def check_policies(game: Game[Any], policies: Mapping[str, Policy], seats: int, seed: int) -> None:
    """Assert that *policies* choose alike in all worlds that look alike, along one random match.

    They take turns: each decision of the match is one of the next of them.
    """
    rng = Random(seed)
    position = game.begin(game.deal(seats, rng, random_options(game, rng)), seats)
    named = [*policies.items()]
    asked = 0
    while not position.over:
        name, policy = named[asked % len(named)]
        asked += 1
        seat, looks = position.seat, [position.write_view(seat) for seat in [*range(seats), None]]
        with _ends(name):
            option = chosen_by(policy, position, Random(asked))
        assert looks == [position.write_view(seat) for seat in [*range(seats), None]], name
        view = read_view(position, seat)
        for _ in range(WORLDS):
            assert option == policy(
                _next_for(seat, game.position(game.imagine(view, rng))), seat, Random(asked)
            ), f"{name} chose {position.move_of(option)} by something that seat {seat} does not see"
        options = position.options()
        position.play(options[int(rng.random() * len(options))])


def _next_for(seat: Seat, world: Position) -> Position:
    """Play *world* on until *seat* chooses, if others choose before it at the same time."""
    while world.seat != seat:
        world.play(world.options()[0])
    return world


def test_a_policy_reads_only_what_its_seat_sees(subject: Subject, seats: int, seed: int) -> None:
    if subject.game.policies():  # a game may have none
        check_policies(subject.game, subject.game.policies(), seats, seed)


def peeks(game: Game[Any], policy: Policy) -> bool:
    """Return whether *policy* is noticed in one of 40 matches to read what its seat does not see."""
    try:
        for seed in range(40):
            check_policies(game, {"peek": policy}, game.seats[0], seed)
    except AssertionError:
        return True
    return False


def test_a_policy_that_peeks_is_noticed(subject: Subject) -> None:
    def peek(position: Any, seat: Seat, rng: Random) -> int:
        options, (_, scores) = position.options_of(seat), position.playout(Random(0))
        return int(options[sum(scores) % len(options)])

    assert peeks(subject.game, peek)


def test_a_policy_that_does_not_end_is_named(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    def loop(position: Any, seat: Seat, rng: Random) -> int:
        while True:
            pass

    monkeypatch.setattr(sys.modules[__name__], "LONGEST", 0.05)
    with pytest.raises(AssertionError, match=r"loop-1 took more than 0\.05 s of CPU time"):
        check_policies(subject.game, {"loop-1": loop}, subject.game.seats[0], 1)


def test_a_policy_has_a_name_and_a_version(subject: Subject) -> None:
    for name in subject.game.policies():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*-[1-9][0-9]*", name), name


def test_a_policy_that_is_not_there_is_named_with_those_that_are(subject: Subject) -> None:
    there = ", ".join(subject.game.policies()) or "it has none"
    with pytest.raises(LookupError, match=rf"^{subject.game.name} has no policy 'none-1': .*{there}$"):
        find_policy(subject.game, "none-1")


def test_a_decision_by_a_view_is_that_by_the_position(subject: Subject, seats: int) -> None:
    game, rng = subject.game, Random(3)

    def last(position: Any, seat: Seat, rng: Random) -> int:
        return int(position.options_of(seat)[-1])

    position = game.begin(game.deal(seats, rng), seats)
    while not position.over:
        seat = position.seats()[-1]
        option = position.options_of(seat)[-1]
        move = decide(game, last, read_view(position, seat), rng)
        assert option == position.option_of(seat, move)
        position.play(position.options()[-1])
    with pytest.raises(ValueError, match="seat 0 is not asked"):
        decide(game, last, read_view(position, 0), rng)
