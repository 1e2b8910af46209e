"""Documents in each medium, and the names of a site that knows no bot."""

import io
from contextlib import redirect_stderr, redirect_stdout

from ladder.cli.show_document import show_document
from ladder.web.pages.as_html import as_html
from ladder.web.pages.bot_marks import BotMark
from results.reports.as_markdown import as_markdown
from results.reports.document import BotRef, Document, EventRef, MatchRef, PageRef


class NamedOnly:
    """What a page calls bots, matches and games, where all have a page."""

    def label(self, bot: BotRef) -> str:
        return bot.bot

    def mark(self, bot: str) -> BotMark:
        return BotMark(1, 0)

    def page_of_bot(self, bot: str) -> str:
        return "bot.html"

    def page_of_match(self, match: MatchRef) -> str:
        return "match.html"

    def page_of_game(self, game: str) -> str:
        return "game.html"

    def page_of_event(self, event: EventRef) -> str:
        return "event.html"

    def page_of(self, ref: PageRef) -> str:
        return "page.html"

    def game(self, game: str) -> str:
        return game


def as_terminal(document: Document) -> str:
    """Return what a command prints of *document* on stdout and on stderr."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        show_document(document, {})
    return out.getvalue()


MEDIA = {
    "text": as_terminal,
    "markdown": lambda document: as_markdown(document, {}),
    "html": lambda document: str(as_html(document, NamedOnly())),
}
"""What writes a document, by medium."""
