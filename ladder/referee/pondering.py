"""Detect bots that compute while others decide, from the CPU time they use outside their turns.

Much CPU time after one decision proves nothing, because the machine may have caused it: the largest value of
a match is left out.  No bot is judged by a single match.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ladder.process.link import SYSTEM_CLOCK, TimeSource

BASE_US: Final = 5_000
"""A bot may use this much outside its turns of a match..."""
TAIL_US: Final = 1_000
"""...and this much after each answer: the write returns, the bot cleans up and waits (up to 0.8 ms)..."""
SHARE: Final = 0.02
"""...and this share of the elapsed time: runtimes collect garbage and compile in the background."""
IDLE_US: Final = 20_000
"""A bot may use this much between two matches, to handle the end of one and to compile."""
IDLE_PERIODS: Final = 4
"""A process that computes in this many pauses in a row does it on purpose."""
FAR: Final = 3.0
"""The most that one match can count, as a multiple of what is allowed."""
CERTAIN: Final = 3.0
"""The level at which a bot is convicted: two matches far above what is allowed, or more that are less far."""
TICKS_US: Final = 20_000
"""The error of children's CPU time: it comes in ticks of 10 ms, user and system time apart."""


class Spell(NamedTuple):
    """The CPU time that a bot used outside its turns, and what was allowed, in microseconds."""

    used_us: int
    allowed_us: int
    when: str

    def __str__(self) -> str:
        used, allowed = self.used_us / 1000, self.allowed_us / 1000
        return f"{used:.0f} ms of CPU time {self.when} ({allowed:.0f} ms are allowed)"

    @property
    def ratio(self) -> float:
        """The time used, as a multiple of what is allowed."""
        return self.used_us / self.allowed_us


def spell(outside_us: Sequence[int], wall_us: int, when: str = "") -> Spell:
    """Return what was used in each of several spells outside turns, of a time of *wall_us*."""
    used_us = sum(outside_us) - max(outside_us, default=0)
    return Spell(used_us, BASE_US + TAIL_US * len(outside_us) + int(SHARE * wall_us), when)


class Suspicion:
    """The suspicion that a bot computes during others' turns: a cumulative sum over its matches."""

    def __init__(self) -> None:
        self.certain = False
        self.seen: list[Spell] = []
        """The last two spells that counted against it."""
        self._level = 0.0

    def add(self, found: Spell) -> bool:
        """Add the spell of a match; return whether the bot is convicted by it."""
        # A cumulative sum (Page, 1954): matches within what is allowed pull it down to 0, so a long run of
        # honest matches with an odd one never adds up, while a bot that always uses a little more is found in
        # the end.
        self._level = max(0.0, self._level + min(FAR, found.ratio) - 1)
        if not self._level:
            self.seen = []
        elif found.ratio > 1:
            self.seen = [*self.seen[-1:], found]
        return self._level >= CERTAIN and self._ascertain()

    def convict(self, found: Spell) -> bool:
        """Convict the bot by *found* alone; return whether it was not convicted before."""
        self.seen = [found]
        return self._ascertain()

    def _ascertain(self) -> bool:
        before, self.certain = self.certain, True
        return not before

    def __str__(self) -> str:
        return ", then ".join(map(str, self.seen))


class Beside:
    """The CPU time of the children of a bot's process outside its turns, read at both ends of each turn."""

    def __init__(self) -> None:
        self._outside_us: list[int] = []
        self._outside_ns = 0
        """How long that was in all."""
        self._ended: tuple[int, int] | None = None
        """When the last turn ended, if none is in progress, and what they had used by then."""

    def note(self, now: int, children_us: int, *, ends: bool) -> None:
        """Note the CPU time of the children so far, where a turn begins or *ends*."""
        if self._ended and not ends:
            since_ns, before_us = self._ended
            self._outside_us.append(children_us - before_us)
            self._outside_ns += now - since_ns
        self._ended = (now, children_us) if ends else None

    def take(self) -> Spell:
        """Return what they used since the last call; what follows, up to the next turn, does not count."""
        when = "by its children beside its turns of a match"
        found = spell(self._outside_us, self._outside_ns // 1000, when)
        self._outside_us, self._outside_ns, self._ended = [], 0, None
        return found._replace(used_us=max(0, found.used_us))


class Idle:
    """The CPU time of a process and its children between its matches, while others play."""

    def __init__(self, clock: TimeSource = SYSTEM_CLOCK) -> None:
        self._now = clock.now
        self._periods = 0
        """The number of pauses in a row in which it computed."""
        self._since_ns = 0
        self._cpu_us: int | None = None
        self._children_us: int | None = None

    def begin(self, cpu_us: int | None) -> None:
        """Note the CPU time of the process, without its children, at the end of its match."""
        self._since_ns, self._cpu_us, self._children_us = self._now(), cpu_us, None

    def look(self, cpu_us: int | None, children_us: int) -> Spell | None:
        """Return the spell of this pause if it is too long; then call no more until the next pause."""
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
        """Note the end of the pause; *stopped*: whether the process had to be stopped in it."""
        if self._children_us is not None and not stopped:
            self._periods = 0

    @property
    def certain(self) -> bool:
        """Whether it has computed in more pauses in a row than a runtime needs to warm up."""
        return self._periods >= IDLE_PERIODS
