"""The types of a view in Python: typed dictionaries (PEP 589, 655)."""

from __future__ import annotations

import json
import keyword
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

_PLAIN = {Plain.TEXT: "str", Plain.WHOLE: "int", Plain.NUMBER: "float", Plain.FLAG: "bool", Plain.JSON: "Any"}


def emit(types: ViewTypes) -> str:
    """Return the module `view.py`."""
    return "\n".join([*_head(types), *_body(types)]) + "\n"


def _head(types: ViewTypes) -> Iterator[str]:
    yield f'"""What a bot sees: {types.title}.  Made from the JSON Schema of the game."""'
    yield ""
    yield "from __future__ import annotations"
    yield ""
    yield "from typing import Any, Literal, NotRequired, TypedDict"


def _body(types: ViewTypes) -> Iterator[str]:
    for names in types.enumerations:
        yield ""
        yield f"{names.name} = Literal[{', '.join(map(json.dumps, names.values))}]"
        if names.about:
            yield f"{_quoted(names.about)}"
    for record in types.records:
        yield from ("", "")
        yield from _record(record)


def _record(record: Record) -> Iterator[str]:
    if not all(field.key.isidentifier() and not keyword.iskeyword(field.key) for field in record.fields):
        inside = ", ".join(f"{json.dumps(field.key)}: {_spell(field.type)!r}" for field in record.fields)
        yield f"{record.name} = TypedDict({record.name!r}, {{{inside}}}, total=False)"
        return
    yield f"class {record.name}(TypedDict):"
    if record.about:
        yield f"    {_quoted(record.about)}"
        yield ""
    for field in record.fields:
        spelled = _spell(field.type)
        yield f"    {field.key}: {spelled if field.required else f'NotRequired[{spelled}]'}"
        if field.about:
            yield f"    {_quoted(field.about)}"


def _quoted(text: str) -> str:
    return '"""' + text.replace("\\", "\\\\").replace('"', "'") + '"""'


def _spell(type_: Type) -> str:
    """Return *type_* as Python writes it."""
    match type_:
        case Plain():
            return _PLAIN[type_]
        case Named(name):
            return name
        case ListOf(item):
            return f"list[{_spell(item)}]"
        case MapOf(value):
            return f"dict[str, {_spell(value)}]"
        case RowOf(items):
            return f"list[{_union(items)}]"
        case Either(parts):
            return _union(parts)
        case Nullable(value):
            return f"{_spell(value)} | None"


def _union(parts: tuple[Type, ...]) -> str:
    flat = (inner for part in parts for inner in (part.parts if isinstance(part, Either) else (part,)))
    return " | ".join(dict.fromkeys(map(_spell, flat)))
