"""The first page: what is played, who leads, what is new, and a match to watch."""

from __future__ import annotations

from typing import Any, Final

from ladder.web.pages.as_html import parts_as_html
from ladder.web.pages.environment import render, visible
from ladder.web.site.format import Shown, name_of, ordered_games, page_of_game
from ladder.web.site.front_news import newcomers, rises, top_of
from ladder.web.site.game_page import footer_of, visitor_notes
from ladder.web.site.moments import Moments, moments_of
from ladder.web.site.watching import Watched, worth_watching
from results.reports.board_document import ShownBoard, board_table
from results.reports.board_notes import MOST
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
    facts = shown.facts
    watch = worth_watching(shown)
    drawn, moments = _first_drawn(shown, watch)
    games = [_game(shown, game) for game in ordered_games(facts.boards)]
    new = newcomers(shown)
    summary = f"{count(len(facts.bots), 'bot')} played {count(facts.survey.matches, 'match')}"
    season = f" in season {facts.season}" if facts.season else ""
    return render(
        "site/templates/index.html",
        shown.frame("", "", footer_of(shown), FRONT_ASSETS),
        games=games,
        summary=f"{summary} of {count(len(games), 'game')}{season}.",
        bots=count(len(facts.bots), "bot") if facts.bots else "",
        moments=moments,
        drawn=(drawn, *shown.rows([drawn.which])) if drawn else None,
        watch=[(each, *shown.rows([each.which])) for each in watch if each != drawn],
        watch_page=shown.rows([(drawn or watch[0]).which])[0].page if watch else "",
        rises=rises(shown)[:TOP],
        newcomers=new[:TOP],
        more_newcomers=len(new[TOP:]),
        most_notes=MOST,
    )


def _first_drawn(shown: Shown, watch: list[Watched]) -> tuple[Watched | None, Moments | None]:
    """Return the first match to watch that can be drawn, with its moments."""
    for each in watch:
        if moments := moments_of(shown, each.which):
            return each, moments
    return None, None


def _game(shown: Shown, game: str) -> dict[str, Any]:
    facts = shown.facts
    board, rows = facts.boards[game], facts.leaders[game]
    table = board_table(ShownBoard(board, rows[:TOP], columns=LEADERS))
    table = table._replace(caption=f"The first bots of {name_of(game)}", divider=None, sortable=False)
    return {
        "name": name_of(game),
        "page": page_of_game(game),
        "is_open": len(board.ranked) > 1 and not board.tells_apart,
        "title": title(board).partition("  ")[2].partition(";")[0],
        "table": parts_as_html([table], shown.names()),
        "more": f"all {len(rows)} bots" if len(rows) > TOP else "",
        "top": top_of(shown, game),
        "notes": [visible(note.text) for note in visitor_notes(shown, game)],
    }
