"""Write single values as text on one line, and as Markdown."""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, assert_never

from results.reports.document import (
    BotRef,
    Command,
    EventRef,
    GameRef,
    Heat,
    Interval,
    MatchRef,
    Number,
    PageRef,
    Prose,
    SeatRef,
    Share,
    StepRef,
    Used,
    Value,
    Warned,
    Words,
)
from results.reports.labels import Numbers, display_of, labels

Label: TypeAlias = Callable[[BotRef], str]
"""What a bot is called among others."""
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""What cannot be seen, or changes how its neighbours are shown.  Control characters except tab and newline,
marks of direction (Unicode TR 9), soft hyphens, fillers, variation selectors, tags, and half characters."""

MARKUP = re.compile(r"[\\<\[`*]")
"""What begins a link, an image, HTML, code or emphasis in Markdown."""


def escape(text: str) -> str:
    """Return *text* on one line with non-printable characters escaped, so it cannot command a terminal."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else _escape(char) for char in text)
    return text if text.isascii() else UNSEEN.sub(lambda found: _escape(found[0]), text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode()


def label_refs(refs: Iterable[BotRef], numbers: Numbers) -> Label:
    """Return what labels each of *refs* so that they are told apart from each other."""
    label = labels(((ref.bot, ref.version) for ref in refs if ref.version), numbers)

    def say(ref: BotRef) -> str:
        if ref.numbered and (number := numbers.get((ref.bot, ref.version))):
            return f"{display_of(ref.bot, numbers)}@{number}"
        return label.get((ref.bot, ref.version), display_of(ref.bot, numbers))

    return say


def refs_in(value: Any) -> list[BotRef]:
    """Return the bots that *value* names."""
    match value:
        case BotRef():
            return [value]
        case list():
            return [ref for each in value for ref in refs_in(each)]
    return []


def write(value: Value | Words, label: Label) -> str:
    """Return *value* as text on one line; bots have their *label*."""
    match value:
        case str():
            return escape(value)
        case BotRef():
            return escape(label(value))
        case MatchRef(store, number, _, _, text):
            return escape(text or f"{store}/{number}")
        case GameRef(game):
            return escape(game)
        case EventRef(event, _, text):
            return escape(text or event)
        case PageRef(_, text) | SeatRef(_, text, _) | Prose(text) | Command(text) | Warned(text):
            return escape(text)
        case StepRef(step):
            return f"step {step}"
        case Interval(middle, low, high, places):
            return _with_ends(middle, low, high, places)
        case Share(share, low, high):
            ends = "" if low is None or high is None else f" ({100 * low:.0f}-{100 * high:.0f})"
            return f"{100 * share:.{value.digits}f}{ends}"
        case Heat(share, low, high):
            return f"{100 * share:.0f} {100 * low:.0f}-{100 * high:.0f}"  # short: a matrix has many
        case Number(number, places):
            return f"{value.sign}{number:.{places}f}"
        case Used(share, text):
            return escape(text) or f"{100 * share:.0f} %"
        case list():
            return "".join(write(each, label) for each in value)
    assert_never(value)


def say(value: Value | Words, numbers: Numbers) -> str:
    """Return *value* as text on one line; *numbers* tell the versions of a bot apart in it."""
    return write(value, label_refs(refs_in(value), numbers))


def _with_ends(middle: float, low: float | None, high: float | None, places: int) -> str:
    ends = ["" if end is None else f"{end:.{places}f}" for end in (low, high)]
    match ends:
        case ["", ""]:
            return f"{middle:.{places}f}"
        case [low_end, ""]:
            return f">= {low_end}"
        case ["", high_end]:
            return f"<= {high_end}"
    return f"{middle:.{places}f} ({ends[0]}-{ends[1]})"


def write_in_markdown(value: Value | Words, label: Label) -> str:
    """Return *value* as Markdown on one line: what bots wrote, their names too, stands in code."""
    match value:
        case BotRef() | SeatRef() | Prose() | Command() | GameRef():
            return code(write(value, label))
        case str() | MatchRef() | EventRef() | PageRef() | StepRef() | Used() | Warned():
            return plain_markdown(write(value, label))
        case Interval() | Share() | Heat() | Number():
            return write(value, label)
        case list():
            return "".join(write_in_markdown(each, label) for each in value)
    assert_never(value)


def plain_markdown(text: str) -> str:
    """Return *text* so that it means nothing in Markdown."""
    return MARKUP.sub(r"\\\g<0>", text)


def code(text: str) -> str:
    """Return *text* on one line, as code of Markdown."""
    fence = "`" * (1 + longest_fence(text))
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{escape(text)}{padding}{fence}"


def longest_fence(text: str) -> int:
    """Return the length of the longest run of backticks in *text*."""
    return max(map(len, re.findall("`+", text)), default=0)
