"""The tables of rounds in letters: names, scores, who goes on where, and what is played now."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len, set_cell_size

from ladder.pairing.event_report import RoundReport, TableReport
from ladder.pairing.notes import BYE, EventNote, tell_note
from ladder.pairing.tournament import Tournament
from ladder.run.tournament.event_words import name_table, seat_results, tell_deals
from results.reports.values_as_text import escape

NOTED = 24
"""Columns: the most that a name takes in a note."""
LISTED = 6
"""The most names of those who sit out."""
LEAST = 20
"""Columns: the least that names have in a list."""
SHORT = 8
"""Columns: a shorter text keeps nothing of its end."""

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


def tell_notes(notes: Iterable[EventNote], drawing: Drawing, indent: str) -> Iterator[str]:
    """Yield *notes* as lines; those who sit out are told together."""
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
        yield from _wrap(sentence, drawing.width, indent)


def list_round(played: RoundReport, drawing: Drawing) -> Iterator[str]:
    """Yield a round: its name, its tables with those who sit there, and its notes."""
    yield cut(f"  {name_table(played.name)}{_tell_state(played)}", drawing.width)
    for number, table in enumerate(played.tables, 1):
        so_far = f" ({tell_deals(table)})" if table.blocks and not table.is_over else ""
        start = f"{number}: " if len(played.tables) > 1 else ""
        yield from _wrap(start + _tell_seats(table, drawing) + so_far, drawing.width, " " * 4)
        yield from tell_notes(table.notes, drawing, " " * 8)
    yield from tell_notes(played.notes, drawing, " " * 4)


def _tell_seats(table: TableReport, drawing: Drawing) -> str:
    told = []
    for seat in seat_results(table):
        name = seat.source if seat.entrant is None else drawing.name_of(seat.entrant)
        told.append(" ".join(filter(None, (name, seat.score, seat.end))))
    return ", ".join(told)


def _tell_state(played: RoundReport) -> str:
    if played.is_over:
        return ""
    return " (being played)" if any(table.blocks for table in played.tables) else " (not played yet)"


def tell_now(event: Tournament, names: Sequence[str], width: int, height: int) -> list[str]:
    """Return at most *height* lines, *width* wide, of the tables in play and the best; *names*: of all."""
    drawing = Drawing(names, width)
    stage = event.report()[-1]
    tables = [stage.name]
    for each in stage.rounds:
        if not each.is_over and any(None not in table.entrants for table in each.tables):
            tables += list_round(each, drawing)
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


# -- names may be long, and may have characters that take two columns


def cut(text: str, width: int) -> str:
    """Return *text* on a line of *width* columns, with an ellipsis before its end, where names differ."""
    text = escape(text)
    if cell_len(text) <= width:
        return text
    if width < 1:
        return ""
    end = text[-((width - 1) // 3) :] if width > SHORT else ""
    while cell_len(end) > (width - 1) // 3:
        end = end[1:]
    return set_cell_size(text, width - 1 - cell_len(end)).rstrip() + "…" + end


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return *text* cut to *width* columns, or filled up with spaces; *right*: from the left."""
    text = cut(text, width)
    filling = " " * (width - cell_len(text))
    return filling + text if right else text + filling


def _wrap(text: str, width: int, indent: str = "") -> Iterator[str]:
    """Yield *text* in lines of at most *width* columns, which begin with *indent*, broken between words."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and cell_len(indent) + cell_len(longer) > width:
            yield indent + cut(line, width - cell_len(indent))
            longer = word
        line = longer
    if line:
        yield indent + cut(line, width - cell_len(indent))
