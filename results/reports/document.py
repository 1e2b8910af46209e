"""The parts of an answer that people read, without a medium: a terminal, a page and Markdown write them.

A builder (`SUBJECT_document.py`, beside what it knows) makes a `Document` of facts and reads no store.  It
alone decides what an `Audience` may see.  A renderer (`cli/show_document`, `as_markdown`,
`web/pages/as_html`) decides how a kind of part or value looks.  Rows keep their raw values for JSON and CSV;
`Column.kind` says what they are.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

Audience: TypeAlias = Literal["operator", "author", "public"]
"""Who reads: who runs the ladder, the author of one bot, or anybody."""
Row: TypeAlias = dict[str, Any]
Cell: TypeAlias = Callable[[Any], str]
Draw: TypeAlias = Callable[[Sequence[Any], int], list[str]]
"""Turns the values of a column into cells of a given width."""


# -- values


class BotRef(NamedTuple):
    """A bot, or one version of it.  Media label it by what stands beside it, and link it where they can."""

    bot: str
    version: str = ""
    numbered: bool = False
    """Whether its label always says the version."""


class MatchRef(NamedTuple):
    """A match: the number of its run or the name of its store, its own number, perhaps a step and a seat."""

    store: int | str
    number: int
    step: int | None = None
    seat: int | None = None
    text: str = ""
    """What a link says instead of the name of the match."""


class GameRef(NamedTuple):
    """A game."""

    game: str


class PageRef(NamedTuple):
    """Another page of a site, by its path; media without pages write the text alone."""

    page: str
    text: str


class SeatRef(NamedTuple):
    """A seat of one match, with what its bot is called there."""

    seat: int
    name: str
    page: str = ""
    """The address of the page of the bot, if there is one."""


class StepRef(NamedTuple):
    """A step of the match that is told of."""

    step: int


class EventRef(NamedTuple):
    """A tournament."""

    event: str
    at: str = ""
    """One of its pages: the name of a round, or screen."""
    text: str = ""


class Interval(NamedTuple):
    """An estimate in its 95 % interval; an end that is not known is None."""

    middle: float
    low: float | None
    high: float | None
    digits: int = 1
    bot: str = ""
    """Whose mark stands in it where it is drawn; "": it is written alone."""
    low_is_best: bool = False


class Share(NamedTuple):
    """A share (0 to 1) with its 95 % interval, if there is one; written in percent."""

    share: float
    low: float | None = None
    high: float | None = None
    bot: str = ""
    """Whose mark stands in the interval where it is drawn; "": it is written alone."""
    digits: int = 1
    half: bool = False
    """Whether one half is marked where it is drawn."""


class Heat(NamedTuple):
    """What one bot won against another: a cell of a matrix, shaded where it can be."""

    share: float
    low: float
    high: float
    bot: BotRef
    rival: BotRef
    record: str
    """The matches that were won, drawn and lost."""


class Number(NamedTuple):
    """A number with so many digits; *low_is_best* turns the order of a column."""

    number: float
    digits: int = 0
    low_is_best: bool = False
    sign: str = ""
    """What stands before it: ">= " or "<= " where it is the only end that is known of a value."""


class Used(NamedTuple):
    """What was used of a limit, as a share of it; above 1 it is wrong."""

    share: float
    text: str = ""


class Prose(NamedTuple):
    """Text that somebody outside wrote: a note, an error, stderr.  It means nothing in any medium."""

    text: str


class Command(NamedTuple):
    """What to type."""

    command: str


class Warned(NamedTuple):
    """A text with the mark of a warning."""

    text: str
    bot: str = ""
    """The bot whose faults it is about."""


Value: TypeAlias = (
    str
    | BotRef
    | MatchRef
    | GameRef
    | EventRef
    | PageRef
    | SeatRef
    | StepRef
    | Interval
    | Share
    | Heat
    | Number
    | Used
    | Prose
    | Command
    | Warned
)
"""What stands in a cell or a line.  Each renderer matches over all of them."""
Words: TypeAlias = list[Value]
"""Values that stand in a line one after the other, with nothing between them."""


def between(told: Sequence[Value | Words], sign: str = ", ") -> Words:
    """Return what is *told* in one line, with a *sign* between each two."""
    words: Words = []
    for each in told:
        words += [sign, *each] if isinstance(each, list) else [sign, each]
    return words[1:]


def join_with_and(told: Sequence[Value | Words]) -> Words:
    """Return what is *told* in one line, with commas, and a word before the last."""
    return between([between(told[:-1]), told[-1]], " and ") if len(told) > 1 else between(told)


def some_of(told: Sequence[Value | Words], most: int) -> Words:
    """Return the first *most* of what is *told* in one line, and how many more there are."""
    return [*between(told[:most]), f" and {len(told) - most:,} more" if len(told) > most else ""]


# -- tables


@dataclass(frozen=True, slots=True)
class Column:
    """The heading and format of the values under one key of the rows."""

    key: str
    title: str
    cell: Cell = str
    right: bool = False
    always: bool = True
    """Whether tables show the column even if no row has a value."""
    extra: bool = False
    """Whether only wide terminals show the column, and other tables do not."""
    draw: Draw | None = None
    """Draws all cells at once, such as bars on a common axis, instead of `cell`."""
    fold: bool = False
    """Whether a cell may take several lines in a table that is not on a terminal."""
    flat: Cell | None = None
    """Tells a nested value in CSV and workbooks, in place of JSON."""
    kind: Callable[[Row], Value | Words | None] | None = None
    """Says what a row holds here, in place of `cell`: each medium writes it in its way."""
    on_pages: bool = True
    """Whether pages show it: another column may say the same there."""


GAME = Column("game", "game")
"""The first column of each list for programs, where every row names its game."""


def name_columns(*keys: str) -> tuple[Column, ...]:
    """Return columns for programs alone, which read *keys* and raw values, no titles."""
    return tuple([Column(key, key) for key in keys])


@dataclass(frozen=True, slots=True)
class Divider:
    """A line of text between the rows of a table."""

    row: int
    """The index of the row that follows."""
    text: str


def digits(count: int) -> Cell:
    """Return a format of numbers with *count* decimals."""
    return lambda value: f"{value:.{count}f}"


# -- parts


class Text(NamedTuple):
    """A paragraph."""

    words: Value | Words
    quiet: bool = False
    """Whether it is less than the rest."""


class Note(NamedTuple):
    """What a table does not say, and what to type about it."""

    text: Value | Words
    command: str = ""


class Facts(NamedTuple):
    """Names with what is known of each; values that are empty are left out by builders."""

    facts: Sequence[tuple[str, Value | Words]]


class Table(NamedTuple):
    """Rows under columns."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    caption: str
    """What it is a table of, for those who do not see it among the rest."""
    dividers: Sequence[Divider] = ()
    tones: Sequence[str] = ()
    """A word for each row, such as unranked."""
    alike: Sequence[int] = ()
    """For each row a number whose bit n says that row n cannot be told apart from it."""
    sortable: bool = False
    searched: bool = False
    """Whether the search on every page filters it."""


class Lines(NamedTuple):
    """Short lines, such as those of a list."""

    lines: Sequence[Value | Words]
    whole: bool = False
    """Whether they are broken for the width of a terminal alone: in a pipe each is one line."""


class Code(NamedTuple):
    """Lines as they are: a log, a replay, a program."""

    text: str


class RatingPoint(NamedTuple):
    """A rating after a number of matches."""

    matches: int
    rating: float
    low: float | None
    """The lower end of its 95 % interval; None if matches set none."""
    high: float | None


class RatingLine(NamedTuple):
    """How the rating of one version of a bot came about."""

    bot: BotRef
    points: Sequence[RatingPoint]


class Histogram(NamedTuple):
    """How often a time in ms lies between two ends: from, to, number."""

    bot: str
    bars: Sequence[tuple[float, float, int]]
    limit: float


class Chart(NamedTuple):
    """Something that pages draw; other media have a table in its place, if there is one."""

    caption: str
    title: str
    data: Sequence[RatingLine] | Histogram
    instead: Table | None = None
    axis: str = "rating"
    """What the height of lines is."""


class Picture(NamedTuple):
    """A board: each way to show it is made only where it is wanted."""

    text: Callable[[], str]
    draw: Callable[[], str]
    """Returns SVG, in which all that others wrote is escaped."""


class Bracket(NamedTuple):
    """The tables of a knock-out: pages draw them, text has them in letters."""

    title: str
    text: Callable[[int, Callable[[str], str]], Iterable[str]]
    """Returns lines of a width; those who go on are emphasised."""
    draw: Callable[[], str]
    """Returns SVG, in which all that others wrote is escaped."""


class Section(NamedTuple):
    """Parts under a heading."""

    title: Value | Words
    parts: "Sequence[Part]"
    id: str = ""
    """Its anchor on a page; one that has it stands in the list of contents."""
    folded: bool = False
    """Whether pages show it only to those who open it."""


Part: TypeAlias = Text | Note | Facts | Table | Lines | Code | Chart | Picture | Bracket | Section


class Document(NamedTuple):
    """An answer about one subject."""

    title: Value | Words
    parts: Sequence[Part]
