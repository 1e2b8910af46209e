"""The types of a view in C#: classes that are filled from what Json.cs of the kit reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from xml.sax.saxutils import escape

from ladder.kits.names import field_names, pascal
from ladder.kits.view_types import (
    Either,
    Enumeration,
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

_PLAIN = {
    Plain.TEXT: ("string", "Json.Text"),
    Plain.WHOLE: ("long", "Json.Whole"),
    Plain.NUMBER: ("double", "Json.Number"),
    Plain.FLAG: ("bool", "Json.Flag"),
}
"""The type and what reads it."""
_VALUES = ("long", "double", "bool")
"""Types that cannot be null without a question mark."""


def emit(types: ViewTypes) -> str:
    """Return the file `View.cs`."""
    return "\n".join([*_head(types), *_Classes(types).lines()]) + "\n"


def _head(types: ViewTypes) -> Iterator[str]:
    yield f"// What a bot sees: {types.title}. Made from the JSON Schema of the game."
    yield "using System.Collections.Generic;"


class _Classes:
    """The classes, one for each record.  A name out of a set is a string."""

    def __init__(self, types: ViewTypes) -> None:
        self.types = types
        self.strings = {names.name for names in types.enumerations}

    def lines(self) -> Iterator[str]:
        for names in self.types.enumerations:
            yield from _constants(names)
        for record in self.types.records:
            yield from self._class(record)

    def _class(self, record: Record) -> Iterator[str]:
        yield ""
        yield from _summary(record.about, "")
        yield f"public sealed class {record.name}"
        yield "{"
        names = field_names([field.key for field in record.fields], _property, (record.name, "Read"))
        for name, field in zip(names, record.fields, strict=True):
            yield from _summary(field.about, "    ")
            yield f"    public {self._spell(field.type_or_null)} {name};"
        yield ""
        yield f"    public static {record.name} Read(object json)"
        yield "    {"
        yield "        var fields = Json.Fields(json);"
        yield f"        return new {record.name}"
        yield "        {"
        for name, field in zip(names, record.fields, strict=True):
            key = json.dumps(field.key)
            value = f"fields[{key}]" if field.required else f"Json.Get(fields, {key})"
            yield f"            {name} = {self._read(field.type_or_null, value, 0)},"
        yield "        };"
        yield "    }"
        yield "}"

    def _spell(self, type_: Type) -> str:
        """Return *type_* as C# writes it."""
        match type_:
            case Plain.JSON | Either():
                return "object"
            case Plain():
                return _PLAIN[type_][0]
            case Named(name):
                return "string" if name in self.strings else name
            case ListOf(item):
                return f"List<{self._spell(item)}>"
            case MapOf(value):
                return f"Dictionary<string, {self._spell(value)}>"
            case RowOf():
                return "List<object>"
            case Nullable(value):
                spelled = self._spell(value)
                return f"{spelled}?" if spelled in _VALUES else spelled

    def _read(self, type_: Type, value: str, depth: int) -> str:
        """Return the expression that makes *type_* of *value*; lambdas in it are *depth* deep."""
        match type_:
            case Plain.JSON | Either():
                return value
            case Plain():
                return f"{_PLAIN[type_][1]}({value})"
            case Named(name):
                return f"Json.Text({value})" if name in self.strings else f"{name}.Read({value})"
            case ListOf(item):
                return f"Json.List({value}, {self._reader(item, depth)})"
            case MapOf(item):
                return f"Json.Map({value}, {self._reader(item, depth)})"
            case RowOf():
                return f"Json.List({value}, {self._reader(Plain.JSON, depth)})"
            case Nullable(inner):
                read = self._read(inner, value, depth)
                return read if read == value else f"{value} == null ? ({self._spell(type_)})null : {read}"

    def _reader(self, item: Type, depth: int) -> str:
        """Return the function that reads the items of a list or a map."""
        return f"x{depth} => {self._read(item, f'x{depth}', depth + 1)}"


def _constants(names: Enumeration) -> Iterator[str]:
    """Yield the class of the values of *names*, if all of them can be names of C#."""
    spelled = {pascal(value): value for value in names.values}
    if len(spelled) < len(names.values) or not all(name and name[0].isalpha() for name in spelled):
        return
    yield ""
    yield from _summary(names.about, "")
    yield f"public static class {names.name}"
    yield "{"
    for name, value in spelled.items():
        yield f"    public const string {f'{name}_' if name == names.name else name} = {json.dumps(value)};"
    yield "}"


def _property(key: str) -> str:
    return pascal(key) or "Field"


def _summary(text: str, indent: str) -> Iterator[str]:
    if text:
        yield f"{indent}/// <summary>{escape(text)}</summary>"
