"""The types of a view in PHP: classes with typed properties, filled from what json_decode returns."""

from __future__ import annotations

from collections.abc import Iterator

from ladder.kits.names import field_names, snake
from ladder.kits.view_types import (
    Either,
    Field,
    ListOf,
    MapOf,
    Named,
    Nullable,
    Plain,
    RowOf,
    Type,
    ViewTypes,
)

__all__ = ["emit"]

_PLAIN = {
    Plain.TEXT: "string",
    Plain.WHOLE: "int",
    Plain.NUMBER: "float",
    Plain.FLAG: "bool",
    Plain.JSON: "mixed",
}
_CLASSES = frozenset(
    {"Class", "Closure", "Countable", "Directory", "Enum", "Exception", "Function", "Generator", "Interface"}
    | {"Iterable", "Iterator", "Mixed", "Namespace", "Parent", "Self", "Traversable"}
)
"""Keywords, in any case, and classes of PHP, among the names that types may get."""


def emit(types: ViewTypes) -> str:
    """Return the file `view.php`."""
    return "\n".join([*_head(types), *_Classes(types).lines()]) + "\n"


def _head(types: ViewTypes) -> Iterator[str]:
    yield "<?php"
    yield f"// What a bot sees: {types.title}. Made from the JSON Schema of the game."
    yield "declare(strict_types=1);"
    yield ""
    yield "function read_view(stdClass $data): View"
    yield "{"
    yield "    return View::read($data);"
    yield "}"


class _Classes:
    """The classes, one for each record.  A name out of a set is a string."""

    def __init__(self, types: ViewTypes) -> None:
        self.records = types.records
        self.values = {names.name: names.values for names in types.enumerations}

    def lines(self) -> Iterator[str]:
        for record in self.records:
            names = field_names([field.key for field in record.fields], snake, ("this",))
            fields = [*zip(names, record.fields, strict=True)]
            yield ""
            if record.about:
                yield f"/** {_comment(record.about)} */"
            yield f"final class {_class(record.name)}"
            yield "{"
            for name, field in fields:
                yield from self._property(name, field)
            yield ""
            yield from self._reader(fields)
            yield "}"

    def _property(self, name: str, field: Field) -> Iterator[str]:
        type_ = field.type_or_null
        shown = self._describe(type_)
        about = _comment(field.about)
        if any(sign in shown for sign in "<'{"):
            yield f"    /** @var {shown}{' ' if about else ''}{about} */"
        elif about:
            yield f"    /** {about} */"
        yield f"    public {self._declare(type_)} ${name};"

    def _reader(self, fields: list[tuple[str, Field]]) -> Iterator[str]:
        yield "    public static function read(stdClass $data): self"
        yield "    {"
        yield "        $it = new self();"
        for name, field in fields:
            value = f"$data->{{{_quoted(field.key)}}}"
            if field.required:
                yield f"        $it->{name} = {self._read(field.type, value)};"
            else:
                read = self._read(field.type_or_null, f"({value} ?? null)")
                yield f"        $it->{name} = {read};"
        yield "        return $it;"
        yield "    }"

    def _declare(self, type_: Type) -> str:
        """Return the declaration of a property of *type_*."""
        match type_:
            case Plain():
                return _PLAIN[type_]
            case Named(name):
                return "string" if name in self.values else _class(name)
            case ListOf() | MapOf() | RowOf():
                return "array"
            case Either():
                return "mixed"
            case Nullable(value):
                declared = self._declare(value)
                return declared if declared == "mixed" else f"?{declared}"

    def _describe(self, type_: Type) -> str:
        """Return *type_* as tools that check PHP read it."""
        match type_:
            case Named(name) if name in self.values:
                return "|".join(map(_quoted, self.values[name]))
            case ListOf(item):
                return f"list<{self._describe(item)}>"
            case MapOf(value):
                return f"array<string, {self._describe(value)}>"
            case RowOf(items):
                return f"array{{{', '.join(map(self._describe, items))}}}"
            case Either(parts) if all(self._read(part, "") == "" for part in parts):
                return "|".join(dict.fromkeys(map(self._describe, parts)))
            case Nullable(value):
                return f"{self._describe(value)}|null"
            case _:
                return self._declare(type_)

    def _read(self, type_: Type, value: str) -> str:
        """Return the expression that makes a value of *type_* of the decoded *value*."""
        match type_:
            case Named(name) if name not in self.values:
                return f"{_class(name)}::read({value})"
            case ListOf(item) if (inner := self._read(item, "$x")) != "$x":
                return f"array_map(fn ($x) => {inner}, {value})"
            case RowOf(items):
                made = [self._read(item, f"{value}[{at}]") for at, item in enumerate(items)]
                as_it_is = made == [f"{value}[{at}]" for at in range(len(items))]
                return value if as_it_is else f"[{', '.join(made)}]"
            case MapOf(item):
                inner = self._read(item, "$x")
                return (
                    f"(array) {value}" if inner == "$x" else f"array_map(fn ($x) => {inner}, (array) {value})"
                )
            case Nullable(inner_type) if (inner := self._read(inner_type, value)) != value:
                return f"{value} === null ? null : {inner}"
            case _:
                return value


def _class(name: str) -> str:
    return f"{name}Type" if name in _CLASSES else name


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _comment(text: str) -> str:
    return text.replace("*/", "* /")
