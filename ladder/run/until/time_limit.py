"""`--for`: the time is up."""

from typing import TYPE_CHECKING

from ladder.run.until.rule import EndedRun, StoppingRule, Words
from results.words import count

if TYPE_CHECKING:
    from ladder.run.status import Status


class TimeLimit(StoppingRule):
    """Hand out no more once the run's time is used, over all its commands; displays show what is left."""

    def halts(self, status: "Status") -> bool:
        return status.time_is_up

    def sum_up(self, ended: EndedRun) -> Words | None:
        """Say how many matches of a run that has a number of them were not played."""
        status = ended.status
        if not status.time_is_up or status.total is None or status.done >= status.total:
            return None
        return Words(
            f"the time is up: run {ended.name} ends after {count(status.done, 'match', status.total)}"
        )
