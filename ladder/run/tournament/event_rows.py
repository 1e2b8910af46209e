"""The rounds and tables of a tournament for programs: a row for each seat, or all of it as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ladder.pairing.event_report import StageReport, TableReport
from ladder.pairing.notes import EventNote, tell_note
from ladder.pairing.tournament import Tournament
from ladder.run.tournament.table_lists import ways_on
from results.record import Json
from results.reports.document import Column, Row

SEATS: Final = (
    Column("stage", "stage"),
    Column("round", "round"),
    Column("table", "table"),
    Column("bot", "bot"),
    Column("score", "score", "{:.3f}".format, right=True),
    Column("place", "place", right=True),
    Column("blocks", "blocks", right=True),
    Column("goes_on", "goes on to"),
)
"""The columns of the seats of all tables."""


def seat_rows(event: Tournament, names: Sequence[str]) -> list[Row]:
    """Return a row for each seat of each table where it is known who sits there, the best of it first."""
    return [
        row
        for stage in event.report()
        for each in stage.rounds
        for table in each.tables
        for row in _seat_rows({"stage": stage.name, "round": each.name}, table, ways_on(stage), names)
    ]


def _seat_rows(
    where: Row, table: TableReport, ways: Mapping[tuple[str, int], str], names: Sequence[str]
) -> list[Row]:
    score_of = dict(zip(table.entrants, table.scores, strict=True))
    there = table.ranking or [entrant for entrant in table.entrants if entrant is not None]
    rows = []
    for place, entrant in enumerate(there):
        score = score_of[entrant]
        found: Row = {
            "table": table.name,
            "bot": names[entrant],
            "score": None if score is None else float(score),
            "place": place + 1 if table.is_over else None,
            "blocks": table.blocks,
            "goes_on": ways.get((table.name, place)) if table.is_over else None,
        }
        rows.append({**where, **found})
    return rows


def stages_json(event: Tournament, names: Sequence[str]) -> list[Json]:
    """Return the stages that have begun, with all rounds, tables, scores, byes and notes."""
    return [_stage_json(stage, names) for stage in event.report()]


def _stage_json(stage: StageReport, names: Sequence[str]) -> Json:
    ways = ways_on(stage)
    return {
        "stage": stage.name,
        "over": stage.is_over,
        "rounds": [
            {
                "round": each.name,
                "over": each.is_over,
                "tables": [_table_json(table, ways, names) for table in each.tables],
                "byes": [names[entrant] for entrant in each.byes],
                "notes": _notes_json(each.notes, names),
            }
            for each in stage.rounds
        ],
        "ranking": [
            {
                "place": place,
                "bot": names[row.entrant],
                "score": float(row.score),
                "opponents": float(row.opponents),
                "direct": float(row.direct),
                "points": float(row.points),
                "byes": row.byes,
            }
            for place, row in enumerate(stage.rows, 1)
        ],
    }


def _table_json(table: TableReport, ways: Mapping[tuple[str, int], str], names: Sequence[str]) -> Json:
    sources = table.sources or [None] * len(table.entrants)
    return {
        "table": table.name,
        "over": table.is_over,
        "blocks": table.blocks,
        "seats": [
            {
                "bot": None if entrant is None else names[entrant],
                "score": None if score is None else float(score),
                "from": None if source is None else {"table": source[0], "place": source[1] + 1},
            }
            for entrant, score, source in zip(table.entrants, table.scores, sources, strict=True)
        ],
        "ranking": [names[entrant] for entrant in table.ranking],
        "go_on": table.go_on,
        "leads_to": [ways.get((table.name, place)) for place in range(len(table.entrants))],
        "notes": _notes_json(table.notes, names),
    }


def _notes_json(notes: Sequence[EventNote], names: Sequence[str]) -> list[Json]:
    return [
        {
            "kind": note.kind,
            "bots": [names[entrant] for entrant in note.entrants],
            "text": tell_note(note, names.__getitem__),
        }
        for note in notes
    ]
