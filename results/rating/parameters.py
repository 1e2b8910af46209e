"""What a rating is, and the numbers that the ratings of a game rest on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from results.record import Json

__all__ = ["NEW", "Parameters", "Rating", "parameters"]


class Rating(NamedTuple):
    """What is believed of a bot's skill: a normal distribution."""

    mu: float
    sigma: float

    @property
    def score(self) -> float:
        """The skill that the bot has almost surely: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


NEW = Rating(25.0, 25 / 3)
"""The rating of a bot that has not played."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What the rating of a game rests on."""

    beta: float = 25 / 6
    """The luck of one match: a bot whose mu is larger by beta wins 76 of 100, if it were for luck alone."""
    draw_probability: float = 0.02
    """How often two equal seats tie.  Never 0: a tie that cannot happen would break the ratings."""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers that no rating can be computed with."""
        if not 0 < self.draw_probability < 1:
            raise ValueError(f"expected a draw_probability above 0 and below 1, got: {self.draw_probability}")
        if not 0 < self.beta < inf:
            raise ValueError(f"expected a beta above 0, got: {self.beta}")


def parameters(
    games: Mapping[str, Parameters], overrides: Mapping[str, Mapping[str, Json]] | None = None
) -> dict[str, Json]:
    """Return what a run stores as its rating parameters: those of *games*, with the *overrides* of some.

    Raises ValueError for a number that cannot be used and TypeError for an unknown name.
    """
    return {
        game: dataclasses.asdict(dataclasses.replace(defaults, **(overrides or {}).get(game, {})))
        for game, defaults in games.items()
    }
