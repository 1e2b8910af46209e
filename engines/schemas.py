"""Build a game's schema.json from declarations beside its view.

A declaration is a piece of JSON Schema (draft 2020-12); the functions here write the usual ones.
`python -m engines.schemas my_package` writes the schema.json of a game whose package has a module `schema`
with a `SCHEMA`, made by `document`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from engines.game import NOTHING, Game, Json

__all__ = [
    "EventParts",
    "by_seat",
    "document",
    "either",
    "integer",
    "list_of",
    "name_of",
    "optional",
    "part_of",
    "row_of",
    "schema_text",
    "seat",
]

Schema: TypeAlias = dict[str, Json]
Fields: TypeAlias = Mapping[str, Schema]
SEAT: Final = "seat"
BY_SEAT: Final = "by seat"
_SIZE: Final = "depends on the size of the table"
_OPTIONAL: Final = "may be missing"
"""Keys of declarations that document() resolves; the schema does not have them."""


def integer(low: int, high: int, about: str = "") -> Schema:
    """Return the schema of a whole number from *low* to *high*."""
    return _about(about) | {"type": "integer", "minimum": low, "maximum": high}


def name_of(names: Iterable[str], about: str = "") -> Schema:
    """Return the schema of one of *names*."""
    return _about(about) | {"type": "string", "enum": [*names]}


def list_of(item: Schema, low: int, high: int, about: str = "") -> Schema:
    """Return the schema of a list of *low* to *high* values that fit *item*."""
    return _about(about) | {"type": "array", "items": item, "minItems": low, "maxItems": high}


def row_of(*items: Schema, about: str = "") -> Schema:
    """Return the schema of a list of exactly *items*, in order."""
    size = len(items)
    return _about(about) | {
        "type": "array",
        "prefixItems": [*items],
        "items": False,
        "minItems": size,
        "maxItems": size,
    }


def either(*parts: Schema, about: str = "") -> Schema:
    """Return the schema of a value that fits one of *parts*."""
    return _about(about) | {"anyOf": [*parts]}


def optional(part: Schema) -> Schema:
    """Return the schema of a field that may be missing."""
    return {**part, _OPTIONAL: True}


def seat(about: str = "") -> Schema:
    """Return the schema of a seat at the table."""
    return _about(about) | {"type": "integer", "minimum": 0, _SIZE: SEAT}


def by_seat(item: Schema, about: str = "") -> Schema:
    """Return the schema of a list with an *item* for each seat."""
    return _about(about) | {"type": "array", "items": item, _SIZE: BY_SEAT}


def part_of(name: str) -> Schema:
    """Return a reference to the part of the document that is called *name*, such as "options"."""
    return {"$ref": f"#/$defs/{name}"}


class EventParts(NamedTuple):
    """The fields of an event."""

    about: str
    public: Fields = NOTHING
    """The public fields."""
    private: Fields = NOTHING
    """The fields that only single seats see."""


def document(
    game: type[Game[Any]],
    *,
    view: Fields,
    own: Fields,
    events: Mapping[str, EventParts],
    moves: Mapping[str, Schema],
    deal: Fields,
) -> Schema:
    """Return the schema of all that a bot reads and writes in *game*.

    *view*: the public fields; *own*: the fields for the seat alone; *events* by kind; *moves* by the step in
    which they are made, or one, under "", of a game whose view has no `step`; *deal*: all but the options.
    `seats`, `seat`, `options`, `step` and `text` of a view follow from the game and its moves.
    """
    for name, values in game.custom.items():
        raise ValueError(f"expected no options of the user's own, got: {name!r} with {values!r}")
    sizes = [*game.seats]
    given = "given_options" if game.options else "options"
    if "" not in moves:
        view = {"step": part_of("step"), **view}
    parts: Schema = {
        "view": _view(game, view, own),
        "event": {"oneOf": [part_of(f"{kind}_event") for kind in events]},
        "move": {"anyOf": [part_of(f"{step}_move") for step in moves]} if "" not in moves else moves[""],
        "options": _object("The rule options, all of them.", {name: part_of(name) for name in game.options}),
        "deal": _object("All the luck of a match.", {"options": part_of(given), **deal}, _always(deal)),
    }
    for kind, told in events.items():
        fields = {"event": {"type": "string", "const": kind}, **told.public, **told.private}
        parts[f"{kind}_event"] = _object(told.about, fields, ["event", *_always(told.public)])
    parts |= {f"{step}_move": move for step, move in moves.items() if step}
    if game.options:
        about = "Those that are not given have their defaults."
        parts["given_options"] = _object(about, {name: part_of(name) for name in game.options}, [])
    parts |= {name: {"enum": [*values], "default": values[0]} for name, values in game.options.items()}
    if "" not in moves:
        parts["step"] = name_of([*moves, "over"], "What is decided now.")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{game.name.replace('-', ' ').title()}, version {game.version}",
        "description": "All that a bot reads and writes in this game, and the deals.",
        "anyOf": [part_of(part) for part in ("view", "event", "move", "options", "deal")],
        "$defs": {name: _resolve(part, sizes) for name, part in parts.items()},
    }


def _view(game: type[Game[Any]], view: Fields, own: Fields) -> Schema:
    """Return the schema of a view: whole for a seat, without what is *own* for a spectator."""
    seats = {"enum": [*game.seats], "type": "integer", "description": "The size of the table."}
    public = {"seats": seats, "options": part_of("options"), **view}
    private = {"seat": seat("Your seat.  A spectator has none."), **own}
    text = {"text": {"description": "The view in words, for a bot that asked for it.", "type": "string"}}
    whole = _object("All that a seat knows, or a spectator.", {**public, **private, **text}, _always(public))
    whole["dependentRequired"] = {"seat": _always(own), **{name: ["seat"] for name in own}}
    sized = {key: part[_SIZE] for key, part in {**public, **private}.items() if _SIZE in part}
    whole["allOf"] = [
        {
            "if": {"properties": {"seats": {"const": size}}},
            "then": {"properties": {key: _at(size, what) for key, what in sized.items()}},
        }
        for size in game.seats
    ]
    return whole


def _at(size: int, what: str) -> Schema:
    """Return the bounds at a table of *size* seats."""
    return {"maximum": size - 1} if what == SEAT else {"minItems": size, "maxItems": size}


def _resolve(part: Json, sizes: list[int]) -> Json:
    """Return *part* with bounds that hold at all table *sizes* where it depends on them."""
    if isinstance(part, list):
        return [_resolve(item, sizes) for item in part]
    if not isinstance(part, dict):
        return part
    kept = {key: _resolve(value, sizes) for key, value in part.items() if key not in (_SIZE, _OPTIONAL)}
    if part.get(_SIZE) == SEAT:
        kept["maximum"] = sizes[-1] - 1
    elif part.get(_SIZE) == BY_SEAT:
        kept |= {"minItems": sizes[0], "maxItems": sizes[-1]}
    return kept


def _always(fields: Fields) -> list[str]:
    """Return the names of the fields that are always there."""
    return [name for name, part in fields.items() if _OPTIONAL not in part]


def _object(about: str, fields: Fields, required: Iterable[str] | None = None) -> Schema:
    return {
        "description": about,
        "type": "object",
        "properties": dict(fields),
        "required": [*fields] if required is None else [*required],
        "additionalProperties": False,
    }


def _about(about: str) -> Schema:
    return {"description": about} if about else {}


def schema_text(schema: Schema) -> str:
    """Return *schema* as the text of schema.json."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main(package: str) -> None:
    """Write the schema.json of the game in *package*."""
    module = import_module(f"{package}.schema")
    assert module.__file__
    path = Path(module.__file__).parent / "schema.json"
    path.write_text(schema_text(module.SCHEMA), "utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main(*sys.argv[1:])
