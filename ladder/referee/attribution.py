"""Decide whose fault it was: the bot's, the machine's, or that of no match that can be named.

The law of delays (SPEC, "Delays of the machine are forgiven") is one number: the time for which a bot had
the machine, `ClockSpell.had_us`.  That is simpler than to ask, past the limit, for either of two conditions,
and covers both:

- its processes have used the CPU time of the limit: `had_us` is never less than that;
- none of them was ready to run for as long as the time left: what passes while they sleep is no wait, so it
  counts, and the time left runs out.

A bot that has done neither was waiting for a core.  The referee waits for it for MOST_TIMES its limit.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from ladder.referee.match import SeatFault
from results.record import Lapse

__all__ = [
    "AMONG_SEVERAL",
    "BEARS",
    "MOST_TIMES",
    "STRAYED",
    "ClockSpell",
    "FaultEvidence",
    "FaultVerdict",
    "Outcome",
    "State",
    "attribute",
    "judge_clock",
]

STRAYED = "; it may belong to the match before, so it costs none"
AMONG_SEVERAL = "; several matches were in progress, so they begin again one at a time"
BEARS = ", as in every earlier attempt at this match, in which the other bots were in time"
MOST_TIMES: Final = 10
"""The referee waits for a bot that the machine delays for at most this many times its limit."""

Outcome: TypeAlias = Literal["loses", "ask again", "void", "stray", "unclear"]
"""What follows from a fault:

loses      the bot loses the match, its process ends, and other matches in progress are replayed
ask again  the bot gets another try, on the same clock
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
            return FaultVerdict("loses", f"{fault.reason}; {evidence.delay}{BEARS}")
        return FaultVerdict("void", f"{fault.reason}; but {evidence.delay}")
    if fault.kind == "illegal" and evidence.tries_left > 0:
        return FaultVerdict("ask again", fault.reason)
    # A process with several matches in progress is one program: which match has crashed it cannot be seen
    # from outside.  Only an answer names its match.
    if evidence.several_matches:
        if evidence.names_request and fault.kind != "timeout":  # one match may have used the time of another
            return FaultVerdict("loses", fault.reason)
        return FaultVerdict("unclear", fault.reason + AMONG_SEVERAL)
    if not evidence.names_request and _may_be_stray(fault, evidence):
        return FaultVerdict("stray", fault.reason + STRAYED)
    return FaultVerdict("loses", fault.reason)


def _may_be_stray(fault: SeatFault, evidence: FaultEvidence) -> bool:
    """Return whether *fault*, of a process with one match at most, may belong to the match before it."""
    if evidence.between_matches:
        return True
    late_news = fault.kind == "protocol" or fault.kind == "crash"
    return late_news and not evidence.first_match and not evidence.has_answered


class ClockSpell(NamedTuple):
    """What a bot did while its clock ran, in microseconds.

    The defaults describe a bot that had the machine all the time.
    """

    elapsed_us: int
    waited_us: int = 0
    """How long its processes were ready to run and had no core."""
    frozen_us: int = 0
    """How long the referee itself was held up, other than by waiting for a core: the machine stood still."""
    cpu_us: int = 0
    """The CPU time of all its processes."""
    cores: int = 1
    """The number of cores that it may use at once."""
    uncounted: bool = False
    """Whether processes of it have ended whose CPU time is counted nowhere."""

    @property
    def had_us(self) -> int:
        """How long the bot had the machine: what its clock is charged.

        This is the time that passed less what the bot waited for a core, but at least the CPU time that it
        used: processes of one bot that wait for each other do not stop its clock.  Where that CPU time is
        not known, all the time counts.
        """
        # A child that ended unheard may have used the core that the others waited for.
        if self.uncounted:
            return self.elapsed_us
        at_work = max(self.elapsed_us - self.waited_us - self.frozen_us, self.cpu_us // self.cores)
        return min(self.elapsed_us, at_work)

    @property
    def was_slow(self) -> bool:
        """Whether it is worth telling that the bot did not have the machine all the time."""
        return 10 * self.had_us < 9 * self.elapsed_us

    @property
    def delay(self) -> str:
        """How the machine has delayed the bot, in words."""
        how = [f"its processes waited {self.waited_us / 1e6:.1f} s for a core"] if self.waited_us else []
        how += [f"the machine stood still for {self.frozen_us / 1e6:.1f} s"] if self.frozen_us else []
        return f"in {self.elapsed_us / 1e6:.1f} s " + " and ".join(how)


State: TypeAlias = Literal["runs", "over", "too late"]
"""What is true of a clock: it runs on; the bot has had its time; the machine has taken too much of it."""


def judge_clock(limit_us: int, spell: ClockSpell) -> State:
    """Return whether a clock of *limit_us* is over after *spell*.

    A bot that the machine does not delay is charged at its limit.  One that waits for a core has its clock
    stopped meanwhile; after MOST_TIMES the limit, the referee stops waiting.
    """
    # The charge comes first: a bot that used its time is over even if the machine also delayed it for long.
    if spell.had_us >= limit_us:
        return "over"
    return "too late" if spell.elapsed_us >= MOST_TIMES * limit_us else "runs"
