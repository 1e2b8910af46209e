"""Events in words, for people: phrases with gaps, and what to say of an event that has no phrase.

A phrase has gaps and pieces in brackets, which are left out where a field in them is missing or null:

    {seat} plays {card}[ from slot {slot}]

`[field?words]` stands only where the field is true, `[field!words]` only where it is missing or null.  A gap
says how its value is told: `{first:seat}` is a seat, `{crossed:those}` are seats, `{coins:each}` is a list by
seat, `{scores:points}` such a list with only the totals, `{places:count}` the length of a list.  A gap called
`seat` is always a seat.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from engines.types import Json

_PIECE: Final = re.compile(r"\[(?:(\w+)([?!]))?([^\]]*)\]")
_GAP: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")


_YOU: Final = re.compile(r"\bYou (\w+)")
_ODD: Final = {"has": "have", "is": "are"}


def agree(sentence: str) -> str:
    """Return *sentence*, whose verb follows a name, with the verb that suits "You": "You take a card"."""
    return _YOU.sub(lambda found: f"You {_ODD.get(found[1]) or found[1].removesuffix('s')}", sentence)


def tell_event(
    event: Mapping[str, Json],
    phrases: Mapping[str, str],
    names: Sequence[str] = (),
    words: Callable[[str], str] | None = None,
) -> str:
    """Return *event* by its phrase, else field by field.

    *names* are those of the seats, else `Seat 0`.  *words* tells cards and moves for people, as the game's
    `in_words`; without it they stand in notation.
    """
    teller = _Teller(names, words)
    phrase = phrases.get(event["event"])
    if phrase is None:
        return teller.fields(event)
    pieces = _PIECE.sub(lambda found: _piece(found, event), phrase)
    if any(gap[1] not in event for gap in _GAP.finditer(pieces)):
        return teller.fields(event)
    told = _GAP.sub(lambda gap: teller.gap(event[gap[1]], gap[2] or gap[1]), pieces)
    if not words:
        return told
    is_name = any(told.startswith(name) for name in names)  # a name stays as its owner writes it
    return agree(told if is_name else told[:1].upper() + told[1:])


def _piece(found: re.Match[str], event: Mapping[str, Json]) -> str:
    field, sign, words = found.groups()
    if sign == "?":
        return words if event.get(field) else ""
    if sign == "!":
        return words if event.get(field) is None else ""
    return words if all(event.get(gap[1]) is not None for gap in _GAP.finditer(words)) else ""


class _Teller(NamedTuple):
    """How seats, cards and moves are called."""

    names: Sequence[str]
    words: Callable[[str], str] | None

    def gap(self, value: Json, how: str) -> str:
        """Return *value* as a gap wants it told."""
        if how == "seat":
            return self._seat(value)
        if how == "those":
            return ", ".join(map(self._seat, value)) or "no seat"
        if how == "count":
            return str(len(value))
        if how == "points":
            value, how = [each["total"] if isinstance(each, dict) else each for each in value], "each"
        if how == "each":
            return self._by_seat(dict(enumerate(value)))
        return self._value(value)

    def fields(self, event: Mapping[str, Json]) -> str:
        """Return *event* field by field: `take: seat 0, slot 5, card C4.1`."""
        told = [f"{key} {self._value(value)}" for key, value in event.items() if key != "event"]
        return f"{event['event']}: {', '.join(told)}" if told else str(event["event"])

    def _seat(self, seat: Json) -> str:
        if not isinstance(seat, int):
            return f"the {seat}"
        return self.names[seat] if seat < len(self.names) else f"Seat {seat}"

    def _by_seat(self, values: Mapping[int, Json]) -> str:
        return ", ".join(f"{self._seat(seat)}: {self._value(value)}" for seat, value in values.items())

    def _value(self, value: Json) -> str:
        """Return *value* without the marks of JSON; an object whose keys are seats is told seat by seat."""
        if isinstance(value, dict):
            if value and all(isinstance(key, int) for key in value):
                return self._by_seat(value)
            return "(" + ", ".join(f"{key} {self._value(inner)}" for key, inner in value.items()) + ")"
        if isinstance(value, (list, tuple)):
            between = ", " if self.words else " "
            return between.join(map(self._value, value)) or "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value is None:
            return "none"
        return self.words(value) if self.words and isinstance(value, str) else str(value)
