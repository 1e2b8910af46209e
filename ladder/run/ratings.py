"""The ratings while a run is played: the counts, what earlier runs say, and what is stored."""

import logging
import sys
import time
from pathlib import Path

from ladder.errors import LadderError
from ladder.machine.pool import Aside
from ladder.run.run_plan import rests_on_ratings
from results.rating import cache
from results.rating.fit import Quadratic
from results.rating.rated import Rated
from results.rating.tally import MatchTotals
from results.record import Block, Run
from results.storage.finishes import Finishes, standing_matches
from results.storage.store import Store

log = logging.getLogger(__name__)

GROWTH = 0.1
"""Rate again when the matches have grown by this share: a fit of more takes longer."""
RATING_SHARE = 0.2
"""The largest share of a run's time in which a process of its own rates."""


class RunRatings:
    """The ratings of the matches of a run, and of all before it."""

    def __init__(self, store: Store, run: Run) -> None:
        """Start before the first block of *run*, the unfinished one.  The lock must be held."""
        self.tally = MatchTotals()
        """The matches of this run."""
        self.tally.begin(run)
        self._store = store
        self.before: dict[str, Quadratic] = (
            cache.quadratics_before(store, run) if rests_on_ratings(run.settings) else {}
        )
        """What all earlier runs say, frozen: fits for the schedule must not take longer in a large home."""
        contents = store.contents()
        earlier = [each for each in contents.rated_runs if each.run < run.run]
        self._matches = sum(part.matches.rows for each in earlier for part in contents.segments(each.run))
        """The number of matches of all runs."""
        self._saved = self._matches
        """The matches of all runs in the ratings that are stored."""
        self._aside: Aside[cache.Prepared] | None = None
        """The process that makes ratings, while there is one."""
        self._began = self._not_before = 0.0
        """The time when it began, and the time before which the next one does not."""

    def add(self, block: Block) -> None:
        """Count the next block."""
        self.tally.add(block)
        self._matches += len(standing_matches(block))

    def add_finished(self, finishes: Finishes) -> None:
        """Count the next blocks."""
        self.tally.add_finished(finishes)
        self._matches += finishes.matches

    def rate_if_grown(self) -> None:
        """Have the ratings made again if there are a tenth more matches than in those stored.

        A leaderboard then has less to rate.  A process of its own makes them from the matches that are
        sealed or committed, because the fit of a large home takes a minute, and the run must go on.
        """
        has_grown = self._matches >= (1.0 + GROWTH) * self._saved
        began = time.monotonic()
        if self._aside is None and has_grown and began >= self._not_before:
            self._saved = self._matches
            self._began = began
            self._aside = Aside(_prepare, self._store.folder.root)

    def store_rated(self) -> None:
        """Store the ratings that `rate_if_grown` asked for, once they are made."""
        if self._aside is None:
            return
        try:
            if (prepared := self._aside.answer()) is None:
                return
            cache.save_prepared(self._store, prepared)
        except LadderError as error:
            log.warning("the ratings are stored at the end of the run, and not before: %s", error)
            self._saved = sys.maxsize
        ended = time.monotonic()
        self._not_before = ended + (ended - self._began) * (1.0 / RATING_SHARE - 1.0)
        self.close()

    def close(self) -> None:
        """End the process that rates, if there is one."""
        if self._aside is not None:
            self._aside.end()
            self._aside = None

    def finish(self) -> dict[str, Rated]:
        """Store the ratings after the run, which is finished, and return them by game."""
        self.close()
        return cache.save(self._store)


def _prepare(results: Path) -> cache.Prepared:
    """Return the ratings of all matches that are stored in the folder *results* by now."""
    return cache.prepare(Store(results))
