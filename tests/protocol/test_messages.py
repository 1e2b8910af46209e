"""The messages, their encoders and their schema."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from protocol import encode, schema
from protocol.messages import (
    LARGEST,
    Act,
    Clock,
    End,
    Hello,
    Limits,
    OneOf,
    Retry,
    Some,
    Start,
)

names = st.text("0123456789abcdef", min_size=16, max_size=16)
counts = st.integers(0, LARGEST)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-LARGEST, LARGEST)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(texts, values, max_size=4)
events = st.lists(st.builds(lambda kind, rest: {"event": kind, **rest}, texts, objects), max_size=3)
options = st.lists(texts, max_size=5).map(tuple)
choices = st.builds(OneOf, options) | st.builds(Some, options, counts, counts)
retries = st.none() | st.builds(Retry, texts, counts)


def line(message):
    return msgspec.json.encode(message) + b"\n"


def absent(value):
    return msgspec.UNSET if value is None else value


def test_hello_names_a_limit_on_the_whole_match_only_where_there_is_one():
    assert b"match_s" not in encode.hello("0", "x", [], {}, Limits())
    assert b',"match_s":90}}\n' == encode.hello("0", "x", [], {}, Limits(match_s=90))[-16:]


limits = st.none() | counts


@given(names, names, counts, counts, choices, counts, counts, events, st.none() | objects, retries, limits)
def test_an_act_written_by_hand_is_the_struct_encoded(
    id_, match, step, seed, choice, move_ms, bank_ms, news, view, retry, match_ms
):
    clock = Clock(move_ms, bank_ms, absent(match_ms))
    struct = Act(id_, match, step, seed, choice, clock, tuple(news), absent(view), absent(retry))
    parts = [msgspec.json.encode(event) for event in news]
    seen = None if view is None else msgspec.json.encode(view)
    written = encode.Acts(match, seed, move_ms).write(
        id_, step, msgspec.json.encode(choice), bank_ms, parts, seen, retry, match_ms
    )
    assert line(struct) == written
    assert 1 == written.count(b"\n")
    assert struct == msgspec.json.decode(written, type=Act)


@given(names, st.lists(st.integers(1, 6)), st.none() | st.lists(st.integers(-LARGEST, LARGEST)), events)
def test_an_end_with_encoded_events_is_the_struct_encoded(match, ranks, scores, news):
    struct = End(match, tuple(ranks), scores and tuple(scores), (None, "crash"), tuple(news))
    parts = [msgspec.json.encode(event) for event in news]
    assert line(struct) == encode.end(match, ranks, scores and tuple(scores), (None, "crash"), parts)


@given(texts, st.lists(texts), objects)
def test_hello_and_start_are_their_structs_encoded(name, games, table):
    limits = Limits(move_ms=5)
    assert line(Hello(1, name, name, tuple(games), table, limits)) == encode.hello(
        name, name, games, table, limits
    )
    told = {"match": "a", "game": name, "version": 1, "seat": 0, "seats": 2, "options": table}
    assert line(Start(**told)) == encode.start(**told)
    assert line(Start(rules=name, **told)) == encode.start(**told, rules=name)


def test_the_schema_file_is_what_the_messages_say():
    assert schema.text() == schema.PATH.read_text(encoding="utf-8"), "run: python -m protocol.schema"


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(json.loads(schema.PATH.read_bytes()))


@pytest.mark.parametrize(
    "message",
    [
        {"id": "a"},
        {"id": 1, "move": "m"},
        {"id": "a", "move": 3},
        {"id": "a", "move": "m", "note": "x" * 1001},
        {"id": "a", "move": "m", "usage": {"cost_usd": -1}},
        {"type": "ready", "protocol": 2},
        {"type": "ready", "protocol": 1, "parallel": 0},
        {"type": "ready", "protocol": 1, "view": "half"},
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(message):
    assert not Draft202012Validator(schema.schema()).is_valid(message)
