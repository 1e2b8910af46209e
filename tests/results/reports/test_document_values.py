"""Every kind of value and part in every medium: what others wrote stays text, and tables have any size."""

import re
from typing import get_args

import pytest
from markdown_it import MarkdownIt
from support.media import MEDIA
from support.sites import Elements, assert_no_markup

from results.reports.document import (
    BotRef,
    Chart,
    Code,
    Column,
    Command,
    Document,
    EventRef,
    Facts,
    GameRef,
    Heat,
    Interval,
    Lines,
    MatchRef,
    Note,
    Number,
    PageRef,
    Part,
    Picture,
    Prose,
    SeatRef,
    Section,
    Share,
    StepRef,
    Table,
    Text,
    Used,
    Value,
    Warned,
)

HOSTILE = "=1+1|x<script>alert(1)</script>[a](b)`c`\x1b[31m\u202e\u2066\x07 *d*\ne"
"""What a bot may write: a formula, ends of cells, markup, code, colours, marks of direction, another line."""
BOT = BotRef(HOSTILE, "1")
VALUES: dict[str, Value] = {
    "str": HOSTILE,
    "BotRef": BOT,
    "MatchRef": MatchRef(HOSTILE, 1, text=HOSTILE),
    "GameRef": GameRef(HOSTILE),
    "EventRef": EventRef(HOSTILE),
    "SeatRef": SeatRef(0, HOSTILE),
    "StepRef": StepRef(1),
    "Heat": Heat(0.5, 0.4, 0.6, BOT, BOT, "1-0-1"),
    "PageRef": PageRef("page.html", HOSTILE),
    "Interval": Interval(1.0, 0.5, 2.0, bot=HOSTILE),
    "Share": Share(0.5, 0.4, 0.6, bot=HOSTILE),
    "Number": Number(1.0),
    "Used": Used(2.0, HOSTILE),
    "Prose": Prose(HOSTILE),
    "Command": Command(HOSTILE),
    "Warned": Warned(HOSTILE),
}
"""One of each kind."""


def row_of(value: Value) -> Document:
    """Return a document in which *value* stands in a cell, a line, a list of facts, a heading and a note."""
    table = Table([Column("value", "value", kind=lambda row: row["value"])], [{"value": value}], "all")
    parts = [
        Text(["says: ", value]),
        Lines([["says: ", value]]),
        Facts([("says", value)]),
        Note(["says: ", value]),
    ]
    return Document(value, [table, *parts, Section(value, [Code(HOSTILE)])])


def test_there_is_one_of_each_kind_of_value():
    assert {kind.__name__ for kind in get_args(Value)} == {*VALUES}


@pytest.mark.parametrize("kind", VALUES)
def test_in_text_it_can_neither_command_a_terminal_nor_begin_a_line(kind):
    text = MEDIA["text"](row_of(VALUES[kind]))
    assert "" == re.sub(r"[\x20-\x7e\n]", "", text)
    code = HOSTILE.split("\n")[1]
    assert [code] == [line for line in text.splitlines() if line == code], "only code has lines of its own"


@pytest.mark.parametrize("kind", VALUES)
def test_in_markdown_it_means_nothing(kind):
    text = MEDIA["markdown"](row_of(VALUES[kind]))
    assert "" == re.sub(r"[\x20-\x7e\n]", "", text)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inline = [child.type for token in tokens for child in token.children or ()]
    assert {"text", "code_inline", "softbreak"} >= {*inline}
    assert "html_block" not in {token.type for token in tokens}
    assert 2 == sum(token.type in ("th_open", "td_open") for token in tokens), "one column, one row"


@pytest.mark.parametrize("kind", VALUES)
def test_on_a_page_it_is_no_markup(kind):
    page = MEDIA["html"](row_of(VALUES[kind]))
    assert_no_markup(kind, page)
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\u2066]", page)
    if kind not in ("Interval", "Share", "Number", "StepRef", "Heat"):
        assert "<script>alert(1)</script>" in "".join(Elements(page).texts)


# -- sizes


def rows_of(number: int) -> Document:
    columns = [
        Column("bot", "bot", kind=lambda row: BotRef(row["bot"])),
        Column("share", "share", right=True, kind=lambda row: Share(row["share"], 0.0, 1.0, row["bot"])),
        Column("matches", "matches", right=True),
        Column("never", "never", always=False),
    ]
    rows = [{"bot": f"bot{i}", "share": i / number, "matches": i, "never": None} for i in range(number)]
    return Document("Bots", [Table(columns, rows, "All bots", sortable=True)])


@pytest.mark.parametrize("number", [0, 1, 10_000])
def test_a_table_may_have_any_number_of_rows(number):
    text, markdown, page = (MEDIA[medium](rows_of(number)) for medium in ("text", "markdown", "html"))
    assert number == len(re.findall(r"^bot\d+ ", text, re.MULTILINE))
    assert number == len(re.findall(r"^\| `bot\d+` ", markdown, re.MULTILINE))
    assert number == len(re.findall(r"<bdi>bot\d+</bdi>", page))
    assert "never" not in text + markdown + page
    assert (number > 12) == ("data-filter" in page)
    assert text.startswith("bot ")


@pytest.mark.parametrize("medium", MEDIA)
def test_a_document_without_parts_or_with_empty_ones_is_written(medium):
    empty: list[Part] = [Lines([]), Table([], [], "none"), Section("none", []), Chart("none", "none", [])]
    assert MEDIA[medium](Document("Nothing", [])) in ("", "# Nothing\n", "<h1>Nothing</h1>")
    assert "Nothing" in MEDIA["markdown"](Document("Nothing", empty))
    MEDIA[medium](Document("Nothing", [*empty, Picture(lambda: "", lambda: "")]))
