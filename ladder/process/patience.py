"""The law of delays: how long the machine has let processes run, and whether a wait for them is over.

The law of delays (SPEC, "Delays of the machine are forgiven") is one number: the time for which a bot had
the machine, `ClockSpell.had_us`.  That is simpler than to ask, past the limit, for either of two conditions,
and covers both:

- its processes have used the CPU time of the limit: `had_us` is never less than that;
- none of them was ready to run for as long as the time left: what passes while they sleep is no wait, so it
  counts, and the time left runs out.

A bot that has done neither was waiting for a core.  The referee waits for it for MOST_TIMES its limit, or
for LONGEST_US.

It holds for every wait that decides something, also for those of the ladder's own programs: `Patience`.
"""

import select
import time
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from ladder.machine.cores import usable_cores
from ladder.process.procfs import cpu_us
from ladder.process.waits import Waits

LATE_NS: Final = 100_000_000
"""Where a wait ends later than this, and not for want of a core, the machine has stood still."""
MOST_TIMES: Final = 10
"""The referee waits for a bot that the machine delays for at most this many times its limit..."""
LONGEST_US: Final = 600_000_000
"""...or, for a decision of a match that is kept, for this long, if that is longer: ten minutes.

A bot that sleeps while its children wait for a core would be dealt a match with other luck of its own, if
they did not come to the CPU time of its limit first.
"""


class ClockSpell(NamedTuple):
    """What a bot did while its clock ran, in microseconds; by default it had the machine all the time."""

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


def judge_clock(limit_us: int, spell: ClockSpell, longest_us: int = 0) -> State:
    """Return whether a clock of *limit_us* is over after *spell*.

    A bot that the machine does not delay is charged at its limit.  One that waits for a core has its clock
    stopped meanwhile; after MOST_TIMES the limit, or after *longest_us* if that is more, the referee stops
    waiting.
    """
    # The charge comes first: a bot that used its time is over even if the machine also delayed it for long.
    if spell.had_us >= limit_us:
        return "over"
    return "too late" if spell.elapsed_us >= max(MOST_TIMES * limit_us, longest_us) else "runs"


class Patience:
    """A wait of *limit_s* seconds for processes, which the machine may delay."""

    def __init__(self, limit_s: float, pids: Callable[[], Sequence[int]]) -> None:
        """Begin to wait for the processes that *pids* returns; they may use all cores at once."""
        self._limit_us = round(1e6 * limit_s)
        self._pids = pids
        self._waits = Waits()
        self._began_ns = time.monotonic_ns()
        self._cpu_us = cpu_us(pids())
        self._frozen_us = 0
        self._left_us = self._limit_us

    @property
    def elapsed_s(self) -> float:
        """The seconds that have passed."""
        return (time.monotonic_ns() - self._began_ns) / 1e9

    def wait(self, *fds: int, most_s: float = float("inf")) -> Literal["came", "runs", "over", "too late"]:
        """Wait for one of *fds*: "came", "runs" after *most_s* seconds, or what is true of the clock."""
        poll = select.poll()
        for fd in fds:
            poll.register(fd, select.POLLIN)
        end_ns = time.monotonic_ns() + round(1e9 * min(most_s, 1e9))
        while True:
            now = time.monotonic_ns()
            wake_ns = min(end_ns, now + 1000 * self._left_us)
            if poll.poll(max(0.0, (wake_ns - now) / 1e6)):
                return "came"
            now = time.monotonic_ns()
            if now - wake_ns > LATE_NS:  # this process was held up, and so were they
                self._frozen_us += (now - wake_ns) // 1000
            state = self.look()
            if state != "runs" or now >= end_ns:
                return state

    def look(self) -> State:
        """Return what is true of the clock."""
        now, pids = time.monotonic_ns(), self._pids()
        waited_us, used_us = self._waits.read_us(pids), max(0, cpu_us(pids) - self._cpu_us)
        elapsed_us, cores = (now - self._began_ns) // 1000, len(usable_cores())
        spell = ClockSpell(elapsed_us, waited_us, self._frozen_us, used_us, cores)
        self._left_us = max(1000, self._limit_us - spell.had_us)
        # a wait without any time judges nothing
        return judge_clock(self._limit_us, spell) if self._limit_us else "too late"
