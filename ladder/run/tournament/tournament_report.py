"""What people see of a tournament: a list of them, and one with its rounds, tables and standing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from ladder.pairing.tournament import Tournament
from ladder.run.tournament.certainty import Certainty
from ladder.run.tournament.cross_tables import draw_rounds, draw_standing
from ladder.run.tournament.drawn_bracket import draw_bracket
from ladder.run.tournament.stored_tournaments import StoredTournament, shown_event
from ladder.run.tournament.table_lists import Drawing, list_round, ways_on
from results.reports.document import Column, Row
from results.reports.labels import Numbers, labels

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
    """Return the places of all entrants, the best first; those that are open are None."""
    return [
        {"place": None if each.is_open else each.place, "bot": names[each.entrant], "stage": each.stage}
        for each in event.standing()
    ]


def tell_tournament(event: Tournament, drawing: Drawing) -> Iterator[str]:
    """Yield the stages that have begun as lines: cross tables, brackets, lists of tables."""
    for stage in event.report():
        has_result = any(table.blocks or table.is_over for each in stage.rounds for table in each.tables)
        if stage.rows and not has_result:  # a cross table would rank those of whom nothing is known
            yield f"{stage.name}: no result so far"
            for each in stage.rounds[:1]:
                yield from list_round(each, drawing, {})
            yield ""
        else:
            yield stage.name
            yield from draw_rounds(stage, drawing) if stage.rows else draw_bracket(stage, drawing)


def tell_now(event: Tournament, names: Sequence[str], width: int, height: int) -> list[str]:
    """Return at most *height* lines of what is being played: its tables, and the best of the standing.

    *names*: of the entrants; no line has more than *width* columns.
    """
    drawing = Drawing(names, width)
    stages = event.report()
    stage = stages[-1]
    ways = ways_on(stage)
    tables = [f"{stage.name}"]
    for each in stage.rounds:
        if not each.is_over and any(None not in table.entrants for table in each.tables):
            tables += list_round(each, drawing, ways)
    standing: list[str] = []
    if stage.rows:
        standing = list(draw_standing(stage, drawing))
    half = max(height // 2, height - len(standing))
    lines = _shorten(tables, min(half, height))
    return lines + _shorten(standing, height - len(lines))


def _shorten(lines: list[str], height: int) -> list[str]:
    """Return at most *height* of *lines*; the last one says how many more there are."""
    if len(lines) <= height:
        return lines
    return [*lines[: height - 1], f"  ... and {len(lines) - height + 1} more lines"][: max(0, height)]


def tell_certainty(certainty: Certainty) -> str:
    """Return a probability as people read it, no surer than it is."""
    if certainty.part > 0.99:
        return "more than 99 %"
    if certainty.part < 0.01:
        return "less than 1 %"
    return f"about {certainty.part:.0%}".replace("%", " %")
