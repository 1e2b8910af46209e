"""How many tables a worker holds in progress: one, or several while bots wait and need no core."""

import time

from ladder.machine.capacity import available_bytes
from ladder.worker.meter import Meter, fitting
from ladder.worker.worker import Worker
from ladder.worker.worker_messages import Bound

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
