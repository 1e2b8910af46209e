"""The ratings of a game: a fit of its matches, beside what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from results.rating.fit import Fit, fit
from results.rating.outcomes import Bot, Counts
from results.rating.parameters import Parameters
from results.rating.standings import Key, Standing, Totals
from results.rating.tally import MatchTotals

__all__ = ["FitOf", "Rated", "rate", "rate_totals", "rated_by", "standings_of"]

FitOf: TypeAlias = Callable[[str, Counts, Parameters, int], Fit]
"""Returns the fit of a game, from all its counts; the number is the table size, or 0 for all."""


@dataclass(frozen=True)
class Rated:
    """What is known of the bots of one game."""

    game: str
    parameters: Parameters
    fit: Fit
    standings: Mapping[Bot, Standing]
    """Their counts and ratings, sorted by name and version.  They are up to date."""
    tables: Mapping[int, int]
    """The number of matches by table size, smallest first."""
    behind: int = 0
    """The number of newer matches, of all games, that are not in these ratings yet: that would take long."""


def standings_of(rated: Mapping[str, Rated]) -> dict[Key, Standing]:
    """Return the standings of all games, sorted by game, bot and version."""
    return {(game, *bot): of for game, each in sorted(rated.items()) for bot, of in each.standings.items()}


def rate(tally: MatchTotals) -> dict[str, Rated]:
    """Return the ratings of all matches in *tally* by game, sorted.  They follow from its sums alone."""
    return rate_totals(tally.totals, tally.parameters)


def _fit_afresh(game: str, counts: Counts, of: Parameters, seats: int) -> Fit:
    return fit(counts.at_tables_of(seats) if seats else counts, of)


def rate_totals(
    total: Totals, parameters: Mapping[str, Parameters], seats: int = 0, fit_of: FitOf = _fit_afresh
) -> dict[str, Rated]:
    """Return the ratings by game.  With *seats*, only tables of this size count; 0 stands for all.

    *fit_of* makes the fits, or knows them.
    """
    by_game: dict[str, dict[Bot, Standing]] = {}
    for (game, bot, version), standing in total.standings(seats or None).items():
        by_game.setdefault(game, {})[bot, version] = standing
    found = {}
    for game, standings in by_game.items():
        of = parameters.get(game) or Parameters()
        made = fit_of(game, total.counts[game], of, seats)
        found[game] = rated_by(made, game, of, standings, total.tables(game, seats))
    return found


def rated_by(
    made: Fit,
    game: str,
    of: Parameters,
    standings: Mapping[Bot, Standing],
    tables: Mapping[int, int],
    behind: int = 0,
) -> Rated:
    """Return the ratings of a game: *standings* with the numbers of the fit that was *made*."""
    for i, bot in enumerate(made.bots):
        standings[bot].mu, standings[bot].sigma = made.mu[i], made.sigma(i)
    return Rated(game, of, made, standings, tables, behind)
