"""The totals of all matches of a store: those of the earlier runs, and those of the current one."""

from __future__ import annotations

from collections.abc import Iterable

from results.rating.parameters import Parameters
from results.rating.standings import Totals
from results.record import Block, Run
from results.storage.contents import Contents
from results.storage.finishes import Finishes, finishes_of

__all__ = ["Tally", "tally_afresh"]

BATCH_BLOCKS = 256
"""At most this many blocks wait to be counted together, because long columns are quick."""


class Tally:
    """The totals of matches that are added run after run, and the parameters that their ratings have.

    Blocks of a run are added in number order, so that a position says what is counted.
    """

    def __init__(self, first: int = 1) -> None:
        """Begin before the first block of run *first*."""
        self.run = first
        self.block = 0
        """The run and the block to add next."""
        self.before = Totals()
        """The totals of the runs before the current one."""
        self.earlier: dict[str, Parameters] = {}
        """The parameters of each game in the newest run before the current one that has blocks."""
        self._now = Totals()
        self._of_run: dict[str, Parameters] = {}
        self._waiting: list[Block] = []
        """Blocks that were added and are not counted yet."""

    def begin(self, run: Run) -> None:
        """Start *run*, or continue it.  Raises ValueError unless it is the next run."""
        if run.run != self.run:
            raise ValueError(f"expected run {self.run}, got: run {run.run}")
        self._of_run = {game: Parameters.read(numbers) for game, numbers in run.ratings.items()}

    def add(self, block: Block) -> None:
        """Add the standing matches of *block*.  Raises ValueError if a later block was added before."""
        self._go_on(range(block.number, block.number + 1))
        self._waiting.append(block)
        if len(self._waiting) >= BATCH_BLOCKS:
            self._catch_up()

    def add_finished(self, finishes: Finishes) -> None:
        """Add the *finishes* of several blocks.  Raises ValueError if a later block was added before."""
        self._catch_up()
        self._go_on(finishes.blocks)
        self._now.add(finishes, self.run)

    def add_runs(self, contents: Contents, runs: Iterable[Run]) -> None:
        """Add the matches of *runs* that are not counted yet, the next run first."""
        for run in runs:
            self.begin(run)
            for finishes in contents.finishes(run.run, self.block):
                self.add_finished(finishes)
            if run.finished is not None:
                self.finish()

    def finish(self) -> None:
        """Go on to the next run."""
        if self.before.matches:
            self.before.update(self.now)
        else:  # a copy would take the memory twice
            self.before = self.now
        self.earlier = self.parameters
        self.run, self.block, self._now, self._of_run = self.run + 1, 0, Totals(), {}

    def continue_with(self, now: Totals) -> None:
        """Take *now* as the totals of the current run."""
        self._now = now

    def restart(self) -> None:
        """Go back to the first block of the current run."""
        self.block, self._now, self._waiting = 0, Totals(), []

    @property
    def parameters(self) -> dict[str, Parameters]:
        """The parameters of each game: those of the newest run with blocks, for one fit has only one."""
        return {**self.earlier, **self._of_run} if self.block else self.earlier

    @property
    def now(self) -> Totals:
        """The totals of the current run."""
        self._catch_up()
        return self._now

    def total(self) -> Totals:
        """Return the totals of all runs."""
        if not (self.now.matches and self.before.matches):  # a copy would take the memory twice
            return self.before if self.before.matches else self.now
        total = Totals()
        total.update(self.before)
        total.update(self.now)
        return total

    def _go_on(self, blocks: range) -> None:
        """Move on to the block after *blocks*.  Raises ValueError if a later block was added before."""
        if blocks.start < self.block:
            raise ValueError(f"expected block {self.block} or a later one, got: block {blocks.start}")
        self.block = blocks.stop

    def _catch_up(self) -> None:
        """Count the waiting blocks."""
        if self._waiting:
            blocks, self._waiting = self._waiting, []
            self._now.add(finishes_of(blocks), self.run)


def tally_afresh(contents: Contents) -> Tally:
    """Return the tally of all matches of the season of *contents*, without the caches."""
    tally = Tally(contents.first_rated)
    tally.add_runs(contents, contents.rated_runs)
    return tally
