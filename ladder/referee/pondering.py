"""CPU time that bots use while others decide, and when it is more than the end of a decision.

A single decision that was followed by much CPU time says nothing, since the machine itself may have added it:
the largest of a match is left out.  And no bot is judged by a single match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ladder.process.link import SYSTEM_CLOCK, Clock

__all__ = ["Beside", "Idle", "Suspicion", "spell"]

BASE_US: Final = 5_000
"""This much may be used beside the turns of a match..."""
TAIL_US: Final = 1_000
"""...and this much after every answer: its write returns, it tidies up, it waits again (up to 0.8 ms)..."""
SHARE: Final = 0.02
"""...and this part of the time that passes: runtimes collect garbage and compile in the background."""
IDLE_US: Final = 20_000
"""This much may be used between two matches: the end of a match is noted, and a runtime may compile."""
IDLE_PERIODS: Final = 4
"""A process that computed in this many pauses in a row does so on purpose."""
FAR: Final = 3.0
"""What is more than this many times as much as is allowed counts no more than that."""
CERTAIN: Final = 3.0
"""Two matches far beyond what is allowed are certain, or more of them that are less far beyond it."""
TICKS_US: Final = 20_000
"""How far the CPU time of children may be wrong: it is told in ticks of 10 ms, user and system time apart."""


class Spell(NamedTuple):
    """What a bot used beside its turns for some time, and what was allowed, in microseconds."""

    used_us: int
    allowed_us: int
    when: str

    def __str__(self) -> str:
        used, allowed = self.used_us / 1000, self.allowed_us / 1000
        return f"{used:.0f} ms of CPU time {self.when} ({allowed:.0f} ms are allowed)"

    @property
    def ratio(self) -> float:
        """How many times as much was used as is allowed."""
        return self.used_us / self.allowed_us


def spell(outside_us: Sequence[int], wall_us: int, beside_us: int, since_us: int) -> Spell:
    """Return what counts of a match.

    *outside_us*: what the first process of a bot used after each of its decisions, of a match of *wall_us*;
    *beside_us*: what its children used beside its turns in the last *since_us*.  They have no tails.
    """
    decisions = len(outside_us)
    used_us = sum(outside_us) - max(outside_us, default=0)
    allowed_us = BASE_US + TAIL_US * decisions + int(SHARE * wall_us)
    own = Spell(used_us, allowed_us, f"after its {decisions} decisions of a match")
    children = Spell(
        beside_us, BASE_US + int(SHARE * since_us), "by its children beside its turns of a match"
    )
    return max(own, children, key=lambda found: found.ratio)


class Suspicion:
    """Whether a bot computes on others' time, by its matches one after another (a cumulative sum)."""

    def __init__(self) -> None:
        self.certain = False
        self.seen: list[Spell] = []
        """The last two that counted against it."""
        self._level = 0.0

    def add(self, found: Spell) -> bool:
        """Take a match into account; return whether it makes certain what was not."""
        self._level = max(0.0, self._level + min(FAR, found.ratio) - 1)
        if not self._level:
            self.seen = []
        elif found.ratio > 1:
            self.seen = [*self.seen[-1:], found]
        return self._level >= CERTAIN and self._ascertain()

    def convict(self, found: Spell) -> bool:
        """Let *found* alone decide; return whether it makes certain what was not."""
        self.seen = [found]
        return self._ascertain()

    def _ascertain(self) -> bool:
        before, self.certain = self.certain, True
        return not before

    def __str__(self) -> str:
        return ", then ".join(map(str, self.seen))


class Beside:
    """What the children of a bot's process have used beside its turns, from look to look.

    In its own turns a bot may use a core, or as many as it has threads; what its first process leaves of that
    is its children's.  They are looked at now and then, not at each decision, so this is the least it can be.
    """

    def __init__(self) -> None:
        self._us = 0
        self._surplus_us: int | None = None

    def look(self, children_us: int, busy_us: int, turns_us: int) -> None:
        """Note what the children and the process itself have used so far, and what all its turns allowed."""
        surplus_us = children_us + busy_us - turns_us
        if self._surplus_us is not None:
            self._us = max(-TICKS_US, self._us + surplus_us - self._surplus_us)
        self._surplus_us = surplus_us

    def take(self) -> int:
        """Return what was used since this was last asked."""
        used_us = max(0, self._us)
        self._us -= used_us
        return used_us


class Idle:
    """What a process and its children use between its matches, while others play."""

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self._now = clock.now
        self._periods = 0
        """In how many pauses in a row it has computed."""
        self._since_ns = 0
        self._cpu_us: int | None = None
        self._children_us: int | None = None

    def begin(self, cpu_us: int | None) -> None:
        """Note what the process, without its children, has used when its match is over."""
        self._since_ns, self._cpu_us, self._children_us = self._now(), cpu_us, None

    def look(self, cpu_us: int | None, children_us: int) -> Spell | None:
        """Return what was used in this pause if that is too much; to be asked no more until the next."""
        if self._children_us is None:
            self._children_us = children_us
        own_us = cpu_us - self._cpu_us if cpu_us is not None and self._cpu_us is not None else 0
        wall_us = (self._now() - self._since_ns) // 1000
        found = Spell(
            own_us + children_us - self._children_us,
            IDLE_US + int(SHARE * wall_us),
            f"in {wall_us / 1000:.0f} ms between two matches, {self._periods + 1} times in a row",
        )
        if found.ratio <= 1:
            return None
        self._periods += 1
        return found

    def end(self, stopped: bool) -> None:
        """Note that the pause is over; *stopped*: whether it had to be ended by a stop."""
        if self._children_us is not None and not stopped:
            self._periods = 0

    @property
    def certain(self) -> bool:
        """Whether it has computed in too many pauses in a row for a runtime that gets warm."""
        return self._periods >= IDLE_PERIODS
