"""Events in words, for people: phrases with gaps, and what to say of an event that has no phrase.

A phrase has gaps and pieces in brackets, which are left out where a field in them is missing or null:

    {seat} plays {card}[ from slot {slot}]

`[field?words]` stands only where the field is true, `[field!words]` only where it is missing or null.  A gap
says how its value is told: `{first:seat}` is a seat, `{crossed:those}` are seats, `{coins:each}` is a list by
seat, `{scores:points}` such a list with only the totals, `{places:count}` the length of a list.  A gap called
`seat` is always a seat.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from engines.types import Json

__all__ = ["tell_event"]

_PIECE: Final = re.compile(r"\[(?:(\w+)([?!]))?([^\]]*)\]")
_GAP: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")


def tell_event(event: Mapping[str, Json], phrases: Mapping[str, str], names: Sequence[str] = ()) -> str:
    """Return *event* by its phrase, else field by field; *names* are those of the seats, else `Seat 0`."""
    phrase = phrases.get(event["event"])
    if phrase is None:
        return _tell_fields(event, names)
    pieces = _PIECE.sub(lambda found: _piece(found, event), phrase)
    if any(gap[1] not in event for gap in _GAP.finditer(pieces)):
        return _tell_fields(event, names)
    return _GAP.sub(lambda gap: _fill(event[gap[1]], gap[2] or gap[1], names), pieces)


def _piece(found: re.Match[str], event: Mapping[str, Json]) -> str:
    field, sign, words = found.groups()
    if sign == "?":
        return words if event.get(field) else ""
    if sign == "!":
        return words if event.get(field) is None else ""
    return words if all(event.get(gap[1]) is not None for gap in _GAP.finditer(words)) else ""


def _fill(value: Json, how: str, names: Sequence[str]) -> str:
    if how == "seat":
        return _seat(value, names)
    if how == "those":
        return ", ".join(_seat(seat, names) for seat in value) or "no seat"
    if how == "count":
        return str(len(value))
    if how == "points":
        value, how = [each["total"] if isinstance(each, dict) else each for each in value], "each"
    if how == "each":
        return _by_seat(dict(enumerate(value)), names)
    return _tell_value(value, names)


def _seat(seat: Json, names: Sequence[str]) -> str:
    if not isinstance(seat, int):
        return f"the {seat}"
    return names[seat] if seat < len(names) else f"Seat {seat}"


def _by_seat(values: Mapping[int, Json], names: Sequence[str]) -> str:
    return ", ".join(f"{_seat(seat, names)}: {_tell_value(value, names)}" for seat, value in values.items())


def _tell_fields(event: Mapping[str, Json], names: Sequence[str]) -> str:
    """Return *event* field by field: `take: seat 0, slot 5, card C4.1`."""
    told = [f"{key} {_tell_value(value, names)}" for key, value in event.items() if key != "event"]
    return f"{event['event']}: {', '.join(told)}" if told else str(event["event"])


def _tell_value(value: Json, names: Sequence[str]) -> str:
    """Return *value* without the marks of JSON; an object whose keys are seats is told seat by seat."""
    if isinstance(value, dict):
        if value and all(isinstance(key, int) for key in value):
            return _by_seat(value, names)
        return "(" + ", ".join(f"{key} {_tell_value(inner, names)}" for key, inner in value.items()) + ")"
    if isinstance(value, (list, tuple)):
        return " ".join(_tell_value(each, names) for each in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
