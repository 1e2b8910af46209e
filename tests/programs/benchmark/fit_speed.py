"""Measure what the ratings of large ladders cost, beyond reading the matches.

Times are CPU times: a fit has one thread, and a busy machine changes them less.

TrueSkill's own model plays: every bot has a skill, and the order of performances decides.  A process of its
own counts and fits each ladder, so its memory is that of the fit and its counts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from support.counted import add_block

from ladder.dev.benchmark.figure import Figure, at_most
from ladder.dev.benchmark.rig import memory_mb
from ladder.dev.doctor import is_compiled
from ladder.machine.pool import Pool
from results.rating.fit import fit
from results.rating.outcomes import Counts, FinishOrder
from results.rating.parameters import Parameters
from results.rating.update import draw_margin

SPREAD = 2.0
"""The standard deviation of the skills: so close that almost every order at a table of four occurs."""


class Ladder(NamedTuple):
    """A ladder to fit, and the targets."""

    bots: int
    matches: int
    sizes: tuple[int, ...]
    """The table sizes, each with the same number of matches."""
    within_s: float
    within_mb: float


LADDERS = (
    Ladder(20, 1_000_000, (2, 4), 60, 300),
    Ladder(100, 1_000_000, (2,), 5, 300),
    Ladder(1000, 1_000_000, (2,), 120, 1000),
)


def rating_figures(ladders: Sequence[Ladder] = LADDERS) -> Iterator[Figure]:
    """Yield the CPU time and the memory of the fit of each of *ladders*."""
    build = "compiled" if is_compiled() else "interpreted"
    for ladder in ladders:
        with Pool(2) as pool:  # one process does the work; a pool of one would do it here
            ((_, (outcomes, seconds, peak_mb)),) = pool.each(_measure, [ladder])
        seats = " and ".join(map(str, ladder.sizes))
        name = f"fit {ladder.bots:,} bots, {seats} seats, {build}"
        yield Figure(f"{name}: distinct outcomes", outcomes, "")
        yield at_most(f"{name}: CPU", seconds, "s", ladder.within_s)
        if peak_mb:
            yield at_most(f"{name}: memory", peak_mb, "MB", ladder.within_mb)


def _measure(ladder: Ladder) -> tuple[int, float, float | None]:
    """Return the number of distinct outcomes, the CPU time of the fit in s, and the peak memory in MB."""
    counts = count_matches(ladder)
    began = time.process_time()
    fit(counts, Parameters())
    seconds = time.process_time() - began
    return len(counts.outcomes), seconds, memory_mb(os.getpid(), peak=True)


def count_matches(ladder: Ladder) -> Counts:
    """Return the counts of matches in blocks, at random tables."""
    rng, of = Random(ladder.bots), Parameters()
    bots = [(f"bot-{number:04}", "1") for number in range(ladder.bots)]
    skills = [rng.gauss(25.0, SPREAD) for _ in bots]
    counts = Counts()
    known: dict[FinishOrder, FinishOrder] = {}  # equal outcomes share their memory, as those of a store do
    for seats in ladder.sizes:
        margin = draw_margin(of.draw_probability[seats], of.beta)
        for _ in range(ladder.matches // len(ladder.sizes) // seats):
            table = rng.sample(range(ladder.bots), seats)
            block = []
            for _ in range(seats):
                order = sorted([(-rng.gauss(skills[i], of.beta), i) for i in table])
                ties = tuple([worse - better <= margin for (better, _), (worse, _) in pairwise(order)])
                places = _by_name([i for _, i in order], ties) if any(ties) else [i for _, i in order]
                outcome = FinishOrder(tuple([bots[i] for i in places]), ties)
                block.append(known.setdefault(outcome, outcome))
            add_block(counts, block)
    return counts


def _by_name(order: list[int], ties: Sequence[bool]) -> list[int]:
    """Return *order* with those that tied in the order of their names."""
    ranks = [0]
    for tie in ties:
        ranks.append(ranks[-1] + (not tie))
    return [i for _, i in sorted(zip(ranks, order, strict=True))]
