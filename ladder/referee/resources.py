"""Measure what the bots at a table use, and judge it: now and then, and at the end of each match."""

from collections.abc import Iterator, Sequence

from ladder.referee.clocks import Clocks
from ladder.referee.limits import LOOK_NS, SLOW_NS, breach, waits
from ladder.referee.match import SeatFault, TableMatch
from ladder.referee.player import Player, Spent
from ladder.referee.pondering import spell
from ladder.referee.rules import Rules
from ladder.registry.version import Version

NEW = 5
"""After each of its first NEW matches, a process's children are measured."""
SELDOM_NS = 4 * LOOK_NS
"""Later, after a match if the process was not measured for this long."""


class Resources:
    """What the players at a table use, from look to look."""

    def __init__(self, rules: Rules, players: Sequence[Player], clocks: Clocks) -> None:
        self.ponderers: list[Version] = []
        """Bots that computed during others' turns, and are stopped between their own turns from now on."""
        self._rules = rules
        self._players = players
        self._clocks = clocks
        self._spent: Spent | None = None
        self._no_core_us = 0
        """What the bots had spent, and how long they had waited for a core, at the first look."""

    def breaches(self, now: int) -> Iterator[tuple[Player, SeatFault]]:
        """Measure what each bot uses; yield those that use too much, with the fault."""
        for player in self._players:
            if player.process and not player.lost:
                turn_ns = self._clocks.turn_ns(player, now)
                use = player.look()
                if use and (fault := breach(player, use, turn_ns)):
                    yield player, fault

    def look_at_waits(self, now: int) -> None:
        """Note how long players wait for a core whose answers are slow."""
        self._clocks.look()
        for asked in self._clocks.open.values():
            player = asked.seat.player
            if asked.sent_ns and now - asked.sent_ns > SLOW_NS and player.has_clock and player.process:
                self._clocks.waited_us(asked, now)

    def judge(self, now: int) -> bool:
        """Return whether the bots mostly waited in their turns, so that they do not need a core each."""
        uses = [player.use for player in self._players if player.use]
        turns_ns = sum(self._clocks.turn_ns(player, now) for player in self._players)
        spent = Spent(sum(use.cpu_us for use in uses), turns_ns)
        if self._spent is None:
            self._spent, self._no_core_us = spent, self._without_a_core()
        if not waits(self._spent, spent):
            return False
        more_us = self._without_a_core() - self._no_core_us
        return waits(self._spent, Spent(spent.cpu_us + more_us, turns_ns))

    def _without_a_core(self) -> int:
        """Return how long processes of this table were ready to run and had no core."""
        return sum(player.process.waited_us() for player in self._players if player.process)

    def suspect(self, match: TableMatch, now: int) -> None:
        """Judge what the bots used outside their turns of *match*, which is over."""
        for seat in match.seats:
            player = seat.player
            if player.process is None or player.lost:
                continue
            if player.matches <= NEW or now - player.looked_ns > SELDOM_NS:
                player.look()
            count = len(seat.outside_us)
            when = f"after its {count} decision{'s' * (count != 1)} of a match"
            found = spell(seat.outside_us, (now - match.started_ns) // 1000, when)
            if player.forks:
                children = player.beside.take()
                seat.beside_us = children.used_us
                found = max(found, children, key=lambda each: each.ratio)
            if self._rules.freeze == "auto" and not player.pauses and player.suspicion.add(found):
                self.ponderers.append(player.bot)
            if self._rules.freeze == "auto" and player.suspicion.certain and not player.pauses:
                player.pauses = True
                player.process.pause()
