"""The sums of all matches of a store: read from `counts.cache` where it has them, else counted."""

from __future__ import annotations

import msgspec

from results.rating.origin import checked_origin, stored_origin
from results.rating.outcomes import Counts
from results.rating.packing import PackedTotals, pack, unpack
from results.rating.parameters import parameters_of
from results.rating.tally import Tally
from results.record import Json, Run
from results.storage.contents import Contents
from results.storage.store import Store

__all__ = [
    "CountsCache",
    "counts_cache",
    "counts_current",
    "save_counts",
    "tally_before",
    "tally_current",
    "tally_up_to",
    "wrong_counts",
]

COUNTS = "counts"
"""The name of the cache."""


class CountsCache(msgspec.Struct):
    """The content of counts.cache."""

    origin: Json
    before: PackedTotals
    now: PackedTotals


def counts_current(store: Store) -> dict[str, Counts]:
    """Return the counts of the current season by game; in an unfinished run, up to the first gap."""
    return tally_current(store).total().counts


def tally_before(store: Store, run: Run) -> Tally:
    """Return the tally of the season before *run*, the unfinished one, ready for its first block."""
    contents = store.contents()
    tally = _unpacked(store, contents, checked_origin(stored_origin(store), contents))
    if tally.run > run.run:
        tally = Tally(contents.first_rated)
    if tally.run == run.run:
        tally.restart()
    tally.add_runs(contents, contents.runs[tally.run - 1 : run.run - 1])
    tally.begin(run)
    return tally


def tally_current(store: Store) -> Tally:
    """Return the tally of the current season of *store*; in an unfinished run, up to the first gap."""
    origin, contents = stored_origin(store), store.contents()
    return tally_up_to(store, contents, checked_origin(origin, contents))


def tally_up_to(store: Store, contents: Contents, origin: Json) -> Tally:
    """Return the tally of the season of *contents*, of which the caches of *origin* may have most."""
    tally = _unpacked(store, contents, origin)
    tally.add_runs(contents, contents.runs[tally.run - 1 :])
    return tally


def _unpacked(store: Store, contents: Contents, origin: Json) -> Tally:
    """Return the tally in the cache if it is of *origin*, else an empty one."""
    tally = Tally(contents.first_rated)
    stored = store.cached(COUNTS, CountsCache) if origin else None
    if stored and stored.origin == origin:
        tally.run, tally.block = origin["run"], origin["block"]
        tally.earlier = parameters_of(contents.runs[contents.first_rated - 1 : tally.run - 1])
        tally.before = unpack(stored.before)
        tally.continue_with(unpack(stored.now))
    return tally


def save_counts(store: Store, counts: CountsCache) -> None:
    """Store *counts* in the cache."""
    store.save_cached(COUNTS, counts)


def wrong_counts(store: Store, tally: Tally, origin: Json) -> list[str]:
    """Return the name of the cache if it claims to be of *origin*, and holds something else than *tally*."""
    counts = store.cached(COUNTS, CountsCache)
    is_wrong = counts is not None and counts.origin == origin and counts != counts_cache(tally, origin)
    return [store.folder.cache(COUNTS).name] if is_wrong else []


def counts_cache(tally: Tally, origin: Json) -> CountsCache:
    """Return the content of counts.cache."""
    return CountsCache(origin, pack(tally.before), pack(tally.now))
