"""The chances of all seats with open cards, and what luck did to them.

Hands and tokens are as they were; only what is drawn later varies.  Before a step and after its moves the
same draws are tried, so the difference is what the moves did.  What was drawn in truth is luck: the chances
before the next step less those after the moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from engines.judge import Judge
from ladder.replay.review.walk import WalkedStep
from ladder.replay.review.worlds import luck_of


class OpenChances(NamedTuple):
    """The results that all seats may expect with open cards; both lists are by seat."""

    before: list[float]
    after: list[float]
    """Once the moves of the step are made, and before it is known what is drawn after them."""


def open_chances(step: WalkedStep, judge: Judge[Any], seed: int, draws: int) -> OpenChances:
    """Return the chances around *step*, as means over a number of *draws* of what is to come."""
    before, after = [], []
    for number in range(draws):
        rng = luck_of(seed, number)
        world = judge.redraw(step.position, rng)
        luck = rng.getrandbits(64)
        before.append(judge.prospects(world, Random(luck)).results)
        if step.made:
            for made in step.made:
                world.play(made.option)
            after.append(judge.prospects(world, Random(luck)).results)
    return OpenChances(_means(before), _means(after or before))


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the mean of each column of *rows*."""
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]
