"""Which process plays which match: warm ones per bot and lane, new ones for a match begun again.

Rotation r of every block is played in lane r, so that no process ever meets a deal twice.
"""

from __future__ import annotations

from typing import NamedTuple

from ladder.process.bot import BotProcess
from ladder.process.link import SYSTEM_CLOCK, BotLink, Clock
from ladder.process.memory import TreeMemory
from ladder.process.procfs import Use
from ladder.process.spawn import CannotStart
from ladder.referee.pondering import Beside, Idle, Suspicion
from ladder.registry.version import Version
from ladder.sandbox import Confined
from protocol.faults import FaultKind
from protocol.messages import Ready

__all__ = ["Player", "Spent", "start_player"]


class Spent(NamedTuple):
    """What a process had spent at some moment."""

    cpu_us: int
    """With all that it started."""
    turn_ns: int


class Player:
    """A bot process as its table sees it: who it is, what it said in its handshake, what it has played."""

    def __init__(
        self, bot: Version, process: BotLink | None, failure: str = "", clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self.bot = bot
        self.process = process
        self.failure = failure
        """Why there is no process."""
        self.delay = ""
        """How the machine has delayed its start, if that may be why it was not ready."""
        self.failure_kind: FaultKind = "start"
        self.ready: Ready | None = None
        self.lost = process is None
        """Whether the process can play no further match."""
        self.matches = 0
        """How many matches the process has begun."""
        self._now = clock.now
        self.started_ns = clock.now()
        self.start_ns = 0
        """How long it took until it was ready, or had failed; 0: it is not there yet."""
        self.pauses = False
        """Whether the process is stopped between its turns."""
        self.turn_ns = 0
        """For how long it has been asked, in all."""
        self.use: Use | None = None
        """What it used when it was last looked at."""
        self.weighing = TreeMemory()
        self.spent: Spent | None = None
        """What it had spent before the match that it plays."""
        self.stderr_before = 0
        self.cpu_seen: int | None = None
        """Its CPU time when it last answered; None where that does not tell what it has used since."""
        self.busy_us = 0
        """Its CPU time in the decisions that it has answered, in all."""
        self.beside = Beside()
        self.idle = Idle(clock)
        self.suspicion = Suspicion()
        """What all processes of the bot share."""
        self.seated = False
        """Whether the process is at a table."""
        self.looked_ns = self.judged_ns = self.started_ns
        """When it was last looked at, and when its last match was judged."""

    def fail(self, reason: str, kind: FaultKind = "start") -> None:
        """End a process that cannot be used: its next match begins with a fault."""
        self.failure, self.failure_kind = reason, kind
        if self.ready is None:
            self.start_ns = self._now() - self.started_ns
        self.kill()

    def sit(self) -> None:
        """Come to a table; a process that was stopped for the time between goes on."""
        self.seated = True
        if self.process:
            self.idle.end(self.process.paused)
            if not self.pauses:
                self.process.resume()

    def begin(self) -> None:
        """Begin to play, ready: what the process and its children have used so far does not count."""
        if self.matches == 0 and self.process and not self.lost:
            self.look(0, 0)
            self.judged_ns = self.looked_ns
        if self.pauses and self.process:
            self.process.pause()

    def stand(self) -> None:
        """Leave the table."""
        self.seated, self.cpu_seen = False, None
        if self.process and not self.lost:
            self.idle.begin(self.process.cpu_us())

    def look(self, turn_ns: int, busy_us: int) -> Use | None:
        """Return what the process and all that it has started use.

        It was asked for *turn_ns* in all, and has itself used *busy_us* of that.
        """
        assert self.process
        self.looked_ns = self._now()
        self.use = self.process.use()
        if self.use:
            turns_us = turn_ns // 1000 * self.bot.manifest.threads
            self.beside.look(self.use.children_us, busy_us, turns_us)
        return self.use

    def kill(self) -> None:
        """End the process at once, with all of its group."""
        self.lost = True
        if self.process:
            self.process.kill()


def start_player(bot: Version, confined: Confined, hello: bytes, line_bytes: int) -> Player:
    """Start a process for *bot* and send it *hello*; if it cannot be executed, the reason stays."""
    try:
        process = BotProcess.start(confined, line_bytes)
    except CannotStart as error:
        return Player(bot, None, str(error))
    process.send(hello)
    return Player(bot, process)
