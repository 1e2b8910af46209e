"""The types of a view in Rust: structs that implement the kit's trait FromJson.

A value that may be null or missing is an Option.  What Rust has no type for is a `Json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from ladder.kits.names import field_names, snake
from ladder.kits.view_types import ListOf, MapOf, Named, Nullable, Plain, Record, Type, ViewTypes

__all__ = ["emit"]

_WORDS = (
    "abstract as async await become box break const continue crate do dyn else enum extern false final fn "
    "for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct "
    "super trait true try type typeof union unsafe unsized use virtual where while yield"
)
_KEYWORDS = frozenset(_WORDS.split())
_PLAIN = {
    Plain.TEXT: "String",
    Plain.WHOLE: "i64",
    Plain.NUMBER: "f64",
    Plain.FLAG: "bool",
    Plain.JSON: "Json",
}


def emit(types: ViewTypes) -> str:
    """Return the file `view.rs`."""
    body = "\n".join(_body(types))
    imports = ["use crate::json::{field, FromJson, Json};"]
    if "BTreeMap<" in body:
        imports.append("use std::collections::BTreeMap;")
    head = [
        f"//! What a bot sees: {types.title}. Made from the JSON Schema of the game.",
        "#![allow(dead_code)] // not every bot needs every field",
        "",
        *imports,
    ]
    return "\n".join(head) + f"\n{body}\n"


def _body(types: ViewTypes) -> Iterator[str]:
    for names in types.enumerations:
        yield ""
        yield from _comment(names.about, "")
        yield from _comment(f"One of {', '.join(map(json.dumps, names.values))}.", "")
        yield f"pub type {names.name} = String;"
    known = {names.name for names in types.enumerations}
    for record in types.records:
        yield ""
        yield from _record(record, known)
        known.add(record.name)


def _record(record: Record, known: set[str]) -> Iterator[str]:
    names = field_names((field.key for field in record.fields), snake, _KEYWORDS)
    yield from _comment(record.about, "")
    yield "#[derive(Debug, Clone)]"
    yield f"pub struct {record.name} {{"
    for name, field in zip(names, record.fields, strict=True):
        yield from _comment(field.about, "    ")
        yield f"    pub {name}: {_spell(field.type_or_null, known)},"
    yield "}"
    yield ""
    yield f"impl FromJson for {record.name} {{"
    yield f"    fn from_json(value: &Json) -> Result<{record.name}, String> {{"
    yield f"        Ok({record.name} {{"
    for name, field in zip(names, record.fields, strict=True):
        yield f"            {name}: field(value, {_quote(field.key)})?,"
    yield "        })"
    yield "    }"
    yield "}"


def _comment(text: str, indent: str) -> Iterator[str]:
    if text:
        yield f"{indent}/// {text}"


def _quote(text: str) -> str:
    """Return *text* as a string of Rust."""
    letters = (
        letter if letter.isprintable() and letter not in '"\\' else f"\\u{{{ord(letter):x}}}"
        for letter in text
    )
    return f'"{"".join(letters)}"'


def _spell(type_: Type, known: set[str]) -> str:
    """Return *type_* as Rust writes it, where the types *known* are complete."""
    match type_:
        case Plain():
            return _PLAIN[type_]
        case Named(name):
            return name
        case ListOf(item):
            return f"Vec<{_spell(item, known)}>"
        case MapOf(value):
            return f"BTreeMap<String, {_spell(value, known)}>"
        case Nullable(Named(name)) if name not in known:
            return f"Option<Box<{name}>>"
        case Nullable(value):
            spelled = _spell(value, known)
            return spelled if spelled == "Json" else f"Option<{spelled}>"
    return "Json"
