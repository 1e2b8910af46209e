"""The kinds of seats: how the referee reaches what sits there.

Each kind is a BotProcess, so a match is played in the same way for all of them:

process    a program, confined: the kind of every seat that is given no other
function   a Python function, in a thread of this process
person     a function that asks somebody, who may take any time
socket     a bot that its author has started, which may take any time
remote     a bot on another machine, which the hub of `ladder serve` reaches
script     a bot without a process, on a clock that only waiting moves: for tests (support.scripted)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from socket import socket
from typing import NamedTuple

from ladder.process.bot import BotProcess
from ladder.process.connected import ConnectedBot
from ladder.process.function import Function, FunctionBot


class SeatKind(NamedTuple):
    """How to reach what sits in a seat."""

    open: Callable[[int], BotProcess]
    """Return a new link, whose lines may have at most that many bytes.  Raises CannotStart."""
    has_clock: bool = True
    """Whether its start and its decisions must come in time."""
    once: bool = False
    """Whether it is opened once only, however often its bots are started."""
    reports: bool = False
    """Whether it may report that a service did not answer."""

    @classmethod
    def of_function(cls, function: Function) -> SeatKind:
        """Return the seat of a bot that is *function*: each time it is started, another thread answers."""
        return cls(partial(FunctionBot.start_function, function), reports=True)

    @classmethod
    def of_person(cls, ask: Function) -> SeatKind:
        """Return the seat of a person, whom the function *ask* asks."""
        return cls(partial(FunctionBot.start_function, ask), has_clock=False, once=True)

    @classmethod
    def of_socket(cls, connection: socket) -> SeatKind:
        """Return the seat of a bot at the other end of *connection*, which is closed with it."""
        return cls(partial(ConnectedBot.take, connection), has_clock=False, once=True)
