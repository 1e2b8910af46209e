"""The file with the types of a game's view: one walk over them, and one template for each language.

A template gets `title`, `enumerations` and `records`, whose fields have types that are Parts.  It says how
its language writes each kind of them: in a table such as `spell = {"text": "string"}`, or in a macro such as
`spell_list(part)`.  The filters `spell`, `describe` and `read` find the table or the macro for the kind of a
part, so a macro writes what is inside its own with `part.item | spell`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import assert_never

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from ladder.kits import filters, view_types
from ladder.kits.identifiers import SPELLINGS, Spelling, field_names

_KINDS = {
    view_types.ListOf: "list",
    view_types.MapOf: "map",
    view_types.RowOf: "row",
    view_types.Either: "either",
    view_types.Nullable: "nullable",
}
TEMPLATES = Path(__file__).parent / "templates"
FORMS = ("spell", "describe", "read")
"""What a template may say of a type: how it is declared, how a comment tells it, and how JSON becomes it."""


class TypePart(msgspec.Struct, frozen=True):
    """A type, as a template sees it.

    *kinds* are the words for it, the most special first; a template has a table or a macro for one of them:

    - text, whole, number, flag (which are plain), and json: any value
    - names: a text, one of *values*; record: both are named, and have a *name*
    - unwritten: a record that stands below the one that has it, since it contains that one in turn
    - list, map, nullable: of *item*
    - row: a list with exactly these *items*; either: one of them
    """

    kinds: tuple[str, ...]
    name: str = ""
    values: tuple[str, ...] = ()
    item: TypePart | None = None
    items: tuple[TypePart, ...] = ()

    @property
    def kind(self) -> str:
        return self.kinds[0]

    @property
    def union(self) -> tuple[TypePart, ...]:
        """Its items, and for one that is a union those of the union."""
        return tuple(
            inner for item in self.items for inner in (item.items if item.kind == "either" else (item,))
        )


class WrittenField(msgspec.Struct, frozen=True):
    """A field: as the language names it, and as a bot gets it, which may be null where it may be missing."""

    name: str
    key: str
    about: str
    required: bool
    type: TypePart
    type_or_null: TypePart


class WrittenRecord(msgspec.Struct, frozen=True):
    """A record, as the language names it."""

    name: str
    about: str
    fields: tuple[WrittenField, ...]


def write_types(types: view_types.ViewTypes, language: str) -> str:
    """Return the file that the template of *language* makes of *types*."""
    walk = _Walk(types, SPELLINGS[language])
    return (
        _environment()
        .get_template(f"{language}.jinja")
        .render(title=types.title, enumerations=types.enumerations, records=[*walk.written_records()])
    )


class _Walk:
    """Goes through the records in their order, and through the types of their fields."""

    def __init__(self, types: view_types.ViewTypes, spelling: Spelling) -> None:
        self.spelling = spelling
        self.values = {names.name: names.values for names in types.enumerations}
        self.records = {record.name: record for record in types.records}
        self.written: set[str] = set()

    def written_records(self) -> Iterator[WrittenRecord]:
        for record in self.records.values():
            keys = (field.key for field in record.fields)
            names = field_names(keys, self.spelling.field, self.spelling.taken | self.hidden_by(record))
            fields = tuple(map(self.field, names, record.fields))
            yield WrittenRecord(self.name_of(record.name), record.about, fields)
            self.written.add(record.name)

    def hidden_by(self, record: view_types.Record) -> set[str]:
        """Return the names of types that a field of *record* would hide from it."""
        if not self.spelling.hides_types:
            return set()
        hidden = {record.name}
        for field in record.fields:
            # a field may have the name of its own type; another type of that name could not be named any more
            type_ = view_types.Named(self.spelling.field(field.key))
            if type_.name in self.records and field.type not in (type_, view_types.Nullable(type_)):
                hidden.add(type_.name)
        return hidden

    def field(self, name: str, field: view_types.Field) -> WrittenField:
        return WrittenField(
            name, field.key, field.about, field.required, self.part(field.type), self.part(field.type_or_null)
        )

    def name_of(self, name: str) -> str:
        """Return the name of the record *name* beside the classes that the language has already."""
        free = name
        while free in self.spelling.classes or (free != name and free in self.records):
            free += "Type"
        return free

    def part(self, type_: view_types.Type) -> TypePart:
        match type_:
            case view_types.Plain.JSON:
                return TypePart(("json", "any"))
            case view_types.Plain():
                return TypePart((type_.name.lower(), "plain", "any"))
            case view_types.Named(name) if name in self.values:
                return TypePart(("names", "named", "any"), name, self.values[name])
            case view_types.Named(name):
                kinds = ("record", "named", "any")
                return TypePart(kinds if name in self.written else ("unwritten", *kinds), self.name_of(name))
            case view_types.ListOf(item) | view_types.MapOf(item) | view_types.Nullable(item):
                return TypePart((_KINDS[type(type_)], "any"), item=self.part(item))
            case view_types.RowOf(items) | view_types.Either(items):
                return TypePart((_KINDS[type(type_)], "any"), items=tuple(map(self.part, items)))
            case _:
                assert_never(type_)


@pass_context
def _write(context: Context, part: TypePart, *details: object, form: str) -> str:
    """Return what the template says of *part* in *form*: its table of that name, or its macro for a kind."""
    # the first kind that the template knows: a language without enumerations writes names as it writes texts
    for kind in part.kinds:
        if kind in context.get(form, {}):
            return str(context[form][kind])
        if f"{form}_{kind}" in context:
            return str(context[f"{form}_{kind}"](part, *details))
    raise LookupError(f"{context.name} has no {form} for {' or '.join(part.kinds)}")


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=False,  # noqa: S701 - it writes programs, not HTML; filters.py has what they need
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        loader=FileSystemLoader(TEMPLATES),
    )
    environment.filters |= {form: pass_context(partial(_write, form=form)) for form in FORMS}
    environment.filters |= filters.FILTERS
    environment.tests |= filters.TESTS
    return environment
