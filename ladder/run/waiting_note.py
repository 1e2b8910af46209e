"""The note that a run waits for its bots, or for a core."""

from __future__ import annotations

from ladder.run.executors.base import Waiting
from ladder.run.run_events import OperatorNote
from ladder.run.status import Status

SETTLED_SECONDS = 2.0
"""A number of tables that has not changed for so long has settled."""
WAITED_SECONDS = 5.0
"""What a run waits for is told after so long, also where the number of its tables goes on changing."""


class WaitingNote:
    """Tells once that a run waits for its bots, when the number of its tables has settled, or soon."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._told = False
        self._tables, self._since = 0, 0.0
        self._waits_since: float | None = None

    def note(self, status: Status) -> OperatorNote | None:
        """Return the note to tell at *status*, if there is one."""
        tables = status.waiting.tables if status.waiting else 0
        if tables != self._tables:
            self._tables, self._since = tables, status.seconds
        if self._told or status.waiting is None or not status.wait:
            self._waits_since = None
            return None
        if self._waits_since is None:
            self._waits_since = status.seconds
        settled = status.seconds - self._since >= SETTLED_SECONDS
        if not settled and status.seconds - self._waits_since < WAITED_SECONDS:
            return None
        self._told = True
        return OperatorNote(status.wait, self._hint(status, status.waiting))

    def _hint(self, status: Status, waiting: Waiting) -> str:
        if status.is_crowded:
            return "end other programs, or play with fewer workers: -j"
        if status.is_held_back:
            return "--schedule round-robin, which does not wait for results, fills more tables"
        return f"-j {2 * self._jobs}, which holds more tables at once" if waiting.full else ""
