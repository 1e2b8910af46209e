"""What happens in matches, as values that a screen or a meter is told at once; a run asks for none."""

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
    """A step, the deal first, was played.  Call *told* and *view* at once: the position goes on from here."""

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
