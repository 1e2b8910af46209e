"""The first page: the games, who leads, what is new, and a match to watch."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final
from urllib.parse import quote

from engines import GAMES
from ladder.run.tournament.event_document import tell_winners
from ladder.run.tournament.event_words import tell_state
from ladder.web.pages.as_html import parts_as_html
from ladder.web.pages.environment import render
from ladder.web.pages.values_as_html import name_of, value_as_html
from ladder.web.site.format import Shown, ordered_games, page_of_game, page_of_rules, pitch_of, tell_match
from ladder.web.site.front_news import Watched, is_whole, leader_of, newcomers, rises, worth_watching
from ladder.web.site.game_page import footer_of
from ladder.web.site.guide_pages import board_of
from ladder.web.site.moments import moments_of
from ladder.web.site.tournaments.event_pages import entrants_of
from results.reports.document import Code, EventRef, GameRef, Lines, PageRef, Part, Section, Text, Words
from results.reports.survey import MatchId
from results.storage.locking import is_running
from results.words import count

FRONT_ASSETS: Final = ("board.css", "boards.js", "viewer-elements.js", "front.css", "front.js")
"""What the first page needs besides what every page needs."""
TOP: Final = 5
"""The most rises, and the most newcomers, that the first page tells."""
TRIES: Final = 3
"""The most matches of a game that are replayed for its card."""


def front_page(shown: Shown) -> str:
    """Return the first page."""
    names = shown.names()
    watch = worth_watching(shown)
    drawn = ((each, moments) for each in watch if (moments := moments_of(shown, each.which)))
    watched, hero = next(drawn, (watch[0] if watch else None, None))
    frame = shown.frame("index.html", "", footer_of(shown), FRONT_ASSETS)
    order = sorted(watch, key=lambda each: each == watched)
    games = ordered_games(shown.facts.boards) or [*GAMES]
    return render(
        "site/templates/index.html",
        frame,
        summary=parts_as_html([*_summary(shown)], names),
        going_on=_going_on(shown),
        event=value_as_html(_newest_event(shown), names),
        hero=hero,
        watched=watched,
        result=value_as_html(_result(shown, watched), names) if watched else "",
        watch_page=shown.page_of(watched.which) if watched else "",
        cards=[_card(shown, game, [each.which for each in order], frame.play) for game in games],
        news=parts_as_html([*_news(shown)], names),
    )


def _summary(shown: Shown) -> Iterator[Part]:
    facts = shown.facts
    bots, season = count(len(facts.bots), "bot"), f" in season {facts.season}" if facts.season else ""
    if facts.boards:
        played = f"{count(facts.survey.matches, 'match')} of {count(len(facts.boards), 'game')}{season}"
        yield Text(f"Programs play games against each other here. {bots} played {played}.")
        return
    nothing = "There are no bots and no matches yet. The first run adds the bundled bots:"
    if facts.bots:
        nothing = "No match has been played yet. The bots are ready; let them play:"
    yield from (Text(nothing), Code("ladder run --games 1000"))
    if facts.bots:
        yield Text(PageRef("bots.html", bots))


def _going_on(shown: Shown) -> str:
    """Return how far the run is that goes on now; empty if none does, or if it was interrupted."""
    contents, runs = shown.facts.contents, shown.facts.runs
    if not runs or runs[-1].finished is not None:
        return ""
    try:
        if not is_running(int(contents.folder.lock.read_text())):
            return ""
    except (OSError, ValueError):  # nobody has locked the results
        return ""
    run, settings = runs[-1].run, runs[-1].settings
    played = sum(matches for (of, _, _), matches in shown.facts.survey.tables.items() if of == run)
    sizes = [contest.seats for contest in settings.contests]
    most = sum(blocks * seats for blocks, seats in zip(settings.blocks or (), sizes, strict=False))
    return f"A run goes on: {count(played, 'match', most if most and not settings.shard else None)}"


def _newest_event(shown: Shown) -> Words:
    """Return who won the newest tournament, or how far it is; nothing of one that is secret or to come."""
    for event in shown.facts.tournaments.values():
        if event.has_begun and not event.state.is_hidden:
            won = tell_winners(event, entrants_of(shown, event))
            state = f" goes on: {tell_state(event.state.report, is_over=event.state.is_over)}"
            return [EventRef(event.name, text=event.title), *(won or [state])]
    return []


def _result(shown: Shown, watched: Watched) -> Words:
    match, _ = shown.matches[watched.which]
    return [GameRef(match.game), ": ", *tell_match(match)]


def _card(shown: Shown, game: str, first: list[MatchId], play: str) -> dict[str, str]:
    """Return the card of *game*, with a match that is worth watching, if possible one of the *first*."""
    of_game = (
        which
        for which in dict.fromkeys((*first, *shown.matches))
        if shown.matches[which][0].game == game and is_whole(shown.matches[which][0])
    )
    tried = ((which, moments_of(shown, which, only_middle=True)) for which in islice(of_game, TRIES))
    watch, drawn = next(((shown.page_of(which), found.board) for which, found in tried if found), ("", ""))
    board, is_known = shown.facts.boards.get(game), game in GAMES
    return {
        "name": name_of(game),
        "page": page_of_game(game) if board else page_of_rules(game),
        "board": drawn or (board_of(game) if is_known else ""),
        "pitch": re.split(r"(?<=[.!?])\s", pitch_of(game))[0] if is_known else "",
        "leader": value_as_html(leader_of(board), shown.names()) if board else "",
        "play": f"{play}?game={quote(game)}" if play and is_known else "",
        "watch": watch,
    }


def _news(shown: Shown) -> Iterator[Part]:
    """Yield who rose, who is new, and where it stands what ratings cannot say."""
    if rose := rises(shown):
        yield Section("Who rose", [Lines(rose[:TOP])])
    if new := newcomers(shown):
        more = [Text(PageRef("bots.html", f"{len(new) - TOP} more"))] if len(new) > TOP else []
        yield Section("Newcomers", [Lines(new[:TOP]), *more])
    if shown.facts.boards:
        limits = "A rating compares the bots of one game, under the limits of this ladder. "
        yield Text([limits, PageRef("bots.html#ratings", "What ratings cannot say")], quiet=True)
