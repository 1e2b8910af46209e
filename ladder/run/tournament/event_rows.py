"""Tournaments for programs: their list, a standing, a row for each seat of each table, or all as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from ladder.pairing.event_report import StageReport, TableReport
from ladder.pairing.notes import EventNote, tell_note
from ladder.pairing.tournament import EventPlace
from ladder.run.tournament.stored_tournaments import StoredTournament, shown_event
from results.record import Json, Run
from results.reports.document import Column, EventRef, GameRef, Row
from results.reports.labels import Numbers, labels

DISPLAY: Final = Column("display", "shown as", extra=True)
"""The name that people see, for programs."""
SEATS: Final = (
    Column("stage", "stage"),
    Column("round", "round"),
    Column("table", "table"),
    Column("bot", "bot"),
    Column("score", "score", "{:.3f}".format, right=True),
    Column("place", "place", right=True),
    Column("blocks", "blocks", right=True),
    Column("goes_on", "goes on to"),
    DISPLAY,
)
"""The columns of the seats of all tables."""
TOURNAMENTS: Final = (
    Column("tournament", "tournament", kind=lambda row: EventRef(row["tournament"])),
    Column("title", "title", always=False),
    Column("game", "game", kind=lambda row: GameRef(row["game"])),
    Column("stages", "stages"),
    Column("bots", "bots", right=True),
    Column("matches", "matches", "{:,}".format, right=True),
    Column("state", "state"),
    Column("winner", "winner"),
    Column("started", "started (UTC)", extra=True),
    Column("secret_sha256", "SHA-256 of its secret", extra=True, on_pages=False),
    Column("secret", "secret", extra=True, on_pages=False),
)
"""The columns of the list of tournaments."""
STANDING: Final = (
    Column("place", "place", right=True),
    Column("bot", "bot"),
    Column("stage", "reached"),
    DISPLAY,
)
"""The columns of the standing of a tournament."""


def names_of(run: Run, numbers: Numbers) -> list[str]:
    """Return what the entrants are called, by their numbers."""
    label = labels(run.bot_keys, numbers)
    return [label[bot] for bot in run.bot_keys]


def tournament_row(found: StoredTournament, standing: Sequence[EventPlace] | None = None) -> Row:
    """Return the row of a tournament in the list; its *standing* is found if it is not given."""
    run, terms = found.run, found.terms
    matches = found.count_matches()
    over = run.finished is not None
    state = "over" if over else "being played" if matches else "not begun"
    winner = None
    # without its secret an event cannot be paired again; a hidden one tells nothing before it is revealed
    if over and run.has_secret and not found.is_hidden:
        standing = shown_event(found).standing() if standing is None else standing
        winner = ", ".join(run.bot_keys[each.entrant][0] for each in standing if each.place == 1)
    return {
        "tournament": terms.name,
        "title": terms.title,
        "game": run.settings.contests[0].game,
        "stages": terms.stages,
        "bots": len(run.bots),
        "matches": None if found.is_hidden else matches,
        "state": f"{state}, secret" if found.is_hidden else state,
        "winner": winner,
        "started": f"{datetime.fromtimestamp(run.started / 1e6, UTC):%Y-%m-%d %H:%M}",
        "secret_sha256": run.secret_hash,
        "secret": found.told_secret,
    }


def standing_rows(standing: Iterable[EventPlace], names: Sequence[str], displays: Sequence[str]) -> list[Row]:
    """Return the places of all entrants, the best first; those that are open are None."""
    return [
        {
            "place": None if each.is_open else each.place,
            "bot": names[each.entrant],
            "stage": each.stage,
            "display": displays[each.entrant],
        }
        for each in standing
    ]


def _ways_on(stage: StageReport) -> dict[tuple[str, int], str]:
    """Return the table to which each (table, place) of a bracket leads, other than a second final."""
    return {
        (table.name, place): leads_to
        for each in stage.rounds
        for table in each.tables
        for place, leads_to in enumerate(table.leads_to)
        # whether a second final is played depends on who wins the first, so no place leads to it for sure
        if leads_to and not leads_to.endswith("/reset")
    }


def seat_rows(report: Iterable[StageReport], names: Sequence[str], displays: Sequence[str]) -> list[Row]:
    """Return a row for each seat of each table where it is known who sits there, the best of it first."""
    return [
        row
        for stage in report
        for each in stage.rounds
        for table in each.tables
        for row in _seat_rows(
            {"stage": stage.name, "round": each.name}, table, _ways_on(stage), names, displays
        )
    ]


def _seat_rows(
    where: Row,
    table: TableReport,
    ways: Mapping[tuple[str, int], str],
    names: Sequence[str],
    displays: Sequence[str],
) -> list[Row]:
    score_of = dict(zip(table.entrants, table.scores, strict=True))
    there = table.ranking or [entrant for entrant in table.entrants if entrant is not None]
    return [
        {
            **where,
            "table": table.name,
            "bot": names[entrant],
            "score": None if (score := score_of[entrant]) is None else float(score),
            "place": place + 1 if table.is_over else None,
            "blocks": table.blocks,
            "goes_on": ways.get((table.name, place)) if table.is_over else None,
            "display": displays[entrant],
        }
        for place, entrant in enumerate(there)
    ]


def stages_json(report: Iterable[StageReport], names: Sequence[str]) -> list[Json]:
    """Return the stages that have begun, with all rounds, tables, scores, byes and notes."""
    return [_stage_json(stage, names) for stage in report]


def _stage_json(stage: StageReport, names: Sequence[str]) -> Json:
    ways = _ways_on(stage)
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
