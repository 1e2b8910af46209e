"""The types of a view say what the schema of the game says, and views fit them."""

import json
import sys
from types import ModuleType

import msgspec
import pytest
from support.kits import as_json, play_views
from support.places import ROOT

from engines import GAMES
from engines.template import Toy
from ladder.kits.type_files import write_types
from ladder.kits.view_types import (
    Either,
    Enumeration,
    Field,
    ListOf,
    MapOf,
    Named,
    Nullable,
    Plain,
    RowOf,
    read_types,
)


def type_of(part, **parts):
    """Return the type of a field with the schema *part*, in a document with the *parts*."""
    view = {"type": "object", "properties": {"field": part}}
    types = read_types("toy", {"$defs": {"view": view, **parts}})
    assert "View" == types.records[-1].name
    return types.records[-1].fields[0].type


PAIR = {"type": "object", "properties": {"left": {"type": "integer"}}, "required": ["left"]}


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({"type": "string"}, Plain.TEXT),
        ({"type": "integer", "minimum": 3}, Plain.WHOLE),
        ({"type": "number"}, Plain.NUMBER),
        ({"type": "boolean"}, Plain.FLAG),
        ({"const": 2}, Plain.WHOLE),
        ({"type": "string", "const": "dummy"}, Plain.TEXT),
        ({"enum": [1, 2]}, Plain.WHOLE),
        ({"enum": [1, "two"]}, Plain.JSON),
        ({"enum": [True, False], "default": True}, Plain.FLAG),
        ({}, Plain.JSON),
        (True, Plain.JSON),
        ({"type": "array", "items": {"type": "string"}}, ListOf(Plain.TEXT)),
        ({"type": "array"}, ListOf(Plain.JSON)),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, MapOf(Plain.WHOLE)),
        ({"type": "object", "properties": {}, "additionalProperties": False}, MapOf(Plain.JSON)),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, Nullable(Plain.WHOLE)),
        ({"type": ["integer", "null"]}, Nullable(Plain.WHOLE)),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, Either((Plain.WHOLE, Plain.TEXT))),
        (
            {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "maxItems": 2},
            RowOf((Plain.WHOLE, Plain.TEXT)),
        ),
        ({"type": "array", "prefixItems": [{"type": "integer"}]}, ListOf(Plain.JSON)),
        ({"$ref": "#/$defs/pair"}, Named("Pair")),
        ({"$ref": "#/$defs/seat"}, Plain.WHOLE),
        ({"$ref": "#/$defs/missing"}, Plain.JSON),
        ({"$ref": "#/$defs/itself"}, Plain.JSON),
        (PAIR, Named("ViewField")),
        ({"enum": ["a", "b"]}, Named("ViewField")),
    ],
)
def test_a_part_of_the_schema_has_a_type(part, expected):
    itself = {"$ref": "#/$defs/itself"}
    assert expected == type_of(part, pair=PAIR, seat={"type": "integer"}, itself=itself)


def test_a_record_that_contains_itself_has_one_type():
    tree = {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}}}
    view = {"type": "object", "properties": {"tree": {"$ref": "#/$defs/tree"}}}
    types = read_types("toy", {"$defs": {"view": view, "tree": tree}})
    assert ["Tree", "View"] == [record.name for record in types.records]
    assert Field("left", Named("Tree"), "", required=False) == types.records[0].fields[0]


def test_names_that_a_kit_or_a_language_uses_are_not_taken():
    start = {"type": "string", "enum": ["a", "b"]}
    view = {"type": "object", "properties": {"start": {"$ref": "#/$defs/start"}}}
    types = read_types("toy", {"$defs": {"view": view, "start": start}})
    assert (Enumeration("StartType", "", ("a", "b")),) == types.enumerations


ALL = pytest.mark.parametrize("game", [*GAMES.values(), Toy()], ids=lambda game: game.name)


@ALL
def test_all_parts_of_the_views_of_a_game_have_types(game):
    records = read_types(game.name, json.loads(schema_of(game))).records
    assert [] == [field for record in records for field in record.fields if field.type is Plain.JSON]


@ALL
def test_python_reads_all_of_a_view_with_the_types_that_are_made_for_it(game, monkeypatch):
    module = ModuleType("view")
    monkeypatch.setitem(sys.modules, "view", module)
    exec(write_types(read_types(game.name, json.loads(schema_of(game))), "python"), vars(module))
    for _, view, _ in play_views(game, max(game.seats)):
        assert view == as_json(msgspec.convert(view, module.View)), "no key is unknown"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**view, "seats": "two"}, module.View)


def schema_of(game):
    return (ROOT / type(game).__module__.replace(".", "/") / "schema.json").read_text("utf-8")


def test_what_only_a_seat_sees_is_always_there_for_a_bot():
    view = {
        "type": "object",
        "properties": {"seat": {"type": "integer"}, "hand": {"type": "string"}, "last": {"type": "string"}},
        "dependentRequired": {"seat": ["hand"]},
    }
    fields = read_types("toy", {"$defs": {"view": view}}).records[0].fields
    assert {"seat": True, "hand": True, "last": False} == {field.key: field.required for field in fields}


@pytest.mark.parametrize("schema", [{}, {"$defs": {}}, {"$defs": {"view": {"type": "object"}}}])
def test_a_schema_without_a_view_is_refused(schema):
    with pytest.raises(ValueError, match=r"#/\$defs/view"):
        read_types("toy", schema)


def test_a_key_that_is_no_name_of_a_language_is_spelled_in_another_way():
    odd = {"type": "object", "properties": {"2nd": {"type": "string"}}}
    assert 'F2nd *string `json:"2nd"`' in write_types(read_types("toy", {"$defs": {"view": odd}}), "go")


def test_php_makes_objects_of_the_records_in_a_row_and_promises_none_where_types_are_mixed():
    pair = {"$ref": "#/$defs/pair"}
    row = {"type": "array", "prefixItems": [pair, {"type": "string"}], "maxItems": 2}
    mixed = {"anyOf": [pair, {"type": "string"}]}
    view = {"type": "object", "properties": {"row": row, "mixed": mixed}, "required": ["row", "mixed"]}
    text = write_types(read_types("toy", {"$defs": {"view": view, "pair": PAIR}}), "php")
    assert "$it->row = [Pair::read($data->{'row'}[0]), $data->{'row'}[1]];" in text
    assert "@var array{Pair, string}" in text
    assert "    public mixed $mixed;" in text
    assert "Pair|string" not in text
