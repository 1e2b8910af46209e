"""Decide whose fault it was: the bot's, the machine's, or that of no match that can be named."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ladder.referee.match import SeatFault
from protocol.faults import SECOND_TRY
from results.record import Lapse

STRAYED = "; it may belong to the match before, so it costs none"
AMONG_SEVERAL = "; several matches were in progress, so they begin again one at a time"
BEARS = ", as in every earlier attempt at this match, in which the other bots were in time"

Outcome: TypeAlias = Literal["loses", "ask again", "ask later", "void", "stray", "unclear"]
"""What follows from a fault:

loses      the bot loses the match, its process ends, and other matches in progress are replayed
ask again  the bot gets another try, on the same clock
ask later  the service of the bot has failed: the same decision is asked again after a pause
void       the machine is to blame: the match is void, nothing of it is stored, and the process plays on
stray      the fault happened between two matches: it costs none, but the process ends
unclear    the process played several matches: it ends, and each match is replayed alone
"""


class FaultEvidence(NamedTuple):
    """What the referee knows about a fault.

    The defaults describe a process in the only match that it has ever played, before its first answer.
    """

    names_request: bool = False
    """The fault concerns one request: the answer was wrong or is overdue."""
    tries_left: int = 0
    """How often that request may still be asked again."""
    may_fail: bool = False
    """Its service may fail for longer in this match."""
    outage: str = ""
    """For how long it has failed, in words, where it may not fail for longer."""
    several_matches: bool = False
    """The process plays several matches, or may still answer a request of a match that was taken away."""
    between_matches: bool = False
    """No match is in progress."""
    first_match: bool = True
    """The process has played no match before."""
    has_answered: bool = False
    """The process has answered a request of this match."""
    delay: str = ""
    """How the machine has delayed the process too much, in words; empty if it has not."""
    bears_delays: bool = False
    """The bot alone was delayed in every earlier attempt at the match, so this delay is charged to it."""


class FaultVerdict(NamedTuple):
    """Who bears the cost of a fault."""

    outcome: Outcome
    reason: str
    """The reason that is stored with the fault; it says so where the fault costs no match."""

    @property
    def charged(self) -> bool:
        """Whether the fault costs the bot the match."""
        return self.outcome == "loses"

    @property
    def lapse(self) -> Lapse | None:
        """The lapse that the fault counts as; `repeated` until the match has been replayed without it."""
        if self.outcome == "stray":
            return "stray"
        return "repeated" if self.outcome == "unclear" else None


def attribute(fault: SeatFault, evidence: FaultEvidence) -> FaultVerdict:
    """Decide what follows from *fault*."""
    timed = fault.kind == "timeout" or fault.kind == "start"
    # The machine first: what it delayed says nothing about the bot, whatever else is true.
    if timed and evidence.delay:
        if evidence.bears_delays:
            return _lose(fault, f"; {evidence.delay}{BEARS}")
        return FaultVerdict("void", f"{fault.reason}; but {evidence.delay}")
    if fault.kind == "transport":
        lost = _lose(fault, f", {evidence.outage}")
        return FaultVerdict("ask later", fault.reason) if evidence.may_fail else lost
    if fault.kind in SECOND_TRY and evidence.tries_left > 0:
        return FaultVerdict("ask again", fault.reason)
    # A process with several matches in progress is one program: which match has crashed it cannot be seen
    # from outside.  Only an answer names its match.
    if evidence.several_matches:
        if evidence.names_request and fault.kind != "timeout":  # one match may have used the time of another
            return _lose(fault)
        return FaultVerdict("unclear", fault.reason + AMONG_SEVERAL)
    if not evidence.names_request and _may_be_stray(fault, evidence):
        return FaultVerdict("stray", fault.reason + STRAYED)
    return _lose(fault)


def _lose(fault: SeatFault, more: str = "") -> FaultVerdict:
    return FaultVerdict("loses", fault.reason + more)


def _may_be_stray(fault: SeatFault, evidence: FaultEvidence) -> bool:
    """Return whether *fault*, of a process with one match at most, may belong to the match before it."""
    if evidence.between_matches:
        return True
    late_news = fault.kind == "protocol" or fault.kind == "crash"
    return late_news and not evidence.first_match and not evidence.has_answered
