"""One thing that a hostile bot does, and what it should get for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ladder.sandbox import TIERS
from protocol.messages import Json, Limits
from results import record

__all__ = ["CALM", "CONFINING", "HOSTILE", "OK", "QUICK", "Case", "Check", "sinner"]

HOSTILE = "hostile"
"""The name of the bot that sins."""
OK = "ok"
"""What is expected of a match in which nobody faults."""
CONFINING = tuple(tier for tier in TIERS if tier != "none")
"""The tiers that claim more than limits."""
CALM = Limits(start_ms=10_000, move_ms=4_000, bank_ms=0)
"""Time enough for an honest bot on a busy machine."""
QUICK = Limits(start_ms=10_000, move_ms=300, bank_ms=300)
"""For sins that cost the whole of a clock."""

Check = Callable[[Sequence[record.Match], Sequence[record.Match]], str]
"""What else is to be looked at: the matches of the sin, then the clean ones after it; "" or what is wrong."""


@dataclass(frozen=True)
class Case:
    """A sin.  It is committed by *program*, in tests/bad_bots, at a table of two with an honest bot."""

    id: str
    """L01 to L70 are lines that are written as an answer, B01 to B55 behaviours; letters tell variants."""
    what: str
    expected: tuple[str, ...]
    """What it may end in: kinds of faults, or OK."""
    program: str
    config: Mapping[str, Json] = field(default_factory=dict)
    sin: Mapping[str, Json] = field(default_factory=dict)
    """What the program is told for the match that it sins in."""
    limits: Limits = CALM
    scratch_mb: int = 0
    tiers: tuple[str, ...] = TIERS
    """The tiers that claim to stop it."""
    run: tuple[str, ...] = ()
    """How to start it, where that is the sin."""
    always: bool = False
    """Whether it sins in every match, so that an honest bot must take its seat for the clean ones."""
    reason: str = ""
    """What the reason of the fault must say."""
    statuses: tuple[int, ...] = ()
    """The exit status, or minus the signal, that must be kept: one of these."""
    opponent: str = "manners"
    opponent_config: Mapping[str, Json] = field(default_factory=dict)
    opponent_expected: str = OK
    check: Check | None = None
    short: bool = False
    """Whether it belongs to the short form."""

    @property
    def harmless(self) -> bool:
        """Whether no fault may come of it."""
        return self.expected == (OK,)

    @property
    def limit_ms(self) -> int:
        """How long a decision of it may take."""
        return self.limits.move_ms + self.limits.bank_ms


def sinner(match: record.Match) -> record.Seat:
    """Return the seat of the bot that sins."""
    return next(seat for seat in match.seats if seat.bot == HOSTILE)
