"""`--until faults=N`: too much goes wrong."""

from collections import Counter
from typing import ClassVar

from ladder.run.option import whole
from ladder.run.until.rule import EndedRun, RatedBlocks, StoppingRule, Words
from results.words import count

MOST_OF_ONE = 20
"""The most faults of one bot that count."""


class MaxFaults(StoppingRule):
    """End the run with fault number *most*, counted in the order of the matches.

    Of one bot at most MOST_OF_ONE faults count, and fewer than *most*, so that no bot can end a run alone.
    """

    name: ClassVar[str] = "faults"
    form: ClassVar[str] = "faults=N"
    example: ClassVar[str] = "faults=40"
    help: ClassVar[str] = f"after N faults (at most {MOST_OF_ONE} of them from any one bot)"
    takes = whole(2)

    def __init__(self, most: int) -> None:
        self._most = most
        self._of_bot: Counter[tuple[str, str]] = Counter()

    def hear(self, rated: RatedBlocks) -> None:
        for bot, fault in rated.endings:
            if fault is not None:
                self._of_bot[bot] = min(self._of_bot[bot] + 1, MOST_OF_ONE, self._most - 1)
        if self.end is None and self._of_bot.total() >= self._most:
            self.end = rated.end

    def sum_up(self, ended: EndedRun) -> Words | None:
        if ended.by is not self:
            return None
        what = f"{self._most:,} faults, as --until faults says"
        of = f" --in {ended.name}" if isinstance(ended.name, str) else ""
        return Words(
            f"{what}: run {ended.name} ends after {count(ended.status.done, 'match')}", f"ladder faults{of}"
        )
