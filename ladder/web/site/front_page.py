"""The first page: what is played, who leads, what is new, and a match to watch."""

from collections.abc import Iterator
from typing import Final

from ladder.web.pages.as_html import parts_as_html
from ladder.web.pages.environment import render
from ladder.web.pages.values_as_html import name_of, value_as_html
from ladder.web.site.format import Shown, ordered_games, page_of_game, tell_match
from ladder.web.site.front_news import leader_of, newcomers, rises
from ladder.web.site.game_page import footer_of, visitor_notes
from ladder.web.site.moments import Moments, moments_of
from ladder.web.site.watching import Watched, worth_watching
from results.reports.board_document import ShownBoard, board_table
from results.reports.board_notes import MOST
from results.reports.document import (
    Code,
    Facts,
    GameRef,
    Lines,
    MatchRef,
    Note,
    PageRef,
    Part,
    Section,
    Text,
    Words,
    between,
)
from results.reports.leaderboard import SHOWN, title
from results.words import count

FRONT_ASSETS: Final = ("board.css", "front.css", "front.js")
"""What the first page needs besides what every page needs."""
TOP: Final = 5
"""The most bots of a game in its table, rises, and newcomers, that the first page shows."""
LEADERS: Final = tuple(column for column in SHOWN if column.key in ("place", "bot", "mu", "span"))
"""The columns of its leaderboards."""


def front_page(shown: Shown) -> str:
    """Return the first page."""
    names = shown.names()
    watch = worth_watching(shown)
    drawn, moments = _first_drawn(shown, watch)
    games = ordered_games(shown.facts.boards)
    others = [each for each in watch if each != drawn]
    return render(
        "site/templates/index.html",
        shown.frame("", "", footer_of(shown), FRONT_ASSETS),
        summary=parts_as_html([*_summary(shown)], names),
        moments=moments,
        drawn=drawn,
        drawn_seats=value_as_html(_seats(shown, drawn), names) if drawn else "",
        watch_page=shown.page_of((drawn or watch[0]).which) if watch else "",
        news=parts_as_html([*_news(shown, games, others, is_drawn=bool(drawn))], names),
        games=[parts_as_html([_game(shown, game)], names) for game in games],
        doubts=parts_as_html([*_doubts(shown, games)], names),
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


def _first_drawn(shown: Shown, watch: list[Watched]) -> tuple[Watched | None, Moments | None]:
    """Return the first match to watch that can be drawn, with its moments."""
    for each in watch:
        if moments := moments_of(shown, each.which):
            return each, moments
    return None, None


def _seats(shown: Shown, watched: Watched) -> Words:
    match, _ = shown.matches[watched.which]
    return [GameRef(match.game), ": ", *tell_match(match)]


def _news(shown: Shown, games: list[str], watch: list[Watched], *, is_drawn: bool) -> Iterator[Part]:
    """Yield who leads, who rose, who is new, and what else is worth watching."""
    yield Section("Who leads", [Facts([(name_of(game), leader_of(shown, game)) for game in games])])
    if rose := rises(shown):
        yield Section("Who rose", [Lines(rose[:TOP])])
    if new := newcomers(shown):
        more = [Text(PageRef("bots.html", f"{len(new) - TOP} more"))] if len(new) > TOP else []
        yield Section("Newcomers", [Lines(new[:TOP]), *more])
    if watch:
        listed: list[Words] = [
            [MatchRef(*each.which, text=f"{each.kind}: {each.why}"), ". ", *_seats(shown, each)]
            for each in watch
        ]
        every = Text(PageRef("matches.html", "All matches with a page"))
        yield Section("More matches to watch" if is_drawn else "Matches to watch", [Lines(listed), every])


def _game(shown: Shown, game: str) -> Section:
    """Return the first bots of *game*."""
    board, rows = shown.facts.boards[game], shown.facts.leaders[game]
    table = board_table(ShownBoard(board, rows[:TOP], columns=LEADERS))
    parts: list[Part] = [Text(title(board).partition("  ")[2], quiet=True)]
    if len(board.ranked) > 1 and not board.tells_apart:
        stand = PageRef(page_of_game(game), "How they stand")
        parts.append(Text(["No two of these bots can be told apart yet, so none leads. ", stand]))
    else:
        caption = f"The first bots of {name_of(game)}"
        parts.append(table._replace(caption=caption, dividers=(), sortable=False))
        if len(rows) > TOP:
            parts.append(Text(PageRef(page_of_game(game), f"all {len(rows)} bots")))
    return Section(GameRef(game), parts)


def _doubts(shown: Shown, games: list[str]) -> Iterator[Note]:
    """Yield what the ratings of each game cannot say."""
    for game in games:
        notes = [note.text for note in visitor_notes(shown, game)]
        if more := notes[MOST:]:
            notes = [*notes[:MOST], f"{count(len(more), 'more note')} on its page"]
        for text in notes:
            yield Note(between([GameRef(game), ": ", text], ""))
