"""The events of a match in words, as one seat or a spectator has seen them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.game import Json

__all__ = ["in_words"]


def in_words(event: Mapping[str, Json], names: Sequence[str]) -> str:
    """Return *event* as one line; *names* are those of the seats."""
    kind = str(event.get("event", ""))
    seat = event.get("seat")
    who = names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else ""
    rest = [
        f"{key} {_value(value)}" for key, value in event.items() if key not in ("event", "seat", "options")
    ]
    return " ".join(part for part in (f"{who}:" if who else "", kind, ", ".join(rest)) if part)


def _value(value: Json) -> str:
    """Return *value* without the marks of JSON."""
    if isinstance(value, dict):
        return "(" + ", ".join(f"{key} {_value(item)}" for key, item in value.items()) + ")"
    if isinstance(value, list):
        return " ".join(_value(item) for item in value) or "none"
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return str(value)
