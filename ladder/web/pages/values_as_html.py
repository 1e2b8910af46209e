"""Write single values as HTML: bots, matches and games are links, intervals and shares are drawn."""

from typing import Protocol, assert_never

from markupsafe import Markup, escape

from engines.drawing import SEAT_MARKS, seat_mark
from ladder.web.pages.bot_marks import BotMark, marks_of
from ladder.web.pages.environment import macro, visible
from ladder.web.pages.figures import Axis, bar, dot_in_interval
from results.reports import document as doc
from results.reports.values_as_text import write


class PageCalls(Protocol):
    """What a site calls bots, matches and games, and where they have a page; "" where they have none."""

    def label(self, bot: doc.BotRef) -> str: ...
    def mark(self, bot: str) -> BotMark: ...
    def page_of_bot(self, bot: str) -> str: ...
    def page_of_match(self, match: doc.MatchRef) -> str: ...
    def page_of_game(self, game: str) -> str: ...
    def page_of_event(self, event: doc.EventRef) -> str: ...
    def page_of(self, ref: doc.PageRef) -> str: ...
    def game(self, game: str) -> str: ...


class NoPages:
    """The names of a page that stands alone: nothing leads elsewhere."""

    def label(self, bot: doc.BotRef) -> str:
        """Return the name of a bot."""
        return bot.bot

    def mark(self, bot: str) -> BotMark:
        """Return the first mark."""
        return marks_of([bot])[bot]

    def game(self, game: str) -> str:
        """Return the name of a game."""
        return name_of(game)

    def page_of(self, ref: object) -> str:
        """Return no page."""
        return ""

    page_of_bot = page_of_match = page_of_game = page_of_event = page_of


def name_of(game: str) -> str:
    """Return the name of *game* as people write it."""
    return game.replace("-", " ").title()


def with_signs(text: str) -> str:
    """Return *text* with the signs that a terminal spells out."""
    for spelled, sign in (("+-", "±"), (">= ", "≥ "), ("<= ", "≤ ")):
        text = text.replace(spelled, sign)
    return text


def value_as_html(
    value: doc.Value | doc.Words, names: PageCalls, *, links: bool = True, axis: Axis | None = None
) -> Markup:
    """Return *value* as markup; a heading has no *links*.  On an *axis* shares are drawn."""
    match value:
        case list():
            return Markup("").join(value_as_html(each, names, links=links) for each in value)
        case str():
            return escape(with_signs(visible(value)))
        case doc.Interval() | doc.Heat():
            return _light(_plainly(value))
        case doc.Share(_, low, high, bot):
            text, figure = _plainly(value), Markup("")
            if axis and bot and low is not None and high is not None:
                span = doc.Interval(value.share, low, high, bot=bot)
                figure = interval_as_html(span, axis, names, text) + " "
            return figure + _light(text)
        case doc.Number(number, digits):
            return escape(f"{with_signs(value.sign)}{number:,.{digits}f}")
        case doc.Used(share):
            text = _plainly(value)
            over = macro("warning")() if share > 1 else ""
            made = Markup("{}{} {}").format(over, text, bar(share, f"{100 * share:.0f} %"))
            return Markup('<span class="bad">{}</span>').format(made) if share > 1 else made
        case doc.Prose(text):
            return Markup("<bdi>{}</bdi>").format(visible(text))
        case doc.Command(command):
            return Markup("<code>{}</code>").format(visible(command))
        case doc.Warned(text, bot):
            sign = Markup("{} {}").format(macro("warning")(), visible(text))
            if bot and links:
                return Markup('<a class="fault" href="{}#faults">{}</a>').format(names.page_of_bot(bot), sign)
            return Markup('<span class="fault">{}</span>').format(sign)
        case _:
            return _reference(value, names, links=links)


def _reference(
    value: doc.BotRef | doc.MatchRef | doc.GameRef | doc.EventRef | doc.PageRef | doc.SeatRef | doc.StepRef,
    names: PageCalls,
    *,
    links: bool,
) -> Markup:
    """Return the name of what *value* names, with a link where that has a page."""
    match value:
        case doc.BotRef():
            name = visible(names.label(value))
            handle = visible(value.bot)
            title = Markup("") if name.startswith(handle) else Markup(' title="{}"').format(handle)
            name, alike, version = name.partition(f" ({handle})")
            label = Markup("<bdi{}>{}</bdi>").format(title, name)
            if alike:
                label += Markup(' <span class="muted">({})</span>{}').format(handle, version)
            page = names.page_of_bot(value.bot) if links else ""
            return _link(page, label)
        case doc.MatchRef() | doc.EventRef():
            name = escape(visible(_plainly(value)))
            if not name.isascii():  # letters that are read from right to left would turn what follows
                name = Markup("<bdi>{}</bdi>").format(name)
            page = (
                names.page_of_match(value) if isinstance(value, doc.MatchRef) else names.page_of_event(value)
            )
            return _link(page if links else "", name)
        case doc.GameRef(game):
            return _link(names.page_of_game(game) if links else "", escape(visible(names.game(game))))
        case doc.PageRef():
            return _link(names.page_of(value) if links else "", escape(visible(value.text)))
        case doc.SeatRef(seat, name, page):
            label = Markup("<bdi>{}</bdi>").format(visible(name))
            return seat_icon(seat) + " " + _link(page, label)
        case doc.StepRef(step):
            return Markup('<a class="viewer-goto" href="#{}">Step {}</a>').format(step, step)
    assert_never(value)


def seat_icon(seat: int) -> Markup:
    """Return the mark of a seat, the same as on its boards."""
    return Markup(  # noqa: S704 - made of numbers and names of our own
        f'<svg class="board seat-icon {SEAT_MARKS[seat % len(SEAT_MARKS)][1]}" viewBox="-13 -13 26 26"'
        f' aria-hidden="true">{seat_mark(seat)}</svg>'
    )


def _plainly(value: doc.Value) -> str:
    """Return *value* as text has it."""
    return write(value, lambda bot: bot.bot)


def _light(text: str) -> Markup:
    """Return an estimate with its interval in a light colour."""
    number, _, ends = text.partition(" (")
    return Markup('{} <span class="light">{}</span>').format(number, ends[:-1]) if ends else escape(number)


def _link(page: str, markup: Markup) -> Markup:
    return Markup('<a href="{}">{}</a>').format(page, markup) if page else markup


def interval_as_html(span: doc.Interval, axis: Axis, names: PageCalls, text: str = "") -> Markup:
    """Return the mark of a bot on the line of its interval, which *text* says in words."""
    known = None if span.low is None and span.high is None else span
    return dot_in_interval(span.middle, known, axis, names.mark(span.bot), text or with_signs(_plainly(span)))
