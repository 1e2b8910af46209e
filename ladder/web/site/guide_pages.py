"""Pages for visitors: the rules of each game; for authors of bots the protocol and what bots read and say.

They are the pages of the project in Markdown, as HTML.  Links to what the site does not have become text.
"""

import inspect
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from engines import GAMES, playout
from ladder.games.shown_game import ShownGame
from ladder.machine.plugged_in import go_on_without
from ladder.web.pages.as_html import Anchor, contents_as_html
from results.reports.labels import file_name

STEPS = 25
"""After this many steps the board of a page of rules is drawn: each game of ours is in full swing."""
_OTHER_SIGNS = re.compile(r"[^\w\- ]")
_SCROLL = '<div class="scroll" tabindex="0" role="region" aria-label="{}"><table'


def guide_of(game: str) -> Path | None:
    """Return the page of *game* for authors of bots, if it is a package that has one."""
    return _find_page(game, "README.md")


def rules_of(game: str) -> Path | None:
    """Return the rules of *game* for people, if it is a package that has them."""
    return _find_page(game, "rules.md")


def _find_page(game: str, name: str) -> Path | None:
    try:
        module = Path(inspect.getfile(type(GAMES[game])))
    except (OSError, TypeError):  # a class without a file
        return None
    file = module.with_name(name)
    # beside a game that is a single module lies what belongs to others
    return file if module.stem == "__init__" and file.is_file() else None


def board_of(game: str) -> Markup:
    """Return the board of *game*, as the first player sees it after random moves; empty if that fails."""
    rules = GAMES[game]
    rng, seats = Random(1), rules.seats[0]

    def draw() -> str:
        *_, step = islice(playout(rules, rules.deal(seats, rng), seats, rng), STEPS)
        names = ["You", *(f"Player {number}" for number in range(2, seats + 1))]
        return ShownGame(game).draw(rules.view(step.state, 0), names=names).svg()

    drawn = go_on_without(f"the rules of {game} have no picture", draw, "", game)
    return Markup(drawn)  # noqa: S704 - drawings escape what they show


def page_of_guide(game: str) -> str:
    """Return the path of the page of *game* for authors of bots."""
    return f"guides/{file_name(game)}.html"


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


class Guide(NamedTuple):
    """A page for authors of bots."""

    text: Markup
    contents: Markup


def render_guide(file: Path, pages: Mapping[str, str]) -> Guide:
    """Return the page *file* as HTML, without its title, and its list of contents.

    *pages* are the links that lead somewhere, by what stands in the file; those within the page do as well.
    """
    tokens = _reader().parse(file.read_text("utf-8", "replace"))
    first = next((at for at, token in enumerate(tokens) if token.type == "heading_close"), -1)
    tokens = tokens[first + 1 :]
    _name_headings(tokens)
    for token in tokens:
        token.children = _keep_links(token.children, pages) if token.children else token.children
        if token.type == "table_open":
            token.attrSet("class", "wide")
        if token.attrs.pop("style", "") == "text-align:right":  # the policy of our pages allows no styles
            token.attrSet("class", "number")
        if token.type == "th_open":
            token.attrSet("scope", "col")
    labels = iter(_label_tables(tokens))
    made = _reader().renderer.render(tokens, _reader().options, {})
    made = re.sub("<table", lambda _: _SCROLL.format(escape(next(labels))), made)
    made = made.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
    text = Markup(made)  # noqa: S704 - a file of this project, and the reader passes no HTML on
    return Guide(text, _contents(tokens))


def _contents(tokens: Sequence[Token]) -> Markup:
    """Return the list of the sections of a page whose headings have names."""
    found = [
        (Anchor(str(heading.attrGet("id")), words.content.replace("`", "")), ())
        for heading, words in pairwise(tokens)
        if heading.type == "heading_open" and heading.tag == "h2"
    ]
    return contents_as_html(found)


def _name_headings(tokens: Sequence[Token]) -> None:
    """Give each heading the name that links within a page have, as on GitHub."""
    count: Counter[str] = Counter()
    for heading, words in pairwise(tokens):
        if heading.type == "heading_open":
            name = _OTHER_SIGNS.sub("", words.content.lower()).replace(" ", "-")
            heading.attrSet("id", f"{name}-{count[name]}" if count[name] else name)
            count[name] += 1


def _label_tables(tokens: Sequence[Token]) -> list[str]:
    """Return what each table is called: by the heading above it, so that no two have one name."""
    count: Counter[str] = Counter()
    labels = []
    above = ""
    for token, words in pairwise(tokens):
        if token.type == "heading_open":
            above = "".join(child.content for child in words.children or ())
        elif token.type == "table_open":
            count[above] += 1
            number = f" {count[above]}" if count[above] > 1 else ""
            labels.append(f"Table{number}: {above}" if above else f"Table{number}")
    return labels


def _keep_links(tokens: Sequence[Token], pages: Mapping[str, str]) -> list[Token]:
    """Return *tokens* without the links that lead elsewhere: a site can be read without a network."""
    kept: list[Token] = []
    inside = False
    for token in tokens:
        if token.type == "link_open":
            target = str(token.attrGet("href"))
            inside = target.startswith("#") or target in pages
            if inside:
                token.attrSet("href", pages.get(target, target))
        if inside or token.type not in ("link_open", "link_close"):
            kept.append(token)
    return kept
