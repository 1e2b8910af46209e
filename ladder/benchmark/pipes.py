"""Matches through the runner beside a bare ping-pong, on one core.

The bare ping-pong sends the very bytes that the runner sent, to the same bots, pinned in the same way, and
reads the answers without looking at them.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import closing

from engines import GAMES
from ladder.benchmark.figure import Figure, at_least
from ladder.benchmark.stand import Cost, Stand, pinned

__all__ = ["pipe_figures"]


def pipe_figures(rounds: int) -> Iterator[Figure]:
    """Compare matches through the runner with the bare ping-pong, at the smallest table of every game.

    Stellar is the one that is measured with 32 matches in progress, too.
    """
    plans: list[tuple[str, int, float | None]] = [(name, 1, 0.55) for name in GAMES if name != "stellar"]
    plans += [("stellar", 1, 0.65), ("stellar", 32, None)]
    with pinned():
        for game, in_progress, aim in plans:
            bare, through, decisions = _compare(game, in_progress, rounds)
            name = f"{game}, {in_progress} in progress"
            ratio = statistics.median(b.wall / t.wall for b, t in zip(bare, through, strict=True))
            wall = statistics.median(t.wall for t in through)
            yield Figure(
                f"{name}: bare ping-pong", 1e6 / statistics.median(b.wall for b in bare), "decisions/s"
            )
            yield Figure(f"{name}: through the runner", 1e6 / wall, "decisions/s")
            yield Figure(f"{name}: matches, one core", 1e6 / wall / decisions, "matches/s")
            what = f"{name}: runner / bare"
            yield at_least(what, ratio, "", aim) if aim else Figure(what, ratio, "")
            cpu = statistics.median(t.cpu / b.cpu for b, t in zip(bare, through, strict=True))
            yield Figure(f"{name}: CPU of all, runner / bare", cpu, "")
            own = [statistics.median(cost.own for cost in costs) for costs in (bare, through)]
            yield Figure(f"{name}: bare referee's CPU", own[0], "us/decision")
            yield Figure(f"{name}: referee's CPU", own[1], "us/decision")


def _compare(game: str, in_progress: int, rounds: int) -> tuple[list[Cost], list[Cost], float]:
    """Return the costs of the bare rounds and of the runner's, and the decisions of a match."""
    with closing(Stand(game, in_progress)) as stand:
        decisions = stand.record()
        bare, through = [], []
        for _ in range(rounds):
            bare.append(stand.bare())
            through.append(stand.play())
        return bare, through, decisions / stand.matches
