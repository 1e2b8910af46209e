"""All pages of a site except those of matches, each with its path and its text."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from engines import GAMES
from ladder.machine.installation import ROOT
from ladder.web.pages.as_html import parts_as_html
from ladder.web.pages.assets import PAGE_ASSETS, asset_file, read_asset
from ladder.web.pages.environment import render
from ladder.web.pages.values_as_html import name_of, value_as_html
from ladder.web.pages.viewer import REVIEW_ASSETS, VIEWER_ASSETS
from ladder.web.site.bot_page import bot_page
from ladder.web.site.format import Shown, date_of, page_of_game, page_of_rules
from ladder.web.site.front_page import FRONT_ASSETS, front_page
from ladder.web.site.game_page import footer_of, game_page
from ladder.web.site.guide_pages import board_of, guide_of, page_of_guide, render_guide, rules_of
from ladder.web.site.run_pages import run_page, runs_page
from ladder.web.site.tournaments.event_pages import EVENT_ASSETS, event_pages
from ladder.web.site.tournaments.event_screen import SCREEN_ASSETS
from results.reports import document as doc
from results.reports.intervals import value_of
from results.reports.leaderboard import bot_of
from results.words import count

SPEC = Path(ROOT, "protocol", "SPEC.md")
LIMITS = {
    "start_ms": ("time from the start of the process to ready", "ms"),
    "move_ms": ("free time for each decision", "ms"),
    "bank_ms": ("additional time for all decisions of a match together", "ms"),
    "memory_mb": ("memory of all its processes together", "MB"),
    "processes": ("processes and threads", ""),
    "line_bytes": ("the longest line that it may write", "bytes"),
}

RATED = value_of("mu", "mu_")
DOUBTS = (
    "A rating compares the bots of one game with each other, under the limits of this ladder: against others,"
    " or with more time, a bot may do otherwise. Two bots are told apart where it is known with 97.5 % which"
    " is better; of many such pairs, a few may be wrong. The page of each game says what else is not known."
)


class Page(NamedTuple):
    """A file of the site."""

    path: str
    text: Callable[[], str]


def pages(shown: Shown) -> Iterator[Page]:
    """Yield every file of the site except the pages of matches."""
    # Each page is text only when it is asked for: `ladder serve` makes one of them, and a folder is written
    # page by page, so that a large site is never in memory as a whole.
    facts = shown.facts
    of_events = (*EVENT_ASSETS, *SCREEN_ASSETS) if facts.tournaments else ()
    for name in dict.fromkeys((*PAGE_ASSETS, *VIEWER_ASSETS, *REVIEW_ASSETS, *FRONT_ASSETS, *of_events)):
        yield Page(asset_file(name), partial(read_asset, name))
    yield Page("index.html", partial(front_page, shown))
    yield Page("bots.html", partial(_bots, shown))
    yield Page("runs.html", partial(runs_page, shown))
    yield Page("matches.html", partial(_matches, shown))
    yield Page("submit.html", partial(_submit, shown))
    yield Page("protocol.html", partial(_guide, shown))
    for game in facts.boards:
        yield Page(page_of_game(game), partial(game_page, shown, game))
    for game in GAMES:
        yield Page(page_of_rules(game), partial(_rules, shown, game))
        if guide_of(game):
            yield Page(page_of_guide(game), partial(_guide, shown, game))
    for bot in facts.bots:
        yield Page(facts.page_of_bot(bot), partial(bot_page, shown, bot))
    for run in facts.runs:
        yield Page(f"runs/{run.run}.html", partial(run_page, shown, run))
    for path, text in event_pages(shown):
        yield Page(path, text)


def _bots(shown: Shown) -> str:
    facts = shown.facts
    newest = {version.bot: version for version in facts.versions}
    ratings = {
        game: {(row["bot"], row["version"]): RATED(row) for row in rows}
        for game, rows in facts.leaders.items()
    }
    rows: list[doc.Row] = []
    for bot in facts.bots:
        played = {
            game: [key for key in facts.keys[bot] if key in board.rated.standings]
            for game, board in facts.boards.items()
        }
        # a bot that has not played has no versions to hide: it is listed, so that its author finds it
        if facts.hidden.issuperset(facts.keys[bot]) and facts.keys[bot]:
            continue
        last = [us for (_, key), us in facts.survey.last.items() if key[0] == bot]
        matches = (facts.rated[game].standings[key].matches for game in played for key in played[game])
        about = newest[bot].manifest.description if bot in newest else ""
        rows.append(
            {
                "bot": bot,
                "version": "",
                "versions": len(facts.keys[bot]),
                **{
                    f"in {game}": next((told[key] for key in reversed(facts.keys[bot]) if key in told), None)
                    for game, told in ratings.items()
                },
                "matches": sum(matches),
                "last": date_of(max(last)) if last else None,
                "about": doc.Prose(about) if about else None,
            }
        )
    columns = (
        doc.Column("bot", "bot", kind=bot_of),
        doc.Column("versions", "versions", right=True),
        *(
            doc.Column(key := f"in {game}", name_of(game), right=True, kind=itemgetter(key))
            for game in facts.boards
        ),
        doc.Column("matches", "matches", right=True),
        doc.Column("last", "last match"),
        doc.Column("about", "description", fold=True, always=False, kind=itemgetter("about")),
    )
    rated = "Ratings are of the newest version that played; ≥ and ≤ are the only end of one."
    parts: list[doc.Part] = [
        doc.Table(columns, rows, "All bots", sortable=True, searched=True),
        doc.Text(rated, quiet=True),
        doc.Section("What the ratings cannot say", [doc.Text(DOUBTS)], "ratings"),
    ]
    if not rows:
        nothing = "There are no bots yet. Submit one, or let the first run add the bundled bots:"
        parts = [doc.Text(nothing), doc.Code("ladder submit my_bot.py")]
    return _page(shown, "bots.html", "Bots", parts)


def _page(shown: Shown, path: str, title: str, parts: Sequence[doc.Part]) -> str:
    return shown.page(doc.Document(title, parts), shown.frame(path, "", footer_of(shown)))


def _guide(shown: Shown, game: str = "") -> str:
    """Return the page of *game* for authors of bots; without it, that of the protocol."""
    links = {"../../protocol/SPEC.md": "../protocol.html", "rules.md": f"../{page_of_rules(game)}"}
    title = f"{name_of(game)}, for authors of bots" if game else "The protocol: what a bot reads and writes"
    frame = shown.frame(page_of_game(game), "../") if game else shown.frame("submit.html")
    guide = render_guide((guide_of(game) if game else None) or SPEC, links if game else {})
    return render("site/templates/guide.html", frame, title=title, guide=guide)


def _rules(shown: Shown, game: str) -> str:
    file = rules_of(game)
    return render(
        "site/templates/rules.html",
        shown.frame(page_of_game(game), "../", more=("board.css",)),
        title=name_of(game),
        game=game,
        board_drawn=board_of(game),
        guide=page_of_guide(game) if guide_of(game) else "",
        rules=render_guide(file, {}).text if file else "",
        summary=GAMES[game].summary.strip(),
        page=page_of_game(game) if game in shown.facts.boards else "",
    )


def _matches(shown: Shown) -> str:
    table = shown.match_table(shown.matches, "Matches with a page")
    played = shown.facts.survey.matches
    chosen = (
        f"{count(len(table.rows), 'match')} of {played:,}: with faults, between neighbours, notable, or new."
    )
    parts: list[doc.Part] = [doc.Text(chosen), table]
    if not table.rows:
        parts = [doc.Text("No match has a page here.")]
    if not played:
        nothing = "There is no match to watch yet. To play some:"
        parts = [doc.Text(nothing), doc.Code("ladder run --games 1000")]
    return _page(shown, "matches.html", "Matches", parts)


def _submit(shown: Shown) -> str:
    limits, asked = shown.facts.home.settings.limits, shown.facts.home.settings.site.hand_in or ""
    allowed = [(what, f"{getattr(limits, key):,} {unit}") for key, (what, unit) in LIMITS.items()]
    guides = [doc.PageRef(page_of_guide(game), name_of(game)) for game in GAMES if guide_of(game)]
    told = [doc.Text(doc.Prose(part.strip())) for part in asked.split("\n\n") if part.strip()]
    return render(
        "site/templates/submit.html",
        shown.frame("submit.html"),
        example=_whole_bot(),
        guides=value_as_html(doc.between(guides), shown.names()),
        hand_in=parts_as_html(told, shown.names()),
        limits=parts_as_html([doc.Facts(allowed)], shown.names()),
    )


def _whole_bot() -> str:
    """Return the first program on the page of the protocol: a bot that needs no library."""
    return SPEC.read_text("utf-8").partition("```python\n")[2].partition("```")[0]
