"""Which process plays which match: warm ones per bot and lane, new ones for a match begun again.

Rotation r of every block is played in lane r, so that no process ever meets a deal twice.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ladder.lapses import Lapses
from ladder.leaving import Leaving
from ladder.pondering import Beside, Idle, Suspicion
from ladder.proc import Use
from ladder.process import BotProcess, CannotStart
from ladder.roster import Version
from ladder.sandbox import Confined
from ladder.weighing import Weighing
from protocol.messages import FaultKind, Ready

__all__ = ["Lanes", "Player", "Spent", "start_player"]

MANY = 1024
"""More matches than anybody has in progress."""


class Spent(NamedTuple):
    """What a process had spent at some moment."""

    cpu_us: int
    """With all that it started."""
    turn_ns: int


class Player:
    """A bot process as its table sees it: who it is, what it said in its handshake, what it has played."""

    def __init__(self, bot: Version, process: BotProcess | None, failure: str = "") -> None:
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
        self.started_ns = time.monotonic_ns()
        self.start_ns = 0
        """How long it took until it was ready, or had failed; 0: it is not there yet."""
        self.pauses = False
        """Whether the process is stopped between its turns."""
        self.turn_ns = 0
        """For how long it has been asked, in all."""
        self.use: Use | None = None
        """What it used when it was last looked at."""
        self.weighing = Weighing()
        self.spent: Spent | None = None
        """What it had spent before the match that it plays."""
        self.stderr_before = 0
        self.cpu_seen: int | None = None
        """Its CPU time when it last answered; None where that does not tell what it has used since."""
        self.busy_us = 0
        """Its CPU time in the decisions that it has answered, in all."""
        self.beside = Beside()
        self.idle = Idle()
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
            self.start_ns = time.monotonic_ns() - self.started_ns
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
        self.looked_ns = time.monotonic_ns()
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


class Lanes:
    """The processes of one worker, by bot version and lane: at most *capacity* of them kept warm."""

    def __init__(self, start: Callable[[Version], Player], capacity: int) -> None:
        self._start = start
        self._capacity = capacity
        self._warm: OrderedDict[tuple[str, int], Player] = OrderedDict()
        self._said: dict[str, int] = {}
        self.lapses = Lapses()
        self.leaving = Leaving()

    def seat(self, bots: Sequence[Version], lane: int) -> list[Player]:
        """Return a player for each of *bots*: the warm one of its lane, or a new process."""
        players = []
        for bot in bots:
            key = (bot.id, lane)
            if key not in self._warm or self.restarts(bot):
                if key in self._warm:
                    self.retire([self._warm[key]])
                self._warm[key] = self._start(bot)
            self._warm.move_to_end(key)
            players.append(self._warm[key])
        self._spare(len(bots))
        return players

    def fresh(self, bots: Sequence[Version]) -> list[Player]:
        """Return a new process for each of *bots*, which belongs to no lane: retire it after its match."""
        return [self._start(bot) for bot in bots]

    def parallel(self, bots: Sequence[Version]) -> int:
        """Return how many matches *bots* may have in progress at one table; 1 until all have said so."""
        if any(self.restarts(bot) or self.lapses.alone(bot.id) for bot in bots):
            return 1
        return min((min(self._said.get(bot.id, 1), bot.manifest.parallel or MANY) for bot in bots), default=1)

    def hear(self, players: Sequence[Player]) -> None:
        """Remember what *players* said in their handshake."""
        for player in players:
            if player.ready:
                self._said.setdefault(player.bot.id, player.ready.parallel)

    def restarts(self, bot: Version) -> bool:
        """Return whether *bot* gets a new process for every match."""
        return bot.manifest.restart == "match" or self.lapses.restarts(bot.id)

    def retire(self, players: Sequence[Player]) -> None:
        """Say bye to *players* and forget them: they exit beside the next match."""
        for player in players:
            if player.process:
                self.leaving.add(player.bot.id, player.process)
        self.leaving.look()
        leaving = set(map(id, players))
        self._warm = OrderedDict((key, p) for key, p in self._warm.items() if id(p) not in leaving)

    def idle(self) -> list[Player]:
        """Return those that are at no table, and whose process is fit to play."""
        return [player for player in self._warm.values() if not player.seated and not player.lost]

    def processes(self) -> list[BotProcess]:
        """Return the processes that are kept."""
        return [player.process for player in self._warm.values() if player.process]

    def pids(self) -> list[int]:
        """Return their process ids."""
        return [process.pid for process in self.processes()]

    def close(self) -> None:
        """Say bye to every process that is kept, and wait until all have exited."""
        for player in self._warm.values():
            if player.process:
                self.leaving.add(player.bot.id, player.process)
        self._warm.clear()
        self.leaving.wait()

    def kill(self) -> None:
        """End every process at once."""
        self.leaving.kill()
        for player in self._warm.values():
            player.kill()
        self._warm.clear()

    def _spare(self, seated: int) -> None:
        surplus = len(self._warm) - max(self._capacity, seated)
        if surplus > 0:
            self.retire(list(self._warm.values())[:surplus])


def start_player(bot: Version, confined: Confined, hello: bytes, line_bytes: int) -> Player:
    """Start a process for *bot* and send it *hello*; if it cannot be executed, the reason stays."""
    try:
        process = BotProcess(confined, line_bytes)
    except CannotStart as error:
        return Player(bot, None, str(error))
    process.send(hello)
    return Player(bot, process)
