"""Events in words: what all games share."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Json

__all__ = ["tell_fields"]


def tell_fields(event: Mapping[str, Json]) -> str:
    """Return *event* field by field: `take: seat 0, slot 5, card C4.1`."""
    told = [f"{key} {_tell_value(value)}" for key, value in event.items() if key != "event"]
    return f"{event['event']}: {', '.join(told)}" if told else str(event["event"])


def _tell_value(value: Json) -> str:
    """Return *value* without the marks of JSON: lists with spaces, the fields of an object in brackets."""
    if isinstance(value, dict):
        return "(" + ", ".join(f"{key} {_tell_value(inner)}" for key, inner in value.items()) + ")"
    if isinstance(value, (list, tuple)):
        return " ".join(map(_tell_value, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
