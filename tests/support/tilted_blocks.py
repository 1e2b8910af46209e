"""Blocks that real bots played, tilted to a known effect, to draw duels from."""

import math
from itertools import accumulate
from typing import NamedTuple

import pytest

from results.rating.duel_tally import BlockResult
from support.house_play import recorded_tally


class Source(NamedTuple):
    """Where blocks are drawn from."""

    seats: int
    results: list[BlockResult]
    up_to: list[float]
    """The probability of each result and all before it."""


def mirror_blocks(result: BlockResult) -> BlockResult:
    return BlockResult(result.losses, result.draws, result.wins)


def source_of(contest: str, effect: float) -> Source:
    """Return the recorded blocks of *contest*, tilted to a mean score of *effect*."""
    recorded = recorded_tally(contest)
    results = sorted(recorded.counts.keys() | {mirror_blocks(result) for result in recorded.counts})
    counts = [recorded.counts.get(r, 0) + recorded.counts.get(mirror_blocks(r), 0) for r in results]

    def tilt(by: float) -> list[float]:
        weights = [count * math.exp(by * r.score) for r, count in zip(results, counts, strict=True)]
        return [weight / math.fsum(weights) for weight in weights]

    def mean(by: float) -> float:
        return math.fsum(p * r.score for p, r in zip(tilt(by), results, strict=True))

    low, high = -20.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) < effect else (low, middle)
    assert effect == pytest.approx(mean(low), abs=1e-12)
    return Source(recorded.seats, results, [*accumulate(tilt(low))])
