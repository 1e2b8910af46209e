"""The page of a game: its leaderboard, and head to head."""

from collections.abc import Sequence

from ladder.web.pages.values_as_html import name_of
from ladder.web.site.format import Shown, page_of_game, page_of_rules
from results.reports.board_document import GameSubject, ShownBoard, game_document
from results.reports.board_notes import board_notes
from results.reports.document import Note, PageRef, Row
from results.reports.guessable import guessable_notes
from results.reports.leaderboard import not_shown
from results.reports.limit_sets import limit_notes
from results.reports.matrix import matrix
from results.words import count

MATCHES = 12


def game_page(shown: Shown, game: str) -> str:
    """Return the page of *game*."""
    facts = shown.facts
    board = facts.boards[game]
    order = [board.fit.bots[i] for i in board.ranked + board.unranked]
    last = max((facts.survey.newest[game]), default=None)
    rules = page_of_rules(game)
    of_game = (which for which, (match, _) in shown.matches.items() if match.game == game)
    subject = GameSubject(
        name_of(game),
        ShownBoard(board, _board_rows(shown, game), _visitor_notes(shown, game)),
        matrix(facts.survey.meetings(game), game, order, board.fit.deviation),
        order,
        facts.clock_ms(game),
        shown.match_table(of_game, f"Matches of {name_of(game)}", MATCHES),
        PageRef(rules, "Rules") if rules else None,
    )
    footer = footer_of(shown, f"{game}: up to match {last[0]}/{last[1]}" if last else "")
    frame = shown.frame(page_of_game(game), "../", footer)
    return shown.page(game_document(subject), frame)


def _board_rows(shown: Shown, game: str) -> Sequence[Row]:
    """Return the rows of the leaderboard of *game*, with the free time of each bot."""
    facts = shown.facts
    return [{**row, "clock_ms": facts.clock_ms(game, row["bot"])} for row in facts.leaders[game]]


def footer_of(shown: Shown, *lines: str) -> list[str]:
    """Return the footer of a page about the whole home: *lines*, and what all ratings come from."""
    facts = shown.facts
    runs = facts.runs
    if not runs:
        return ["nothing measured yet"]
    over = "under way" if runs[-1].finished is None else "over"
    of = f" of season {facts.season}" if facts.season else ""
    found = f"{count(facts.survey.matches, 'match')} in {count(len(runs), 'run')}{of}, the last one {over}"
    by = f"ladder {runs[-1].versions.get('ladder', '?')}"
    return [*filter(None, lines), f"{found}; {by}", *([f"digest {facts.digest}"] if facts.digest else [])]


def _visitor_notes(shown: Shown, game: str) -> list[Note]:
    """Return what the ratings of *game* cannot say, the weightiest first."""
    facts, board = shown.facts, shown.facts.boards[game]
    limits = limit_notes(facts.contents, board, facts.numbers)
    hidden = not_shown([board])
    known = map(Note, guessable_notes(facts.guessable, [game]))
    return [
        *board_notes(board, facts.numbers, audience="public", first=known, others=limits),
        *([Note(hidden)] if hidden else []),
    ]
