"""Build a game's schema.json from declarations beside its view.

A module `schema` of the game's package declares it as SCHEMA, with document() and the words of
engines/declarations.py, which are offered here, too.  `python -m engines.schemas my_package` writes the file:

    view={
        "round": integer(1, 4),
        "scout": nullable(seat(), "The seat that is asked; null at over."),
        "scores": by_seat(integer(0, 120), "By seat, the points so far."),
    },
    rules=[when({"step": "over"}, {"round": 4, "scout": None}, {"scout": PRESENT})],
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from engines.declarations import (
    ABSENT,
    BY_SEAT,
    OPTIONAL,
    OR_FEWER,
    PRESENT,
    SEAT,
    SIZE,
    Fields,
    Schema,
    about_of,
    always,
    at_table,
    by_seat,
    either,
    exactly,
    flag,
    has,
    integer,
    length,
    list_of,
    map_of,
    name_of,
    nullable,
    object_of,
    optional,
    orders_of,
    part_of,
    record,
    row_of,
    seat,
    text_of,
    when,
)
from engines.game import NOTHING, Game, Json

__all__ = [
    "ABSENT",
    "PRESENT",
    "EventParts",
    "Schema",
    "at_table",
    "by_seat",
    "document",
    "either",
    "event",
    "exactly",
    "flag",
    "has",
    "integer",
    "length",
    "list_of",
    "map_of",
    "name_of",
    "nullable",
    "optional",
    "orders_of",
    "part_of",
    "record",
    "row_of",
    "schema_text",
    "seat",
    "text_of",
    "when",
]

_USUAL_TEXTS: Final = {
    "": "All that a bot reads and writes in this game, and the deals.",
    "options": "The rule options, all of them.",
    "given_options": "Those that are not given have their defaults.",
    "step": "What is decided now.",
    "seat": "Your seat.  A spectator has none.",
    "text": "The view in words, for a bot that asked for it.",
}
_WIDTH: Final = 110


class EventParts(NamedTuple):
    """The fields of an event."""

    about: str
    public: Fields = NOTHING
    """The public fields."""
    private: Fields = NOTHING
    """The fields that only single seats see."""
    rules: Sequence[Schema] = ()


def event(
    about: str, /, *, private: Fields = NOTHING, rules: Sequence[Schema] = (), **public: Schema
) -> EventParts:
    """Return an event of these *public* fields, and of those that only single seats see."""
    return EventParts(about, public, private, rules)


def document(
    game: type[Game[Any]],
    *,
    view: Fields,
    own: Fields,
    last: Fields = NOTHING,
    rules: Sequence[Schema] = (),
    events: Mapping[str, EventParts],
    moves: Mapping[str, Schema],
    deal: Fields,
    deal_rules: Sequence[Schema] = (),
    custom: Mapping[str, tuple[Schema, Schema]] = NOTHING,
    parts: Fields = NOTHING,
    texts: Mapping[str, str] = NOTHING,
) -> Schema:
    """Return the schema of all that a bot reads and writes in *game*.

    *view*: the public fields; *own*: the fields for the seat alone; *last*: public fields after those.
    *events* by kind; *moves* by the step in which they are made, or one, under "", of a game whose view has
    no `step`.  *deal*: all but the options.  *custom*: options of the user's own, each as bots see it and as
    it is given.  *parts*: what part_of() refers to.  *texts*: what is said of options, and of the parts that
    follow from the game and its moves: `seats`, `seat`, `options`, `step` and `text` of a view, and others.
    Raises ValueError unless *custom* has the options of the user's own that the game has.
    """
    if game.custom.keys() != custom.keys():
        raise ValueError(f"expected in custom the options {[*game.custom]}, got: {[*custom]}")
    texts = {**_USUAL_TEXTS, **texts}
    # a game whose moves have no steps has no `step` in its view either
    if "" not in moves:
        view = {"step": part_of("step"), **view} if "step" not in view else view
        parts = {"step": name_of([*moves, "over"], texts["step"]), **parts}
    given = part_of("given_options" if game.options or custom else "options")
    every: dict[str, Schema] = {
        "view": _view(game, view, own, last, texts),
        "event": _one_of("oneOf", [f"{kind}_event" for kind in events], texts.get("event", "")),
        "move": moves.get("") or _one_of("anyOf", [f"{step}_move" for step in moves], texts.get("move", "")),
        **_options(game, custom, texts),
        "deal": object_of("All the luck of a match.", {"options": given, **deal}, always(deal), deal_rules),
        **{f"{kind}_event": _event(kind, event) for kind, event in events.items()},
        **{f"{step}_move": move for step, move in moves.items() if step},
        **parts,
    }
    # at the end, because a bound of one part may stand in another that it refers to
    every["view"]["allOf"] = [*rules, *(_at_size(every, size) for size in game.seats)]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{game.name.replace('-', ' ').title()}, version {game.version}",
        "description": texts[""],
        **_one_of("anyOf", ["view", "event", "move", "options", "deal"]),
        "$defs": {name: _resolve(part, [*game.seats]) for name, part in every.items()},
    }


def _view(game: type[Game[Any]], view: Fields, own: Fields, last: Fields, texts: Mapping[str, str]) -> Schema:
    """Return the schema of a view: whole for a seat, without what is *own* for a spectator."""
    seats = {"enum": [*game.seats], "type": "integer", "description": "The size of the table."}
    public = {"seats": seats, "options": part_of("options"), **view}
    text = {"text": about_of(texts["text"]) | {"type": "string"}}
    fields = {**public, "seat": seat(texts["seat"]), **own, **last, **text}
    whole = object_of("All that a seat knows, or a spectator.", fields, always({**public, **last}))
    return whole | {"dependentRequired": {"seat": always(own), **{name: ["seat"] for name in own}}}


def _event(kind: str, event: EventParts) -> Schema:
    fields = {"event": {"type": "string", "const": kind}, **event.public, **event.private}
    return object_of(event.about, fields, ["event", *always(event.public)], event.rules)


def _options(
    game: type[Game[Any]], custom: Mapping[str, tuple[Schema, Schema]], texts: Mapping[str, str]
) -> dict[str, Schema]:
    """Return the options as bots see them and as they are given, and a part for each with its values."""
    named = {name: part_of(name) for name in game.options}
    parts = {
        name: about_of(texts.get(name, "")) | {"enum": [*values], "default": values[0]}
        for name, values in game.options.items()
    }
    seen = {name: optional(schemas[0]) for name, schemas in custom.items()}
    parts["options"] = object_of(texts["options"], {**named, **seen}, named)
    if named or custom:
        given = {name: schemas[1] for name, schemas in custom.items()}
        parts["given_options"] = object_of(texts["given_options"], {**named, **given}, [])
    return parts


def _one_of(how: str, parts: Iterable[str], about: str = "") -> Schema:
    return about_of(about) | {how: [part_of(part) for part in parts]}


# -- the size of the table


def _at_size(every: Fields, size: int) -> Schema:
    """Return what a view has at a table of *size* seats."""
    sized = {key: part for key, part in every["view"]["properties"].items() if SIZE in part}
    bounds = {key: _bounds(part, every, size) for key, part in sized.items()}
    then = {key: bound for key, bound in bounds.items() if bound}
    return {"if": {"properties": {"seats": {"const": size}}}, "then": {"properties": then}}


def _bounds(part: Json, every: Fields, size: int) -> Schema:
    """Return what a table of *size* seats demands of *part* and of the parts in it."""
    if not isinstance(part, dict):
        return {}
    if part.get(SIZE) in _BOUNDS:
        return _BOUNDS[part[SIZE]](size, size)
    # a bound by table size may lie behind a reference, which is followed: no part refers to itself
    if "$ref" in part:
        return _bounds(every[part["$ref"].removeprefix("#/$defs/")], every, size)
    found: Schema = {}
    for key in ("items", "additionalProperties"):
        found |= {key: inner} if (inner := _bounds(part.get(key), every, size)) else {}
    fields = {key: _bounds(inner, every, size) for key, inner in part.get("properties", {}).items()}
    if any(fields.values()):
        found["properties"] = {key: inner for key, inner in fields.items() if inner}
    row = [_bounds(inner, every, size) for inner in part.get("prefixItems", ())]
    found |= {"prefixItems": row} if any(row) else {}
    for inner in part.get("anyOf", ()):  # of different types, so that a bound means only one of them
        found |= _bounds(inner, every, size)
    return found


def _resolve(part: Json, sizes: list[int]) -> Json:
    """Return *part* with bounds that hold at all table *sizes* where it depends on them."""
    if isinstance(part, list):
        return [_resolve(item, sizes) for item in part]
    if not isinstance(part, dict):
        return part
    kept = {key: _resolve(value, sizes) for key, value in part.items() if key not in (SIZE, OPTIONAL)}
    bounds = _BOUNDS.get(part.get(SIZE, ""))
    return kept | bounds(sizes[0], sizes[-1]) if bounds else kept


_BOUNDS: Final[dict[str, Callable[[int, int], Schema]]] = {
    SEAT: lambda low, high: {"maximum": high - 1},
    BY_SEAT: length,
    OR_FEWER: lambda low, high: {"maxItems": high},
}


# -- the file


def schema_text(schema: Schema) -> str:
    """Return *schema* as the text of schema.json."""
    return _lines(schema, 0) + "\n"


def _lines(value: Json, margin: int, key: str = "") -> str:
    """Return *value* as JSON after its *key*: on one line if it fits there, else on a line for each part."""
    line = key + json.dumps(value, ensure_ascii=False)
    if margin + len(line) < _WIDTH or not isinstance(value, (dict, list)):
        return line
    if isinstance(value, dict):
        parts = [_lines(item, margin + 2, f'"{name}": ') for name, item in value.items()]
    else:
        parts = [_lines(item, margin + 2) for item in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    pad = "\n" + " " * (margin + 2)
    return key + begin + pad + ("," + pad).join(parts) + "\n" + " " * margin + end


def main(package: str) -> None:
    """Write the schema.json of the game in *package*."""
    module = import_module(f"{package}.schema")
    assert module.__file__
    path = Path(module.__file__).parent / "schema.json"
    path.write_text(schema_text(module.SCHEMA), "utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main(*sys.argv[1:])
