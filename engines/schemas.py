"""Declare what bots read and write in a game, and build its schema.json from that.

A module `schema` of the game's package declares it as SCHEMA, with document() and the words below: each
declaration is a piece of JSON Schema (draft 2020-12).  `python -m engines.schemas my_package` writes it:

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
from typing import Any, Final, NamedTuple, TypeAlias

from engines.game import NOTHING, Game, Json

Schema: TypeAlias = dict[str, Json]
Fields: TypeAlias = Mapping[str, Schema]
_SIZE: Final = "depends on the size of the table"
_OPTIONAL: Final = "may be missing"
"""Keys of declarations that document() resolves; the schema does not have them."""
_SEAT: Final = "seat"
_BY_SEAT: Final = "by seat"
_OR_FEWER: Final = "by seat, or fewer"
_AT_TABLE: Final = "the parts of it"
"""How a part depends on the size of the table."""
PRESENT: Final = "present, and not null"
ABSENT: Final = "not there"
"""What has() may say of a field, in place of its value."""
_USUAL_TEXTS: Final = {
    "": "All that a bot reads and writes in this game, and the deals.",
    "options": "The rule options, all of them.",
    "given_options": "Those that are not given have their defaults.",
    "step": "What is decided now.",
    "seat": "Your seat.  A spectator has none.",
    "text": "The view in words, for a bot that asked for it.",
}
_WIDTH: Final = 110


# -- values


def integer(low: int, high: int, about: str = "") -> Schema:
    """Return the schema of a whole number from *low* to *high*."""
    return _about_of(about) | {"type": "integer", "minimum": low, "maximum": high}


def flag(about: str = "") -> Schema:
    """Return the schema of true or false."""
    return _about_of(about) | {"type": "boolean"}


def text_of(pattern: str = "", about: str = "", longest: int | None = None) -> Schema:
    """Return the schema of a text of at most *longest* characters, all of which *pattern* matches.

    Alternatives stand in parentheses: "(?:heads|tails)".
    """
    form = {"pattern": f"^{pattern}$"} if pattern else {}
    bound = {} if longest is None else {"maxLength": longest}
    return _about_of(about) | {"type": "string"} | form | bound


def name_of(names: Iterable[str], about: str = "") -> Schema:
    return _about_of(about) | {"type": "string", "enum": [*names]}


def list_of(item: Schema, low: int, high: int | None, about: str = "", *, unique: bool = False) -> Schema:
    """Return the schema of a list of *low* to *high* values that fit *item*; None is any number."""
    bound = {} if high is None else {"maxItems": high}
    different = {"uniqueItems": True} if unique else {}
    return _about_of(about) | {"type": "array", "items": item, "minItems": low} | bound | different


def exactly(count: int, item: Schema, about: str = "", *, unique: bool = False) -> Schema:
    """Return the schema of a list of *count* values that fit *item*."""
    return list_of(item, count, count, about, unique=unique)


def orders_of(count: int, card: Schema) -> Schema:
    """Return the schema of what a deal has for reshuffles: at least one order of a deck of *count* cards."""
    about = "The orders that reshuffles follow, one after the other, then from the first again."
    return list_of(exactly(count, card), 1, None, about)


def row_of(*items: Schema, about: str = "") -> Schema:
    """Return the schema of a list of exactly *items*, in order."""
    row = {"type": "array", "prefixItems": [*items], "items": False}
    return _about_of(about) | row | length(len(items))


def map_of(keys: Schema, values: Schema, about: str = "", most: int | None = None) -> Schema:
    """Return the schema of an object of at most *most* keys that fit *keys*, each with one of *values*."""
    bound = {} if most is None else {"maxProperties": most}
    return (
        _about_of(about) | {"type": "object", "propertyNames": keys, "additionalProperties": values} | bound
    )


def record(about: str, fields: Fields, rules: Sequence[Schema] = ()) -> Schema:
    """Return the schema of an object of *fields*, and no others, that fits *rules*."""
    return _object_of(about, fields, _always(fields), rules)


def either(*parts: Schema, about: str = "") -> Schema:
    """Return the schema of a value that fits one of *parts*."""
    return _about_of(about) | {"anyOf": [*parts]}


def nullable(part: Schema, about: str = "") -> Schema:
    """Return the schema of a value that fits *part*, or null."""
    return at_table(either(part, {"type": "null"}, about=about))


def optional(part: Schema) -> Schema:
    """Return the schema of a field that may be missing."""
    return {**part, _OPTIONAL: True}


def part_of(name: str, about: str = "") -> Schema:
    """Return a reference to the part of the document that is called *name*, such as "options"."""
    return _about_of(about) | {"$ref": f"#/$defs/{name}"}


# -- what depends on the size of the table: in a view, its field `seats` bounds it


def seat(about: str = "") -> Schema:
    """Return the schema of a seat at the table."""
    return _about_of(about) | {"type": "integer", "minimum": 0, _SIZE: _SEAT}


def by_seat(item: Schema, about: str = "", *, or_fewer: bool = False) -> Schema:
    """Return the schema of a list with an *item* for each seat, or for at most as many."""
    return _about_of(about) | {"type": "array", "items": item, _SIZE: _OR_FEWER if or_fewer else _BY_SEAT}


def at_table(part: Schema) -> Schema:
    """Return *part*, a field of a view, so that `seats` also bounds the seats and lists deep inside it."""
    return {**part, _SIZE: _AT_TABLE}


# -- rules: what one field says of others


def when(
    test: Mapping[str, Json], then: Mapping[str, Json], otherwise: Mapping[str, Json] = NOTHING
) -> Schema:
    """Return the rule that an object that has *test* has *then*, and each other one *otherwise*.

    All three are what has() takes.
    """
    rule = {"if": has(test), "then": has(then)}
    return rule | {"else": has(otherwise)} if otherwise else rule


def has(fields: Mapping[str, Json]) -> Schema:
    """Return the schema of an object with these *fields*, whatever else is in it.

    A field is PRESENT or ABSENT; or, if it is there, has a value, one of a tuple of values, or fits a schema.
    """
    parts = {"properties": {name: _value_of(meant) for name, meant in fields.items()}}
    needed = [name for name, meant in fields.items() if meant == PRESENT]
    return parts | {"required": needed} if needed else parts


def _value_of(meant: Json) -> Json:
    match meant:
        case dict():
            return meant
        case tuple():
            return {"enum": [*meant]}
        case str() if meant == ABSENT:
            return False
        case str() if meant == PRESENT:
            return {"not": {"type": "null"}}
    return {"const": meant}


def length(low: int, high: int | None = None) -> Schema:
    """Return what a list of *low* to *high* items fits; without *high*, a list of exactly *low*."""
    return {"minItems": low, "maxItems": low if high is None else high}


# -- the document


def _object_of(about: str, fields: Fields, required: Iterable[str], rules: Sequence[Schema] = ()) -> Schema:
    """Return the schema of an object of *fields*, of which those *required* must be there."""
    whole = _about_of(about) | {
        "type": "object",
        "properties": dict(fields),
        "required": [*required],
        "additionalProperties": False,
    }
    return whole | ({"allOf": [*rules]} if rules else {})


def _always(fields: Fields) -> list[str]:
    return [name for name, part in fields.items() if _OPTIONAL not in part]


def _about_of(about: str) -> Schema:
    return {"description": about} if about else {}


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
        "deal": _object_of("All the luck of a match.", {"options": given, **deal}, _always(deal), deal_rules),
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
    text = {"text": _about_of(texts["text"]) | {"type": "string"}}
    fields = {**public, "seat": seat(texts["seat"]), **own, **last, **text}
    whole = _object_of("All that a seat knows, or a spectator.", fields, _always({**public, **last}))
    return whole | {"dependentRequired": {"seat": _always(own), **{name: ["seat"] for name in own}}}


def _event(kind: str, event: EventParts) -> Schema:
    fields = {"event": {"type": "string", "const": kind}, **event.public, **event.private}
    return _object_of(event.about, fields, ["event", *_always(event.public)], event.rules)


def _options(
    game: type[Game[Any]], custom: Mapping[str, tuple[Schema, Schema]], texts: Mapping[str, str]
) -> dict[str, Schema]:
    """Return the options as bots see them and as they are given, and a part for each with its values."""
    named = {name: part_of(name) for name in game.options}
    parts = {
        name: _about_of(texts.get(name, "")) | {"enum": [*values], "default": values[0]}
        for name, values in game.options.items()
    }
    seen = {name: optional(schemas[0]) for name, schemas in custom.items()}
    parts["options"] = _object_of(texts["options"], {**named, **seen}, named)
    if named or custom:
        given = {name: schemas[1] for name, schemas in custom.items()}
        parts["given_options"] = _object_of(texts["given_options"], {**named, **given}, [])
    return parts


def _one_of(how: str, parts: Iterable[str], about: str = "") -> Schema:
    return _about_of(about) | {how: [part_of(part) for part in parts]}


# -- the size of the table


def _at_size(every: Fields, size: int) -> Schema:
    """Return what a view has at a table of *size* seats."""
    sized = {key: part for key, part in every["view"]["properties"].items() if _SIZE in part}
    bounds = {key: _bounds(part, every, size) for key, part in sized.items()}
    then = {key: bound for key, bound in bounds.items() if bound}
    return {"if": {"properties": {"seats": {"const": size}}}, "then": {"properties": then}}


def _bounds(part: Json, every: Fields, size: int) -> Schema:
    """Return what a table of *size* seats demands of *part* and of the parts in it."""
    if not isinstance(part, dict):
        return {}
    if part.get(_SIZE) in _BOUNDS:
        return _BOUNDS[part[_SIZE]](size, size)
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
    kept = {key: _resolve(value, sizes) for key, value in part.items() if key not in (_SIZE, _OPTIONAL)}
    bounds = _BOUNDS.get(part.get(_SIZE, ""))
    return kept | bounds(sizes[0], sizes[-1]) if bounds else kept


_BOUNDS: Final[dict[str, Callable[[int, int], Schema]]] = {
    _SEAT: lambda low, high: {"maximum": high - 1},
    _BY_SEAT: length,
    _OR_FEWER: lambda low, high: {"maxItems": high},
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


def _main(package: str) -> None:
    """Write the schema.json of the game in *package*."""
    module = import_module(f"{package}.schema")
    assert module.__file__
    path = Path(module.__file__).parent / "schema.json"
    path.write_text(schema_text(module.SCHEMA), "utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    _main(*sys.argv[1:])
