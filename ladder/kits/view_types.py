"""The types of a game's view, read from the JSON Schema of the game.

What programming languages have in common is kept: records, lists, maps, names out of a set, values that may
be null or missing.  Bounds, patterns and conditions are left out; what no type expresses is any JSON value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import Enum
from typing import Any, TypeAlias

import msgspec

from ladder.kits.identifiers import pascal
from results.reports.values_as_text import escape

Schema: TypeAlias = Any
"""A JSON Schema (draft 2020-12) as JSON: an object, or a boolean."""
_WORDS = (
    "Act Any Array BTreeMap Boolean Bot Box Char Choice Chooser Clock Dictionary Double Error False FromJson "
    "Integer Json List Literal Long Map Math Message Move None NotRequired Number Object Option Ordering "
    "Random Raw Record Referee Result Self Some Start String System True TypedDict Vec"
)
TAKEN = frozenset(_WORDS.split())
"""Names that the kits, or a language, use already.  A type of this name gets another one."""


class Plain(Enum):
    """A type without parts."""

    TEXT = "text"
    WHOLE = "whole number"
    """From -2^53 to 2^53."""
    NUMBER = "number"
    FLAG = "true or false"
    JSON = "any JSON value"


class Named(msgspec.Struct, frozen=True):
    """The record or enumeration of that name."""

    name: str


class ListOf(msgspec.Struct, frozen=True):
    """A list of any length."""

    item: Type


class MapOf(msgspec.Struct, frozen=True):
    """A JSON object with keys that the type does not name."""

    value: Type


class RowOf(msgspec.Struct, frozen=True):
    """A list with exactly these items, whose types may differ."""

    items: tuple[Type, ...]


class Either(msgspec.Struct, frozen=True):
    """A value of one of several types, none of which is null."""

    parts: tuple[Type, ...]


class Nullable(msgspec.Struct, frozen=True):
    """A value or null."""

    value: Type


Type: TypeAlias = Plain | Named | ListOf | MapOf | RowOf | Either | Nullable


class Field(msgspec.Struct, frozen=True):
    """A *key* of a record.  One that is not *required* may be missing."""

    key: str
    type: Type
    about: str
    required: bool

    @property
    def type_or_null(self) -> Type:
        """Its type for languages in which a missing value is null."""
        return self.type if self.required or isinstance(self.type, Nullable) else Nullable(self.type)


class Record(msgspec.Struct, frozen=True):
    """A JSON object with known keys; it has at least one."""

    name: str
    about: str
    fields: tuple[Field, ...]


class Enumeration(msgspec.Struct, frozen=True):
    """A string, one of *values*."""

    name: str
    about: str
    values: tuple[str, ...]


class ViewTypes(msgspec.Struct, frozen=True):
    """The types of a view, parts before wholes (unless they contain themselves); the last is `View`."""

    game: str
    title: str
    enumerations: tuple[Enumeration, ...]
    records: tuple[Record, ...]


def read_types(game: str, schema: Schema) -> ViewTypes:
    """Return the types of the view that a bot gets in *game*.

    A spectator has a view, too, so the fields of the seat are optional in the schema; a bot always has them.
    Descriptions are put on one line, without control characters, for comments.  Raises ValueError if *schema*
    does not have an object `#/$defs/view` with properties, or has text that UTF-8 cannot write.
    """
    # half of a surrogate pair would only fail when the file is written
    json.dumps(schema, ensure_ascii=False).encode()
    reader = _Reader(schema.get("$defs", {}))
    view = schema.get("$defs", {}).get("view", {})
    if not isinstance(view, dict) or not view.get("properties"):
        raise ValueError("expected an object with properties at #/$defs/view")
    own = view.get("dependentRequired", {}).get("seat", [])
    bots_view = view | {"required": [*view.get("required", []), "seat", *own]}
    reader.add_record("View", bots_view)
    return ViewTypes(
        game, _line(schema.get("title", game)), tuple(reader.enumerations), tuple(reader.records)
    )


class _Reader:
    """Collects the named types that a type needs."""

    def __init__(self, parts: dict[str, Schema]) -> None:
        self.parts = parts
        self.enumerations: list[Enumeration] = []
        self.records: list[Record] = []
        self.names: dict[str, str] = {}
        """The names of types, by the part of the schema that they come from."""
        # no other type may be called so, though it is added last
        self.used: set[str] = {"View"}
        self.resolving: set[str] = set()

    def add_record(self, name: str, part: Schema) -> None:
        required = part.get("required", [])
        fields = tuple(
            Field(key, self.read(inner, f"{name}_{key}"), self.about(inner), key in required)
            for key, inner in part["properties"].items()
        )
        self.records.append(Record(name, self.about(part), fields))

    def about(self, part: Schema) -> str:
        """Return the description of *part*, else of the part that it refers to."""
        if not isinstance(part, dict):
            return ""
        target = self.parts.get(_target(part), {})
        text = part.get("description") or (target.get("description") if isinstance(target, dict) else "")
        return _line(text or "")

    def read(self, part: Schema, called: str) -> Type:
        """Return the type of *part*; a record or an enumeration in it is *called* so."""
        if not isinstance(part, dict):
            return Plain.JSON
        if target := _target(part):
            return self._refer(target)
        for key in ("anyOf", "oneOf"):
            if key in part:
                return self._either(part[key], called)
        if "enum" in part or "const" in part:
            return self._values(part.get("enum", [part.get("const")]), called, self.about(part))
        kind = part.get("type")
        if kind == "array":
            return self._list(part, called)
        if kind == "object":
            return self._object(part, called)
        if isinstance(kind, list):
            return self._either([part | {"type": each} for each in kind], called)
        return _PLAIN.get(str(kind), Plain.JSON)

    def _refer(self, target: str) -> Type:
        if target in self.names:
            return Named(self.names[target])
        if target in self.resolving or target not in self.parts:
            return Plain.JSON  # an alias of itself
        self.resolving.add(target)
        found = self.read(self.parts[target], target)
        self.resolving.discard(target)
        return found

    def _name(self, called: str) -> str:
        """Return a name for a type, and remember it for the part of the schema that is *called* so."""
        name = pascal(called)
        if not name or name[0].isdigit():
            name = f"Type{name}"
        while name in self.used or name in TAKEN:
            name += "Type"
        self.used.add(name)
        if called in self.parts:
            self.names[called] = name
        return name

    def _object(self, part: Schema, called: str) -> Type:
        if part.get("properties"):
            name = self._name(called)
            self.add_record(name, part)
            return Named(name)
        return MapOf(self.read(part.get("additionalProperties", True), f"{called}_value"))

    def _list(self, part: Schema, called: str) -> Type:
        if "prefixItems" in part:
            if part.get("maxItems") != len(part["prefixItems"]) and part.get("items") is not False:
                return ListOf(Plain.JSON)
            items = enumerate(part["prefixItems"])
            return RowOf(tuple(self.read(item, f"{called}_{number}") for number, item in items))
        return ListOf(self.read(part.get("items", True), f"{called}_item"))

    def _values(self, values: list[Any], called: str, about: str) -> Type:
        kinds = {type(value) for value in values}
        if kinds == {str} and len(values) > 1:
            name = self._name(called)
            self.enumerations.append(Enumeration(name, about, tuple(values)))
            return Named(name)
        plain = {str: Plain.TEXT, bool: Plain.FLAG, int: Plain.WHOLE, float: Plain.NUMBER}
        return plain.get(kinds.pop(), Plain.JSON) if len(kinds) == 1 else Plain.JSON

    def _either(self, parts: list[Schema], called: str) -> Type:
        wanted = [part for part in parts if not _is_null(part)]
        found = tuple(dict.fromkeys(self.read(part, called) for part in wanted))
        value: Type = found[0] if len(found) == 1 else Either(tuple(_flat(found))) if found else Plain.JSON
        if len(wanted) == len(parts) or value in (Plain.JSON, *(Nullable(each) for each in found)):
            return value
        return value if isinstance(value, Nullable) else Nullable(value)


_PLAIN = {"string": Plain.TEXT, "integer": Plain.WHOLE, "number": Plain.NUMBER, "boolean": Plain.FLAG}


def _target(part: dict[str, Schema]) -> str:
    """Return the name of the part that *part* refers to, else ""."""
    return str(part.get("$ref", "")).removeprefix("#/$defs/")


def _line(text: object) -> str:
    return escape(" ".join(str(text).split()))


def _is_null(part: Schema) -> bool:
    return isinstance(part, dict) and (part.get("type") == "null" or part.get("const", "") is None)


def _flat(parts: tuple[Type, ...]) -> Iterator[Type]:
    for part in parts:
        yield from part.parts if isinstance(part, Either) else (part,)
