"""The tournaments of a home, by name: each is a run, most of them unrated."""

from pathlib import Path
from typing import NamedTuple

from ladder.errors import NotFound, suggest
from ladder.pairing.tournament import Tournament
from ladder.run.tournament_schedule import TournamentSchedule, make_event
from results.record import Run, TournamentTerms
from results.storage.contents import Contents
from results.storage.revealed import Revealed, read_revealed
from results.storage.store import Store
from results.storage.unrated import unrated_stores


class StoredTournament(NamedTuple):
    """A tournament and what was played of it."""

    store: Store
    contents: Contents
    run: Run
    terms: TournamentTerms
    revealed: Revealed
    """What people may see of it."""

    @property
    def is_rated(self) -> bool:
        """Whether its matches count in the ratings."""
        return not self.store.folder.unrated_name

    @property
    def is_hidden(self) -> bool:
        """Whether some of it is secret, by now."""
        return not self.revealed.whole

    @property
    def told_secret(self) -> str | None:
        """The secret, 32 hex digits, once the tournament is over and revealed; None if it is lost as well."""
        over = self.run.finished is not None and not self.is_hidden
        return self.run.secret if over and self.run.has_secret else None

    def count_matches(self) -> int:
        return int(self.contents.matches(["number"], self.run.run).num_rows)

    def schedule(self) -> TournamentSchedule:
        """Return its schedule, which has heard all results.  Raises LadderError if its secret is gone."""
        if (schedule := TournamentSchedule.of(self.run)) is None:
            raise NotFound(
                f"the secret of tournament {self.terms.name} is not here, so its pairings cannot be made",
                "restore results/ from an archive that has secrets",
            )
        schedule.hear_all(self.contents, self.run.run)
        return schedule


def shown_event(found: StoredTournament) -> Tournament:
    """Return the tournament as far as people may see it: all of it, unless it is secret.

    Of a secret one, it has the results of the rounds that are revealed.  The next round of a swiss is not
    paired before it is revealed.  What follows from the seeds and the shown results alone is there: a round
    robin, and who goes on in a bracket.  Raises LadderError if its secret is gone.
    """
    schedule, revealed = found.schedule(), found.revealed
    if revealed.whole:
        return schedule.event
    shown = frozenset(revealed.rounds)
    event = make_event(found.run.settings, bytes.fromhex(found.run.secret), shown.__contains__)
    schedule.tell_rounds(event, shown)
    return event


def read_tournament(store: Store, number: int = 1) -> StoredTournament | None:
    """Return the tournament that is run *number* of *store*; None if that is something else."""
    contents = store.contents()
    run = next((each for each in contents.runs if each.run == number), None)
    if run is None or run.settings.tournament is None:
        return None
    terms = run.settings.tournament
    shown = read_revealed(store.folder, contents.runs) or Revealed(terms.name, whole=not terms.hidden)
    return StoredTournament(store, contents, run, terms, shown)


def find_tournaments(results: Path) -> dict[str, StoredTournament]:
    """Return the tournaments in the folder *results*, by name, the oldest first."""
    rated = Store(results)
    found = [read_tournament(rated, run.run) for run in rated.runs() if run.settings.tournament]
    found += [read_tournament(store) for store in unrated_stores(results, hidden=True).values()]
    there = sorted(filter(None, found), key=lambda each: each.run.started)
    return {each.terms.name: each for each in there}


def find_tournament(results: Path, name: str) -> StoredTournament:
    """Return the tournament called *name*.  Raises NotFound."""
    found = find_tournaments(results)
    if name not in found:
        hint = "ladder tournament" if found else "ladder tournament new NAME --game GAME"
        raise NotFound(f"there is no tournament {name!r}{suggest(name, found)}", hint)
    return found[name]
