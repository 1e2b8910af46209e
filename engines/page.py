"""Format views as text: the parts that all games share."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from engines.news import agree, tell_event
from engines.types import Choice, Json, OneOf, Seat

_WIDTH: Final = 100
_ANSWER: Final = re.compile(r"\n\n(?:.+\n)*Answer with (?:.+\n)+\Z")
_YOU_ARE: Final = re.compile(r"\bYou are (seat \d+|a spectator)( of \d+ seats)?\. ")
_BY_SEAT: Final = re.compile(r"\b[Bb]y seat\b|\bof each seat\b")
_SEATS: Final = re.compile(r"\bseats (\d+(?:, \d+)* and \d+)")
_SEAT: Final = re.compile(
    r"(?P<begins>^ *|(?<=\. ))?(?<!by )(?<!from )\b[Ss]eat (?P<seat>\d+)(?: \(you\))?"
    r"(?P<verbs> [a-z]+(?:[a-z ]*(?:, or| and) [a-z]+)?)?",
    re.MULTILINE,
)
"""A seat in a text, and the verbs that follow it."""
_AND_VERB: Final = re.compile(r"((?:, or|\band) )([a-z]+)s\b")


def page(parts: Iterable[Iterable[str]]) -> str:
    """Join the lines of all *parts*, with an empty line between parts; one without lines is left out."""
    blocks = ["\n".join([line.rstrip() for line in part]) for part in parts]
    return "\n\n".join(filter(None, blocks)) + "\n"


def tell_people(text: str, names: Sequence[str] = (), *, ask: bool = True) -> str:
    """Return *text*, which `page` has made, with the *names* of the seats, if there are any.

    Lists by seat keep their numbers, and a line explains them.  Without *ask* it does not say how to answer.
    """
    if not ask:
        text = _ANSWER.sub("\n", text)
    if not names:
        return text
    if _BY_SEAT.search(text):
        numbered = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
        text = text.replace("\n\n", f"\nSeats by number: {numbered}.\n\n", 1)
    text = _SEATS.sub(lambda found: re.sub(r"\d+", r"seat \g<0>", found[1]), _YOU_ARE.sub("", text))
    return _SEAT.sub(lambda found: _call_seat(found, names), text)


def _call_seat(found: re.Match[str], names: Sequence[str]) -> str:
    """Return what the seat that was *found* is called, with the verbs behind it; the reader is "You"."""
    begins, seat, verbs = found["begins"], int(found["seat"]), found["verbs"] or ""
    told = (names[seat] if seat < len(names) else f"seat {seat}") + verbs
    if told == f"You{verbs}":
        told = _AND_VERB.sub(r"\1\2", agree(told))
        told = told if begins is not None else f"y{told[1:]}"
    return (begins or "") + told


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
