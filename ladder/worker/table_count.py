"""How many tables a worker holds in progress: one, or several while bots wait and need no core."""

import os
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ladder.machine.capacity import available_bytes
from ladder.process.procfs import all_waited_us
from ladder.referee.player import Player
from ladder.worker.worker import Worker
from ladder.worker.worker_messages import Bound

FILL = 0.6
"""The part of a core that the tables of a worker may take together: bots that think need not wait then."""
OVERFULL = 0.9
"""With more than this, fewer tables are better."""
LEAST_PART = 0.05
"""A table that waits for a core all the time had one for this part of it, at least."""
SLOW_S = 0.002
"""Several tables are held only if an answer takes longer than this on average."""
GROWTH = 8
"""The number of tables grows at most by this factor, and then not before the new processes have played."""
STARTS_US = 3_000_000
"""The CPU time that the processes of all new tables may take together to start: a start has a time limit."""
THOROUGH = 4
"""At every THOROUGH-th look, processes that have not run are asked how long they wait for a core."""


class Measured(NamedTuple):
    """What a worker and its bots did since the last look."""

    seconds: float
    need: float
    """The part of a core that a table needs: what it uses of the time in which it does not wait for one."""
    answers: int
    """How many lines the bots wrote."""
    starting: bool
    """Whether a bot is not ready yet, or has been ready since the last look only."""
    start_us: int = 0
    """The most CPU time that a process has taken to start, as far as known."""
    starved: float = 0.0
    """The part of the time in which a table was ready to run and had no core."""


class _Seen(NamedTuple):
    cpu_us: int
    waited_us: int
    lines: int
    ready: bool


class Meter:
    """Sums up what a worker and its bots use."""

    def __init__(
        self, now: Callable[[], float] = time.monotonic, own: Callable[[], tuple[int, int]] | None = None
    ) -> None:
        """Begin now; *own* returns this worker's CPU time and its wait for a core, both in microseconds."""
        own = own or _own_us
        self._now, self._own = now, own
        self._at, self._own_at = now(), own()
        self._seen: dict[Player, _Seen] = {}
        self._start_us = 0
        self._looks = 0

    def look(self, players: Sequence[Player], playing: int) -> Measured:
        """Return what was used since the last look by all *players*, of which some are at *playing* tables.

        What a new process has used for its start counts only if its bot has a new one in every match.
        """
        at, own = self._now(), self._own()
        seconds = at - self._at
        self._looks += 1
        thorough = self._looks % THOROUGH == 0
        seen = {
            player: found
            for player in players
            if (found := _look(player, self._seen.get(player), thorough=thorough))
        }
        cpu_us, waited_us, answers = own[0] - self._own_at[0], own[1] - self._own_at[1], 0
        starting = any(player.ready is None and not player.lost for player in players)
        for player, found in seen.items():
            before = self._seen.get(player)
            if player.bot.manifest.restart == "match":
                before = before or _Seen(0, 0, 0, found.ready)
            elif before is None or not before.ready:
                starting = True
                self._start_us = max(self._start_us, found.cpu_us)
                before = found._replace(lines=before.lines if before else 0)
            cpu_us += max(0, found.cpu_us - before.cpu_us)
            waited_us += max(0, found.waited_us - before.waited_us)
            answers += found.lines - before.lines
        self._at, self._own_at, self._seen = at, own, seen
        table_us = max(1.0, seconds * 1e6 * playing)
        need = cpu_us / table_us / max(LEAST_PART, 1 - waited_us / table_us)
        return Measured(seconds, need, answers, starting, self._start_us, min(1.0, waited_us / table_us))


def _look(player: Player, before: _Seen | None, *, thorough: bool) -> _Seen | None:
    process = player.process
    if process is None or player.lost:
        return None
    if before and before.lines == process.lines and not player.seated:  # it has not played
        return before
    children_us = player.use.children_us if player.use else 0
    cpu_us = (process.cpu_us() or 0) + children_us
    ready = player.ready is not None
    # a wait that has ended shows as work; one that has not is found by a thorough look
    if before and before.cpu_us == cpu_us and not thorough:
        return before._replace(lines=process.lines, ready=ready)
    return _Seen(cpu_us, process.waited_us(), process.lines, ready)


def _own_us() -> tuple[int, int]:
    return time.process_time_ns() // 1000, all_waited_us(os.getpid())


def fitting(measured: Measured, playing: int, tables: int, most: int) -> int:
    """Return how many tables to hold in progress after *playing* of *tables* were; at most *most*.

    While processes start, the number stays: what they take for it is not what their tables need.
    """
    if measured.starting:
        return tables
    fit = int(FILL / max(measured.need, 1e-3))
    mean_s = measured.seconds * playing / max(1, measured.answers)
    if fit > tables and playing >= tables and mean_s > SLOW_S:
        more = max(1, STARTS_US // 2 // max(1, measured.start_us))  # most tables have two bots
        return max(tables, min(fit, GROWTH * tables, tables + more, most))
    if playing * measured.need > OVERFULL and fit < tables:
        return max(1, fit)
    return tables


MOST_TABLES = 32
"""The most tables of a worker."""
LOOK_SECONDS = 0.25
"""How often to choose the number of tables."""
REST = 0.95
SELDOM = 4
"""Where the most tables are held and wait for more than REST of the time, looks come SELDOM times as late."""
PART = 4
"""New tables may take this part of the free memory: 1 / PART."""
CALM_SECONDS = 10.0
"""After this time without a late start, a worker may hold twice the tables again."""


class TableCount:
    """The number of tables of one worker, chosen again at each look."""

    def __init__(self, worker: Worker) -> None:
        self.now = 1
        """How many tables may be in progress."""
        self.most = min(MOST_TABLES, worker.most_tables())
        self.waits = 0.0
        """The part of the time in which tables needed no core, when it was last known."""
        self.starved = 0.0
        """The part in which they were ready to run and had none."""
        self._worker = worker
        self._meter = Meter()
        self._fit = 1
        """How many tables fitted at the last look."""
        self._late = 0
        """How many starts were late at the last look."""
        self._allowed = self.most
        """How many tables there may be since starts were late."""
        self._calm_at = 0.0
        """When more may be allowed again."""
        self._look_at = time.monotonic() + LOOK_SECONDS

    @property
    def is_due(self) -> bool:
        """Whether it is time for another look."""
        return time.monotonic() >= self._look_at

    def look(self, playing: int) -> None:
        """Choose how many tables to hold while *playing* are in progress."""
        now = time.monotonic()
        rests = self.now == self.most and self.waits > REST
        self._look_at = now + LOOK_SECONDS * (SELDOM if rests else 1)
        measured = self._meter.look(self._worker.all_players(), playing)
        if not playing:
            return
        fit = min(self._allow(now), fitting(measured, playing, self.now, self._room(playing)))
        if self.now > self._allowed:  # at once: more starts are late otherwise
            self.now = self._allowed
        elif not measured.starting:  # a process that starts needs a core
            self.waits, self.starved = max(0.0, 1 - measured.need), measured.starved
            self.now = self._agree(fit)

    def _allow(self, now: float) -> int:
        """Return how many tables there may be: half as many after each look with late starts."""
        late = self._worker.late_starts
        if late > self._late:
            self._allowed = max(1, min(self._allowed, self.now) // 2)
            self._calm_at = now + CALM_SECONDS
        elif now >= self._calm_at and self._allowed < self.most:
            self._allowed = min(self.most, 2 * self._allowed)
            self._calm_at = now + CALM_SECONDS
        self._late = late
        return self._allowed

    def _agree(self, fit: int) -> int:
        """Return how many tables to hold if *fit* are right: more or fewer only where two looks say so.

        One look may have met other programs on its core, or a start that no process shows yet.
        """
        fits = fit, self._fit
        now = max(min(fits), min(self.now, max(fits)))
        self._fit = fit if now == self.now else now
        return now

    def _room(self, playing: int) -> int:
        """Return how many tables memory allows."""
        players, free = self._worker.list_seated(), available_bytes()
        if free is None or not players or not playing:
            return self.most
        table = sum(max(player.peak_bytes, 1 << 20) for player in players) / playing
        return min(self.most, playing + int(free / PART / table))

    def find_bound(self, playing: int) -> Bound:
        """Return what keeps the worker from more tables than the *playing* ones."""
        room = self._room(playing)
        if self.now < min(self.most, room):
            return ""
        if room < self.most:
            return "memory"
        if self.most == MOST_TABLES:
            return "workers"
        return "processes" if self.most == self._worker.tables_by_processes() else ""
