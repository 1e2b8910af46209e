"""The ratings of a store: read from `ratings.cache` where it is up to date, else computed from the matches.

The cache holds the fits, also one for each table size.  `before.cache` holds what the runs before an
unfinished one say of its bots, frozen when that run begins.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import msgspec

from results.rating.changes import BotChange, MachineGap, find_changes, find_machine_gaps
from results.rating.fit import Fit, Quadratic, fit
from results.rating.misfit import Misfit, SizeGap, find_misfit, find_size_gaps
from results.rating.origin import end_of, newer_matches, origin_of, ratings_table, save_pairs, stored_origin
from results.rating.outcomes import Counts
from results.rating.parameters import Parameters
from results.rating.rated import Fitter, Rated, rate_totals, update_standings
from results.rating.segment_counts import COUNTS, CountsFile, SegmentCounts, tally_of, tally_runs
from results.rating.standings import Standing, Totals
from results.rating.tally import MatchTotals
from results.record import Json, Run
from results.storage.contents import Contents
from results.storage.store import Store

MANY_MATCHES = 100_000
"""Ratings of more matches take seconds.  While a run goes on, readers take the stored ones, although..."""
GROWTH = 0.2
"""...newer matches are missing there, if these are at most this share of the others.  A run rates anew when
it has grown by half of this share, and goes on meanwhile."""

RATINGS, BEFORE = "ratings", "before"
"""The names of the caches."""


class _Fitted(msgspec.Struct, frozen=True):
    """A fit, and what it was made from."""

    matches: int
    checksum: int
    """That of the counts: a fit of as many other matches is another."""
    fit: Fit

    def is_of(self, counts: Counts) -> bool:
        """Return whether the fit was made from *counts*."""
        return self.matches == counts.matches and self.checksum == counts.checksum()


class _Game(msgspec.Struct):
    """One game in ratings.cache."""

    parameters: dict[str, Json]
    fits: dict[int, _Fitted]
    """By table size; 0: over all tables."""
    standings: dict[int, list[Standing]]
    """The counts of the bots by table size."""
    measured: dict[int, float]
    """The draw probabilities that the matches show, by table size."""
    misfits: dict[int, Misfit]
    """How far results are from the ratings, by table size; 0: over all tables."""
    size_gaps: tuple[SizeGap, ...]
    changes: dict[int, tuple[BotChange, ...]]
    """The bots that change, by table size; 0: over all tables."""
    machine_gaps: dict[int, tuple[MachineGap, ...]]
    """The bots that play otherwise on one machine, by table size; 0: over all tables."""


class _Ratings(msgspec.Struct):
    """The content of ratings.cache."""

    origin: Json
    games: dict[str, _Game]


class _Before(msgspec.Struct):
    """The content of before.cache."""

    origin: Json
    games: dict[str, Quadratic]


# --- reading


def ratings_current(store: Store, seats: int = 0) -> dict[str, Rated]:
    """Return the ratings by game, over the current season of *store*: see `ratings_of`."""
    return ratings_of(store.contents(), seats)


def ratings_of(contents: Contents, seats: int = 0) -> dict[str, Rated]:
    """Return the ratings by game over the season of *contents*; in an unfinished run, up to the first gap.

    With *seats*, only tables of this size count, as if there were no others; 0 stands for all.  If the
    cache is up to date, no match is read.
    """
    stored = None if contents.season_is_over else _stored_ratings(contents)
    if stored:
        newer = newer_matches(contents, stored.origin)
        known = sum(each.fits[0].matches for each in stored.games.values())
        if not newer or (known >= MANY_MATCHES and newer <= GROWTH * known):
            return _read_games(stored, seats, newer)
    tally = tally_of(contents)
    return rate_totals(tally.totals, tally.parameters, seats, _KnownFits(stored))


def measured_draws(store: Store) -> dict[str, dict[int, float]]:
    """Return the draw probabilities that the matches of *store* show, by which its next run plans.

    They are by game and table size.  Sizes with few matches are left out: see MEASURED_FROM.
    """
    contents = store.contents()
    return {game: dict(each.measured) for game, each in ratings_of(contents).items()} if contents.runs else {}


def quadratics_before(store: Store, run: Run) -> dict[str, Quadratic]:
    """Return what the runs before *run* say of its bots, by game, frozen when it begins; needs the lock."""
    contents = store.contents()
    playing = sorted(run.bot_keys)
    origin = origin_of(contents, run.run, 0)
    frozen = {**origin, "bots": [list(bot) for bot in playing]}
    known = contents.read_cached(BEFORE, _Before)
    if known and known.origin == frozen:
        return known.games
    stored = _stored_ratings(contents)
    if stored and stored.origin == origin:  # what is mostly so: no match was rated since
        fits = {game: each.fits[0].fit for game, each in stored.games.items()}
    else:
        tally = tally_runs(contents, SegmentCounts.load(contents), run)
        rated = rate_totals(tally.totals, tally.parameters, fitter=_KnownFits(stored))
        fits = {game: each.fit for game, each in rated.items()}
    before = _Before(frozen, {game: each.quadratic().marginal(playing) for game, each in fits.items()})
    store.save_cached(BEFORE, before)
    return before.games


def _read_games(stored: _Ratings, seats: int, behind: int) -> dict[str, Rated]:
    """Return the ratings as they are stored, of all tables or of those of *seats*."""
    found = {}
    for game, each in sorted(stored.games.items()):
        if fitted := each.fits.get(seats):
            totals = Totals()
            for size, standings in each.standings.items():
                totals.by_size[size] = {(game, of.bot, of.version): of for of in standings}
            by_bot = {key[1:]: of for key, of in totals.standings(seats or None).items()}
            found[game] = Rated(
                game,
                Parameters.read(each.parameters),
                fitted.fit,
                update_standings(by_bot, fitted.fit),
                totals.tables(game, seats),
                behind,
                measured=each.measured,
                misfit=each.misfits[seats],
                changes=each.changes[seats],
                machine_gaps=each.machine_gaps[seats],
                # Of one size alone, the note about others would be about what is not shown.
                size_gaps=() if seats else each.size_gaps,
            )
    return found


def _stored_ratings(contents: Contents) -> _Ratings | None:
    """Return the content of ratings.cache if it is good for the current season of *contents*."""
    origin = stored_origin(contents)
    stored = contents.read_cached(RATINGS, _Ratings) if origin else None
    return stored if stored and stored.origin == origin else None


class _KnownFits(Fitter):
    """Takes the fits and draws that are stored, where the matches are still the same."""

    def __init__(self, stored: _Ratings | None) -> None:
        self._games = stored.games if stored else {}
        self._made: dict[tuple[str, int], Fit] = {}
        """The fits that were asked for before; all are of the same matches."""

    def measure(self, game: str, counts: Counts, beta: float) -> Mapping[int, float]:
        there = self._games.get(game)
        if there and there.parameters["beta"] == beta and there.fits[0].is_of(counts):
            return there.measured
        return super().measure(game, counts, beta)

    def fit(self, game: str, counts: Counts, of: Parameters, seats: int) -> Fit:
        if (game, seats) not in self._made:
            if seats and counts.sizes != [seats]:
                counts = counts.at_tables_of(seats)
            there = self._games.get(game)
            old = there.fits.get(seats) if there and there.parameters == of.to_json() else None
            self._made[game, seats] = old.fit if old and old.is_of(counts) else fit(counts, of)
        return self._made[game, seats]

    def misfit(
        self, game: str, counts: Counts, of: Parameters, seats: int, known: Fit, by_size: Mapping[int, Fit]
    ) -> Misfit:
        there = self._games.get(game)
        old = there.fits.get(seats) if there else None
        if there and old and known is old.fit:  # so `fit` took it from there
            return there.misfits[seats]
        return super().misfit(game, counts, of, seats, known, by_size)


# --- storing


class Prepared(NamedTuple):
    """Ratings that are made and not stored yet."""

    rated: dict[str, Rated]
    ratings: _Ratings
    counts: CountsFile


def save(store: Store, *, afresh: bool = False) -> dict[str, Rated]:
    """Store and return the ratings of the season, counted and fitted anew if *afresh*; needs the lock."""
    prepared = prepare(store, afresh=afresh)
    save_prepared(store, prepared)
    save_pairs(store, prepared.rated)
    return prepared.rated


def prepare(store: Store, *, afresh: bool = False) -> Prepared:
    """Return the ratings of all matches of the current season, to be stored; no lock is needed."""
    contents = store.contents()
    stored = None if afresh else _stored_ratings(contents)
    counts = SegmentCounts(contents) if afresh else SegmentCounts.load(contents)
    rated, ratings = _ratings_of(tally_runs(contents, counts), origin_of(contents, *end_of(contents)), stored)
    return Prepared(rated, ratings, counts.to_file())


def save_prepared(store: Store, prepared: Prepared) -> None:
    """Store ratings that are made.  The lock must be held."""
    store.save_cached(COUNTS, prepared.counts)
    store.save_cached(RATINGS, prepared.ratings)
    store.save_ratings(ratings_table(prepared.rated), prepared.ratings.origin)


def recompute(contents: Contents, tally: MatchTotals, origin: Json) -> tuple[dict[str, Rated], list[str]]:
    """Return the ratings of all matches in *tally*, of *origin*, and the cache that holds other ones, if any.

    A cache of other matches than those of *origin* is not compared: it is not used.
    """
    rated, right = _ratings_of(tally, origin, None)
    stored = contents.read_cached(RATINGS, _Ratings)
    is_wrong = stored is not None and stored.origin == origin and stored != right
    return rated, [contents.folder.cache(RATINGS).name] if is_wrong else []


def wrong_counts(contents: Contents, tally: MatchTotals) -> list[str]:
    """Return the name of the cache of counts if it does not add up to *tally*, that of the current season."""
    found = tally_of(contents).totals
    is_right = (found.counts, found.by_size) == (tally.totals.counts, tally.totals.by_size)
    return [] if is_right else [contents.folder.cache(COUNTS).name]


def _ratings_of(
    tally: MatchTotals, origin: Json, stored: _Ratings | None
) -> tuple[dict[str, Rated], _Ratings]:
    """Return the ratings of all matches in *tally*, and the content of ratings.cache."""
    total, fitter = tally.totals, _KnownFits(stored)
    rated = rate_totals(total, tally.parameters, fitter=fitter)
    games = {}
    for game, counts in sorted(total.counts.items()):
        of = rated[game].parameters
        fits = {0: _Fitted(counts.matches, counts.checksum(), rated[game].fit)}
        misfits = {0: rated[game].misfit or find_misfit(rated[game].fit, counts, {}, of)}
        changes, machines = {0: rated[game].changes}, {0: rated[game].machine_gaps}
        for size in counts.sizes:
            if counts.sizes == [size]:
                fits[size], misfits[size] = fits[0], misfits[0]
                changes[size], machines[size] = changes[0], machines[0]
            else:
                alone = counts.at_tables_of(size)
                known = fitter.fit(game, alone, of, size)
                fits[size] = _Fitted(alone.matches, alone.checksum(), known)
                misfits[size] = fitter.misfit(game, alone, of, size, known, {})
                changes[size] = find_changes(total.stretches[game].in_order(size), known, {}, of)
                machines[size] = find_machine_gaps(total.machines[game].by_name(size), known, {}, of)
        gaps = find_size_gaps({size: each.fit for size, each in fits.items() if size})
        rated[game] = replace(rated[game], size_gaps=gaps)
        standings = {
            size: [each for key, each in sorted(total.by_size[size].items()) if key[0] == game]
            for size in counts.sizes
        }
        measured = dict(rated[game].measured)
        games[game] = _Game(of.to_json(), fits, standings, measured, misfits, gaps, changes, machines)
    return rated, _Ratings(origin, games)
