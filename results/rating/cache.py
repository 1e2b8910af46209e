"""The ratings of a store: read from its caches where they are up to date, else computed from the matches.

`ratings.parquet` and `pairs.parquet` are for people and data tools.  `ratings.cache` holds the fits, also one
for each table size, and `counts.cache` the totals of all matches.  All are good only with the origin that
`ratings.parquet` has, which is written last.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import asdict

from results.rating.draws import choose_draws
from results.rating.fit import Fit, Quadratic, fit
from results.rating.outcomes import Bot, Counts
from results.rating.packing import PackedTotals, pack, unpack
from results.rating.parameters import Parameters
from results.rating.standings import Key, Standing, Totals
from results.rating.tally import Tally
from results.record import Json, Run
from results.storage.contents import Contents
from results.storage.store import Store

if TYPE_CHECKING:
    from results.storage.schema import Table

__all__ = [
    "Rated",
    "counts_current",
    "guessable_runs",
    "measured_draws",
    "origin_of",
    "quadratics_before",
    "rate",
    "ratings_at_tables_of",
    "ratings_current",
    "ratings_table",
    "recompute",
    "save",
    "save_pairs",
    "standings_of",
    "tally_afresh",
    "tally_before",
    "tally_current",
]

logger = logging.getLogger(__name__)

METHOD = "trueskill, all at once, 2"
"""The method of rating.  Ratings of another method are computed again."""
MANY_MATCHES = 100_000
"""Ratings of more matches take seconds.  While a run goes on, readers take the stored ones, although..."""
GROWTH = 0.1
"""...newer matches are missing there, if these are at most this share of the others."""

MEASURED_FROM = 200
"""The draws of a table size are measured from this many matches on: fewer show next to nothing."""

RATINGS = "ratings"
COUNTS = "counts"
BEFORE = "before"
"""The names of the caches."""


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


class _Fitted(msgspec.Struct, frozen=True):
    """A fit, and the number of matches that it was made from."""

    matches: int
    fit: Fit


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


class _Counts(msgspec.Struct):
    """The content of counts.cache."""

    origin: Json
    before: PackedTotals
    now: PackedTotals


class _Before(msgspec.Struct):
    """The content of before.cache: what the earlier runs say, frozen when a run began."""

    origin: Json
    games: dict[str, Quadratic]


# --- reading


def ratings_current(store: Store) -> dict[str, Rated]:
    """Return the ratings by game, over all matches; in an unfinished run, up to the first gap.

    If the caches are up to date, no match is read.
    """
    return _ratings(store, 0)


def ratings_at_tables_of(store: Store, seats: int) -> dict[str, Rated]:
    """Return the ratings by game over the matches of *seats* seats only, as if there were no others."""
    return _ratings(store, seats)


def standings_of(rated: Mapping[str, Rated]) -> dict[Key, Standing]:
    """Return the standings of all games, sorted by game, bot and version."""
    return {(game, *bot): of for game, each in sorted(rated.items()) for bot, of in each.standings.items()}


def counts_current(store: Store) -> dict[str, Counts]:
    """Return the counts of all matches by game; in an unfinished run, up to the first gap."""
    return tally_current(store).total().counts


def _ratings(store: Store, seats: int) -> dict[str, Rated]:
    origin = _stored_origin(store)  # first: a writer may be active, and the contents must not be older
    contents = store.contents()
    origin = _checked(origin, contents)
    stored = _stored_ratings(store, origin)
    if stored:
        newer = _newer_matches(contents, origin)
        known = sum(each.fits[0].matches for each in stored.games.values())
        if not newer or (known >= MANY_MATCHES and newer <= GROWTH * known):
            return _read_games(stored, seats, newer)
    tally = _tally(store, contents, origin)
    return _rate(tally.total(), tally.parameters, stored, seats)


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
            found[game] = _rated(game, of_game, by_bot, totals.tables(game, seats), fitted.fit, behind)
    return found


def _stored_ratings(store: Store, origin: Json) -> _Ratings | None:
    """Return the content of ratings.cache if it is of *origin*."""
    stored = store.cached(RATINGS, _Ratings) if origin else None
    return stored if stored and stored.origin == origin else None


def _stored_origin(store: Store) -> Json:
    """Return the origin of the stored ratings, or None."""
    found = store.ratings()
    return found[1] if found else None


def _checked(origin: Json, contents: Contents) -> Json:
    """Return *origin* if it is that of ratings made by METHOD from some matches of *contents*; else None."""
    if not isinstance(origin, dict):
        return None
    if origin.get("method") != METHOD:
        logger.warning(
            "the stored ratings are of another method, %r; they are computed again; %s stores them",
            origin.get("method"),
            "ladder home rate",
        )
        return None
    run, block = origin.get("run"), origin.get("block")
    if not (isinstance(run, int) and isinstance(block, int)):
        return None
    return (
        origin if origin == origin_of(contents.runs, run, block) and _covers(contents, run, block) else None
    )


def origin_of(runs: Sequence[Run], run: int, block: int) -> Json:
    """Return the origin of ratings over the matches up to *block* (exclusive) of *run*, which is stored."""
    return {
        "method": METHOD,
        "run": run,
        "block": block,
        "runs": [[each.run, each.started, each.ratings] for each in runs[: run - (block == 0)]],
    }


def _covers(contents: Contents, run: int, block: int) -> bool:
    """Return whether *contents* holds at least the matches up to *block* of *run*."""
    if run == len(contents.runs) + 1:
        return block == 0
    return run <= len(contents.runs) and block <= contents.first_missing(run)


def _newer_matches(contents: Contents, origin: Json) -> int:
    """Return how many matches, at most, *contents* holds beyond those of *origin* that can be rated."""
    newer, start = 0, origin["block"]
    for run in contents.runs[origin["run"] - 1 :]:
        end = None if run.finished is not None else contents.first_missing(run.run)
        for segment in contents.segments(run.run):
            if segment.last_block >= start:
                newer += segment.matches.rows
        if end is not None:
            blocks = [block for block in contents.journal_blocks if start <= block.number < end]
            newer += sum(len(block.matches) for block in blocks)
        start = 0
    return newer


def guessable_runs(contents: Contents, seats: int | None = None) -> dict[str, list[int]]:
    """Return, by game, the runs with matches whose secret can be guessed, so that bots could know the deals.

    With *seats*, only matches of that many seats count.
    """
    found: dict[str, list[int]] = {}
    for run in contents.runs:
        for game in _rated_games(contents, run, seats) if run.guessable else ():
            found.setdefault(game, []).append(run.run)
    return found


def _rated_games(contents: Contents, run: Run, seats: int | None) -> set[str]:
    """Return the games of the matches of *run*: those of its contests, once it is beyond its first epoch."""
    settings = run.settings
    epoch = sum(map(min, settings.blocks or settings.epochs, settings.epochs))
    if contents.first_missing(run.run) >= epoch and not (settings.shard or settings.without):
        return {contest.game for contest in settings.contests if seats in (None, contest.seats)}
    rows = contents.matches(["game", "seats.rank"], run.run).to_pylist()
    return {row["game"] for row in rows if seats in (None, len(row["seats"]))}


# --- counting


def tally_afresh(contents: Contents) -> Tally:
    """Return the tally of all matches in *contents*, without the caches."""
    tally = Tally()
    _add(tally, contents, contents.runs)
    return tally


def tally_before(store: Store, run: Run) -> Tally:
    """Return the tally of all matches before *run*, the unfinished one, ready for its first block."""
    contents = store.contents()
    tally = _unpacked(store, contents.runs, _checked(_stored_origin(store), contents))
    if tally.run > run.run:
        tally = Tally()
    if tally.run == run.run:
        tally.restart()
    _add(tally, contents, contents.runs[tally.run - 1 : run.run - 1])
    tally.begin(run)
    return tally


def tally_current(store: Store) -> Tally:
    """Return the tally of all matches of *store*; in an unfinished run, up to the first gap."""
    origin, contents = _stored_origin(store), store.contents()
    return _tally(store, contents, _checked(origin, contents))


def _tally(store: Store, contents: Contents, origin: Json) -> Tally:
    """Return the tally of all matches in *contents*, of which the caches of *origin* may have most."""
    tally = _unpacked(store, contents.runs, origin)
    _add(tally, contents, contents.runs[tally.run - 1 :])
    return tally


def _unpacked(store: Store, runs: Sequence[Run], origin: Json) -> Tally:
    """Return the tally in the cache if it is of *origin*, else an empty one."""
    tally = Tally()
    stored = store.cached(COUNTS, _Counts) if origin else None
    if stored and stored.origin == origin:
        tally.run, tally.block = origin["run"], origin["block"]
        tally.earlier = parameters_of(runs[: tally.run - 1])
        tally.before = unpack(stored.before)
        tally.continue_with(unpack(stored.now))
    return tally


def _add(tally: Tally, contents: Contents, runs: Iterable[Run]) -> None:
    """Add the matches of *runs* that *tally* does not have yet."""
    for run in runs:
        tally.begin(run)
        for finishes in contents.finishes(run.run, tally.block):
            tally.add_finished(finishes)
        if run.finished is not None:
            tally.finish()


def parameters_of(runs: Iterable[Run]) -> dict[str, Parameters]:
    """Return the parameters of each game: those of the newest of *runs* with blocks that has the game."""
    found: dict[str, Parameters] = {}
    for run in runs:
        if run.blocks != 0:
            found |= {game: Parameters.read(numbers) for game, numbers in run.ratings.items()}
    return found


# --- rating


def rate(tally: Tally) -> dict[str, Rated]:
    """Return the ratings of all matches in *tally* by game, sorted.  They follow from its sums alone."""
    return _rate(tally.total(), tally.parameters, None)


def _rate(
    total: Totals,
    parameters: Mapping[str, Parameters],
    stored: _Ratings | None,
    seats: int = 0,
) -> dict[str, Rated]:
    """Return the ratings by game.  With *seats*, only tables of this size count; 0 stands for all.

    A *stored* fit is taken where it is up to date.
    """
    by_game: dict[str, dict[Bot, Standing]] = {}
    for (game, bot, version), standing in total.standings(seats or None).items():
        by_game.setdefault(game, {})[bot, version] = standing
    found = {}
    for game, standings in by_game.items():
        there = stored.games.get(game) if stored else None
        counts, of = total.counts[game], parameters.get(game) or Parameters()
        tables, made = total.tables(game, seats), _fit(counts, of, there, seats).fit
        found[game] = _rated(game, of, standings, tables, made)
    return found


def _fit(counts: Counts, of: Parameters, stored: _Game | None, seats: int) -> _Fitted:
    """Return the fit of a game: the *stored* one if it is up to date."""
    if seats and counts.sizes != [seats]:
        counts = counts.at_tables_of(seats)
    matches = counts.matches
    if stored and stored.parameters == of.stored() and seats in stored.fits:
        old = stored.fits[seats]
        if old.matches == matches:
            return old
    return _Fitted(matches, fit(counts, of))


def _rated(
    game: str,
    of: Parameters,
    standings: Mapping[Bot, Standing],
    tables: Mapping[int, int],
    made: Fit,
    behind: int = 0,
) -> Rated:
    """Return the ratings of a game: *standings* with the numbers of the fit that was *made*."""
    for i, bot in enumerate(made.bots):
        standings[bot].mu, standings[bot].sigma = made.mu[i], made.sigma(i)
    return Rated(game, of, made, standings, tables, behind)


def measured_draws(store: Store) -> dict[str, dict[int, float]]:
    """Return the draw probabilities that the matches of *store* show, by game and table size.

    Sizes with fewer than MEASURED_FROM matches are left out.
    """
    if not store.runs():
        return {}
    counts = counts_current(store)
    found = {}
    for game, each in ratings_current(store).items():
        played = Counter[int]()
        for outcome, count in counts[game].outcomes.items():
            played[outcome.seats] += count
        draws = choose_draws(counts[game], each.fit, each.parameters.beta)
        found[game] = {seats: draws[seats] for seats in sorted(draws) if played[seats] >= MEASURED_FROM}
    return found


# --- storing


def save(store: Store, tally: Tally, *, afresh: bool = False) -> dict[str, Rated]:
    """Store the ratings of all matches in *tally*, and return them.  The lock must be held.

    Fits that are stored and up to date are not made again, unless *afresh*.
    """
    contents = store.contents()
    stored = None if afresh else _stored_ratings(store, _checked(_stored_origin(store), contents))
    origin = origin_of(contents.runs, tally.run, tally.block)
    store.save_cached(COUNTS, _counts_of(tally, origin))  # first: its memory is free again for the fits
    rated, ratings = _ratings_of(tally, origin, stored)
    store.save_cached(RATINGS, ratings)
    store.save_ratings(ratings_table(rated), origin)
    return rated


def recompute(store: Store, runs: Sequence[Run], tally: Tally) -> tuple[dict[str, Rated], list[str]]:
    """Return the ratings of all matches in *tally*, and the caches of *store* that hold something else.

    *runs* are those of the store.  Caches of other matches are not compared: they are not used.
    """
    origin = origin_of(runs, tally.run, tally.block)
    wrong = []
    counts = store.cached(COUNTS, _Counts)
    if counts and counts.origin == origin and counts != _counts_of(tally, origin):
        wrong.append(store.folder.cache(COUNTS).name)
    rated, right = _ratings_of(tally, origin, None)
    ratings = store.cached(RATINGS, _Ratings)
    if ratings and ratings.origin == origin and ratings != right:
        wrong.append(store.folder.cache(RATINGS).name)
    return rated, wrong


def _counts_of(tally: Tally, origin: Json) -> _Counts:
    """Return the content of counts.cache."""
    return _Counts(origin, pack(tally.before), pack(tally.now))


def _ratings_of(tally: Tally, origin: Json, stored: _Ratings | None) -> tuple[dict[str, Rated], _Ratings]:
    """Return the ratings of all matches in *tally*, and the content of ratings.cache."""
    total, parameters = tally.total(), tally.parameters
    rated = _rate(total, parameters, stored)
    games = {}
    for game, counts in sorted(total.counts.items()):
        there = stored.games.get(game) if stored else None
        of = rated[game].parameters
        fits = {0: _Fitted(counts.matches, rated[game].fit)}
        for size in counts.sizes:
            fits[size] = fits[0] if counts.sizes == [size] else _fit(counts, of, there, size)
        standings = {
            size: [each for key, each in sorted(total.by_size[size].items()) if key[0] == game]
            for size in counts.sizes
        }
        games[game] = _Game(of.stored(), fits, standings)
    return rated, _Ratings(origin, games)


def ratings_table(rated: Mapping[str, Rated]) -> Table:
    """Return the standings as a table of the schema RATINGS, in the order of game, bot and version."""
    import pyarrow as pa

    from results.storage.schema import RATINGS

    rows = [asdict(standing) for each in rated.values() for standing in each.standings.values()]
    for row in rows:
        row["faults"] = sorted(row["faults"].items())
    return pa.Table.from_pylist(rows, schema=RATINGS)


def save_pairs(store: Store, rated: Mapping[str, Rated]) -> None:
    """Store `pairs.parquet`: the difference of every two bots of a game that matches connect."""
    import pyarrow as pa

    from results.storage.schema import PAIRS

    columns: list[list[Json]] = [[] for _ in PAIRS.names]
    for game, each in rated.items():
        for group in each.fit.groups():
            for a, b in combinations([each.fit.bots.index(bot) for bot in group], 2):
                values = (*each.fit.difference(a, b), each.fit.p_above(a, b))
                row = (game, *each.fit.bots[a], *each.fit.bots[b], *values)
                for column, value in zip(columns, row, strict=True):
                    column.append(value)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, PAIRS, strict=True)]
    store.save_pairs(pa.Table.from_arrays(arrays, schema=PAIRS))


def quadratics_before(store: Store, run: Run, tally: Tally) -> dict[str, Quadratic]:
    """Return what the runs before *run* say of its bots in each game, frozen when it begins.

    The lock must be held.  *tally* is that of the run.
    """
    contents = store.contents()
    playing = sorted((bot["name"], bot["version"]) for bot in run.bots)
    origin = {**origin_of(contents.runs, run.run, 0), "bots": [list(bot) for bot in playing]}
    known = store.cached(BEFORE, _Before)
    if known and known.origin == origin:
        return known.games
    stored = _stored_ratings(store, _checked(_stored_origin(store), contents))
    rated = _rate(tally.before, tally.earlier, stored)
    before = _Before(origin, {game: each.fit.quadratic().marginal(playing) for game, each in rated.items()})
    store.save_cached(BEFORE, before)
    return before.games
