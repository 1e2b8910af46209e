"""Cross tables, and the tables of a round, as rows for templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from ladder.pairing.event_report import RoundReport, StageReport, TableReport
from ladder.pairing.notes import EventNote, tell_note
from ladder.pairing.score_rows import ScoreRow
from ladder.web.pages.bot_marks import BotMark, swatch
from ladder.web.site.format import Shown
from ladder.web.site.tournaments.event_facts import EventFacts
from ladder.web.site.tournaments.event_words import (
    name_round,
    name_table,
    tell_end,
    tell_score,
    tell_source,
)

LINKED: Final = 1000
"""At most about this many matches are linked on the page of a round."""
FEWEST_LINKED: Final = 12
"""At least this many of each table are linked."""


class EntrantLink(NamedTuple):
    """An entrant as tables show it."""

    label: str
    page: str
    """Of the bot; "" if it has none."""
    mark: BotMark | None

    @property
    def swatch(self) -> Markup:
        """The mark of the bot, which stands before its name."""
        return swatch(self.mark) if self.mark else Markup("")


class EventBots:
    """The entrants of a tournament as its pages show them."""

    def __init__(self, shown: Shown, event: EventFacts) -> None:
        self._shown = shown
        self._event = event

    def __getitem__(self, entrant: int) -> EntrantLink:
        """Return the entrant of this number."""
        name, label = self._event.entrants[entrant][0], self._event.names[entrant]
        if name not in self._shown.facts.marks:
            return EntrantLink(label, "", None)
        return EntrantLink(label, self._shown.facts.page_of_bot(name), self._shown.facts.marks[name])


class CrossHead(NamedTuple):
    """The heading of a column."""

    text: str
    title: str
    """What it stands for."""
    page: str = ""


class CrossCell(NamedTuple):
    """A result, or a place without one."""

    score: str
    beside: str = ""
    """Against whom, or at which table."""
    page: str = ""
    kind: str = ""
    """A class: itself where an entrant would meet itself, bye."""


class CrossRow(NamedTuple):
    """An entrant in a cross table."""

    place: int
    bot: EntrantLink
    cells: Sequence[CrossCell]
    score: str
    opponents: str


class CrossTable(NamedTuple):
    """The standing of a stage of rounds, or of a group, with all results."""

    title: str
    """The name of the group; "" if the stage has none."""
    heads: Sequence[CrossHead]
    rows: Sequence[CrossRow]
    is_grid: bool
    """Whether columns are entrants; else they are rounds."""
    has_pairs: bool
    """Whether all tables have two seats."""


def is_bracket(stage: StageReport) -> bool:
    """Return whether a stage is a bracket, or a final."""
    return not stage.rows


def cross_tables(event: EventFacts, stage: StageReport, bots: EventBots) -> list[CrossTable]:
    """Return the cross table of a stage of rounds: one for each group, if it has groups."""
    groups: dict[str, list[RoundReport]] = {}
    for each in stage.rounds:
        groups.setdefault(each.name.rpartition("/")[0], []).append(each)
    return [_cross_table(event, name, stage, rounds, bots) for name, rounds in groups.items()]


def _cross_table(
    event: EventFacts, name: str, stage: StageReport, rounds: Sequence[RoundReport], bots: EventBots
) -> CrossTable:
    _, slash, letter = name.partition("/")
    there = {entrant for each in rounds for entrant in each.byes}
    there |= {
        entrant
        for each in rounds
        for table in each.tables
        for entrant in table.entrants
        if entrant is not None
    }
    rows = [row for row in stage.rows if row.entrant in there]
    places = {row.entrant: place for place, row in enumerate(rows, 1)}
    has_pairs = all(len(table.entrants) == 2 for each in rounds for table in each.tables)
    is_grid = has_pairs and not stage.name.startswith("swiss")
    if is_grid:
        heads = [CrossHead(str(place), bots[row.entrant].label) for place, row in enumerate(rows, 1)]
        cells = _grid(event, rounds, rows)
    else:
        heads = [
            CrossHead(each.name.rpartition("/")[2], name_round(each.name), event.page_of_round(each.name))
            for each in rounds
        ]
        cells = {row.entrant: [_cell(event, each, row.entrant, places) for each in rounds] for row in rows}
    return CrossTable(
        f"Group {letter.upper()}" if slash else "",
        heads,
        [_row(places[row.entrant], row, bots, cells[row.entrant]) for row in rows],
        is_grid,
        has_pairs,
    )


def _row(place: int, row: ScoreRow, bots: EventBots, cells: Sequence[CrossCell]) -> CrossRow:
    score, opponents = f"{float(row.score):.2f}", f"{float(row.opponents):.2f}"
    return CrossRow(place, bots[row.entrant], cells, score, opponents)


def _cell(event: EventFacts, played: RoundReport, entrant: int, places: dict[int, int]) -> CrossCell:
    """Return how *entrant* did in a round."""
    if entrant in played.byes:
        return CrossCell("bye", kind="bye")
    for number, table in enumerate(played.tables, 1):
        if entrant in table.entrants:
            others = [places[other] for other in table.entrants if other != entrant and other in places]
            beside = f"v {others[0]}" if len(table.entrants) == 2 and others else f"t{number}"
            score = tell_score(table.scores[table.entrants.index(entrant)])
            return CrossCell(score or "…", beside, event.page_of_table(table))
    return CrossCell("")


def _grid(
    event: EventFacts, rounds: Sequence[RoundReport], rows: Sequence[ScoreRow]
) -> dict[int, list[CrossCell]]:
    """Return the score of each against each."""
    met: dict[tuple[int, int], CrossCell] = {}
    for each in rounds:
        for table in each.tables:
            one, two = (entrant or 0 for entrant in table.entrants)
            page = event.page_of_table(table)
            met[one, two] = CrossCell(tell_score(table.scores[0]) or "…", page=page)
            met[two, one] = CrossCell(tell_score(table.scores[1]) or "…", page=page)
    itself = CrossCell("", kind="itself")
    return {
        row.entrant: [
            itself if row.entrant == other.entrant else met.get((row.entrant, other.entrant), CrossCell(""))
            for other in rows
        ]
        for row in rows
    }


def tell_notes(notes: Iterable[EventNote], event: EventFacts) -> list[str]:
    """Return notes as sentences."""
    return [tell_note(note, event.names.__getitem__) for note in notes]


class SeatResult(NamedTuple):
    """A seat of a table."""

    bot: EntrantLink | None
    """None: not known yet."""
    source: str
    """Where one comes from that is not known yet."""
    score: str
    goes_on: bool
    end: str
    """What the result means, as tell_end says it; "" where that is open, or where all stay."""


class LinkedMatch(NamedTuple):
    """A match of a table."""

    name: str
    page: str
    """"" if it has none."""


class RoundTable(NamedTuple):
    """A table on the page of its round."""

    id: str
    title: str
    seats: Sequence[SeatResult]
    state: str
    notes: Sequence[str]
    deals: Sequence[Sequence[LinkedMatch]]
    """The matches with a page, by deal."""
    others: str
    """Those that are not listed, in words."""
    command: str
    """What shows the first of them; "" if there are none."""


def round_tables(shown: Shown, event: EventFacts, played: RoundReport, bots: EventBots) -> list[RoundTable]:
    """Return the tables of a round."""
    most = max(FEWEST_LINKED, LINKED // max(1, len(played.tables)))
    return [_table(shown, event, table, number, most, bots) for number, table in enumerate(played.tables, 1)]


def _table(
    shown: Shown, event: EventFacts, table: TableReport, number: int, most: int, bots: EventBots
) -> RoundTable:
    deals, others, listed = list[list[LinkedMatch]](), list[int](), 0
    for deal in event.state.deals.get(table.name, ()):
        pages = [shown.page_of_event_match(event.store, match) for match in deal]
        if any(pages) and listed < most:
            deals.append(
                [LinkedMatch(f"{event.store}/{match}", page) for match, page in zip(deal, pages, strict=True)]
            )
            listed += len(deal)
        else:
            others += deal
    words = name_table(table.name) if table.sources else f"table {number}"
    return RoundTable(
        id=f"table-{number}",
        title=words[:1].upper() + words[1:],
        seats=seat_results(table, bots),
        state=_tell_blocks(table),
        notes=tell_notes(table.notes, event),
        deals=deals,
        others=_spans(event.store, others),
        command=f"ladder replay {event.store}/{others[0]}" if others else "",
    )


def seat_results(table: TableReport, bots: EventBots) -> list[SeatResult]:
    """Return the seats of a table: by the results, once it has begun."""
    order = {entrant: place for place, entrant in enumerate(table.ranking)}
    sources = table.sources or [("seed", 0)] * len(table.entrants)
    seats = sorted(
        zip(table.entrants, table.scores, sources, strict=True),
        key=lambda seat: len(order) if seat[0] is None else order.get(seat[0], len(order)),
    )
    rows = []
    for entrant, score, source in seats:
        if entrant is None:
            rows.append(SeatResult(None, tell_source(source, len(table.entrants)), "", goes_on=False, end=""))
            continue
        goes_on = table.is_over and order.get(entrant, table.go_on) < table.go_on
        end = tell_end(table, order[entrant]) if table.go_on and table.is_over else ""
        rows.append(SeatResult(bots[entrant], "", tell_score(score), goes_on, end))
    return rows


def _tell_blocks(table: TableReport) -> str:
    if not table.blocks:
        return "" if table.is_over else "not begun"
    deals = "1 deal" if table.blocks == 1 else f"{table.blocks} deals"
    return deals if table.is_over else f"{deals} so far"


def _spans(store: str, numbers: Sequence[int]) -> str:
    """Return the names of matches as spans: d1/0 to d1/7, d1/12."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(
        f"{store}/{first}" if first == last else f"{store}/{first} to {store}/{last}" for first, last in spans
    )
