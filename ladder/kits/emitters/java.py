"""The types of a view in Java: records with a method that reads them with Json.java.

A value that may be null or missing is null then.  What Java has no type for is an Object, made by Json.java.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ladder.kits.names import camel, field_names
from ladder.kits.view_types import ListOf, MapOf, Named, Nullable, Plain, Record, RowOf, Type, ViewTypes

__all__ = ["emit"]

_WORDS = (
    "abstract assert boolean break byte case catch char class const continue default do double else enum "
    "extends false final finally float for goto if implements import instanceof int interface long native "
    "new null package private protected public return short static strictfp super switch synchronized "
    "this throw throws transient true try void volatile while _ clone finalize getClass hashCode notify "
    "notifyAll toString wait"
)
_KEYWORDS = frozenset(_WORDS.split())
"""The words of Java, and names that no component of a record may have."""
_PLAIN = {
    Plain.TEXT: ("String", "String", "text"),
    Plain.WHOLE: ("long", "Long", "whole"),
    Plain.NUMBER: ("double", "Double", "number"),
    Plain.FLAG: ("boolean", "Boolean", "flag"),
    Plain.JSON: ("Object", "Object", "any"),
}
"""How plain types are written, as the items of a list too, and the methods of Json that read them."""


def emit(types: ViewTypes) -> str:
    """Return the file `View.java`."""
    return "\n".join(_Emitter(types).lines()) + "\n"


class _Emitter:
    def __init__(self, types: ViewTypes) -> None:
        self.types = types
        self.enumerations = {names.name: names for names in types.enumerations}

    def lines(self) -> Iterator[str]:
        yield from ("import java.util.List;", "import java.util.Map;", "")
        yield f"// What a bot sees: {_plain_text(self.types.title)}. Made from the JSON Schema of the game."
        *parts, view = self.types.records
        inside: list[str] = []
        for record in parts:
            inside += ["", *(f"    {line}" for line in self.record(record, ()))]
        yield from self.record(view, inside)

    def record(self, record: Record, inside: Iterable[str]) -> Iterator[str]:
        """Yield the lines of *record*, with the lines *inside* it, before its end."""
        names = field_names((field.key for field in record.fields), camel, _KEYWORDS)
        if record.about:
            yield f"/** {_plain_text(record.about)} */"
        yield f"record {record.name}("
        reads: list[str] = []
        for number, (name, field) in enumerate(zip(names, record.fields, strict=True), 1):
            type_ = field.type_or_null
            if about := _plain_text(" ".join(filter(None, (field.about, self.values(type_))))):
                yield f"        /* {about} */"
            yield f"        {self.spell(type_)} {name}{',' if number < len(names) else ') {'}"
            reads.append(self.read(type_, f"fields.get({json.dumps(field.key)})", 1))
        yield f"    static {record.name} read(Object value) {{"
        yield "        Map<String, Object> fields = Json.object(value);"
        yield f"        return new {record.name}("
        for number, read in enumerate(reads, 1):
            yield f"                {read}{',' if number < len(reads) else ');'}"
        yield "    }"
        yield from inside
        yield "}"

    def values(self, type_: Type) -> str:
        """Return what a string in *type_* may be, if it is a name out of a set."""
        match type_:
            case Named(name) if name in self.enumerations:
                return f"One of {', '.join(map(json.dumps, self.enumerations[name].values))}."
            case ListOf(inner) | MapOf(inner) | Nullable(inner):
                return self.values(inner)
        return ""

    def spell(self, type_: Type, boxed: bool = False) -> str:
        """Return *type_* as Java writes it; *boxed*: as the item of a list."""
        match type_:
            case Plain():
                return _PLAIN[type_][boxed]
            case Named(name):
                return "String" if name in self.enumerations else name
            case ListOf(item):
                return f"List<{self.spell(item, True)}>"
            case MapOf(value):
                return f"Map<String, {self.spell(value, True)}>"
            case RowOf():
                return "List<Object>"
            case Nullable(value):
                return self.spell(value, True)
        return "Object"

    def read(self, type_: Type, value: str, depth: int) -> str:
        """Return the expression that reads *value*."""
        match type_:
            case Plain():
                return f"Json.{_PLAIN[type_][2]}({value})"
            case Named(name) if name in self.enumerations:
                return f"Json.text({value})"
            case Named(name):
                return f"{name}.read({value})"
            case ListOf(item):
                return f"Json.list({value}, {self.reader(item, depth)})"
            case MapOf(item):
                return f"Json.map({value}, {self.reader(item, depth)})"
            case RowOf():
                return f"Json.list({value}, Json::any)"
            case Nullable(inner):
                return f"Json.optional({value}, {self.reader(inner, depth)})"
        return value

    def reader(self, type_: Type, depth: int) -> str:
        """Return a function that reads a value of *type_*."""
        each = f"each{depth}"
        return f"{each} -> {self.read(type_, each, depth + 1)}"


def _plain_text(text: str) -> str:
    """Return *text* for a comment: nothing in it may end the comment or begin a letter by its number."""
    return text.replace("*/", "* /").replace("\\", "\\\\")
