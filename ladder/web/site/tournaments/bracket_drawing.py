"""A bracket as SVG: a box for each table, a row for each seat, lines to where the winners go.

Colours and sizes of letters are in tournament.css and screen.css.  Every length has a unit, so a drawing can
be as large as a share of the window.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from markupsafe import Markup

from engines.drawing import cut, text_width
from ladder.pairing.event_report import RoundReport, StageReport, TableReport
from ladder.run.tournament import event_words
from ladder.web.pages.environment import visible
from ladder.web.site.tournaments.bracket_layout import BracketLayout, PlacedTable, lay_bracket

NOTHING: Final = Markup("")


class BracketSizes(NamedTuple):
    """How large the parts of a bracket are, in units of CSS."""

    unit: str
    """Such as px."""
    letter: float
    """The size of letters, which the style sheet gives."""
    row: float
    box: float
    """The width of a table."""
    gap: float
    """What is free between two columns."""
    number: float
    """The width of the number of a table, at its left; 0: it has none."""
    most: float = 0
    """The width of a table that holds long names."""


PAGE_SIZES: Final = BracketSizes("px", 14, 24, 190, 26, 16, 360)
WIDE_GAP: Final = 3
"""By how much wider the gap is at more than two seats, where lines cross."""


class BracketEntrant(NamedTuple):
    """An entrant, as a bracket shows it."""

    name: str
    page: str = ""
    """Where its name leads; "": it is no link."""


class BracketLinks(NamedTuple):
    """Where the parts of a bracket lead; "": it is no link."""

    of_round: Callable[[RoundReport], str]
    of_table: Callable[[TableReport], str]


def draw_bracket(
    stage: StageReport,
    entrants: Callable[[int], BracketEntrant],
    *,
    links: BracketLinks | None = None,
    sizes: BracketSizes = PAGE_SIZES,
    first: int = 0,
) -> Markup:
    """Return the bracket of *stage*, from its round number *first* on.

    *entrants* are asked by their numbers.
    """
    layout = lay_bracket(stage.rounds[first:])
    there = {entrant for placed in layout.tables for entrant in placed.table.entrants}
    names = [visible(entrants(entrant).name) for entrant in there if entrant is not None]
    longest = max((text_width(name, sizes.letter, "strong") for name in names), default=0) + 4 * sizes.letter
    sizes = sizes._replace(box=max(sizes.box, min(longest, sizes.most)))
    return _Drawing(layout, entrants, links, sizes).draw(event_words.name_stage(stage.name))


class _Drawing:
    """A bracket being drawn."""

    def __init__(
        self,
        layout: BracketLayout,
        entrants: Callable[[int], BracketEntrant],
        links: BracketLinks | None,
        sizes: BracketSizes,
    ) -> None:
        self._layout = layout
        self._entrants = entrants
        self._links = links
        self._is_two = all(len(placed.seats) == 2 for placed in layout.tables)
        self._sizes = sizes if self._is_two else sizes._replace(gap=sizes.gap * WIDE_GAP)

    def draw(self, title: str) -> Markup:
        """Return the whole picture, which is called *title*."""
        sizes, layout = self._sizes, self._layout
        width = layout.columns * (sizes.number + sizes.box) + max(0, layout.columns - 1) * sizes.gap
        parts = [self._line(*line) for line in layout.lines]
        parts += [self._round(*placed) for placed in layout.rounds]
        parts += [self._table(placed) for placed in layout.tables]
        return Markup(
            '<svg class="bracket" role="group" aria-label="Bracket: {title}"'
            ' width="{width}" height="{height}"><title>{title}</title>{parts}</svg>'
        ).format(
            title=visible(title),
            width=self._length(width + 2),
            height=self._length(layout.rows * sizes.row + 2),
            parts=NOTHING.join(parts),
        )

    def _length(self, value: float) -> str:
        return f"{value:.2f}".rstrip("0").rstrip(".") + self._sizes.unit

    def _left(self, column: int) -> float:
        """Return where the box of a table in *column* begins."""
        sizes = self._sizes
        return 1 + column * (sizes.number + sizes.box + sizes.gap) + sizes.number

    def _line(self, column: int, start: float, to_column: int, end: float) -> Markup:
        """Return a line: across, down or up, and across again; straight, where it would hide others."""
        sizes = self._sizes
        left, right = self._left(column) + sizes.box, self._left(to_column)
        bend = right - sizes.number - sizes.gap / 2  # left of the number, which stands before the box
        y, z = 1 + start * sizes.row, 1 + end * sizes.row
        if not self._is_two:
            return self._stroke(left, y, right, z)
        return NOTHING.join(
            self._stroke(*ends)
            for ends in ((left, y, bend, y), (bend, y, bend, z), (bend, z, right, z))
            if ends[:2] != ends[2:]
        )

    def _stroke(self, x1: float, y1: float, x2: float, y2: float, kind: str = "way") -> Markup:
        return Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(
            kind, *map(self._length, (x1, y1, x2, y2))
        )

    def _words(self, x: float, y: float, text: str, kind: str) -> Markup:
        return Markup('<text class="{}" x="{}" y="{}">{}</text>').format(
            kind, self._length(x), self._length(y), text
        )

    def _round(self, played: RoundReport, column: int, top: float) -> Markup:
        sizes = self._sizes
        text = cut(event_words.name_round(played.name), sizes.box, sizes.letter, "strong")
        words = self._words(self._left(column), 1 + (top + 0.75) * sizes.row, text, "round")
        return _link(words, self._links.of_round(played) if self._links else "")

    def _table(self, placed: PlacedTable) -> Markup:
        sizes, table = self._sizes, placed.table
        left, top = self._left(placed.column), 1 + placed.top * sizes.row
        box = Markup('<rect class="box" x="{}" y="{}" width="{}" height="{}"/>').format(
            *map(self._length, (left, top, sizes.box, len(placed.seats) * sizes.row))
        )
        number = table.name.rpartition("/")[2]
        parts = [Markup("<title>{}</title>").format(visible(self._tell(table))), box]
        if sizes.number and number.isdecimal():
            parts.append(
                self._words(left - sizes.number, 1 + (placed.middle + 0.2) * sizes.row, number, "number")
            )
        rules = [top + at * sizes.row for at in range(1, len(placed.seats))]
        parts += [self._stroke(left, y, left + sizes.box, y, "rule") for y in rules]
        page = self._links.of_table(table) if self._links and table.blocks else ""
        parts += [self._seat(placed, seat, page) for seat in placed.seats]
        return Markup('<g class="table">{}</g>').format(NOTHING.join(parts))

    def _seat(self, placed: PlacedTable, seat: int, page: str) -> Markup:
        sizes, table = self._sizes, placed.table
        left, row = self._left(placed.column), placed.row_of(seat)
        base, entrant = 1 + (row + 0.2) * sizes.row, table.entrants[seat]
        inside, pad = sizes.box, sizes.letter * 0.5
        if entrant is None:
            return self._words(left + pad, base, self._source(table, seat, inside - 2 * pad), "open")
        shown = self._entrants(entrant)
        # a seat is faded only once its table is over: before that, both may still go on
        goes_on = table.is_over and entrant in table.ranking[: table.go_on]
        kind = "on" if goes_on else "off" if table.is_over else "in"
        score = event_words.tell_won(table, seat)
        start = left + pad
        parts = []
        room = left + inside - pad - start - (text_width(score, sizes.letter) + pad if score else 0)
        name = self._words(
            start,
            base,
            cut(visible(shown.name), room, sizes.letter, "strong" if goes_on else "ink"),
            f"name {kind} of-{entrant}",
        )
        parts.append(_link(name, shown.page))
        if score:
            words = self._words(left + inside - pad, base, score, f"score {kind}")
            parts.append(_link(words, page))
        return NOTHING.join(parts)

    def _source(self, table: TableReport, seat: int, room: float) -> str:
        """Return where the entrant of a seat comes from; of a winner, the table alone if all is too long."""
        source, size = table.sources[seat], self._sizes.letter
        text = event_words.tell_source(source, len(table.entrants))
        if text_width(text, size) > room and source[0] != "seed" and not source[1]:
            text = event_words.name_table(source[0])
        return cut(text, room, size)

    def _tell(self, table: TableReport) -> str:
        """Return a table in a sentence."""
        seats = len(table.entrants)
        told = [
            event_words.tell_source(source, seats)
            if entrant is None
            else f"{self._entrants(entrant).name} {event_words.tell_score(score)} %".removesuffix("  %")
            for entrant, source, score in zip(table.entrants, table.sources, table.scores, strict=True)
        ]
        on = (
            [self._entrants(entrant).name for entrant in table.ranking[: table.go_on]]
            if table.is_over
            else []
        )
        does = "go on" if len(on) > 1 else event_words.tell_end(table, 0)
        end = f"; {', '.join(on)} {does}" if on else ""
        return f"{event_words.name_table(table.name)}: {', '.join(told)}{end}"


def _link(words: Markup, page: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(page, words) if page else words
