"""Stages of rounds as tables: who met whom and what was won, or round by round where they are too many."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ladder.pairing.event_report import RoundReport, StageReport, TableReport
from ladder.pairing.notes import BYE
from ladder.pairing.score_rows import ScoreRow
from ladder.run.tournament.table_lists import DASH, Drawing, list_round, short_name, tell_notes
from ladder.run.tournament.text_cells import pad, percent, wrap

CROSS: Final = 12
"""The most entrants of a table with a column for each of them."""
NAMED: Final = (10, 20)
"""Columns: the least and the most for names."""
TITLES: Final = "score  opp."


def draw_rounds(stage: StageReport, drawing: Drawing) -> Iterator[str]:
    """Yield a stage of rounds: a table, then the rounds that are not over, and the notes.

    Groups have a table each.
    """
    for title, rounds, rows in _parts(stage):
        if title:
            yield f"  {title}"
        seats = max((len(table.entrants) for each in rounds for table in each.tables), default=2)
        is_cross = seats == 2 and len(rows) <= CROSS
        if is_cross:
            yield from _cross(rounds, rows, drawing)
        else:
            yield from _progress(rounds, rows, drawing, seats)
        for each in rounds:
            if not each.is_over:
                yield from list_round(each, drawing, {})
                continue
            notes = [note for table in each.tables for note in table.notes]
            notes += [note for note in each.notes if note.kind != BYE or is_cross]  # else a column has them
            yield from tell_notes(notes, drawing, "  ", f"round {short_name(each.name)}: ")
        yield ""


def draw_standing(stage: StageReport, drawing: Drawing) -> Iterator[str]:
    """Yield the standing of a stage of rounds, without its rounds."""
    room = _room(drawing, 0)
    yield f"{'':>4}  {pad('', room)}  {TITLES}"
    for place, row in enumerate(stage.rows, 1):
        yield _start(place, row, room, drawing)


def _parts(stage: StageReport) -> Iterator[tuple[str, list[RoundReport], list[ScoreRow]]]:
    """Yield the parts of a stage in which all can meet, with a title: the groups, or the whole."""
    rounds: dict[str, list[RoundReport]] = {}
    for each in stage.rounds:
        rounds.setdefault(each.name.rpartition("/")[0], []).append(each)
    if len(rounds) <= 1:
        yield "", list(stage.rounds), list(stage.rows)
        return
    for name, of_group in rounds.items():
        there = {entrant for each in of_group for table in each.tables for entrant in table.entrants}
        there |= {entrant for each in of_group for entrant in each.byes}
        yield (
            f"group {name.rpartition('/')[2]}",
            of_group,
            [row for row in stage.rows if row.entrant in there],
        )


def _cross(rounds: Sequence[RoundReport], rows: Sequence[ScoreRow], drawing: Drawing) -> Iterator[str]:
    """Yield a table in which each row and each column is an entrant."""
    count = len(rows)
    met: dict[tuple[int, int], list[TableReport]] = {}
    for table in (table for each in rounds for table in each.tables):
        one, other = table.entrants
        if one is not None and other is not None:
            met.setdefault((one, other), []).append(table)
            met.setdefault((other, one), []).append(table)

    def cell(row: ScoreRow, other: ScoreRow) -> str:
        if row is other:
            return "·"
        tables = met.get((row.entrant, other.entrant), [])
        scores = [score for table in tables if (score := _score_at(table, row.entrant)) is not None]
        if scores:
            return percent(sum(scores) / len(scores))
        return DASH if tables else ""

    room = _room(drawing, 4 * count)
    titles = "".join(f"{place:>4}" for place in range(1, count + 1))
    yield f"{'':>4}  {pad('', room)}  {TITLES}{titles}".rstrip()
    for place, row in enumerate(rows, 1):
        cells = "".join(pad(cell(row, other), 4, right=True) for other in rows)
        yield f"{_start(place, row, room, drawing)}{cells}".rstrip()
    yield from _legend("under a number: the percentage won against the bot of that place", drawing)


def _score_at(table: TableReport, entrant: int) -> float | None:
    score = table.scores[table.entrants.index(entrant)]
    return None if score is None else float(score)


def _legend(text: str, drawing: Drawing) -> Iterator[str]:
    yield from wrap(f"{text}; opp.: the scores of the opponents", drawing.width, "  ")


def _room(drawing: Drawing, cells: int) -> int:
    """Return the columns for names beside *cells* columns."""
    return max(NAMED[0], min(NAMED[1], drawing.width - 8 - len(TITLES) - cells))


def _start(place: int, row: ScoreRow, room: int, drawing: Drawing) -> str:
    """Return the first columns of a row, as wide as its titles."""
    name = pad(drawing.names[row.entrant], room)
    name = drawing.strong(name) if place == 1 else name
    return f"{place:>4}  {name}  {float(row.score):5.2f} {float(row.opponents):5.2f}"


def _progress(
    rounds: Sequence[RoundReport], rows: Sequence[ScoreRow], drawing: Drawing, seats: int
) -> Iterator[str]:
    """Yield a table with a row for each entrant and a column for each round, in parts that fit the width."""
    place_of = {row.entrant: place for place, row in enumerate(rows, 1)}
    columns = [_column(each, place_of, seats) for each in rounds]
    width = max([2, *(len(cell) for column in columns for cell in column.values())]) + 1
    most = max(1, (drawing.width - 8 - len(TITLES) - NAMED[0]) // width)
    parts = max(1, math.ceil(len(rounds) / most))
    each_part = math.ceil(len(rounds) / parts)
    for first in range(0, len(rounds), each_part):
        shown = range(first, min(first + each_part, len(rounds)))
        room = _room(drawing, width * len(shown))
        heads = "".join(pad(rounds[index].name.rpartition("/")[2], width, right=True) for index in shown)
        yield f"{'':>4}  {pad('round', room)}  {TITLES}{heads}"
        for place, row in enumerate(rows, 1):
            cells = "".join(pad(columns[index].get(row.entrant, ""), width, right=True) for index in shown)
            yield f"{_start(place, row, room, drawing)}{cells}".rstrip()
    said = "7:62: 62 % won against the bot of place 7"
    if seats > 2:
        said = "3:62: at table 3, 62 % of the others beaten"
    yield from _legend(said, drawing)


def _column(each: RoundReport, place_of: Mapping[int, int], seats: int) -> dict[int, str]:
    """Return what is written for each entrant in the column of a round."""
    cells = dict.fromkeys(each.byes, "bye")
    for table in each.tables:
        for entrant, score in zip(table.entrants, table.scores, strict=True):
            if entrant is None:
                continue
            met = table.name.rpartition("/")[2]
            if seats == 2:
                met = ",".join(
                    str(place_of[other]) for other in table.entrants if other not in (None, entrant)
                )
            cells[entrant] = f"{met}:{DASH if score is None else percent(score)}"
    return cells
