"""The types of a view in C: structs, and functions that read them with json.h.

Records are pointers, so that NULL stands for one that is null or missing; so are numbers and flags that may
be.  The items of a list or a map are NULL then.  What C has no type for is a `struct json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from ladder.kits.names import field_names, snake
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

__all__ = ["KEYWORDS", "comment", "emit", "quote"]

_WORDS = (
    "auto bool break case char const continue default do double else enum errno extern false float for "
    "goto if inline int long register restrict return short signed sizeof static stderr stdin stdout "
    "struct switch true typedef union unsigned void volatile while"
)
KEYWORDS = frozenset(_WORDS.split())
_JSON = "const struct json *"
_PLAIN = {
    Plain.TEXT: ("const char *", "json_text"),
    Plain.WHOLE: ("int64_t ", "json_integer"),
    Plain.NUMBER: ("double ", "json_number"),
    Plain.FLAG: ("bool ", "json_truth"),
}
"""How plain types are written, and the functions that read them."""


def emit(types: ViewTypes) -> str:
    """Return the file `view.h`."""
    return "\n".join(_Emitter(types).lines()) + "\n"


def quote(text: str) -> str:
    """Return *text* as a string of C or C++."""
    letters = (
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}" for byte in text.encode()
    )
    return f'"{"".join(letters)}"'.replace("??", "?\\077")  # two of them may begin a trigraph


def comment(text: str, indent: str = "") -> Iterator[str]:
    """Yield *text* as a comment that nothing in it ends."""
    if text:
        yield f"{indent}/* {text.replace('*/', '* /').replace('/*', '/ *')} */"


class _Emitter:
    def __init__(self, types: ViewTypes) -> None:
        self.types = types
        self.enumerations = {names.name for names in types.enumerations}

    def lines(self) -> Iterator[str]:
        yield from comment(f"What a bot sees: {self.types.title}. Made from the JSON Schema of the game.")
        yield "/* What is null or missing is NULL; the items of a list or a map are NULL then. */"
        yield from ("#ifndef VIEW_H", "#define VIEW_H", "", '#include "json.h"', "")
        for names in self.types.enumerations:
            yield from comment(names.about)
            yield from comment(f"One of {', '.join(map(json.dumps, names.values))}.")
            yield from (f"typedef const char *{names.name};", "")
        for record in self.types.records:
            yield f"typedef struct {record.name} {record.name};"
        for record in self.types.records:
            yield ""
            yield from self.record(record)
        yield ""
        for record in self.types.records:
            yield f"static inline {_prototype(record)};"
        for record in self.types.records:
            yield ""
            yield from self.reader(record)
        yield from ("", "#endif")

    def record(self, record: Record) -> Iterator[str]:
        yield from comment(record.about)
        yield f"struct {record.name} {{"
        for name, field in zip(_names(record), record.fields, strict=True):
            yield from comment(field.about, "    ")
            yield f"    {self.declare(field.type_or_null, name)};"
        yield "};"

    def reader(self, record: Record) -> Iterator[str]:
        yield f"static inline {_prototype(record)}"
        yield "{"
        yield "    if (json_is_null(value)) return NULL;"
        yield f"    {record.name} *result = ({record.name} *)json_room(arena, sizeof *result);"
        for name, field in zip(_names(record), record.fields, strict=True):
            type_ = field.type_or_null
            for line in self.read(type_, f"result->{name}", f"json_get(value, {quote(field.key)})", 1):
                yield f"    {line}"
        yield "    return result;"
        yield "}"

    def declare(self, type_: Type, name: str) -> str:
        """Return the declaration of *name*, which may be one such as `*items`."""
        match type_:
            case Plain() if type_ in _PLAIN:
                return f"{_PLAIN[type_][0]}{name}"
            case Named(called) if called in self.enumerations:
                return f"{called} {name}"
            case Named(called):
                return f"const {called} *{name}"
            case ListOf(item):
                return f"struct {{ size_t count; {self.declare(item, '*items')}; }} {name}"
            case MapOf(value):
                entry = f"struct {{ const char *key; {self.declare(value, 'value')}; }} *items"
                return f"struct {{ size_t count; {entry}; }} {name}"
            case Nullable(value) if value in (Plain.WHOLE, Plain.NUMBER, Plain.FLAG):
                return f"const {self.declare(value, f'*{name}')}"
            case Nullable(value):
                return self.declare(value, name)
        return f"{_JSON}{name}"

    def read(self, type_: Type, target: str, value: str, depth: int) -> Iterator[str]:
        """Yield the lines that read the JSON *value* into *target*."""
        match type_:
            case Plain() if type_ in _PLAIN:
                yield f"{target} = {_PLAIN[type_][1]}({value});"
            case Named(called) if called in self.enumerations:
                yield f"{target} = json_text({value});"
            case Named(called):
                yield f"{target} = read_{called}({value}, arena);"
            case ListOf(item):
                yield from self.items(item, target, value, depth, "")
            case MapOf(item):
                yield from self.items(item, target, value, depth, ".value")
            case Nullable(Plain() as plain) if plain in (Plain.WHOLE, Plain.NUMBER, Plain.FLAG):
                spelled, read = _PLAIN[plain]
                yield f"if (!json_is_null({value})) {{"
                yield f"    {spelled}*copy = json_room(arena, sizeof *copy);"
                yield f"    *copy = {read}({value});"
                yield f"    {target} = copy;"
                yield "}"
            case Nullable(ListOf() | MapOf() as inner):
                yield f"if (!json_is_null({value})) {{"
                for line in self.read(inner, target, value, depth):
                    yield f"    {line}"
                yield "}"
            case Nullable(inner):
                yield from self.read(inner, target, value, depth)
            case RowOf() | Either() | Plain():
                yield f"{target} = {value};"

    def items(self, item: Type, target: str, value: str, depth: int, part: str) -> Iterator[str]:
        at, each = f"i{depth}", f"item{depth}"
        place = f"{target}.items[{at}]"
        yield f"{target}.count = json_count({value});"
        yield f"{target}.items = json_room(arena, {target}.count * sizeof *{target}.items);"
        yield "{"
        yield f"    size_t {at} = 0;"
        yield f"    for ({_JSON}{each} = json_first({value}); {each}; {each} = {each}->next, {at}++) {{"
        if part:
            yield f"        {place}.key = {each}->key;"
        for line in self.read(item, f"{place}{part}", each, depth + 1):
            yield f"        {line}"
        yield "    }"
        yield "}"


def _names(record: Record) -> list[str]:
    return field_names((field.key for field in record.fields), snake, KEYWORDS)


def _prototype(record: Record) -> str:
    return f"const {record.name} *read_{record.name}({_JSON}value, struct json_arena *arena)"
