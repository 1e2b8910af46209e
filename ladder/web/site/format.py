"""Values as the pages show them: bots, matches, dates, numbers."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from engines import GAMES
from ladder.web.pages.as_html import as_html
from ladder.web.pages.bot_marks import BotMark
from ladder.web.pages.environment import render
from ladder.web.pages.frame import Frame, Link
from ladder.web.pages.values_as_html import name_of, value_as_html
from ladder.web.site.facts import Facts, page_of_match
from ladder.web.site.site_options import SiteOptions
from results.record import Match
from results.reports import document as doc
from results.reports.labels import HASH_SHOWN, display_of, file_name
from results.reports.story import tell_result
from results.reports.survey import MatchId

NEWEST = "newest"
"""The reason to choose a match that has no other."""


class Shown(NamedTuple):
    """What all pages are made from: the facts, the options, and the matches that have a page."""

    facts: Facts
    options: SiteOptions
    matches: Mapping[MatchId, tuple[Match, str]]
    """Each with the reason it was chosen, newest first."""
    edition: str = ""
    """The name of these results on a server."""
    event_matches: frozenset[tuple[str, int]] = frozenset()
    """The matches of tournaments that have a page, each as its store and its number."""

    def names(self, root: str = "") -> "PageNames":
        """Return what a page calls bots and matches; *root* leads to the first page."""
        return PageNames(self, root)

    def match_table(self, wanted: Iterable[MatchId], caption: str, most: int | None = None) -> doc.Table:
        """Return the *wanted* matches that have a page, at most so many: those last that are just new."""
        rows = [self._match(which) for which in wanted if which in self.matches]
        rows.sort(key=lambda row: bool(most) and row["why"] == NEWEST)
        return doc.Table(MATCHES, rows[:most], caption, sortable=True)

    def _match(self, which: MatchId) -> doc.Row:
        match, why = self.matches[which]
        scores = sorted((seat.score for seat in match.seats if seat.score is not None), reverse=True)
        return {
            "run": which[0],
            "number": which[1],
            "game": match.game,
            "result": tell_match(match),
            "why": why,
            "apart": scores[0] - scores[1] if len(scores) > 1 else None,
            "date": date_of(match.started),
        }

    def page_of(self, which: MatchId) -> str:
        """Return the path of the page of a match; "" if it has none."""
        return page_of_match(which) if which in self.matches else ""

    def page_of_event_match(self, store: str, number: int) -> str:
        """Return the path of the page of a match of a tournament; "" if it has none.

        *store*: the name of its store, or the number of its run if it is rated.
        """
        if store.isdecimal():  # matches of rated tournaments are those of a run
            return self.page_of((int(store), number))
        return page_of_match((store, number)) if (store, number) in self.event_matches else ""

    def page(self, document: doc.Document, frame: Frame) -> str:
        """Return the page of a *document*, whose title is also that of its window."""
        names = self.names(frame.root)
        content, title = (
            as_html(document, names),
            value_as_html(document.title, names, links=False).striptags(),
        )
        return render("pages/templates/page.html", frame, title=title, content=content)

    def frame(
        self, current: str, root: str = "", measured: Iterable[str] = (), more: tuple[str, ...] = ()
    ) -> Frame:
        """Return the frame of a page: *current* is its tab, *root* leads to the first page."""
        games = [Link(name_of(game), page_of_game(game)) for game in ordered_games(self.facts.boards)]
        tabs = [Link("Games", "", tuple(games))] if len(games) > 1 else games
        tabs += [Link("Bots", "bots.html"), Link("Matches", "matches.html")]
        if self.facts.tournaments:
            tabs.append(Link("Tournaments", "tournaments.html"))
        return Frame(
            ladder=self.options.title or self.facts.home.settings.site.title,
            root=root,
            tabs=(*tabs, SUBMIT),
            current=current,
            search="bots.html",
            measured=tuple(measured),
            more=more,
            edition=self.edition,
        )


class PageNames(NamedTuple):
    """What a page of a site calls bots, matches and games, and where it links to: `PageCalls` of as_html."""

    shown: Shown
    root: str

    def label(self, bot: doc.BotRef) -> str:
        """Return the label of a bot, the same on every page."""
        numbers, key = self.shown.facts.numbers, (bot.bot, bot.version)
        if bot.numbered:
            return f"{display_of(bot.bot, numbers)}@{numbers.get(key, bot.version[:HASH_SHOWN])}"
        return self.shown.facts.label.get(key, display_of(bot.bot, numbers))

    def mark(self, bot: str) -> BotMark:
        """Return the mark of a bot."""
        return self.shown.facts.marks[bot]

    def page_of_bot(self, bot: str) -> str:
        """Return the address of the page of a bot."""
        return f"{self.root}{self.shown.facts.page_of_bot(bot)}"

    def page_of_match(self, match: doc.MatchRef) -> str:
        """Return the address of a match, or of a step of it as a seat saw it."""
        page = self.shown.page_of_event_match(str(match.store), match.number)
        step = "" if match.step is None else f"#{match.step}"
        seat = "" if match.seat is None or not step else f",seat{match.seat}"
        return f"{self.root}{page}{step}{seat}" if page else ""

    def page_of_game(self, game: str) -> str:
        """Return the address of the page of a game."""
        return f"{self.root}{page_of_game(game)}" if game in self.shown.facts.boards else ""

    def page_of(self, ref: doc.PageRef) -> str:
        """Return the address of another page."""
        return f"{self.root}{ref.page}"

    def page_of_event(self, event: doc.EventRef) -> str:
        """Return the address of a page of a tournament; "" if it has none."""
        found = self.shown.facts.tournaments.get(event.event)
        return f"{self.root}{found.page_at(event.at)}" if found else ""

    def game(self, game: str) -> str:
        """Return the name of a game."""
        return name_of(game)


SUBMIT = Link("Submit", "submit.html")
"""The last tab."""
MATCHES = (
    doc.Column("match", "match", kind=lambda row: doc.MatchRef(row["run"], row["number"])),
    doc.Column("game", "game", kind=lambda row: name_of(row["game"])),
    doc.Column("why", "why", kind=lambda row: doc.Prose(row["why"]), fold=True),
    doc.Column("result", "result", kind=lambda row: row["result"], fold=True),
    doc.Column("apart", "points apart", right=True),
    doc.Column("date", "date"),
)
"""The columns of lists of matches that have a page."""


def tell_match(match: Match) -> doc.Words:
    """Return who won *match*, in one line."""
    seats = [{"rank": seat.rank, "score": seat.score, "fault": seat.fault} for seat in match.seats]
    return tell_result(seats, [doc.BotRef(seat.bot, seat.version) for seat in match.seats])


def page_of_game(game: str) -> str:
    """Return the path of the page of *game*."""
    return f"games/{file_name(game)}.html"


def page_of_rules(game: str) -> str:
    """Return the path of the page with the rules of *game*; "" for one that this ladder does not have."""
    return f"rules/{file_name(game)}.html" if game in GAMES else ""


def pitch_of(game: str) -> str:
    """Return what *game* is, in a few sentences: the second paragraph of its summary, below its name."""
    paragraphs = GAMES[game].summary.split("\n\n")
    return " ".join(paragraphs[1].split()) if len(paragraphs) > 2 else ""


def ordered_games(games: Iterable[str]) -> list[str]:
    """Return *games* in the order of the ladder's list; those that this ladder does not have come last."""
    known = [*GAMES]
    return sorted(games, key=lambda game: (known.index(game) if game in known else len(known), game))


def date_of(us: int | None) -> str:
    """Return a time in us since 1970 as people read it, in UTC."""
    return "-" if us is None else f"{datetime.fromtimestamp(us / 1e6, UTC):%Y-%m-%d %H:%M}"
