"""The types of a view in Go: structs for encoding/json.

A value that may be null or missing is a pointer, or a slice or map that is nil.  What Go has no type for, as
a list of values of several types, is a json.RawMessage.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from ladder.kits.names import field_names, pascal
from ladder.kits.view_types import (
    Either,
    ListOf,
    MapOf,
    Named,
    Nullable,
    Plain,
    Record,
    RowOf,
    Type,
    ViewTypes,
)

__all__ = ["emit"]

_RAW = "json.RawMessage"
_PLAIN = {
    Plain.TEXT: "string",
    Plain.WHOLE: "int64",
    Plain.NUMBER: "float64",
    Plain.FLAG: "bool",
    Plain.JSON: _RAW,
}


def emit(types: ViewTypes) -> str:
    """Return the file `view.go`."""
    body = "\n".join(_body(types))
    imports = 'import "encoding/json"\n\n' if _RAW in body else ""
    about = f"// What a bot sees: {types.title}. Made from the JSON Schema of the game.\n"
    return f"package main\n\n{about}\n{imports}{body}\n"


def _body(types: ViewTypes) -> Iterator[str]:
    for names in types.enumerations:
        values = ", ".join(map(json.dumps, names.values))
        yield from _comment(f"{names.name}: {names.about}" if names.about else names.name, "")
        yield from _comment(f"One of {values}", "")
        yield f"type {names.name} = string"
        yield ""
    for record in types.records:
        yield from _record(record)
        yield ""


def _record(record: Record) -> Iterator[str]:
    yield from _comment(f"{record.name}: {record.about}" if record.about else record.name, "")
    yield f"type {record.name} struct {{"
    names = field_names([field.key for field in record.fields], _exported, ())
    for name, field in zip(names, record.fields, strict=True):
        yield from _comment(field.about, "\t")
        spelled = _spell(field.type_or_null)
        yield f"\t{name} {spelled} `json:{json.dumps(field.key)}`"
    yield "}"


def _exported(key: str) -> str:
    """Return a name for *key* that begins with a capital: only those are read from JSON."""
    name = pascal(key) or "Field"
    return f"F{name}" if name[0].isdigit() else name


def _comment(text: str, indent: str) -> Iterator[str]:
    if text:
        yield f"{indent}// {text}"


def _spell(type_: Type) -> str:
    """Return *type_* as Go writes it."""
    match type_:
        case Plain():
            return _PLAIN[type_]
        case Named(name):
            return name
        case ListOf(item):
            return f"[]{_spell(item)}"
        case MapOf(value):
            return f"map[string]{_spell(value)}"
        case RowOf():
            return f"[]{_RAW}"
        case Either():
            return _RAW
        case Nullable(value):
            spelled = _spell(value)
            return spelled if spelled[0] in "*[m" or spelled == _RAW else f"*{spelled}"
