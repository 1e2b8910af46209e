"""Choose the process that plays a match: a warm one of its lane, or a new one for a replay.

Rotation r of every block is played in lane r, so no process meets a deal twice.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from threading import RLock

from ladder.machine.capacity import ALWAYS, RESERVE_BYTES
from ladder.process.bot import BotProcess
from ladder.referee.lapses import Lapses
from ladder.referee.player import Player
from ladder.registry.version import Version
from ladder.worker.goodbyes import Goodbyes

MANY = 1024
"""More matches than a table ever has in progress."""


class Lanes:
    """The warm processes of one worker, by bot version and lane.

    Several tables may need a process of the same bot and lane at once, so there may be several.  Those that
    are at no table are kept up to *capacity* processes in all, while memory lasts.
    """

    def __init__(
        self, start: Callable[[Version], Player], capacity: int, free: Callable[[], int | None] = lambda: None
    ) -> None:
        """Start processes with *start*; *free* returns the bytes of memory that are left, None if unknown."""
        self._start = start
        self._capacity = capacity
        self._free = free
        self._warm: OrderedDict[Player, tuple[str, int]] = OrderedDict()
        """The bot and lane of each process; those that played last stand last."""
        self._of: defaultdict[tuple[str, int], list[Player]] = defaultdict(list)
        self._taken: set[Player] = set()
        """The players that tables have."""
        self._parallel: dict[str, int] = {}
        self.lock = RLock()
        """Held while processes are chosen, started for a lane, or looked at between tables."""
        self.lapses = Lapses()
        self.leaving = Goodbyes()

    def seat(self, bots: Sequence[Version], lane: int) -> list[Player]:
        """Return a player for each of *bots*: a warm one of its lane that no table has, or a new process."""
        with self.lock:
            players = [self._free_player(bot, (bot.id, lane)) for bot in bots]
            if (surplus := len(self._warm) - self._capacity) > 0:
                idle = (
                    player for player in self._warm if player not in self._taken and player not in players
                )
                self.retire(list(islice(idle, surplus)))
        return players

    def take(self, bots: Sequence[Version], lane: int) -> list[Player]:
        """Return players as `seat` does; no other table gets them before they are given back."""
        with self.lock:
            players = self.seat(bots, lane)
            self._taken.update(players)
        return players

    def give_back(self, players: Sequence[Player]) -> None:
        """Let other tables have *players*."""
        with self.lock:
            self._taken.difference_update(players)

    def _free_player(self, bot: Version, key: tuple[str, int]) -> Player:
        # The one that played last, so that others stay idle and can be retired (_spare).
        player = next((player for player in reversed(self._of[key]) if player not in self._taken), None)
        if player and self.restarts(bot):
            self.retire([player])
            player = None
        if player is None:
            if len(self._warm) > ALWAYS:
                free = self._free()
                if free is not None and free < RESERVE_BYTES:
                    self._capacity = max(ALWAYS, min(self._capacity, len(self._warm) * 3 // 4))
            player = self._start(bot)
            self._warm[player] = key
            self._of[key].append(player)
        self._warm.move_to_end(player)
        return player

    def fresh(self, bots: Sequence[Version]) -> list[Player]:
        """Return a new process for each of *bots* that belongs to no lane; retire it after its match."""
        started: list[Player] = []
        try:
            started.extend(map(self._start, bots))
        except BaseException:
            for player in started:
                if player.has_clock:  # a person stays, and is asked again
                    player.kill()
            raise
        return started

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
                # The first process that was ready speaks for its version.
                self._parallel.setdefault(player.bot.id, player.ready.parallel)

    def restarts(self, bot: Version) -> bool:
        """Return whether *bot* gets a new process for every match."""
        return bot.manifest.restart == "match" or self.lapses.restarts(bot.id)

    def retire(self, players: Sequence[Player]) -> None:
        """Say bye to *players* and forget them; they exit during the next match."""
        with self.lock:
            for player in players:
                if player.process:
                    self.leaving.add(player.bot.id, player.process)
                if key := self._warm.pop(player, None):
                    self._of[key].remove(player)
                self._taken.discard(player)
            self.leaving.look()

    def idle(self) -> list[Player]:
        """Return the players that are at no table and whose process can play."""
        return [player for player in self._warm if not player.seated and not player.lost]

    def players(self) -> list[Player]:
        """Return the players that are kept, also those at tables."""
        with self.lock:
            return list(self._warm)

    def list_taken(self) -> list[Player]:
        """Return the players that tables have."""
        with self.lock:
            return list(self._taken)

    def processes(self) -> list[BotProcess]:
        """Return the warm processes."""
        return [player.process for player in self._warm if player.process]

    def close(self) -> None:
        """Say bye to every warm process, and wait until all have exited."""
        for player in self._warm:
            if player.process:
                self.leaving.add(player.bot.id, player.process)
        self._forget()
        self.leaving.wait()

    def kill(self) -> None:
        """End every process at once."""
        self.leaving.kill()
        for player in list(self._warm):
            player.kill()
        self._forget()

    def _forget(self) -> None:
        self._warm.clear()
        self._of.clear()
        self._taken.clear()
