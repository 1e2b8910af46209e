"""Show how fast the workers of a cluster have played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ladder.cli.options import note

if TYPE_CHECKING:
    from ladder.run.executors.base import WorkerSpeed

SLOWEST, FASTEST = 10, 5
"""How many workers are shown, if there are more than both together."""


def say_speeds(workers: Sequence[WorkerSpeed]) -> None:
    """Print how fast *workers*, the slowest first, have played."""
    from results.reports.render import Column, Divider, render

    shown, divider = [*workers], None
    if (more := len(workers) - SLOWEST - FASTEST) > 0:
        shown = [*workers[:SLOWEST], *workers[-FASTEST:]]
        divider = Divider(SLOWEST, f"   and {more:,} more")
    columns = [
        Column("host", "host"),
        Column("worker", "worker"),
        Column("processes", "processes", right=True),
        Column("matches", "matches", lambda count: f"{count:,}", right=True),
        Column("per_s", "matches/s", lambda speed: f"{speed:,.1f}", right=True),
        Column("from_mean", "from the mean", lambda part: f"{100 * part:+.0f} %", right=True, always=False),
        Column("delayed", "delayed", lambda count: f"{count:,}", right=True),
    ]
    rows = [worker._asdict() for worker in shown]
    table = render(rows, columns, "table", divider)
    note(f"workers, slowest first:\n{table.rstrip()}")
