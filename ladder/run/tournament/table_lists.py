"""The tables of rounds in letters: names, scores, who goes on where, and what is played now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len

from ladder.pairing.event_report import RoundReport, StageReport, TableReport
from ladder.pairing.notes import BYE, EventNote, tell_note
from ladder.pairing.tournament import Tournament
from ladder.run.tournament.event_words import name_table, tell_source
from ladder.run.tournament.text_cells import cut, pad, percent, wrap
from results.words import count

NOTED = 24
"""Columns: the most that a name takes in a note."""
LISTED = 6
"""The most names of those who sit out."""
LEAST = 20
"""Columns: the least that names have in a list."""
DASH = "-"
"""Stands for a score where nothing was played yet."""

Strong: TypeAlias = Callable[[str], str]
"""Emphasises a text, where colours are allowed."""


class Drawing(NamedTuple):
    """How a tournament is drawn."""

    names: Sequence[str]
    """Of the entrants."""
    width: int = 80
    """No line has more columns."""
    strong: Strong = str

    def name_of(self, entrant: int) -> str:
        """Return the name of an entrant, for a note."""
        return cut(self.names[entrant], NOTED)


def ways_on(stage: StageReport) -> dict[tuple[str, int], str]:
    """Return the table to which each (table, place) of a bracket leads, other than a second final."""
    return {
        (table.name, place): leads_to
        for each in stage.rounds
        for table in each.tables
        for place, leads_to in enumerate(table.leads_to)
        if leads_to and not leads_to.endswith("/reset")
    }


def tell_notes(notes: Iterable[EventNote], drawing: Drawing, indent: str, start: str = "") -> Iterator[str]:
    """Yield *notes* as lines, each with the same *start*; those who sit out are told together."""
    notes = list(notes)
    byes = list(dict.fromkeys(entrant for note in notes if note.kind == BYE for entrant in note.entrants))
    told = [tell_note(note, drawing.name_of) for note in notes if note.kind != BYE]
    if len(byes) == 1:
        told.append(tell_note(EventNote(BYE, (byes[0],)), drawing.name_of))
    elif byes:
        *most, last = [drawing.name_of(entrant) for entrant in byes[:LISTED]]
        if len(byes) > LISTED:
            most, last = [*most, last], f"{len(byes) - LISTED} more"
        told.append(f"{', '.join(most)} and {last} sit out.")
    for sentence in told:
        yield from wrap(start + sentence, drawing.width, indent)


def list_round(played: RoundReport, drawing: Drawing, ways: Mapping[tuple[str, int], str]) -> Iterator[str]:
    """Yield a round: its name, its tables, each with an arrow behind those who go on, and its notes.

    *ways*: what `ways_on` returns; empty where all stay.
    """
    yield cut(f"  {name_table(played.name)}{_tell_state(played)}", drawing.width)
    for table in played.tables:
        yield from _list_table(table, drawing, ways)
        yield from tell_notes(table.notes, drawing, " " * 8)
    yield from tell_notes(played.notes, drawing, " " * 4)


def tell_so_far(table: TableReport) -> str:
    """Return how many deals a table has had."""
    return f"{count(table.blocks, 'deal')} so far"


def _tell_state(played: RoundReport) -> str:
    if played.is_over:
        return ""
    return " (being played)" if any(table.blocks for table in played.tables) else " (not played yet)"


def _list_table(table: TableReport, drawing: Drawing, ways: Mapping[tuple[str, int], str]) -> Iterator[str]:
    """Yield a table: one line at two seats, else a line for each seat, the best first once it has begun."""
    seats = _seats(table, drawing, ways)
    number = table.name.rpartition("/")[2]
    number = number if number.isdigit() else ""
    so_far = f"  {tell_so_far(table)}" if table.blocks and not table.is_over else ""
    if len(seats) == 2:
        way = max((f"  {seat.way}" for seat in seats if seat.way), key=len, default="") or so_far
        room = (drawing.width - 6 - 2 * 4 - 2 - max(13, len(way))) // 2
        both = "  ".join(_tell_seat(seat, room, drawing.strong) for seat in seats)
        yield f"{number:>4}  {both}{way}".rstrip()
        return
    room = min(max([LEAST, *map(cell_len, drawing.names)]), drawing.width - 6 - 4 - 24)
    for index, seat in enumerate(seats):
        start = number if not index else ""
        end = f"  {seat.way}" if seat.way else so_far if not index else ""
        yield f"{start:>4}  {_tell_seat(seat, room, drawing.strong)}{cut(end, 24)}".rstrip()


class _Seat(NamedTuple):
    name: str
    score: str
    way: str
    is_on: bool
    """Whether it goes on, or has won."""


def _seats(table: TableReport, drawing: Drawing, ways: Mapping[tuple[str, int], str]) -> list[_Seat]:
    """Return who sits at *table*, the best first once it has begun."""
    place_of = {entrant: place for place, entrant in enumerate(table.ranking)}
    sources = table.sources or [("", 0)] * len(table.entrants)
    found = []
    for entrant, score, source in zip(table.entrants, table.scores, sources, strict=True):
        name = tell_source(source, len(table.entrants)) if entrant is None else drawing.names[entrant]
        place = place_of.get(entrant, len(place_of)) if entrant is not None else len(place_of)
        to = ways.get((table.name, place), "") if table.is_over and place_of else ""
        way = f"→ {name_table(to)}" if to else ""
        is_on = bool(table.go_on) and table.is_over and place < table.go_on
        found.append((place, _Seat(name, DASH if score is None else percent(score), way, is_on)))
    return [seat for _, seat in sorted(found, key=lambda each: each[0])]


def _tell_seat(seat: _Seat, room: int, strong: Strong) -> str:
    """Return the name and the score of a seat, in *room* + 4 columns."""
    text = pad(seat.name, room) + " " + pad(seat.score, 3, right=True)
    return strong(text) if seat.is_on else text


def tell_now(event: Tournament, names: Sequence[str], width: int, height: int) -> list[str]:
    """Return at most *height* lines of what is being played: its tables, and the best of the standing.

    *names*: of the entrants; no line has more than *width* columns.
    """
    drawing = Drawing(names, width)
    stage = event.report()[-1]
    ways = ways_on(stage)
    tables = [stage.name]
    for each in stage.rounds:
        if not each.is_over and any(None not in table.entrants for table in each.tables):
            tables += list_round(each, drawing, ways)
    standing = [
        f"{place:>4}  {pad(names[row.entrant], LEAST)}  {float(row.score):5.2f}"
        for place, row in enumerate(stage.rows, 1)
    ]
    half = max(height // 2, height - len(standing))
    lines = _shorten(tables, min(half, height))
    return lines + _shorten(standing, height - len(lines))


def _shorten(lines: list[str], height: int) -> list[str]:
    """Return at most *height* of *lines*; the last one says how many more there are."""
    if len(lines) <= height:
        return lines
    return [*lines[: height - 1], f"  ... and {len(lines) - height + 1} more lines"][: max(0, height)]
