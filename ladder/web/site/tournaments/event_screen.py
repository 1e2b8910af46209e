"""The page for a projector: what is played now, then the standing, in large letters and nothing else."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from ladder.pairing.event_report import RoundReport, StageReport
from ladder.run.tournament import event_words
from ladder.run.tournament.event_facts import EventFacts
from ladder.web.pages.environment import render
from ladder.web.pages.values_as_html import name_of
from ladder.web.site.format import Shown
from ladder.web.site.tournaments.bracket_drawing import BracketEntrant, BracketSizes, draw_bracket
from ladder.web.site.tournaments.bracket_layout import lay_bracket

SCREEN_ASSETS: Final = ("tournament.css", "screen.css", "screen.js")
SIZES: Final = BracketSizes("vh", 3.6, 5.4, 38, 5, 0, 68)
"""A bracket on a screen: three columns fit a window of 4:3; those of long names are shrunk by its script."""
COLUMNS: Final = 3
ROWS: Final = 13
"""More columns, and rows of one seat each, than fit below the heading; what needs more is a list."""


class ScreenRow(NamedTuple):
    """An entrant in a list: at a table, or in the standing."""

    bot: str | None
    """None: not known yet."""
    score: str
    place: str = ""
    source: str = ""
    """Where one comes from that is not known yet."""
    goes_on: bool = False


def screen_page(shown: Shown, event: EventFacts) -> str:
    """Return the page for a projector."""
    report, bots = event.state.report, event.names
    stage = report[-1] if report else None
    now = _played_now(stage) if stage else []
    bracket = _bracket(stage, now, bots) if stage and now else ""
    name = event_words.name_stage(stage.name) if stage else ""
    return render(
        "site/templates/screen.html",
        shown.frame("", "../../", (), SCREEN_ASSETS),
        event=event,
        game=name_of(event.game),
        now=f"{name}, {event_words.name_round(now[0].name).lower()}" if len(now) == 1 else name,
        winners=[bots[entrant] for entrant in event.winners],
        bracket=bracket,
        tables=[] if bracket else [table for each in now for table in _tables(each, bots)],
        byes=[] if bracket else [bots[entrant] for each in now for entrant in each.byes],
        standing=_standing(event, stage, bots),
    )


def _played_now(stage: StageReport) -> list[RoundReport]:
    """Return the rounds that are played now: one, except in groups and in both lives of a bracket.

    The last one, if all are over.
    """
    going_on = [each for each in stage.rounds if not each.is_over]
    if event_words.is_bracket(stage):
        begun = [
            each for each in going_on if any(table.ranking and not table.is_over for table in each.tables)
        ]
    else:
        begun = event_words.open_rounds(stage)
    return begun or going_on[:1] or [*stage.rounds[-1:]]


def _tables(played: RoundReport, bots: Sequence[str]) -> list[tuple[str, list[ScreenRow]]]:
    """Return the tables of a round that have begun, or are known, each with its name."""
    tables = []
    for number, table in enumerate(played.tables, 1):
        if table.sources:
            title = event_words.name_table(table.name)
        else:
            group, comma, _ = event_words.name_round(played.name).partition(",")
            title = f"{group}, table {number}" if comma else f"table {number}"
        rows = [
            ScreenRow(None if at.entrant is None else bots[at.entrant], at.score, "", at.source, at.goes_on)
            for at in event_words.seat_results(table)
        ]
        tables.append((title[:1].upper() + title[1:], rows))
    return tables


def _bracket(stage: StageReport, now: Sequence[RoundReport], bots: Sequence[str]) -> Markup | str:
    """Return a bracket from the rounds played *now* on, and from earlier ones while it is small enough."""

    def fits(first: int) -> bool:
        layout = lay_bracket(stage.rounds[first:])
        return layout.columns <= COLUMNS and layout.rows <= ROWS

    at = stage.rounds.index(now[0])
    is_two = all(len(table.entrants) == 2 for each in stage.rounds for table in each.tables)
    if not event_words.is_bracket(stage) or not is_two or not fits(at):
        return ""
    while at and fits(at - 1):
        at -= 1
    return draw_bracket(stage, lambda number: BracketEntrant(bots[number]), sizes=SIZES, first=at)


def _standing(event: EventFacts, stage: StageReport | None, bots: Sequence[str]) -> list[ScreenRow]:
    if stage and stage.rows:
        return [
            ScreenRow(bots[row.entrant], f"{float(row.score):.2f}", str(place))
            for place, row in enumerate(stage.rows, 1)
        ]
    return [ScreenRow(bots[entrant], "", place) for place, entrant, _ in event.places]
