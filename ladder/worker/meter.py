"""Measure how much of a core the tables of a worker take, to choose how many it can hold in progress."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ladder.process.procfs import all_waited_us
from ladder.referee.player import Player

__all__ = ["Measured", "Meter", "fitting"]

FILL = 0.6
"""The part of a core that the tables of a worker may take together: bots that think need not wait then."""
OVERFULL = 0.9
"""With more than this, fewer tables are better."""
LEAST_PART = 0.05
"""A table that waits for a core all the time had one for this part of it, at least."""
SLOW_S = 0.002
"""Several tables are held only if an answer takes longer than this on average."""


class Measured(NamedTuple):
    """What a worker and its bots did since the last look."""

    seconds: float
    need: float
    """The part of a core that a table needs: what it uses of the time in which it does not wait for one."""
    answers: int
    """How many lines the bots wrote."""
    starting: bool
    """Whether a bot is not ready yet."""


class _Seen(NamedTuple):
    cpu_us: int
    waited_us: int
    lines: int


class Meter:
    """Sums up what a worker and its bots use."""

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        own: Callable[[], tuple[int, int]] | None = None,
    ) -> None:
        """Begin now.  *own* returns the CPU time of the worker itself, and how long it has waited for a core.

        Both are in microseconds.
        """
        own = own or _own_us
        self._now, self._own = now, own
        self._at, self._own_at = now(), own()
        self._seen: dict[Player, _Seen] = {}

    def look(self, players: Sequence[Player], playing: int) -> Measured:
        """Return what was used since the last look by all *players*, of which some are at *playing* tables.

        What a new process has used for its start counts.
        """
        at, own = self._now(), self._own()
        seconds = at - self._at
        seen = {player: found for player in players if (found := _look(player, self._seen.get(player)))}
        cpu_us, waited_us, answers = own[0] - self._own_at[0], own[1] - self._own_at[1], 0
        for player, found in seen.items():
            before = self._seen.get(player) or (_Seen(0, 0, 0) if player.matches <= 1 else found)
            cpu_us += max(0, found.cpu_us - before.cpu_us)
            waited_us += max(0, found.waited_us - before.waited_us)
            answers += found.lines - before.lines
        self._at, self._own_at, self._seen = at, own, seen
        starting = any(player.ready is None and not player.lost for player in players)
        table_us = max(1.0, seconds * 1e6 * playing)
        need = cpu_us / table_us / max(LEAST_PART, 1 - waited_us / table_us)
        return Measured(seconds, need, answers, starting)


def _look(player: Player, before: _Seen | None) -> _Seen | None:
    process = player.process
    if process is None or player.lost:
        return None
    if before and before.lines == process.lines and not player.seated:  # it has not played
        return before
    children_us = player.use.children_us if player.use else 0
    return _Seen((process.cpu_us() or 0) + children_us, process.waited_us(), process.lines)


def _own_us() -> tuple[int, int]:
    return time.process_time_ns() // 1000, all_waited_us(os.getpid())


def fitting(measured: Measured, playing: int, tables: int, most: int) -> int:
    """Return how many tables to hold in progress after *playing* of *tables* were; at most *most*.

    The number doubles at most, so that what new processes take to start shows before there are more.
    """
    fit = int(FILL / max(measured.need, 1e-3))
    mean_s = measured.seconds * playing / max(1, measured.answers)
    if fit > tables and playing >= tables and mean_s > SLOW_S:
        return max(tables, min(fit, 2 * tables, most))
    if playing * measured.need > OVERFULL and fit < tables and not measured.starting:
        return max(1, fit)
    return tables
