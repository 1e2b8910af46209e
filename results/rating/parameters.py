"""The rating of a bot, and the parameters of the ratings in a game."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from results.record import Json

__all__ = ["NEW", "Parameters", "Rating", "parameters"]


class Rating(NamedTuple):
    """A bot's skill as a normal distribution."""

    mu: float
    sigma: float

    @property
    def score(self) -> float:
        """A conservative estimate of the skill: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


NEW = Rating(25.0, 25 / 3)
"""The rating of a bot that has not played."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the ratings in a game."""

    beta: float = 25 / 6
    """The luck of one match: a bot whose true skill is larger by beta wins 76 of 100 matches."""
    draw_probability: float = 0.02
    """How often two equal seats tie.  Never 0: a tie would then be impossible, and could not be rated."""

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
