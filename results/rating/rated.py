"""The ratings of a game: a fit of its matches, beside what they add up to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from math import comb

from results.rating.changes import BotChange, MachineGap, find_changes, find_machine_gaps
from results.rating.draw_probability import measure_draws
from results.rating.fit import Fit, fit
from results.rating.misfit import Misfit, SizeGap, find_misfit
from results.rating.outcomes import Bot, Counts
from results.rating.parameters import Parameters
from results.rating.standings import Key, Standing, Totals
from results.rating.tally import MatchTotals

FEW_MEETINGS = 200
"""With fewer meetings at a table size, its fit is not asked what to expect there."""


class Fitter:
    """Measures the draws of a game and fits its skills.  A subclass may know some from before."""

    def measure(self, game: str, counts: Counts, beta: float) -> Mapping[int, float]:
        """Return the draw probabilities that all *counts* of *game* show, by table size."""
        return measure_draws(counts, beta)

    def fit(self, game: str, counts: Counts, of: Parameters, seats: int) -> Fit:
        """Return the fit of *game*, from all its *counts*; *seats* is the table size, or 0 for all."""
        return fit(counts.at_tables_of(seats) if seats else counts, of)

    def by_size(self, game: str, counts: Counts, of: Parameters, seats: int) -> dict[int, Fit]:
        """Return the fits of the table sizes that *counts* has, if *seats* asks for more than one of them.

        Those of few meetings are left out: the fit of all tables says more there.
        """
        meetings: dict[int, int] = {}
        for outcome, count in counts.outcomes.items():
            meetings[outcome.seats] = meetings.get(outcome.seats, 0) + count * comb(outcome.seats, 2)
        sizes = [size for size, met in sorted(meetings.items()) if met >= FEW_MEETINGS]
        return {size: self.fit(game, counts, of, size) for size in sizes if len(meetings) > 1 and not seats}

    def misfit(
        self, game: str, counts: Counts, of: Parameters, seats: int, known: Fit, by_size: Mapping[int, Fit]
    ) -> Misfit:
        """Return how far *known* and *by_size*, which `fit` returned, are from the results of pairs."""
        return find_misfit(known, counts.at_tables_of(seats) if seats else counts, by_size, of)


@dataclass(frozen=True)
class Rated:
    """What is known of the bots of one game."""

    game: str
    parameters: Parameters
    """Those of the fit: the draw probabilities are measured, except where `ladder.toml` sets them."""
    fit: Fit
    standings: Mapping[Bot, Standing]
    """Their counts and ratings, sorted by name and version.  They are up to date."""
    tables: Mapping[int, int]
    """The number of matches by table size, smallest first."""
    behind: int = 0
    """The number of newer matches, of all games, that are not in these ratings yet: that would take long."""
    measured: Mapping[int, float] = field(default_factory=dict)
    """The draw probabilities that the matches show, by table size, also where others are set."""
    misfit: Misfit | None = None
    """How far results are from the ratings."""
    changes: tuple[BotChange, ...] = ()
    """The bots that surely play otherwise in their first matches than later."""
    machine_gaps: tuple[MachineGap, ...] = ()
    """The bots that surely play otherwise on one machine than elsewhere."""
    size_gaps: tuple[SizeGap, ...] = ()
    """The pairs whose order depends on the table size; none, too, while that is not stored yet."""


def standings_of(rated: Mapping[str, Rated]) -> dict[Key, Standing]:
    """Return the standings of all games, sorted by game, bot and version."""
    return {(game, *bot): of for game, each in sorted(rated.items()) for bot, of in each.standings.items()}


def rate(tally: MatchTotals) -> dict[str, Rated]:
    """Return the ratings of all matches in *tally* by game, sorted.  They follow from its sums alone."""
    return rate_totals(tally.totals, tally.parameters)


def rate_totals(
    total: Totals, parameters: Mapping[str, Parameters], seats: int = 0, fitter: Fitter | None = None
) -> dict[str, Rated]:
    """Return the ratings by game, of tables of *seats* (0: all); *fitter* makes the fits, or knows them."""
    fitter = fitter or Fitter()
    by_game: dict[str, dict[Bot, Standing]] = {}
    for (game, bot, version), standing in total.standings(seats or None).items():
        by_game.setdefault(game, {})[bot, version] = standing
    found = {}
    for game, standings in by_game.items():
        told, counts = parameters.get(game) or Parameters(), total.counts[game]
        measured = fitter.measure(game, counts, told.beta)
        of = told.with_draws(measured)
        made = fitter.fit(game, counts, of, seats)
        # Fits by size cost as much as the one of all, so they are asked only where something seems wrong by
        # that one.  Each is asked by itself: what is stored of one must not decide about another.
        by_size = cache(partial(fitter.by_size, game, counts, of, seats))
        misfit = fitter.misfit(game, counts, of, seats, made, {})
        if misfit.is_wrong:
            misfit = fitter.misfit(game, counts, of, seats, made, by_size())
        times, machines = total.stretches[game].in_order(seats), total.machines[game].by_name(seats)
        changes = find_changes(times, made, {}, of) and find_changes(times, made, by_size(), of)
        gaps = find_machine_gaps(machines, made, {}, of) and find_machine_gaps(machines, made, by_size(), of)
        found[game] = Rated(
            game,
            of,
            made,
            update_standings(standings, made),
            total.tables(game, seats),
            measured=measured,
            misfit=misfit,
            changes=changes,
            machine_gaps=gaps,
        )
    return found


def update_standings(standings: Mapping[Bot, Standing], made: Fit) -> Mapping[Bot, Standing]:
    """Return *standings*, which have now the numbers of the fit that was *made*."""
    for i, bot in enumerate(made.bots):
        standings[bot].mu, standings[bot].sigma = made.mu[i], made.sigma(i)
    return standings
