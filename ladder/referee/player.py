"""A bot process at a table: its handshake, its matches, its resources."""

import os
from collections.abc import Callable
from typing import Final, NamedTuple

from ladder.process.bot import BotProcess
from ladder.process.link import SYSTEM_CLOCK, TimeSource
from ladder.process.masks import NO_MASKS, Masks
from ladder.process.memory import TreeMemory
from ladder.process.procfs import Use
from ladder.process.spawn import CannotStart
from ladder.referee.pondering import TICKS_US, Beside, Idle, Suspicion
from ladder.registry.version import Version
from protocol.faults import FaultKind
from protocol.messages import Absent, Limits, Ready

OUTAGES: Final = 6
"""A service may fail in a run for this many times as long as in a match; each worker counts for itself."""


class Spent(NamedTuple):
    """The time that a process had spent at some moment."""

    cpu_us: int
    """Of the process and its children."""
    turn_ns: int


class Outages:
    """For how long the service of a bot has failed, as far as a worker has seen."""

    ns = 0
    _until_ns = 0

    def add(self, from_ns: int, to_ns: int) -> None:
        """Count this time, but none twice: several tables wait for the same service."""
        self.ns += max(0, to_ns - max(from_ns, self._until_ns))
        self._until_ns = max(self._until_ns, to_ns)


class Player:
    """A bot process as its table sees it."""

    outage_s: int | None = None
    """How long its service may fail in a match; None for a bot that has none, and reports no failures."""
    absent: Absent | None = None
    """What it has said in place of its `ready`; it can be started again then."""
    reopen: Callable[[], BotProcess] | None = None
    """Start it again, and send it hello.  Raises CannotStart."""

    def __init__(
        self, bot: Version, process: BotProcess | None, failure: str = "", clock: TimeSource = SYSTEM_CLOCK
    ) -> None:
        self.bot = bot
        self.process = process
        self.limits = Limits()
        """What it may use, as its hello says."""
        self.masks = NO_MASKS
        """What nothing that is kept of its words must show."""
        self.failure = failure
        """Why there is no process, or why it was ended."""
        self.delay = ""
        """How the machine has delayed its start too much, if it was not ready in time."""
        self.started_late = False
        """Whether it was not ready in time because of the machine."""
        self.overran = False
        """Whether its start or an answer was late because of the machine."""
        self.failure_kind: FaultKind = "start"
        self.ready: Ready | None = None
        self.lost = process is None
        """Whether the process can play no other match."""
        self.matches = 0
        """The number of matches that the process has begun."""
        self._now = clock.now
        self.started_ns = self.looked_ns = clock.now()
        """The time of the start, and that of the last look."""
        self.start_ns = 0
        """The time until it was ready or had failed; 0 before that."""
        self.start_had_ns = 0
        """How much of that it had the machine."""
        self.pauses = False
        """Whether the process is stopped between its turns."""
        self.turn_ns = 0
        """The duration of all its finished turns."""
        self.use: Use | None = None
        """What it used at the last look."""
        self.peak_bytes = 0
        """The most memory that it used at any look."""
        self.weighing = TreeMemory()
        self.spent: Spent | None = None
        """What it had spent before its current match."""
        self.stderr_before = 0
        self.cpu_seen: int | None = None
        """Its CPU time at its last answer; None if other matches make it useless."""
        self.answered_ns = 0
        """The time of that answer."""
        self.forks = False
        """Whether its children use CPU time that counts: it is read at both ends of each turn then."""
        self.beside = Beside()
        self.idle = Idle(clock)
        self.suspicion, self.outages = Suspicion(), Outages()
        """Both are shared by all processes of the bot."""
        self.seated = False
        """Whether the process is at a table."""
        self.has_clock = True
        """Whether its start and its decisions must come in time; a person may take any time."""
        self.cores = min(bot.manifest.threads, os.cpu_count() or 1)
        """The number of cores that it may use at once."""
        self.waited_us = 0
        """How long the process had waited for a core at the last reading."""

    def outage_left_ns(self, spent_ns: int) -> int:
        """Return how long its service may still fail in a match where it has failed for *spent_ns*."""
        most_ns = 1_000_000_000 * (self.outage_s or 0)
        return min(most_ns - spent_ns, OUTAGES * most_ns - self.outages.ns)

    def tell_outage(self) -> str:
        """Say for how long its service has failed, when none of that time is left."""
        most = self.outage_s or 0
        of_run = self.outages.ns >= 1_000_000_000 * OUTAGES * most > 0
        return f"for longer than {OUTAGES * most} s in this run" if of_run else f"for longer than {most} s"

    def fail(self, reason: str, kind: FaultKind = "start") -> None:
        """End a process that cannot be used: its next match begins with a fault."""
        self.failure, self.failure_kind = reason, kind
        if self.ready is None:
            self.start_ns = self._now() - self.started_ns
        self.kill()

    def start_again(self) -> None:
        """Start it again after it was absent.  Raises CannotStart."""
        assert self.reopen
        self.absent = None
        self.process = self.reopen()
        self.started_ns, self.lost = self._now(), False

    def sit(self) -> None:
        """Sit down at a table; let a process continue that was stopped between matches."""
        self.seated = True
        if self.process:
            self.idle.end(self.process.paused)
            if not self.pauses:
                self.process.resume()

    def begin(self) -> None:
        """Start playing: what the process and its children have used so far does not count."""
        # What a process has used before its first match, to start and to load, belongs to no turn of anyone.
        if self.matches == 0 and self.process and not self.lost:
            self.look()
        if self.pauses and self.process:
            self.process.pause()

    def stand(self) -> None:
        """Leave the table."""
        self.seated, self.cpu_seen = False, None
        if self.process and not self.lost:
            self.idle.begin(self.process.cpu_us())

    def look(self) -> Use | None:
        """Return what the process and its children use, and note whether the children do."""
        assert self.process
        self.looked_ns = self._now()
        self.measure()
        self.forks = self.forks or (self.use is not None and self.use.children_us > TICKS_US)
        return self.use

    def note_turn(self, now: int, *, ends: bool) -> None:
        """Read what its children have used, where its turn begins or *ends*."""
        assert self.process
        if use := self.process.use(times_only=True):
            self.beside.note(now, use.children_us, ends=ends)

    def measure(self) -> Use | None:
        """Return what the process and its children use, and remember the most memory."""
        assert self.process
        self.use = self.process.use()
        if self.use:
            self.peak_bytes = max(self.peak_bytes, self.use.memory_bytes)
        return self.use

    def kill(self) -> None:
        """End the process and its group at once."""
        self.lost = True
        if self.process:
            self.process.kill()


def start_player(
    bot: Version,
    open_link: Callable[[], BotProcess],
    hello: bytes,
    masks: Masks = NO_MASKS,
    clock: TimeSource = SYSTEM_CLOCK,
) -> Player:
    """Open the link to *bot* and send it *hello*; if it cannot be started, `failure` has the reason.

    The values of *masks* are hidden in what is kept of its words.
    """

    def open_and_greet() -> BotProcess:
        process = open_link()
        process.stderr.hide(masks)
        process.send(hello)
        return process

    try:
        player = Player(bot, open_and_greet(), clock=clock)
    except CannotStart as error:
        return Player(bot, None, str(error), clock)
    player.masks, player.reopen = masks, open_and_greet
    return player
