"""The builder of schemas, tried on a game with neither steps nor options."""

from __future__ import annotations

import json
from random import Random

import pytest
from jsonschema import Draft202012Validator
from support.short_game import CARDS, Showdown

from engines import playout
from engines.schemas import (
    EventParts,
    by_seat,
    document,
    either,
    integer,
    list_of,
    name_of,
    optional,
    part_of,
    row_of,
    schema_text,
    seat,
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


@pytest.mark.parametrize(
    ("part", "good", "bad"),
    [
        (integer(1, 3), [1, 3], [0, 4, "1", 1.5]),
        (name_of(["a", "b"]), ["a"], ["c", 1, ""]),
        (list_of(integer(0, 9), 1, 2), [[0], [1, 2]], [[], [1, 2, 3], ["1"], 1]),
        (row_of(integer(0, 9), name_of(["a"])), [[1, "a"]], [[1], ["a", 1], [1, "a", 1]]),
        (either(integer(0, 9), name_of(["a"])), [0, "a"], ["b", 10]),
        (seat(), [0, 7], [-1, "0"]),
    ],
)
def test_a_declaration_takes_what_it_says(part, good, bad):
    check = Draft202012Validator(part)
    assert all(check.is_valid(value) for value in good)
    assert not any(check.is_valid(value) for value in bad)


def test_a_game_with_an_option_of_the_users_own_writes_its_schema_by_hand():
    class Decked(Showdown):
        custom = {"deck": len}  # noqa: RUF012

    with pytest.raises(ValueError, match="expected no options of the user's own, got: 'deck'"):
        built(Decked)


def test_a_schema_is_written_the_same_every_time():
    assert schema_text(built()) == schema_text(built())
    assert schema_text(built()).endswith("}\n")
