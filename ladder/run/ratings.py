"""The ratings while a run is played: the counts, what earlier runs say, and what is stored."""

from __future__ import annotations

import time

from results.rating import cache
from results.rating.cached_before import quadratics_before
from results.rating.cached_counts import tally_before
from results.rating.fit import Quadratic
from results.rating.rated import Rated
from results.rating.tables import save_pairs
from results.record import Block, Run
from results.storage.finishes import Finishes
from results.storage.store import Store

__all__ = ["RunRatings"]

GROWTH = 0.1
"""Store the ratings again when the matches have grown by this share: a fit of more takes longer."""
SAVING_SHARE = 0.05
"""The largest share of a run's time that goes into ratings which are stored before its end."""


class RunRatings:
    """The ratings of the matches of a run, and of all before it."""

    def __init__(self, store: Store, run: Run) -> None:
        """Start before the first block of *run*, the unfinished one.  The lock must be held."""
        self.tally = tally_before(store, run)
        self._store = store
        self.before: dict[str, Quadratic] = (
            quadratics_before(store, run, self.tally) if run.settings.rests_on_ratings else {}
        )
        """What all earlier runs say, frozen: fits for the schedule must not take longer in a large home."""
        self._earlier = self.tally.before.matches
        self._saved = self._earlier
        """The matches of all runs in the ratings that are stored."""
        self._not_before = 0.0
        """The time before which ratings are not stored again."""

    def add(self, block: Block) -> None:
        """Count the next block."""
        self.tally.add(block)

    def add_finished(self, finishes: Finishes) -> None:
        """Count the next blocks."""
        self.tally.add_finished(finishes)

    def save_if_grown(self) -> None:
        """Store the ratings if there are a tenth more matches than in those stored, and it took little time.

        A leaderboard then has less to rate.
        """
        matches = self._earlier + self.tally.now.matches
        began = time.monotonic()
        if matches >= (1.0 + GROWTH) * self._saved and began >= self._not_before:
            cache.save(self._store, self.tally)
            self._saved = matches
            ended = time.monotonic()
            self._not_before = ended + (ended - began) / SAVING_SHARE

    def finish(self) -> dict[str, Rated]:
        """Store the ratings after the run, which is finished, and return them by game."""
        self.tally.finish()
        rated = cache.save(self._store, self.tally)
        save_pairs(self._store, rated)
        return rated
