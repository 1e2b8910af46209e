"""The ratings while a run is played: the counts, the fits that steer the schedule, and what is stored."""

from __future__ import annotations

import time

from results.rating import cache
from results.rating.cache import Rated
from results.rating.fit import Fit, Quadratic, fit
from results.rating.outcomes import Counts
from results.rating.parameters import Parameters
from results.record import Block, Run
from results.storage.finishes import Finishes
from results.storage.store import Store

__all__ = ["RunRatings"]

GROWTH = 0.1
"""Fit again when the matches have grown by this share: a fit takes longer the more matches there are."""
SAVING_SHARE = 0.05
"""The largest share of a run's time that goes into ratings which are stored before its end."""


class RunRatings:
    """The ratings of the matches of a run, and of all before it."""

    def __init__(self, store: Store, run: Run) -> None:
        """Start before the first block of *run*, the unfinished one.  The lock must be held."""
        self.tally = cache.tally_before(store, run)
        self._store = store
        self._parameters = {game: Parameters.read(numbers) for game, numbers in run.ratings.items()}
        steered = run.settings.schedule == "adaptive" and run.settings.shard is None
        self._before: dict[str, Quadratic] = (
            cache.quadratics_before(store, run, self.tally) if steered else {}
        )
        """What all earlier runs say, frozen: fits for the schedule must not take longer in a large home."""
        self._fits: dict[str, Fit] = {}
        self._fitted = 0
        """The matches of this run in those fits."""
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

    def fits(self) -> dict[str, Fit]:
        """Return what is known of each game of the run, for the schedule; called at the end of each epoch.

        It is older until the matches of this run have grown by a tenth.  That depends on block numbers
        alone, and so do the numbers.
        """
        now = self.tally.now
        if now.matches and now.matches >= (1.0 + GROWTH) * self._fitted:
            self._fitted = now.matches
            self._fits = {
                game: fit(now.counts.get(game, Counts()), of, self._before.get(game))
                for game, of in self._parameters.items()
            }
        return self._fits

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
        cache.save_pairs(self._store, rated)
        return rated
