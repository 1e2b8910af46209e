"""The list of tournaments, and the pages of a tournament and of its rounds."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from markupsafe import Markup

from ladder.pairing.event_report import RoundReport, StageReport
from ladder.run.tournament.event_document import event_document, round_document, tournaments_document
from ladder.run.tournament.event_facts import EventFacts
from ladder.run.tournament.forecast import judge_winner
from ladder.web.site.format import Shown, date_of
from ladder.web.site.tournaments.bracket_drawing import BracketEntrant, BracketLinks, draw_bracket
from ladder.web.site.tournaments.event_screen import screen_page
from results.reports.document import BotRef, Document, Prose, Value

EVENT_ASSETS: Final = ("tournament.css",)
"""What the pages of tournaments need besides what every page needs."""
TOURNAMENTS_PAGE: Final = "tournaments.html"


def event_pages(shown: Shown) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the path of each page of tournaments, and what makes its text; nothing if there are none."""
    events = shown.facts.tournaments
    if events:
        yield TOURNAMENTS_PAGE, partial(_list, shown)
    for event in events.values():
        yield event.page_at(), partial(_tournament, shown, event)
        yield event.page_at("screen"), partial(screen_page, shown, event)
        for stage in event.state.report:
            for played in stage.rounds:
                yield event.page_at(played.name), partial(_round, shown, event, stage, played)


def _list(shown: Shown) -> str:
    return _page(shown, tournaments_document(shown.facts.tournaments.values()), "")


def _page(shown: Shown, document: Document, root: str, event: EventFacts | None = None) -> str:
    measured = [_measure(event)] if event else []
    return shown.page(document, shown.frame(TOURNAMENTS_PAGE, root, measured, EVENT_ASSETS))


def _measure(event: EventFacts) -> str:
    version = event.run.versions.get("ladder", "?")
    return f"tournament {event.name}, matches {event.store}, {date_of(event.run.started)}; ladder {version}"


def entrants_of(shown: Shown, event: EventFacts) -> Sequence[Value]:
    """Return the entrants: those without a page are text."""
    return [
        BotRef(*bot) if bot[0] in shown.facts.marks else Prose(name)
        for bot, name in zip(event.entrants, event.names, strict=True)
    ]


def _tournament(shown: Shown, event: EventFacts) -> str:
    sure = judge_winner(event, shown.facts.contents)
    document = event_document(event, entrants_of(shown, event), "public", partial(_draw, shown, event), sure)
    return _page(shown, document, "../", event)


def _draw(shown: Shown, event: EventFacts, stage: StageReport) -> Markup:
    facts = shown.facts
    round_of = {table.name: each.name for each in stage.rounds for table in each.tables}

    def entrant(number: int) -> BracketEntrant:
        bot, name = event.entrants[number][0], event.names[number]
        if bot not in facts.marks:
            return BracketEntrant(name)
        return BracketEntrant(name, f"../{facts.page_of_bot(bot)}")

    links = BracketLinks(
        lambda played: f"../{event.page_at(played.name)}",
        lambda table: f"../{event.page_at(round_of[table.name])}",
    )
    return draw_bracket(stage, entrant, links=links)


def _round(shown: Shown, event: EventFacts, stage: StageReport, played: RoundReport) -> str:
    def has_page(store: str, match: int) -> bool:
        return bool(shown.page_of_event_match(store, match))

    document = round_document(event, stage, played, entrants_of(shown, event), has_page)
    return _page(shown, document, "../../", event)
