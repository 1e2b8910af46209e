"""Write documents as HTML: parts and tables; see values_as_html for what stands in them.

Every text is escaped, and so is what cannot be seen; a document holds no markup but the pictures of games.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple, assert_never

from markupsafe import Markup, escape

from ladder.web.pages.bot_marks import SERIES, swatch
from ladder.web.pages.charts import Line, draw_histogram, draw_ratings
from ladder.web.pages.environment import macro, visible
from ladder.web.pages.figures import Axis, axis_of, heat
from ladder.web.pages.values_as_html import PageCalls, interval_as_html, value_as_html, with_signs
from results.reports import document as doc

FILTERED = 12
"""A sortable table with more rows has a field that filters them."""
DENSE = 16
"""A matrix of more bots has small cells."""
WIDE = 7
"""A table with more columns takes the whole page."""
PARTS_LISTED = 3
"""A page with more sections has a list of contents."""


class _Cell(NamedTuple):
    """A cell of a table."""

    markup: Markup
    classes: str = ""
    sort: str | None = None
    is_heading: bool = False
    title: str = ""


class Anchor(NamedTuple):
    """A section in the list of contents."""

    id: str
    name: str


def as_html(document: doc.Document, names: PageCalls) -> Markup:
    """Return the content of a page: its heading, its list of contents if it is long, its parts."""
    title = Markup("<h1>{}</h1>").format(value_as_html(document.title, names, links=False))
    return title + _contents(document.parts, names) + parts_as_html(document.parts, names)


def parts_as_html(parts: Sequence[doc.Part], names: PageCalls, level: int = 2) -> Markup:
    """Return *parts*, whose headings have this *level*."""
    return Markup("").join(_groups(parts, names, level))


def _groups(parts: Sequence[doc.Part], names: PageCalls, level: int) -> Iterator[Markup]:
    """Yield *parts*; charts, and sections with a picture, stand side by side; those about games have tabs."""
    for kind, group in groupby(parts, _kind):
        listed = [*group]
        made = [html for part in listed if (html := _part(part, names, level))]
        if kind == "chart" and made:
            yield macro("charts")(Markup("").join(made))
        elif kind == "note":
            yield macro("lines")(made, "notes")
        elif kind == "card":
            yield macro("cards")(made)
        elif kind == "tab":
            anchors = [_anchor(part, names) for part in listed if isinstance(part, doc.Section)]
            yield macro("tabs")([*zip(anchors, made, strict=True)])
        else:
            yield from made


def _kind(part: doc.Part) -> str:
    """Return in what kind of group *part* stands."""
    match part:
        case doc.Chart():
            return "chart"
        case doc.Note():
            return "note"
        case doc.Section(doc.GameRef(), _, anchor) if anchor:
            return "tab"
        case doc.Section(_, inside) if any(isinstance(each, doc.Picture) for each in inside):
            return "card"
    return ""


def _part(part: doc.Part, names: PageCalls, level: int) -> Markup:
    match part:
        case doc.Text(words, quiet):
            return macro("text")(value_as_html(words, names), quiet)
        case doc.Note(text, _):  # visitors cannot type
            return value_as_html(text, names)
        case doc.Facts(facts):
            return macro("facts")([(name, value_as_html(value, names)) for name, value in facts])
        case doc.Lines(lines):
            return macro("lines")([value_as_html(line, names) for line in lines])
        case doc.Table():
            return _table(part, names)
        case doc.Chart():
            return _chart(part, names)
        case doc.Picture(draw=draw):
            return macro("picture")(Markup(draw()))  # noqa: S704 - drawings escape what they show
        case doc.Bracket(title, _, draw):
            return macro("bracket")(title, Markup(draw()))  # noqa: S704 - as above
        case doc.Code(text):
            return macro("code")(visible(text))
        case doc.Section(title, inside, folded=True):
            return macro("folded")(value_as_html(title, names), parts_as_html(inside, names, level + 1))
        case doc.Section(title, inside, anchor):
            content = parts_as_html(inside, names, level + 1)
            return macro("section")(level, anchor, value_as_html(title, names), content)
        case _:
            assert_never(part)


def _chart(chart: doc.Chart, names: PageCalls) -> Markup:
    match chart.data:
        case doc.Histogram(bot, bars, limit):
            drawn = draw_histogram(bars, limit, names.mark(bot).series, chart.title)
        case lines:
            if not lines:
                return Markup("")
            drawn = draw_ratings([*_lines(lines, names)], chart.title, chart.axis)
    return macro("chart")(chart.caption, drawn)


def _lines(lines: Sequence[doc.RatingLine], names: PageCalls) -> Iterator[Line]:
    """Yield the lines of a chart: the newest version has the colour of the bot."""
    for number, (bot, points) in enumerate(lines):
        series = 1 + (names.mark(bot.bot).series - 1 + number) % SERIES
        yield Line(names.label(bot).removeprefix(names.label(doc.BotRef(bot.bot))), series, points)


def _contents(parts: Sequence[doc.Part], names: PageCalls) -> Markup:
    """Return the list of contents of a page that has many sections."""
    sections = [
        (_anchor(section, names), [_anchor(each, names) for each in _sections_with_id(section.parts)])
        for section in _sections_with_id(parts)
    ]
    return contents_as_html(sections)


def contents_as_html(sections: Sequence[tuple[Anchor, Sequence[Anchor]]]) -> Markup:
    """Return a list of contents of *sections*, each with those inside it, if they are many."""
    if len(sections) + sum(len(inside) for _, inside in sections) <= PARTS_LISTED:
        return Markup("")
    return macro("contents")(sections)


def _sections_with_id(parts: Sequence[doc.Part]) -> list[doc.Section]:
    return [part for part in parts if isinstance(part, doc.Section) and part.id and _kind(part) != "tab"]


def _anchor(section: doc.Section, names: PageCalls) -> Anchor:
    return Anchor(section.id, str(value_as_html(section.title, names, links=False).striptags()))


# -- tables


def _table(table: doc.Table, names: PageCalls) -> Markup:
    values = {column: [_value(row, column) for row in table.rows] for column in table.columns}
    shown = [
        column
        for column in table.columns
        if column.on_pages and (column.always or any(value is not None for value in values[column]))
    ]
    axes = {column: _axis(values[column]) for column in shown}
    # a mark stands beside a name only where the same one stands in a drawing
    drawn = (value for column in shown for value in values[column])
    has_mark = any(isinstance(value, (doc.Interval, doc.Share)) and value.bot for value in drawn)
    heading = next((i for i, column in enumerate(shown) if not column.right), 0)
    columns = [
        [
            _cell(value, column, names, axes[column], is_heading=i == heading, has_mark=has_mark, at=at)
            for at, value in enumerate(values[column])
        ]
        for i, column in enumerate(shown)
    ]
    tones = table.tones or [""] * len(table.rows)
    filtered = "yes" if table.sortable and len(table.rows) > FILTERED else ""
    return macro("table")(
        visible(table.caption),
        [_head(column, values[column], is_heading=i == heading) for i, column in enumerate(shown)],
        [*zip(tones, zip(*columns, strict=True), strict=True)],
        table.sortable,
        "search" if table.searched else filtered,
        _kind_of_table(values.values(), len(shown)),
        table.alike,
    )


def _kind_of_table(columns: Iterable[Sequence[Any]], shown: int) -> str:
    """Return the classes of a table of these *columns*, of which so many are *shown*."""
    if any(isinstance(value, doc.Heat) for values in columns for value in values):
        return "grid dense" if shown > DENSE else "grid"
    return "wide" if shown > WIDE else ""


def _value(row: doc.Row, column: doc.Column) -> Any:
    """Return the value of a row; without a kind, numbers are grouped by thousands."""
    if column.kind:
        return column.kind(row)
    value = row[column.key]
    if isinstance(value, int) and column.cell is str:
        return doc.Number(value)
    return None if value is None else column.cell(value)


def _head(column: doc.Column, values: Sequence[Any], *, is_heading: bool) -> _Cell:
    title, marked, interval = with_signs(column.title).partition(" (95 %)")
    markup = escape(title)
    if marked:
        markup += Markup(' <span class="light">(95 %)</span>') + interval
    first = next((value for value in values if value is not None), None)
    turned = isinstance(first, doc.Used) or getattr(first, "low_is_best", False) or title == "#"
    sort = "no" if column.draw else "up" if turned else ""
    return _Cell(markup, _classes(column, is_heading=is_heading), sort)


def _classes(column: doc.Column, *, is_heading: bool) -> str:
    kinds = {"fixed": is_heading, "number": column.right, "words": column.fold}
    return " ".join(name for name, holds in kinds.items() if holds)


def _cell(
    value: Any, column: doc.Column, names: PageCalls, axis: Axis, *, is_heading: bool, has_mark: bool, at: int
) -> _Cell:
    if value is None:
        return _Cell(Markup(""), _classes(column, is_heading=is_heading))
    if isinstance(value, doc.Interval) and column.draw:
        return _Cell(interval_as_html(value, axis, names))
    if isinstance(value, doc.Heat):
        return _heat(value, names)
    markup = value_as_html(value, names, axis=axis)
    if has_mark and isinstance(value, doc.BotRef):
        markup = swatch(names.mark(value.bot)) + markup
    return _Cell(markup, _classes(column, is_heading=is_heading), _order(value, names, at), is_heading)


def _heat(cell: doc.Heat, names: PageCalls) -> _Cell:
    share, low, high = (100 * each for each in cell[:3])
    pair = f"{names.label(cell.bot)} against {names.label(cell.rival)}"
    title = visible(f"{pair}: {share:.1f} % ({low:.0f} to {high:.0f}), {cell.record}")
    classes = heat(cell.share, (cell.high - cell.low) / 2)
    return _Cell(escape(f"{share:.0f}"), classes, title=title)


def _order(value: doc.Value | doc.Words, names: PageCalls, at: int) -> str | None:
    """Return what a column is sorted by where it is not what a cell says; *at* is the place of the row."""
    match value:
        case doc.BotRef():
            return names.label(value)
        case doc.Interval(number) | doc.Number(number) | doc.Used(number):
            return f"{number:.6g}"
        case doc.Share(share):
            return f"{share:.6f}"
        case doc.MatchRef(store, number):
            return str(int(store) * 1_000_000_000 + number) if str(store).isdecimal() else None
        case str() if "-" in value and value.replace("-", "").isdecimal():  # an interval of places
            return str(at)
    return None


def _axis(values: Sequence[Any]) -> Axis:
    """Return the axis that the values of a column share."""
    shares = [value for value in values if isinstance(value, doc.Share) and value.bot]
    if shares:
        return Axis(0.0, 1.0, mark=0.5 if shares[0].half else None)
    return axis_of([value for value in values if isinstance(value, doc.Interval)])
