"""Cases: one misdeed of a hostile bot, and the expected result."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ladder.sandbox import TIERS
from protocol.messages import Json, Limits
from results import record

HOSTILE = "hostile"
"""The name of the hostile bot."""
OK = "ok"
"""The expected result of a match without a fault."""
CONFINING = tuple(tier for tier in TIERS if tier != "none")
"""The tiers that claim to confine bots, beyond limits."""
CALM = Limits(start_ms=10_000, move_ms=4_000, bank_ms=0)
"""Limits with enough time for an honest bot on a busy machine."""
QUICK = Limits(start_ms=10_000, move_ms=300, bank_ms=300)
"""Limits for sins that use up a whole clock."""

Check = Callable[[Sequence[record.Match], Sequence[record.Match]], str]
"""A further check of the matches with the sin and the clean ones after it: returns the error, or ""."""


@dataclass(frozen=True)
class Case:
    """A sin, committed by *program* in tests/bad_bots against one honest bot."""

    id: str
    """L01 to L70 are lines written as an answer, B01 to B63 behaviours; letters mark variants."""
    what: str
    expected: tuple[str, ...]
    """The results it may have: kinds of faults, or OK."""
    program: str
    config: Mapping[str, Json] = field(default_factory=dict)
    sin: Mapping[str, Json] = field(default_factory=dict)
    """The instructions for the program in the match in which it sins."""
    limits: Limits = CALM
    scratch_mb: int = 0
    tiers: tuple[str, ...] = TIERS
    """The tiers that claim to stop it."""
    run: tuple[str, ...] = ()
    """The command that starts it, if that is the sin."""
    always: bool = False
    """Whether it sins in every match, so an honest bot takes its seat in the clean ones."""
    reason: str = ""
    """Text that the reason of the fault must contain."""
    statuses: tuple[int, ...] = ()
    """The allowed exit statuses, or minus signals, in the record."""
    opponent: str = "manners"
    opponent_config: Mapping[str, Json] = field(default_factory=dict)
    opponent_expected: str = OK
    check: Check | None = None
    most_times: int = 1
    """For how many times its limit the referee may wait for it: more than 1 where it has no core."""
    short: bool = False
    """Whether it belongs to the short form."""

    @property
    def harmless(self) -> bool:
        """Whether it must end without a fault."""
        return self.expected == (OK,)

    @property
    def limit_ms(self) -> int:
        """How long one of its decisions may take, with what it may wait for a core."""
        return self.most_times * (self.limits.move_ms + self.limits.bank_ms)


def sinner(match: record.Match) -> record.Seat:
    """Return the seat of the hostile bot."""
    return next(seat for seat in match.seats if seat.bot == HOSTILE)
