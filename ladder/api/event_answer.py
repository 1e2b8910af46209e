"""A tournament for programs; a secret one tells nothing before it is revealed."""

from collections.abc import Mapping
from dataclasses import dataclass

from ladder.home.home import Home
from ladder.run.tournament.certainty import Chance
from ladder.run.tournament.event_facts import EventFacts, facts_of, read_state
from ladder.run.tournament.event_rows import SEATS, STANDING, names_of, seat_rows, stages_json, standing_rows
from ladder.run.tournament.forecast import judge_winner
from ladder.run.tournament.stored_tournaments import StoredTournament
from results.record import Json
from results.reports.render import table_of
from results.storage.schema import Table
from results.storage.store import Store


@dataclass(frozen=True)
class EventAnswer:
    """A tournament, as far as people may see it."""

    event: EventFacts
    sure: Chance | None
    """How surely its winner is the best of its field; None before it is over, and where it is not known."""
    tables: Table
    """A row for each seat of each table, as `ladder tournament NAME --rounds` has them."""
    details: Mapping[str, Json]
    """All that `ladder tournament NAME --format json` has."""

    @classmethod
    def of(cls, home: Home, found: StoredTournament) -> "EventAnswer":
        """Return what may be shown of a tournament of *home*.  Raises LadderError if its secret is gone."""
        state = read_state(found)
        numbers = home.roster.numbers()
        event, handles = facts_of(found, numbers, state), names_of(found.run, {**numbers})
        sure = judge_winner(event, Store(home.results).contents())
        told = {
            "tournament": event.name,
            "game": event.game,
            "over": state.is_over,
            "stages": stages_json(state.report, handles),
            "standing": standing_rows(state.standing, handles, event.names),
            "secret_sha256": found.run.secret_hash,
            "secret": found.told_secret,
            "best_of_field": sure and sure.as_json(),
        }
        seats = table_of(seat_rows(state.report, handles, event.names), SEATS)
        return cls(event, sure, seats, told)

    @property
    def standing(self) -> Table:
        """A row for each entrant, the best first."""
        return table_of(self.details["standing"], STANDING)
