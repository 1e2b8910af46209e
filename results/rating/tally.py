"""What a fit needs: the totals of matches, and the parameters of their ratings."""

from collections.abc import Iterable, Mapping

from results.rating.parameters import Parameters
from results.rating.standings import Counted, Totals
from results.record import Block, Json, Run
from results.storage.finishes import Finishes, finishes_of

BATCH_BLOCKS = 256
"""At most this many blocks wait to be counted together, because long columns are quick."""


class MatchTotals:
    """The totals of matches that are added run after run, and the parameters that their ratings have."""

    def __init__(self) -> None:
        """Begin without a match."""
        self._totals = Totals()
        self._parameters: dict[str, Parameters] = {}
        self._run = 0
        self._of_run: Mapping[str, Json] = {}
        """The parameters of the current run, until its first block comes."""
        self._waiting: list[Block] = []
        """Blocks that were added and are not counted yet."""

    def begin(self, run: Run) -> None:
        """Go on to the matches of *run*."""
        self._catch_up()
        self._run, self._of_run = run.run, run.ratings

    def add(self, block: Block) -> None:
        """Add the standing matches of *block*."""
        self._waiting.append(block)
        if len(self._waiting) >= BATCH_BLOCKS:
            self._catch_up()

    def add_finished(self, finishes: Finishes) -> None:
        """Add the *finishes* of several blocks."""
        from results.rating.counting import count_matches

        self.add_counted(count_matches(finishes, self._run))

    def add_counted(self, parts: Iterable[Counted]) -> None:
        """Add blocks that are counted already."""
        self._parameters |= {game: Parameters.read(numbers) for game, numbers in self._of_run.items()}
        self._of_run = {}
        self._totals.add(parts)

    @property
    def totals(self) -> Totals:
        """The totals of all matches that were added."""
        self._catch_up()
        return self._totals

    @property
    def parameters(self) -> dict[str, Parameters]:
        """The parameters of each game: those of the newest run with blocks, for one fit has only one."""
        self._catch_up()
        return self._parameters

    def _catch_up(self) -> None:
        if self._waiting:
            blocks, self._waiting = self._waiting, []
            self.add_finished(finishes_of(blocks))
