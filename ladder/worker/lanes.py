"""Choose the process that plays a match: a warm one of its lane, or a new one for a replay.

Rotation r of every block is played in lane r, so no process meets a deal twice.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from ladder.process.link import BotLink
from ladder.referee.lapses import Lapses
from ladder.referee.player import Player
from ladder.registry.version import Version
from ladder.worker.goodbyes import Goodbyes

__all__ = ["Lanes"]

MANY = 1024
"""More matches than a table ever has in progress."""


class Lanes:
    """The processes of one worker, by bot version and lane: at most *capacity* of them kept warm."""

    def __init__(self, start: Callable[[Version], Player], capacity: int) -> None:
        self._start = start
        self._capacity = capacity
        self._warm: OrderedDict[tuple[str, int], Player] = OrderedDict()
        self._parallel: dict[str, int] = {}
        self.lapses = Lapses()
        self.leaving = Goodbyes()

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
        """Return a new process for each of *bots* that belongs to no lane; retire it after its match."""
        return [self._start(bot) for bot in bots]

    def parallel(self, bots: Sequence[Version]) -> int:
        """Return how many matches *bots* may have in progress at one table; 1 before all were ready once."""
        if any(self.restarts(bot) or self.lapses.alone(bot.id) for bot in bots):
            return 1
        return min(
            (min(self._parallel.get(bot.id, 1), bot.manifest.parallel or MANY) for bot in bots), default=1
        )

    def hear(self, players: Sequence[Player]) -> None:
        """Remember how many matches *players* can play at once, from their handshakes."""
        for player in players:
            if player.ready:
                self._parallel.setdefault(player.bot.id, player.ready.parallel)

    def restarts(self, bot: Version) -> bool:
        """Return whether *bot* gets a new process for every match."""
        return bot.manifest.restart == "match" or self.lapses.restarts(bot.id)

    def retire(self, players: Sequence[Player]) -> None:
        """Say bye to *players* and forget them; they exit during the next match."""
        for player in players:
            if player.process:
                self.leaving.add(player.bot.id, player.process)
        self.leaving.look()
        leaving = set(map(id, players))
        self._warm = OrderedDict((key, p) for key, p in self._warm.items() if id(p) not in leaving)

    def idle(self) -> list[Player]:
        """Return the players that are at no table and whose process can play."""
        return [player for player in self._warm.values() if not player.seated and not player.lost]

    def processes(self) -> list[BotLink]:
        """Return the warm processes."""
        return [player.process for player in self._warm.values() if player.process]

    def pids(self) -> list[int]:
        """Return the process ids of the warm processes."""
        return [process.pid for process in self.processes()]

    def close(self) -> None:
        """Say bye to every warm process, and wait until all have exited."""
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
