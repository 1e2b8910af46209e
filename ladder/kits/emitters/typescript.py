"""The types of a view in TypeScript: interfaces, also for editors of JavaScript."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

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

_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_PLAIN = {
    Plain.TEXT: "string",
    Plain.WHOLE: "number",
    Plain.NUMBER: "number",
    Plain.FLAG: "boolean",
    Plain.JSON: "any",
}


def emit(types: ViewTypes) -> str:
    """Return the file `view.ts`."""
    head = f"// What a bot sees: {types.title}. Made from the JSON Schema of the game.\n"
    return "\n".join([head, *_body(types)])


def _body(types: ViewTypes) -> Iterator[str]:
    for names in types.enumerations:
        yield from _comment(names.about, "")
        yield f"export type {names.name} = {' | '.join(map(json.dumps, names.values))};\n"
    for record in types.records:
        yield from _comment(record.about, "")
        yield from _record(record)


def _record(record: Record) -> Iterator[str]:
    yield f"export interface {record.name} {{"
    for field in record.fields:
        key = field.key if _NAME.fullmatch(field.key) else json.dumps(field.key)
        yield from _comment(field.about, "  ")
        yield f"  {key}{'' if field.required else '?'}: {_spell(field.type)};"
    yield "}\n"


def _comment(text: str, indent: str) -> Iterator[str]:
    if text:
        yield f"{indent}/** {text.replace('*/', '* /')} */"


def _spell(type_: Type) -> str:
    """Return *type_* as TypeScript writes it."""
    match type_:
        case Plain():
            return _PLAIN[type_]
        case Named(name):
            return name
        case ListOf(item):
            spelled = _spell(item)
            return f"({spelled})[]" if " " in spelled and spelled[0] not in "[{" else f"{spelled}[]"
        case MapOf(value):
            return f"{{ [key: string]: {_spell(value)} }}"
        case RowOf(items):
            return f"[{', '.join(map(_spell, items))}]"
        case Either(parts):
            return " | ".join(dict.fromkeys(map(_spell, parts)))
        case Nullable(value):
            return f"{_spell(value)} | null"
