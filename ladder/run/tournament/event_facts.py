"""The tournaments of a home, with what may be shown of them, and where their pages are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from ladder.errors import NotFound
from ladder.pairing.event_report import StageReport
from ladder.pairing.tournament import EventPlace
from ladder.run.tournament.event_rows import names_of, tournament_row
from ladder.run.tournament.stored_tournaments import (
    StoredTournament,
    find_tournament,
    read_tournament,
    shown_event,
)
from results.record import Json, Run, TournamentTerms
from results.reports.document import Row
from results.reports.labels import Key, Numbers, file_names
from results.storage.layout import Folder
from results.storage.store import Store
from results.storage.unrated import unrated_stores

KEPT: Final = 256
"""The stores that are remembered: to pair a large field once more takes seconds."""


MATCH_FIELDS: Final = (
    *("number", "block"),
    *(f"seats.{field}" for field in ("bot", "version", "rank", "score", "fault")),
)
"""What is read of each match."""


class EventState(NamedTuple):
    """What may be shown of a tournament: its stages, its standing, and the matches of its tables."""

    report: Sequence[StageReport]
    standing: Sequence[EventPlace]
    is_over: bool
    deals: Mapping[str, Sequence[Sequence[int]]]
    """The matches of each table that has begun: for each deal, their numbers; none while it is secret."""
    results: Mapping[int, Sequence[Mapping[str, Json]]] = MappingProxyType({})
    """The seats of each match that may be shown: the bot, its version, rank, score and fault."""
    is_hidden: bool = False
    """Whether some of it is secret, by now."""
    problem: str = ""
    """Why there is nothing to show."""


@dataclass(frozen=True)
class EventFacts:
    """A tournament as pages show it."""

    name: str
    store: str
    """The name of its store, such as d1, or the number of its run if it is rated."""
    folder: str
    """Its page is `tournaments/FOLDER.html`, and those of its rounds are in `tournaments/FOLDER/`; "" on a
    terminal."""
    run: Run
    terms: TournamentTerms
    entrants: Sequence[Key]
    """The entrants, by their numbers."""
    names: Sequence[str]
    """What they are called."""
    state: EventState
    row: Row
    """Its row in the list of tournaments; empty on a terminal."""

    @property
    def game(self) -> str:
        return self.run.settings.contests[0].game

    @property
    def title(self) -> str:
        """What people see it called."""
        return self.terms.title or self.name

    @property
    def is_rated(self) -> bool:
        """Whether its matches count in the ratings: then they are those of a run as others."""
        return self.store.isdecimal()

    def page_at(self, at: str = "") -> str:
        """Return the path of its page, of that for a projector (screen), or of a round, such as swiss/3."""
        if not at:
            return f"tournaments/{self.folder}.html"
        return f"tournaments/{self.folder}/{at.replace('/', '-')}.html"

    @property
    def matches(self) -> int:
        """The number of matches that may be shown."""
        return sum(len(deal) for deals in self.state.deals.values() for deal in deals)

    @property
    def winners(self) -> list[int]:
        """Those on the first place of one that is over."""
        return [each.entrant for each in self.state.standing if each.place == 1 and self.state.is_over]

    @property
    def places(self) -> list[tuple[str, int, str]]:
        """The standing: the place, the entrant, and the stage that gave it the place.

        The place of those who are still to be told apart is open: it is told as 1-4.
        """
        standing = self.state.standing
        first = sum(each.is_open for each in standing)
        return [
            (f"1-{first}" if each.is_open else str(each.place), each.entrant, each.stage) for each in standing
        ]

    @property
    def has_begun(self) -> bool:
        """Whether there is a result."""
        return any(
            table.blocks for stage in self.state.report for each in stage.rounds for table in each.tables
        )


def find_screen(results: Path, name: str) -> str:
    """Return the path of the page for a projector of the tournament called *name*.  Raises NotFound."""
    find_tournament(results, name)
    return read_events(results, {})[name].page_at("screen")


def read_events(results: Path, numbers: Numbers) -> dict[str, EventFacts]:
    """Return tournaments in *results* by name, the newest first; *numbers* are those of versions here."""
    rated = [run.run for run in Store(results).runs() if run.settings.tournament]
    stores = [(Folder(results), number) for number in rated]
    stores += [(store.folder, 1) for store in unrated_stores(results, hidden=True).values()]
    read = (_read(folder.root, number, _list_files(folder)) for folder, number in stores)
    found = [each for each in read if each]
    folders = _folders(each.name for each in found)
    found.sort(key=lambda each: each.run.started)
    return {
        each.name: replace(each, folder=folders[each.name], names=names_of(each.run, numbers))
        for each in reversed(found)
    }


def _folders(names: Iterable[str]) -> dict[str, str]:
    """Return the part of an address for each tournament.

    One called x.html would have its folder where the page of x is; no name begins with a dash.
    """
    return {
        name: f"-{folder}" if folder.endswith(".html") else folder
        for name, folder in file_names(names).items()
    }


def _list_files(folder: Folder) -> tuple[tuple[str, int, int], ...]:
    """Return what changes with a store: the names, sizes and times of its files."""
    paths = [folder.runs, folder.revealed, folder.names]
    for each in (folder.journals, folder.manifests):
        paths += sorted(each.iterdir()) if each.is_dir() else []
    found = []
    for path in paths:
        try:
            state = path.stat()
        except OSError:  # not there, or not any more
            continue
        found.append((str(path), state.st_size, state.st_mtime_ns))
    return tuple(found)


@lru_cache(maxsize=KEPT)
def _read(root: Path, number: int, files: tuple[tuple[str, int, int], ...]) -> EventFacts | None:
    """Return the tournament that is run *number* of the store at *root*, which has these *files*.

    None if it is something else.  It has no folder, and versions of one bot have no numbers.
    """
    if (found := read_tournament(Store(root), number)) is None:
        return None
    try:
        state = read_state(found)
    except NotFound as error:
        state = EventState((), (), False, {}, is_hidden=found.is_hidden, problem=str(error))
    return replace(facts_of(found, {}, state), row=tournament_row(found, state.standing))


def facts_of(found: StoredTournament, numbers: Numbers, state: EventState) -> EventFacts:
    """Return a tournament without its pages: what a terminal shows."""
    run, terms = found.run, found.terms
    store = str(found.contents.folder.name_run(run.run))
    return EventFacts(terms.name, store, "", run, terms, run.bot_keys, names_of(run, numbers), state, {})


def read_state(found: StoredTournament) -> EventState:
    """Return what may be shown of a tournament: of a secret one, no match.  Raises NotFound."""
    schedule = found.schedule()
    event = shown_event(found) if found.is_hidden else schedule.event  # to pair twice takes twice as long
    report, deals, results = event.report(), {}, {}
    tables = [table for stage in report for each in stage.rounds for table in each.tables]
    if not found.is_hidden and any(table.blocks for table in tables):
        heard = {table.name: table.blocks for table in tables}
        rows = found.contents.matches(MATCH_FIELDS, found.run.run).to_pylist()
        deals = {
            table: played[: heard[table]]
            for table, played in _deals(rows, schedule.tables).items()
            if heard.get(table)
        }
        results = {row["number"]: row["seats"] for row in rows}
    return EventState(report, event.standing(), event.over, deals, results, found.is_hidden)


def _deals(rows: Iterable[Mapping[str, Json]], tables: Sequence[str]) -> dict[str, list[list[int]]]:
    """Return the numbers of the matches of each table, by deal; *tables* are those of the blocks."""
    blocks: dict[int, list[int]] = {}
    for row in rows:
        blocks.setdefault(row["block"], []).append(row["number"])
    deals: dict[str, list[list[int]]] = {}
    for block, numbers in sorted(blocks.items()):
        if block < len(tables):
            deals.setdefault(tables[block], []).append(numbers)
    return deals
