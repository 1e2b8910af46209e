"""The rating of a bot, and the parameters of the ratings in a game."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import NamedTuple

from results.rating.outcomes import Bot
from results.record import Json, Run


class Rating(NamedTuple):
    """A bot's skill as a normal distribution."""

    mu: float
    sigma: float


NEW = Rating(25.0, 25 / 3)
"""The rating of a bot that has not played."""


class Draws(dict[int, float]):
    """How often two equal seats tie, by table size; the number of size 0 holds for sizes without their own.

    Never 0: a tie would then be impossible, and could not be rated.
    """

    @classmethod
    def of(cls, declared: float | Mapping[int, float]) -> Draws:
        """Return *declared*: one number for all table sizes, or one for each."""
        return cls(declared if isinstance(declared, Mapping) else {0: declared})

    def __missing__(self, seats: int) -> float:
        """Return the number of a size without its own."""
        return self.get(0, 0.02)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the ratings in a game."""

    beta: float = 25 / 6
    """The luck of one match: a bot whose true skill is larger by beta wins 76 of 100 matches."""
    draw_probability: Mapping[int, float] = field(default_factory=Draws)
    """How often two equal seats tie, by table size."""
    anchor: Bot | None = None
    """The bot whose rating is fixed, so that numbers stay comparable when bots come and go."""
    anchor_rating: float = NEW.mu
    fixed: frozenset[int] = frozenset()
    """The table sizes whose draws are set in `ladder.toml`, and so are not measured; 0: all sizes."""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers that no rating can be computed with."""
        for draws in self.draw_probability.values():
            if not 0 < draws < 1:
                raise ValueError(f"expected a draw_probability above 0 and below 1, got: {draws}")
        if not 0 < self.beta < inf:
            raise ValueError(f"expected a beta above 0, got: {self.beta}")
        if not isfinite(self.anchor_rating):
            raise ValueError(f"expected an anchor_rating that is a number, got: {self.anchor_rating}")

    @classmethod
    def read(cls, stored: Mapping[str, Json]) -> Parameters:
        """Return the parameters that `stored` made.

        Runs stored before know one draw probability a game.  They do not say which ones `ladder.toml` set,
        so that all of theirs give way to measured ones.

        Raises ValueError for a number that cannot be used and TypeError for an unknown name.
        """
        numbers = dict(stored)
        draws = numbers.pop("draw_probability", {})
        if isinstance(draws, Mapping):
            draws = {int(seats): probability for seats, probability in draws.items()}
        if anchor := numbers.pop("anchor", None):
            name, version = anchor
            numbers["anchor"] = (name, version)
        fixed = frozenset(numbers.pop("fixed_draws", ()))
        return cls(draw_probability=Draws.of(draws), fixed=fixed, **numbers)

    def with_draws(self, measured: Mapping[int, float]) -> Parameters:
        """Return these parameters with the *measured* draw probabilities of all sizes that are not fixed."""
        taken = {} if 0 in self.fixed else {s: of for s, of in measured.items() if s not in self.fixed}
        return dataclasses.replace(self, draw_probability=Draws({**self.draw_probability, **taken}))

    def to_json(self) -> dict[str, Json]:
        """Return the parameters as a run keeps them, in JSON."""
        draws = {str(seats): probability for seats, probability in sorted(self.draw_probability.items())}
        numbers: dict[str, Json] = {
            "beta": self.beta,
            "draw_probability": draws["0"] if draws.keys() == {"0"} else draws,
        }
        if self.anchor is not None:
            numbers |= {"anchor": list(self.anchor), "anchor_rating": self.anchor_rating}
        if self.fixed:
            numbers["fixed_draws"] = sorted(self.fixed)
        return numbers


def parameters(
    games: Mapping[str, Parameters], overrides: Mapping[str, Mapping[str, Json]] | None = None
) -> dict[str, Json]:
    """Return what a run stores as its rating parameters: those of *games*, with the *overrides* of some.

    A draw probability for one table size overrides that of this size only.  Raises ValueError for a number
    that cannot be used and TypeError for an unknown name.
    """
    return {game: _override(of, (overrides or {}).get(game, {})).to_json() for game, of in games.items()}


def _override(of: Parameters, numbers: Mapping[str, Json]) -> Parameters:
    changed = dict(numbers)
    if isinstance(given := changed.get("draw_probability"), Mapping):
        changed["draw_probability"] = Draws({**of.draw_probability, **given})
        changed["fixed"] = frozenset(given)
    elif given is not None:
        changed["draw_probability"] = Draws.of(given)
        changed["fixed"] = frozenset({0})
    return dataclasses.replace(of, **changed)


def parameters_of(runs: Iterable[Run]) -> dict[str, Parameters]:
    """Return the parameters of each game: those of the newest of *runs* with blocks that has the game."""
    found: dict[str, Parameters] = {}
    for run in runs:
        if run.blocks != 0:
            found |= {game: Parameters.read(numbers) for game, numbers in run.ratings.items()}
    return found
