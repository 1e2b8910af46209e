"""The rounds and tables of a tournament as values, for a bracket, a cross table and files."""

from dataclasses import dataclass
from fractions import Fraction

from ladder.pairing.bracket import Feed
from ladder.pairing.bracket_stage import BracketStage
from ladder.pairing.event_table import EventTable
from ladder.pairing.notes import EventNote, note_table
from ladder.pairing.round_stages import RoundStage
from ladder.pairing.score_rows import PlayedRound, ScoreRow


@dataclass(frozen=True)
class TableReport:
    """A table.  In brackets, those that have not begun are there as well."""

    name: str
    entrants: tuple[int | None, ...]
    """None: not known yet."""
    sources: tuple[tuple[str, int], ...]
    """In brackets, where each comes from: ("seed", seed) or (name of a table, place); 0 is the best."""
    scores: tuple[Fraction | None, ...]
    """The mean score of each over the blocks so far; None before the first."""
    ranking: tuple[int, ...]
    """The entrants by their results; empty before the table has begun."""
    go_on: int
    """How many of them go on; 0 where all stay."""
    blocks: int
    """How many blocks were played."""
    is_over: bool
    notes: tuple[EventNote, ...]
    leads_to: tuple[str, ...] = ()
    """In brackets, the name of the table to which each place leads; "" where it leads to none."""
    won: tuple[Fraction, ...] = ()
    """The blocks that each has won, a tie as a half; empty before the first."""


@dataclass(frozen=True)
class RoundReport:
    """A round: in a swiss, such as swiss/3; in groups, such as groups/b/2; in a bracket, knockout/quarter."""

    name: str
    tables: tuple[TableReport, ...]
    byes: tuple[int, ...]
    notes: tuple[EventNote, ...]
    """Of the pairing; each table has notes of its own."""
    is_over: bool


@dataclass(frozen=True)
class StageReport:
    """A stage that has begun."""

    name: str
    rounds: tuple[RoundReport, ...]
    rows: tuple[ScoreRow, ...]
    """The standing with scores and what decides ties; empty for a bracket."""
    is_over: bool


def report_rounds(stage: RoundStage) -> StageReport:
    rounds = tuple(
        _report_round(played, tuple(_report_table(table, table.entrants, (), ()) for table in played.tables))
        for played in stage.rounds
    )
    return StageReport(stage.name, rounds, tuple(stage.rows()), stage.is_over)


def _report_round(played: PlayedRound, tables: tuple[TableReport, ...]) -> RoundReport:
    is_over = all(table.is_over for table in tables)
    return RoundReport(played.name, tables, played.byes, tuple(played.notes), is_over)


def _report_table(
    table: EventTable,
    entrants: tuple[int, ...],
    sources: tuple[tuple[str, int], ...],
    leads_to: tuple[str, ...],
) -> TableReport:
    is_known = bool(table.heard) or table.is_over
    return TableReport(
        table.name,
        entrants,
        sources,
        tuple(table.score(entrant) if is_known else None for entrant in entrants),
        tuple(table.ranking),
        table.go_on,
        len(table.heard),
        table.is_over,
        tuple(note_table(table)),
        leads_to,
        tuple(map(table.total, entrants)) if is_known else (),
    )


def report_bracket(stage: BracketStage) -> StageReport:
    """Return the report of a bracket, with the tables to come; a reset of the final only if it is played."""
    name, begun = stage.name, {table.name: table for played in stage.rounds for table in played.tables}
    by_name = {played.name: played for played in stage.rounds}

    def source(feed: Feed) -> tuple[str, int]:
        if feed.table is None:
            return "seed", feed.place
        return f"{name}/{stage.bracket.tables[feed.table].name}", feed.place

    follows = {
        feed: f"{name}/{planned.name}"
        for planned in stage.bracket.tables
        if not planned.is_reset or f"{name}/{planned.name}" in begun
        for feed in planned.feeds
    }
    rounds = []
    for planned_round in stage.bracket.rounds:
        tables = []
        for number in planned_round.tables:
            planned = stage.bracket.tables[number]
            full = f"{name}/{planned.name}"
            entrants = tuple(map(stage.entrant_of, planned.feeds))
            sources = tuple(map(source, planned.feeds))
            leads_to = tuple(follows.get(Feed(number, place), "") for place in range(len(sources)))
            if full in begun:
                known = tuple(entrant for entrant in entrants if entrant is not None)
                tables.append(_report_table(begun[full], known, sources, leads_to))
            elif not planned.is_reset:
                empty = (None,) * len(entrants)
                to_come = TableReport(
                    full, entrants, sources, empty, (), planned.go_on, 0, False, (), leads_to
                )
                tables.append(to_come)
        full = f"{name}/{planned_round.name}"
        played = by_name.get(full, PlayedRound(full, (), (), ()))
        if tables:
            rounds.append(_report_round(played, tuple(tables)))
    return StageReport(name, tuple(rounds), (), stage.is_over)
