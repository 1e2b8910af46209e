"""All luck: a random integer, and a random order.  Everything random in a game is drawn with these two."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def below(bound: int, rng: Random) -> int:
    """Return a random integer from 0 to *bound* - 1.

    Draw all luck with this: Random.random() is the only method whose values Python promises to keep.
    """
    return int(rng.random() * bound)


def shuffled(items: Sequence[T], rng: Random) -> list[T]:
    """Return *items* in random order, every order equally likely (Fisher and Yates)."""
    mixed = list(items)
    draw = rng.random
    for i in range(len(mixed) - 1, 0, -1):
        j = int(draw() * (i + 1))
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return mixed
