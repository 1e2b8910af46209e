"""The list of tournaments, and the pages of a tournament and of its rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, Final

from ladder.pairing.event_report import RoundReport, StageReport
from ladder.pairing.notes import BYE
from ladder.web.pages.environment import render
from ladder.web.site.format import Shown, date_of, name_of, page_of_game
from ladder.web.site.tournaments.bracket_drawing import BracketEntrant, BracketLinks, draw_bracket
from ladder.web.site.tournaments.event_facts import EventFacts
from ladder.web.site.tournaments.event_screen import screen_page
from ladder.web.site.tournaments.event_words import name_round, name_stage, tell_state
from ladder.web.site.tournaments.table_rows import (
    EventBots,
    cross_tables,
    is_bracket,
    round_tables,
    tell_notes,
)
from results.record import TournamentTerms

EVENT_ASSETS: Final = ("tournament.css",)
"""What the pages of tournaments need besides what every page needs."""
TOURNAMENTS_PAGE: Final = "tournaments.html"
NOTES: Final = 20
"""The most notes of a stage on the page of its tournament; the pages of rounds have all."""


def event_pages(shown: Shown) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the path of each page of tournaments, and what makes its text; nothing if there are none."""
    events = shown.facts.tournaments
    if events:
        yield TOURNAMENTS_PAGE, partial(_list, shown)
    for event in events.values():
        yield event.page, partial(_tournament, shown, event)
        yield event.screen, partial(screen_page, shown, event)
        for stage in event.state.report:
            for played in stage.rounds:
                yield event.page_of_round(played.name), partial(_round, shown, event, stage, played)


def _list(shown: Shown) -> str:
    rows = [
        {
            "name": event.name,
            "page": event.page,
            "game": name_of(event.game),
            "stages": event.terms.stages,
            "bots": len(event.entrants),
            "matches": event.matches,
            "hidden": event.state.is_hidden,
            "state": _state(event),
            "winners": [EventBots(shown, event)[entrant] for entrant in event.winners],
            "started": date_of(event.run.started),
        }
        for event in shown.facts.tournaments.values()
    ]
    frame = shown.frame(TOURNAMENTS_PAGE, "", (), EVENT_ASSETS)
    return render("site/templates/tournaments.html", frame, rows=rows)


def _state(event: EventFacts) -> str:
    """Return where a tournament stands."""
    if not event.has_begun:
        return "not begun"
    return tell_state(event.state.report, is_over=event.state.is_over)


def _tournament(shown: Shown, event: EventFacts) -> str:
    bots = EventBots(shown, event)
    terms, report = event.terms, event.state.report
    facts = [
        ("stages", terms.stages),
        ("bots", f"{len(event.entrants)}"),
        ("tables", f"of {terms.seats}"),
        ("deals", f"{_tell_deals(terms)}, each played from every seat"),
        ("matches", "secret" if event.state.is_hidden else f"{event.matches:,}"),
        ("ratings", "these matches count" if event.is_rated else "these matches do not count"),
        ("started", date_of(event.run.started)),
        ("SHA-256 of the secret", event.run.secret_hash),
    ]
    return render(
        "site/templates/tournament.html",
        shown.frame(TOURNAMENTS_PAGE, "../", [_measure(event)], EVENT_ASSETS),
        event=event,
        game=name_of(event.game),
        game_page=page_of_game(event.game) if event.game in shown.facts.boards else "",
        state=_state(event),
        winners=[bots[entrant] for entrant in event.winners],
        facts=facts,
        has_standing=len(report) > 1 or any(is_bracket(stage) for stage in report),
        has_stages=len(report) > 1,
        standing=[(place, bots[entrant], name_stage(stage)) for place, entrant, stage in event.places],
        stages=[_stage(shown, event, stage, bots) for stage in reversed(report)],
    )


def _tell_deals(terms: TournamentTerms) -> str:
    if terms.round_blocks == terms.series_blocks:
        return f"{terms.round_blocks} for each table"
    return f"{terms.round_blocks} for each table, {terms.series_blocks} in brackets"


def _measure(event: EventFacts) -> str:
    version = event.run.versions.get("ladder", "?")
    return f"tournament {event.name}, matches {event.store}, {date_of(event.run.started)}; ladder {version}"


def _stage(shown: Shown, event: EventFacts, stage: StageReport, bots: EventBots) -> dict[str, Any]:
    def entrant(number: int) -> BracketEntrant:
        bot = bots[number]
        return BracketEntrant(bot.label, bot.mark, f"../{bot.page}" if bot.page else "")

    links = BracketLinks(
        lambda played: f"../{event.page_of_round(played.name)}",
        lambda table: f"../{event.page_of_table(table)}",
    )
    of_bracket = is_bracket(stage)
    notes = [
        (name_round(played.name), event.page_of_round(played.name), text)
        for played in stage.rounds
        for text in tell_notes(
            [
                *(note for note in played.notes if note.kind != BYE),
                *(note for table in played.tables for note in table.notes),
            ],
            event,
        )
    ]
    return {
        "id": stage.name,
        "title": name_stage(stage.name),
        "bracket": draw_bracket(stage, entrant, links=links) if of_bracket and stage.rounds else "",
        "crosses": [] if of_bracket else cross_tables(event, stage, bots),
        "rounds": []
        if of_bracket  # the names above its columns are links
        else [(name_round(each.name), event.page_of_round(each.name)) for each in stage.rounds],
        "notes": notes[:NOTES],
        "more_notes": len(notes[NOTES:]),
    }


def _round(shown: Shown, event: EventFacts, stage: StageReport, played: RoundReport) -> str:
    bots = EventBots(shown, event)
    before, after = _neighbours(stage, played)
    return render(
        "site/templates/round.html",
        shown.frame(TOURNAMENTS_PAGE, "../../", [_measure(event)], EVENT_ASSETS),
        event=event,
        stage=name_stage(stage.name),
        title=name_round(played.name),
        before=(name_round(before.name), event.page_of_round(before.name)) if before else None,
        after=(name_round(after.name), event.page_of_round(after.name)) if after else None,
        tables=round_tables(shown, event, played, bots),
        notes=tell_notes(played.notes, event),
        of_bracket=is_bracket(stage),
    )


def _neighbours(stage: StageReport, played: RoundReport) -> tuple[RoundReport | None, RoundReport | None]:
    """Return the round before and the round after, in the same stage."""
    before = next((one for one, two in pairwise(stage.rounds) if two is played), None)
    after = next((two for one, two in pairwise(stage.rounds) if one is played), None)
    return before, after
