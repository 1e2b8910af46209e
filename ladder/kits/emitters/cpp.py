"""The types of a view in C++: structs, and functions that read them with reading.hpp.

A value that may be null or missing is a std::optional; a std::shared_ptr where a record contains itself.
What C++ has no type for is a `Raw`, a value of json.h.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from ladder.kits.emitters import c
from ladder.kits.names import field_names, snake
from ladder.kits.view_types import ListOf, MapOf, Named, Nullable, Plain, Record, Type, ViewTypes

__all__ = ["emit"]

_WORDS = (
    "alignas alignof and asm bitand bitor catch class compl concept constexpr decltype delete "
    "dynamic_cast explicit export friend mutable namespace new noexcept not nullptr operator or private "
    "protected public reinterpret_cast requires static_assert static_cast template this throw try typeid "
    "typename using virtual wchar_t xor"
)
_KEYWORDS = c.KEYWORDS | frozenset(_WORDS.split())
_PLAIN = {
    Plain.TEXT: "std::string",
    Plain.WHOLE: "std::int64_t",
    Plain.NUMBER: "double",
    Plain.FLAG: "bool",
    Plain.JSON: "Raw",
}


def emit(types: ViewTypes) -> str:
    """Return the file `view.hpp`."""
    return "\n".join(_lines(types)) + "\n"


def _lines(types: ViewTypes) -> Iterator[str]:
    yield from c.comment(f"What a bot sees: {types.title}. Made from the JSON Schema of the game.")
    yield from ("#pragma once", "", '#include "reading.hpp"', "")
    for names in types.enumerations:
        yield from c.comment(names.about)
        yield from c.comment(f"One of {', '.join(map(json.dumps, names.values))}.")
        yield from (f"using {names.name} = std::string;", "")
    for record in types.records:
        yield f"struct {record.name};"
        yield f"void read_json(Raw value, {record.name} &target);"
    known = {names.name for names in types.enumerations}
    for record in types.records:
        yield ""
        yield from _record(record, known)
        known.add(record.name)
    for record in types.records:
        yield ""
        yield f"inline void read_json(Raw value, {record.name} &target)"
        yield "{"
        for name, field in zip(_names(record), record.fields, strict=True):
            yield f"    read_json(json_get(value, {c.quote(field.key)}), target.{name});"
        yield "}"


def _record(record: Record, known: set[str]) -> Iterator[str]:
    yield from c.comment(record.about)
    yield f"struct {record.name} {{"
    for name, field in zip(_names(record), record.fields, strict=True):
        yield from c.comment(field.about, "    ")
        yield f"    {_spell(field.type_or_null, known)} {name}{{}};"
    yield "};"


def _names(record: Record) -> list[str]:
    return field_names((field.key for field in record.fields), snake, _KEYWORDS)


def _spell(type_: Type, known: set[str]) -> str:
    """Return *type_* as C++ writes it, where the types *known* are complete."""
    match type_:
        case Plain():
            return _PLAIN[type_]
        case Named(name):
            return name
        case ListOf(item):
            return f"std::vector<{_spell(item, known)}>"
        case MapOf(value):
            return f"std::map<std::string, {_spell(value, known)}>"
        case Nullable(Named(name)) if name not in known:
            return f"std::shared_ptr<{name}>"
        case Nullable(value):
            spelled = _spell(value, known)
            return spelled if spelled == "Raw" else f"std::optional<{spelled}>"
    return "Raw"
