"""The builder of schemas, tried on a game with neither steps nor options."""

import json
from random import Random

import pytest
from jsonschema import Draft202012Validator
from support.short_game import CARDS, Showdown

from engines import playout
from engines.schemas import (
    ABSENT,
    PRESENT,
    EventParts,
    at_table,
    by_seat,
    document,
    either,
    flag,
    has,
    integer,
    length,
    list_of,
    map_of,
    name_of,
    nullable,
    optional,
    part_of,
    record,
    row_of,
    schema_text,
    seat,
    text_of,
    when,
)
from engines.template import Toy
from engines.template.schema import SCHEMA

CARD = name_of(CARDS, "A card.")


def built(game=Showdown, **more):
    parts = {
        "view": {"shown": list_of(CARD, 0, 2), "cards": optional(list_of(CARD, 6, 6))},
        "own": {"hand": list_of(CARD, 2, 2)},
        "events": {
            "start": EventParts(
                "The match begins.", {"options": part_of("options")}, {"hand": list_of(CARD, 2, 2)}
            ),
            "show": EventParts("All cards.", {"shown": by_seat(CARD), "cards": list_of(CARD, 6, 6)}),
        },
        "moves": {"": CARD},
        "deal": {"cards": list_of(CARD, 6, 6)},
    }
    return document(game, **(parts | more))


def fits(part, value, schema):
    return Draft202012Validator({**schema, "anyOf": [part_of(part)]}).is_valid(value)


def test_a_schema_takes_all_of_a_match_and_little_else():
    game, schema = Showdown(), built()
    Draft202012Validator.check_schema(schema)
    assert "Showdown, version 1" == schema["title"]
    deal = game.deal(2, Random(1))
    assert fits("deal", deal, schema)
    for step in playout(game, deal, 2, Random(2)):
        for who in (0, 1, None):
            assert fits("view", game.view(step.state, who), schema)
            assert all(fits("event", event.seen_by(who), schema) for event in step.events)
        assert all(fits("move", move, schema) for move in step.moves.values())
    own = game.view(step.state, 1)
    for key in own.keys() - {"cards"}:
        assert not fits("view", {name: value for name, value in own.items() if name != key}, schema), key
    assert not fits("view", own | {"seat": 2}, schema)
    assert not fits("view", own | {"foreign": 0}, schema)
    assert not fits("move", "card 7", schema)


def test_no_key_of_a_declaration_is_left_in_a_schema():
    assert "table" not in json.dumps(built()).replace("The size of the table.", "")
    assert "may be missing" not in json.dumps(built())


def test_sizes_of_a_view_are_those_of_its_table():
    view = Toy().view(Toy().start(Toy().deal(4, Random(1)), 4).state, 3)
    assert fits("view", view, SCHEMA)
    assert not fits("view", view | {"points": [0] * 3}, SCHEMA)
    assert not fits("view", view | {"points": [0] * 5}, SCHEMA)
    assert not fits("view", view | {"seat": 4}, SCHEMA)


def test_options_have_their_values_and_the_first_as_default():
    assert {"enum": [2, 3], "default": 2} == SCHEMA["$defs"]["rounds"]
    assert fits("given_options", {}, SCHEMA)
    assert not fits("options", {}, SCHEMA)
    assert not fits("options", {"rounds": 4}, SCHEMA)


COIN = {"name": name_of(["gold", "tin"]), "worth": optional(integer(1, 9))}
ONLY_GOLD_HAS_WORTH = when({"name": "gold"}, {"worth": PRESENT}, {"worth": ABSENT})
NOTED = {"by": nullable(seat()), "note": text_of()}


@pytest.mark.parametrize(
    ("part", "good", "bad"),
    [
        (integer(1, 3), [1, 3], [0, 4, "1", 1.5]),
        (flag(), [True, False], [0, 1, "true", None]),
        (text_of(), ["", "a\nb"], [0, None]),
        (text_of(r"\S+", longest=2), ["a", "ab"], ["", "abc", "a b"]),
        (text_of("(?:a|b)"), ["a", "b"], ["xa", "xb", "ax", "", "ab", 0]),
        (name_of(["a", "b"]), ["a"], ["c", 1, ""]),
        (list_of(integer(0, 9), 1, 2), [[0], [1, 2], [1, 1]], [[], [1, 2, 3], ["1"], 1]),
        (list_of(integer(0, 9), 1, None, unique=True), [[0], [*range(9)]], [[], [1, 1]]),
        (row_of(integer(0, 9), name_of(["a"])), [[1, "a"]], [[1], ["a", 1], [1, "a", 1]]),
        (
            map_of(text_of("[AB]"), flag(), most=1),
            [{}, {"A": True}],
            [{"C": True}, {"A": 1}, {"A": True, "B": True}],
        ),
        (
            record("A coin.", COIN, [ONLY_GOLD_HAS_WORTH]),
            [{"name": "gold", "worth": 1}, {"name": "tin"}],
            [{}, {"name": "gold"}, {"name": "tin", "worth": 1}, {"name": "tin", "foreign": 0}],
        ),
        (either(integer(0, 9), name_of(["a"])), [0, "a"], ["b", 10]),
        (nullable(integer(0, 9)), [0, None], ["b", 10]),
        (seat(), [0, 7], [-1, "0"]),
        (by_seat(flag()), [[], [True] * 9], [[0], True]),
        (length(2), [["a", "b"]], [["a"], ["a", "b", "c"]]),
        (length(1, 2), [["a"], ["a", "b"]], [[], ["a", "b", "c"]]),
    ],
)
def test_a_declaration_takes_what_it_says(part, good, bad):
    check = Draft202012Validator(part)
    assert all(check.is_valid(value) for value in good)
    assert not any(check.is_valid(value) for value in bad)


@pytest.mark.parametrize(
    ("what", "good", "bad"),
    [
        (PRESENT, [{"a": 0}, {"a": False}], [{}, {"a": None}]),
        (ABSENT, [{}, {"b": 0}], [{"a": 0}, {"a": None}]),
        (None, [{"a": None}, {}], [{"a": 0}, {"a": False}]),
        ([], [{"a": []}], [{"a": [0]}]),
        ((1, "b"), [{"a": 1}, {"a": "b"}], [{"a": True}, {"a": 2}]),
        (integer(1, 2), [{"a": 1}, {}], [{"a": 3}]),
    ],
)
def test_a_field_is_as_a_rule_says(what, good, bad):
    check = Draft202012Validator(has({"a": what}))
    assert all(check.is_valid(value) for value in good)
    assert not any(check.is_valid(value) for value in bad)


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        (seat(), 1, 2),
        (nullable(seat()), None, 2),
        (by_seat(flag()), [True, False], [True] * 3),
        (by_seat(flag(), or_fewer=True), [], [True] * 3),
        (at_table(list_of(row_of(seat(), by_seat(flag())), 1, 1)), [[1, [True] * 2]], [[2, [True] * 3]]),
        (at_table(list_of(row_of(seat(), by_seat(flag())), 1, 1)), [[1, [True] * 2]], [[1, [True] * 3]]),
        (
            at_table(map_of(text_of(), record("", NOTED))),
            {"x": {"by": 1, "note": ""}},
            {"x": {"by": 2, "note": ""}},
        ),
        (at_table(part_of("who")), "nobody", 2),
    ],
)
def test_a_field_of_a_view_is_bound_by_the_size_of_its_table(field, good, bad):
    class Larger(Showdown):
        seats = range(2, 5)

    schema = built(Larger, view={"field": field}, own={}, parts={"who": either(seat(), name_of(["nobody"]))})
    view = {"seats": 2, "options": {}, "field": good}
    assert fits("view", view, schema)
    assert not fits("view", view | {"field": bad}, schema)
    assert fits("view", view | {"seats": 3, "field": bad}, schema)


def test_fields_stand_in_the_order_of_the_declaration():
    """Types in other languages are made of them in that order."""
    schema = built(own={"hand": list_of(CARD, 2, 2)}, last={"end": optional(flag())})
    fields = ["seats", "options", "shown", "cards", "seat", "hand", "end", "text"]
    assert fields == [*schema["$defs"]["view"]["properties"]]


def test_the_rules_of_views_and_deals_hold():
    schema = built(
        rules=[when({"shown": []}, {"cards": ABSENT})],
        deal_rules=[when({"options": has({})}, {"cards": length(7)})],
    )
    view = {"seats": 2, "options": {}, "shown": []}
    assert fits("view", view, schema)
    assert not fits("view", view | {"cards": ["card 1"] * 6}, schema)
    assert not fits("deal", {"cards": ["card 1"] * 6}, schema)


def test_an_option_of_the_users_own_is_declared_as_bots_see_it_and_as_it_is_given():
    class Decked(Showdown):
        custom = {"deck": len}  # noqa: RUF012

    with pytest.raises(ValueError, match=r"expected in custom the options \['deck'\], got: \[\]"):
        built(Decked)
    schema = built(Decked, custom={"deck": (list_of(CARD, 1, 2), list_of(CARD, 0, 2))})
    assert fits("options", {}, schema)
    assert not fits("options", {"deck": []}, schema)
    assert fits("given_options", {"deck": []}, schema)
    assert fits("deal", {"options": {"deck": []}, "cards": ["card 1"] * 6}, schema)


def test_a_schema_is_written_the_same_every_time():
    assert schema_text(built()) == schema_text(built())
    assert schema_text(built()).endswith("}\n")
    assert built() == json.loads(schema_text(built()))
