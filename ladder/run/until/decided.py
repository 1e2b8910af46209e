"""The end of a duel: every contest has a verdict, or its last deal."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from ladder.run.until.rule import RatedBlocks, StoppingRule

if TYPE_CHECKING:
    from ladder.run.duel import Duel


class Decided(StoppingRule):
    """End the run at the look that decides the last open contest of *duel*, which hears the results."""

    def __init__(self, duel: "Duel") -> None:
        self._duel = duel

    def hear(self, rated: RatedBlocks) -> None:
        self._duel.hear(rated.rows())
        self.end = self._duel.end

    @property
    def closed(self) -> Collection[int]:
        """The contests that are decided: the others go on without them."""
        return self._duel.decided
