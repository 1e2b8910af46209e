"""What the runs before an unfinished one say of its bots: frozen in `before.cache` when that run begins."""

from __future__ import annotations

import msgspec

from results.rating.cache import stored_fits
from results.rating.fit import Quadratic
from results.rating.origin import origin_of
from results.rating.rated import rate_totals
from results.rating.tally import Tally
from results.record import Json, Run
from results.storage.store import Store

__all__ = ["quadratics_before"]

BEFORE = "before"
"""The name of the cache."""


class _Before(msgspec.Struct):
    """The content of before.cache: what the earlier runs say, frozen when a run began."""

    origin: Json
    games: dict[str, Quadratic]


def quadratics_before(store: Store, run: Run, tally: Tally) -> dict[str, Quadratic]:
    """Return what the runs before *run* say of its bots in each game, frozen when it begins.

    The lock must be held.  *tally* is that of the run.
    """
    contents = store.contents()
    playing = sorted((bot["name"], bot["version"]) for bot in run.bots)
    origin = {**origin_of(contents, run.run, 0), "bots": [list(bot) for bot in playing]}
    known = store.cached(BEFORE, _Before)
    if known and known.origin == origin:
        return known.games
    rated = rate_totals(tally.before, tally.earlier, fit_of=stored_fits(store, contents))
    before = _Before(origin, {game: each.fit.quadratic().marginal(playing) for game, each in rated.items()})
    store.save_cached(BEFORE, before)
    return before.games
