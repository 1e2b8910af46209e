"""What lets a tournament know its results: the next round follows from them."""

from typing import TYPE_CHECKING

from ladder.run.until.rule import RatedBlocks, StoppingRule

if TYPE_CHECKING:
    from ladder.run.tournament_schedule import TournamentSchedule


class Rounds(StoppingRule):
    """Let the *schedule* of a tournament hear the results.  It is over when nothing more is due."""

    def __init__(self, schedule: "TournamentSchedule") -> None:
        self._schedule = schedule

    def hear(self, rated: RatedBlocks) -> None:
        self._schedule.hear(rated.rows(), rated.end)
