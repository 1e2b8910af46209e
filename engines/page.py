"""Format views as text: the parts that all games share."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from engines.news import tell_event
from engines.types import Choice, Json, OneOf, Seat

_WIDTH: Final = 100


def page(parts: Iterable[Iterable[str]]) -> str:
    """Join the lines of all *parts*, with an empty line between parts; one without lines is left out."""
    blocks = ["\n".join([line.rstrip() for line in part]) for part in parts]
    return "\n\n".join(filter(None, blocks)) + "\n"


def seat_name(view: Mapping[str, Json], seat: Seat) -> str:
    """Return "Seat 2", or "Seat 2 (you)" if *view* belongs to that seat."""
    return f"Seat {seat} (you)" if view.get("seat") == seat else f"Seat {seat}"


def plural(number: int, noun: str) -> str:
    """Return "1 card", "2 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def either(ways: Sequence[str]) -> str:
    """Return "up", "up or down", "up, down or aside"."""
    *most, last = ways
    return f"{', '.join(most)} or {last}" if most else last


def fill_lines(head: str, items: Iterable[str], between: str = "", end: str = "") -> Iterator[str]:
    """Yield *items* after *head*, in as many lines as needed; no item is broken.

    *between* and *end* are signs that follow each item but the last, and the last.
    """
    line, waiting = head, [*items]
    for place, item in enumerate(waiting, 1):
        piece = item + (end if place == len(waiting) else between)
        if len(line) + 1 + len(piece) > _WIDTH:
            yield line
            line = " "
        line += f" {piece}"
    yield line


def tell_news(
    events: Sequence[Mapping[str, Json]], phrases: Mapping[str, str], known: Collection[str] = ()
) -> Iterator[str]:
    """Yield what happened since the seat's last decision, in words; nothing if nothing did.

    The fields *known* are left out, because the view tells them as well; so are kinds of events among them.
    """
    told = ""
    for event in events:
        if event["event"] not in known:
            fields = {name: value for name, value in event.items() if name not in known}
            words = tell_event(fields, phrases)
            told += f" {words[:1].upper()}{words[1:]}."
    if told:
        plain = "".join(sign if sign.isprintable() else " " for sign in told)
        yield from wrap(f"Since your last decision:{plain}", _WIDTH, break_on_hyphens=False)


def group_options(options: Sequence[str]) -> str:
    """Return *options* by their first word: "play B2 B4, or draw"."""
    groups: dict[str, list[str]] = {}
    for option in options:
        word, _, rest = option.partition(" ")
        groups.setdefault(word, []).append(rest)
    return ", or ".join(" ".join([word, *rests]).rstrip() for word, rests in groups.items())


def answer_line(choice: Choice) -> str:
    """Return how to answer *choice*, with an example that is legal."""
    if isinstance(choice, OneOf):
        return f'Answer with one move, like "{choice.options[0]}".'
    names = ", ".join(f'"{option}"' for option in choice.options[: max(choice.low, 1)])
    return f"Answer with a list of {choice.low} to {choice.high} names, like [{names}]."
