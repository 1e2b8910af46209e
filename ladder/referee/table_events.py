"""What happens while matches are played, as values: told at once, to whoever wants to show or to measure it.

A run asks for no events, and its decisions do nothing for them.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from ladder.referee.player import Player
from results import record

Told: TypeAlias = Callable[[int | None], Sequence[bytes]]
"""Returns the encoded events of a step as a seat saw them; None is a spectator."""


class BotStarted(NamedTuple):
    """A bot was started, or could not be; its `ready` has not come."""

    player: Player


class StepPlayed(NamedTuple):
    """A step was played; the first one is the deal.

    The position goes on from here, so *told* and *view* are to be called at once.
    """

    number: int
    """That of the match."""
    step: int
    """-1: the deal."""
    asked: tuple[int, ...]
    """The seats that decide next; none at the end."""
    told: Told
    view: Callable[[int | None], bytes]
    """Returns the encoded view of a seat after the step; None is a spectator."""


class MatchOver(NamedTuple):
    """A match is over, and its faults are known."""

    match: record.Match
    faults: list[record.Fault]


Event: TypeAlias = BotStarted | StepPlayed | MatchOver
OnEvent: TypeAlias = Callable[[Event], None]
