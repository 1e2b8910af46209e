"""The rules by which duels and tournaments hear their results, and by which duels end."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from ladder.run.until.rule import RatedBlocks, StoppingRule

if TYPE_CHECKING:
    from ladder.run.duel import Duel
    from ladder.run.tournament_schedule import TournamentSchedule


class Decided(StoppingRule):
    """End the run at the look that decides the last open contest of *duel*, which hears the results."""

    def __init__(self, duel: "Duel") -> None:
        self._duel = duel

    def hear(self, rated: RatedBlocks) -> None:
        self._duel.hear(rated.rows())
        self.end = self._duel.end

    @property
    def closed(self) -> Collection[int]:
        return self._duel.decided


class Rounds(StoppingRule):
    """Let the *schedule* of a tournament hear the results.  It is over when nothing more is due."""

    def __init__(self, schedule: "TournamentSchedule") -> None:
        self._schedule = schedule

    def hear(self, rated: RatedBlocks) -> None:
        self._schedule.hear(rated.rows(), rated.end)
