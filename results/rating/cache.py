"""The ratings of a store: read from `ratings.cache` where it is up to date, else computed from the matches.

The cache holds the fits, also one for each table size.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from results.rating.cached_counts import CountsCache, counts_cache, save_counts, tally_up_to, wrong_counts
from results.rating.fit import Fit, fit
from results.rating.origin import checked_origin, newer_matches, origin_of, stored_origin
from results.rating.outcomes import Counts
from results.rating.parameters import Parameters
from results.rating.rated import FitOf, Rated, rate_totals, rated_by
from results.rating.standings import Standing, Totals
from results.rating.tables import ratings_table
from results.rating.tally import Tally, tally_afresh
from results.record import Json
from results.storage.contents import Contents
from results.storage.store import Store

__all__ = [
    "Prepared",
    "prepare",
    "ratings_at_tables_of",
    "ratings_current",
    "ratings_of_season",
    "recompute",
    "save",
    "save_prepared",
    "stored_fits",
]

MANY_MATCHES = 100_000
"""Ratings of more matches take seconds.  While a run goes on, readers take the stored ones, although..."""
GROWTH = 0.2
"""...newer matches are missing there, if these are at most this share of the others.

A run rates anew when it has grown by half of this share, and goes on meanwhile.
"""

RATINGS = "ratings"
"""The name of the cache."""


class _Fitted(msgspec.Struct, frozen=True):
    """A fit, and what it was made from."""

    matches: int
    checksum: int
    """That of the counts: a fit of as many other matches is another."""
    fit: Fit

    @classmethod
    def made(cls, counts: Counts, of_them: Fit) -> _Fitted:
        """Return the fit *of_them*, which was made from *counts*."""
        return cls(counts.matches, counts.checksum(), of_them)

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


class _Ratings(msgspec.Struct):
    """The content of ratings.cache."""

    origin: Json
    games: dict[str, _Game]


# --- reading


def ratings_current(store: Store) -> dict[str, Rated]:
    """Return the ratings by game, over the current season; in an unfinished run, up to the first gap.

    If the caches are up to date, no match is read.
    """
    return _ratings(store, 0)


def ratings_at_tables_of(store: Store, seats: int) -> dict[str, Rated]:
    """Return the ratings by game over the matches of *seats* seats only, as if there were no others."""
    return _ratings(store, seats)


def ratings_of_season(store: Store, season: str | None, seats: int = 0) -> dict[str, Rated]:
    """Return the ratings by game of the *season* of this name, which may be over; None: the current one.

    With *seats*, only tables of this size count; 0 stands for all.  For a season that is over, each match is
    read.  Raises NoSuchSeason.
    """
    contents = store.contents().of_season(season)
    if contents.season == contents.seasons[-1]:
        return _ratings(store, seats)
    tally = tally_afresh(contents)
    return rate_totals(tally.total(), tally.parameters, seats)


def _ratings(store: Store, seats: int) -> dict[str, Rated]:
    origin = stored_origin(store)  # first: a writer may be active, and the contents must not be older
    contents = store.contents()
    origin = checked_origin(origin, contents)
    stored = _stored_ratings(store, origin)
    if stored:
        newer = newer_matches(contents, origin)
        known = sum(each.fits[0].matches for each in stored.games.values())
        if not newer or (known >= MANY_MATCHES and newer <= GROWTH * known):
            return _read_games(stored, seats, newer)
    tally = tally_up_to(store, contents, origin)
    return rate_totals(tally.total(), tally.parameters, seats, _known_fits(stored))


def _read_games(stored: _Ratings, seats: int, behind: int) -> dict[str, Rated]:
    """Return the ratings as they are stored, of all tables or of those of *seats*."""
    found = {}
    for game, each in sorted(stored.games.items()):
        if fitted := each.fits.get(seats):
            totals = Totals()
            for size, standings in each.standings.items():
                totals.by_size[size] = {(game, of.bot, of.version): of for of in standings}
            by_bot = {key[1:]: of for key, of in totals.standings(seats or None).items()}
            of_game = Parameters.read(each.parameters)
            found[game] = rated_by(fitted.fit, game, of_game, by_bot, totals.tables(game, seats), behind)
    return found


def _stored_ratings(store: Store, origin: Json) -> _Ratings | None:
    """Return the content of ratings.cache if it is of *origin*."""
    stored = store.cached(RATINGS, _Ratings) if origin else None
    return stored if stored and stored.origin == origin else None


def stored_fits(store: Store, contents: Contents) -> FitOf:
    """Return what makes a fit, or finds it in the cache of *store* if that has it."""
    return _known_fits(_stored_ratings(store, checked_origin(stored_origin(store), contents)))


def _known_fits(stored: _Ratings | None) -> FitOf:
    def fit_of(game: str, counts: Counts, of: Parameters, seats: int) -> Fit:
        if seats and counts.sizes != [seats]:
            counts = counts.at_tables_of(seats)
        there = stored.games.get(game) if stored else None
        old = there.fits.get(seats) if there and there.parameters == of.stored() else None
        return old.fit if old and old.is_of(counts) else fit(counts, of)

    return fit_of


# --- storing


class Prepared(NamedTuple):
    """Ratings that are made and not stored yet."""

    rated: dict[str, Rated]
    origin: Json
    counts: CountsCache
    ratings: _Ratings


def save(store: Store, tally: Tally, *, afresh: bool = False) -> dict[str, Rated]:
    """Store the ratings of all matches in *tally*, and return them.  The lock must be held.

    Fits that are stored and up to date are not made again, unless *afresh*.
    """
    prepared = prepare(store, tally, afresh=afresh)
    save_prepared(store, prepared)
    return prepared.rated


def prepare(store: Store, tally: Tally, *, afresh: bool = False) -> Prepared:
    """Return the ratings of all matches in *tally*, to be stored; no lock is needed."""
    contents = store.contents()
    stored = None if afresh else _stored_ratings(store, checked_origin(stored_origin(store), contents))
    origin = origin_of(contents, tally.run, tally.block)
    rated, ratings = _ratings_of(tally, origin, stored)
    return Prepared(rated, origin, counts_cache(tally, origin), ratings)


def save_prepared(store: Store, prepared: Prepared) -> None:
    """Store ratings that are made.  The lock must be held."""
    save_counts(store, prepared.counts)
    store.save_cached(RATINGS, prepared.ratings)
    store.save_ratings(ratings_table(prepared.rated), prepared.origin)


def recompute(store: Store, contents: Contents, tally: Tally) -> tuple[dict[str, Rated], list[str]]:
    """Return the ratings of all matches in *tally*, and the caches of *store* that hold something else.

    *contents* are those of the store.  Caches of other matches are not compared: they are not used.
    """
    origin = origin_of(contents, tally.run, tally.block)
    wrong = [*wrong_counts(store, tally, origin)]
    rated, right = _ratings_of(tally, origin, None)
    ratings = store.cached(RATINGS, _Ratings)
    if ratings and ratings.origin == origin and ratings != right:
        wrong.append(store.folder.cache(RATINGS).name)
    return rated, wrong


def _ratings_of(tally: Tally, origin: Json, stored: _Ratings | None) -> tuple[dict[str, Rated], _Ratings]:
    """Return the ratings of all matches in *tally*, and the content of ratings.cache."""
    total, fit_of = tally.total(), _known_fits(stored)
    rated = rate_totals(total, tally.parameters, fit_of=fit_of)
    games = {}
    for game, counts in sorted(total.counts.items()):
        of = rated[game].parameters
        fits = {0: _Fitted.made(counts, rated[game].fit)}
        for size in counts.sizes:
            if counts.sizes == [size]:
                fits[size] = fits[0]
            else:
                alone = counts.at_tables_of(size)
                fits[size] = _Fitted.made(alone, fit_of(game, alone, of, size))
        standings = {
            size: [each for key, each in sorted(total.by_size[size].items()) if key[0] == game]
            for size in counts.sizes
        }
        games[game] = _Game(of.stored(), fits, standings)
    return rated, _Ratings(origin, games)
