"""What people see of a tournament: a list of them, and one with its rounds, tables and standing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final

from ladder.pairing.event_report import RoundReport, StageReport, TableReport
from ladder.pairing.notes import tell_note
from ladder.pairing.tournament import Tournament
from ladder.run.tournament.stored_tournaments import StoredTournament, shown_event
from results.reports.labels import Numbers, labels
from results.reports.render import Column, Row, render

__all__ = ["STANDING", "TOURNAMENTS", "names_of", "standing_rows", "tell_tournament", "tournament_row"]

TOURNAMENTS: Final = (
    Column("tournament", "tournament"),
    Column("game", "game"),
    Column("stages", "stages"),
    Column("bots", "bots", right=True),
    Column("matches", "matches", "{:,}".format, right=True),
    Column("state", "state"),
    Column("winner", "winner"),
    Column("started", "started (UTC)", extra=True),
    Column("secret_sha256", "SHA-256 of its secret", extra=True),
    Column("secret", "secret", extra=True),
)
"""The columns of the list of tournaments."""
STANDING: Final = (
    Column("place", "place", right=True),
    Column("bot", "bot"),
    Column("stage", "last stage"),
)
"""The columns of the standing of a tournament."""
_ROWS: Final = (
    Column("place", "place", right=True),
    Column("bot", "bot"),
    Column("score", "score", "{:.2f}".format, right=True),
    Column("opponents", "opponents", "{:.2f}".format, right=True),
)
"""The columns of the standing of a stage of rounds."""

NameOf = Callable[[int], str]


def names_of(found: StoredTournament, numbers: Numbers) -> list[str]:
    """Return what the entrants are called, by their numbers."""
    label = labels(found.run.bot_keys, numbers)
    return [label[bot] for bot in found.run.bot_keys]


def tournament_row(found: StoredTournament) -> Row:
    """Return the row of a tournament in the list."""
    run, terms = found.run, found.terms
    matches = found.count_matches()
    over = run.finished is not None
    state = "over" if over else "being played" if matches else "not begun"
    winner = None
    if over and run.has_secret and not found.is_hidden:
        first = [each.entrant for each in shown_event(found).standing() if each.place == 1]
        winner = ", ".join(run.bot_keys[entrant][0] for entrant in first)
    return {
        "tournament": terms.name,
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


def standing_rows(event: Tournament, names: Sequence[str]) -> list[Row]:
    """Return the places of all entrants, the best first."""
    return [
        {"place": each.place, "bot": names[each.entrant], "stage": each.stage} for each in event.standing()
    ]


def tell_tournament(event: Tournament, names: Sequence[str]) -> Iterator[str]:
    """Yield the stages that have begun as lines: their rounds, and the standing after them."""
    for stage in event.report():
        yield from _tell_stage(stage, names.__getitem__)
        yield ""


def _tell_stage(stage: StageReport, name_of: NameOf) -> Iterator[str]:
    yield stage.name
    for each in stage.rounds:
        yield from (f"  {line}" for line in _tell_round(each, name_of))
    if stage.rows:
        rows: list[Row] = [
            {
                "place": place,
                "bot": name_of(row.entrant),
                "score": float(row.score),
                "opponents": float(row.opponents),
            }
            for place, row in enumerate(stage.rows, 1)
        ]
        yield from (f"  {line}" for line in render(rows, _ROWS, "table").splitlines())


def _tell_round(played: RoundReport, name_of: NameOf) -> Iterator[str]:
    """Yield a round: a line for each table, then what is to be said of it."""
    yield played.name.partition("/")[2] or played.name
    for table in played.tables:
        yield f"  {_tell_table(table, name_of)}"
        yield from (f"    {tell_note(note, name_of)}" for note in table.notes)
    yield from (f"  {tell_note(note, name_of)}" for note in played.notes)


def _tell_table(table: TableReport, name_of: NameOf) -> str:
    """Return who sits at *table*, with scores: the best first, once it has begun."""
    seated = [
        *zip(table.entrants, table.scores, table.sources or [("", 0)] * len(table.entrants), strict=True)
    ]
    if table.ranking:
        order = {entrant: place for place, entrant in enumerate(table.ranking)}
        seated.sort(key=lambda each: order.get(each[0], len(order)) if each[0] is not None else len(order))
    told = [_tell_seat(entrant, score, source, name_of) for entrant, score, source in seated]
    over = "" if table.is_over or not table.blocks else f"  ({table.blocks} deals so far)"
    return f"{table.name.rpartition('/')[2]:>3}  {', '.join(told)}{over}"


def _tell_seat(entrant: int | None, score: Fraction | None, source: tuple[str, int], name_of: NameOf) -> str:
    if entrant is None:
        table, place = source
        return f"number {place + 1} of {table.partition('/')[2]}"
    return name_of(entrant) if score is None else f"{name_of(entrant)} {100 * float(score):.1f}"
