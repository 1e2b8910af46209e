"""Documents as pages: tabs, and tables whose rows mark what cannot be told apart from them."""

import re

import pytest
from support.browser import open_page
from support.media import NamedOnly

from ladder.web.pages.as_html import as_html
from ladder.web.pages.bot_marks import BotMark
from ladder.web.pages.environment import render
from ladder.web.pages.figures import Axis, dot_in_interval
from ladder.web.pages.frame import Frame
from results.reports.document import BotRef, Column, Document, GameRef, Interval, Section, Table, Text

TABLE = Table(
    [Column("bot", "bot", kind=lambda row: BotRef(row["bot"])), Column("matches", "matches", right=True)],
    [{"bot": bot, "matches": number} for number, bot in enumerate("abc")],
    "Leaderboard",
    alike=[0b011, 0b111, 0b110],
    sortable=True,
)


def games_of(*games):
    return [
        Section(GameRef(each), [Section("Seats", [Text("few")], f"{each}-seats")], each) for each in games
    ]


def html_of(*parts):
    return str(as_html(Document("greedy", parts), NamedOnly()))


@pytest.fixture
def file(tmp_path):
    content = as_html(Document("greedy", [TABLE, *games_of("stella", "stellar", "dice")]), NamedOnly())
    path = tmp_path / "page.html"
    path.write_text(render("pages/templates/page.html", Frame(inline=True), title="greedy", content=content))
    return path


def test_sections_of_several_games_have_tabs_and_stand_in_no_list():
    page = html_of(*games_of("stella", "stellar"))
    assert ["stella", "stellar"] == re.findall(r'<a href="#([^"]+)" aria-current', page)
    assert 4 == page.count('<a href="#')
    assert 'id="stellar-seats"' in page
    assert "aria-current" not in html_of(*games_of("stella"))


def test_the_address_names_the_game_that_is_shown_else_it_is_the_first(browser, file):
    with open_page(browser, file, javascript=False) as page:
        headings = page.locator("h2:visible")
        assert ["stella"] == headings.all_inner_texts()
        page.get_by_role("link", name="dice").last.click()
        assert ["dice"] == headings.all_inner_texts()
        page.goto(f"{file.as_uri()}#stellar-seats")
        assert ["stellar"] == headings.all_inner_texts()
        page.emulate_media(media="print")
        assert ["stella", "stellar", "dice"] == headings.all_inner_texts()


def test_a_row_marks_what_cannot_be_told_apart_from_it_wherever_it_is_sorted_to(browser, file):
    with open_page(browser, file) as page:
        marked = page.locator(".alike th")
        assert 0 == marked.count()
        page.get_by_role("cell", name="0").hover()
        assert ["a", "b"] == marked.all_inner_texts()
        page.get_by_role("button", name="matches").click()
        page.get_by_role("link", name="c", exact=True).focus()
        assert ["c", "b"] == marked.all_inner_texts()
        page.get_by_role("button", name="Theme").focus()
        assert 0 == marked.count()


@pytest.mark.parametrize(
    ("low", "high", "dot", "line"),
    [
        (2.0, 8.0, 5.0, "H141.6M38.4 5v6M141.6 5v6"),
        (2.0, None, 2.0, "M38.4 8H179M174 4l5 4l-5 4"),
        (None, 8.0, 8.0, "M1 8H141.6M6 4L1 8l5 4"),
    ],
)
def test_where_one_end_is_known_an_arrow_goes_from_there(low, high, dot, line):
    axis = Axis(0.0, 10.0)
    drawn = dot_in_interval(5.0, Interval(5.0, low, high), axis, BotMark(1, 0), "")
    assert line in drawn
    assert f'transform="translate({axis.place(dot):g} 8)"' in drawn
