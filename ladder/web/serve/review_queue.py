"""Reviews that visitors ask for: one at a time, in a process of its own with low priority."""

import asyncio
from pathlib import Path
from typing import Final

from ladder.errors import LadderError, whose
from ladder.machine.pool import Aside
from ladder.replay.replay import find_match
from ladder.replay.review.effort import FULL
from ladder.replay.review.reviewing import record_to_review, review_safely
from ladder.web.serve.visitors import Shares, tell_visitor
from results.storage.reviews import Reviews
from results.storage.unrated import contents_with

MOST_QUEUED: Final = 8
"""The most reviews that are being made or wait for it."""
MOST_AN_HOUR: Final = 1_000
CPU_S: Final = 30.0
"""The CPU time of one review, in seconds; they take 0.5 to 9 compiled, and up to 36 interpreted."""
HOUR_S: Final = 3_600.0
"""How long a visitor who has asked for as many as one may waits for the next."""
LOOK_S: Final = 0.2
"""How often it is looked whether a review is there."""


class ReviewQueue:
    """The matches that are reviewed, or wait for it.  Only the lock of the reviews is taken, for a moment."""

    def __init__(self, results: Path, an_hour: int) -> None:
        """Review matches of *results*, at most *an_hour* for one visitor."""
        self.an_hour = an_hour
        self.problems: dict[str, str] = {}
        """Why a match that was asked for has no review."""
        self._results = results
        self._names: list[str] = []
        """The matches, the one at work first."""
        self._asked: asyncio.Queue[str] = asyncio.Queue()
        self._shares = Shares(MOST_AN_HOUR, an_hour)

    def ask(self, match: str, visitor: str) -> None:
        """Let *match* be reviewed, once, however many ask for it.  Raises LadderError."""
        if match in self._names:
            return
        if len(self._names) >= MOST_QUEUED:
            raise LadderError("too many reviews are being made", "try again in a minute")
        if not self.an_hour or not self._shares.take(visitor):
            raise LadderError(f"you may ask for {self.an_hour} reviews an hour", "try again later")
        asyncio.get_running_loop().call_later(HOUR_S, self._shares.give_back, visitor)
        self.problems.pop(match, None)
        self._names.append(match)
        self._asked.put_nowait(match)

    def tell(self, match: str) -> str:
        """Return how far the review of *match* is, for its page; "" if it is not being made."""
        if match not in self._names:
            return ""
        if place := self._names.index(match):
            return f"Waiting, place {place}: each review takes {CPU_S:.0f} s at most …"
        return f"Looking for where you lost: {CPU_S:.0f} s at most …"

    async def look_after(self) -> None:
        """Make the reviews, one after another; run until cancelled."""
        while True:
            match = await self._asked.get()
            try:
                if problem := await self._make(match):
                    self.problems = dict([*self.problems.items()][-MOST_QUEUED:]) | {match: problem}
            finally:
                self._names.remove(match)

    async def _make(self, match: str) -> str:
        """Return why *match* cannot be reviewed, or "" when its review is stored."""
        try:
            aside = Aside(review_one, (self._results, match))
        except (OSError, LadderError) as error:
            return tell_visitor(whose(error), str(error))
        try:
            while not aside.answer():
                await asyncio.sleep(LOOK_S)
            return ""
        except LadderError as error:
            return tell_visitor(whose(error), str(error))
        finally:
            aside.end()


def review_one(task: tuple[Path, str]) -> bool:
    """Review the match of *task*, in its results, and store that.  Raises LadderError or ResultsError."""
    results, name = task
    contents, wanted = contents_with(results, name)
    record = record_to_review(contents, find_match(contents, wanted))
    Reviews(contents.folder).add(review_safely(record, FULL, cpu_s=CPU_S))
    return True
