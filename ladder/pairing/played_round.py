"""A round of a stage, as it is played and shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from ladder.pairing.event_table import EventTable
from ladder.pairing.notes import EventNote


@dataclass(frozen=True)
class PlayedRound:
    """A round: its tables, those who sit out, and what was to be said when it was paired."""

    name: str
    tables: Sequence[EventTable]
    byes: tuple[int, ...]
    notes: Sequence[EventNote]

    @property
    def is_over(self) -> bool:
        """Whether all its tables are over."""
        return all(table.is_over for table in self.tables)
