"""The messages, their encoders and their schema."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from support.draws import draws

from protocol import encode, schema
from protocol.messages import (
    LARGEST,
    Act,
    Answer,
    Bye,
    Clock,
    End,
    Hello,
    Limits,
    OneOf,
    Ready,
    Retry,
    Some,
    Start,
    Usage,
)

SPEC_HELLO = (
    b'{"type":"hello","protocol":1,"ladder":"0.1.0","bot":"river-rat","games":["stellar"],"config":{},'
    b'"limits":{"start_ms":10000,"move_ms":1000,"bank_ms":10000,"line_bytes":65536,"memory_mb":512,'
    b'"processes":64,"stderr_bytes":16777216}}\n'
)
SPEC_START = (
    b'{"type":"start","match":"9f3c0a17e2b84d55","game":"stellar","version":1,"seat":0,"seats":2,'
    b'"options":{}}\n'
)
SPEC_ACT = (
    b'{"type":"act","id":"5b1f0c8e77a2d913","match":"9f3c0a17e2b84d55","step":12,"seed":81723,'
    b'"choice":{"kind":"one","options":["take 1","take 2"]},"clock":{"move_ms":1000,"bank_ms":9120},'
    b'"events":[{"event":"a"},{"event":"b"}],"view":{"seat":0}}\n'
)
SPEC_END = (
    b'{"type":"end","match":"9f3c0a17e2b84d55","ranks":[1,2],"scores":[81,70],"faults":[null,null],'
    b'"events":[]}\n'
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


def line(message: Any) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def absent(value: Any) -> Any:
    return msgspec.UNSET if value is None else value


def test_hello_is_the_line_of_the_specification() -> None:
    assert SPEC_HELLO == encode.hello("0.1.0", "river-rat", ["stellar"], {}, Limits())


def test_start_is_the_line_of_the_specification() -> None:
    assert SPEC_START == encode.start("9f3c0a17e2b84d55", "stellar", 1, 0, 2, {})


def test_hello_names_a_limit_on_the_whole_match_only_where_there_is_one() -> None:
    assert b"match_s" not in SPEC_HELLO
    assert b',"match_s":90}}\n' == encode.hello("0", "x", [], {}, Limits(match_s=90))[-16:]


def test_act_is_the_line_of_the_specification() -> None:
    choice = b'{"kind":"one","options":["take 1","take 2"]}'
    news = [b'{"event":"a"}', b'{"event":"b"}']
    assert SPEC_ACT == encode.act(
        "5b1f0c8e77a2d913", "9f3c0a17e2b84d55", 12, 81723, choice, 1000, 9120, news, b'{"seat":0}'
    )


def test_end_is_the_line_of_the_specification() -> None:
    assert SPEC_END == encode.end("9f3c0a17e2b84d55", [1, 2], [81, 70], [None, None], [])


def test_bye_is_the_line_of_the_specification() -> None:
    assert b'{"type":"bye"}\n' == encode.BYE == line(Bye())


def test_an_act_has_no_view_for_a_bot_that_wants_none() -> None:
    assert b'"events":[]}\n' == encode.act("a", "b", 1, 2, b"{}", 3, 4, [], None)[-13:]


def test_a_retry_comes_last_with_and_without_a_view() -> None:
    retry = Retry("no such move", 1)
    tail = b',"retry":{"reason":"no such move","left":1}}\n'
    assert (
        b',"view":{}' + tail == encode.act("a", "b", 1, 2, b"{}", 3, 4, [], b"{}", retry)[-len(tail) - 10 :]
    )
    assert (
        b'"events":[]' + tail == encode.act("a", "b", 1, 2, b"{}", 3, 4, [], None, retry)[-len(tail) - 11 :]
    )


limits = st.none() | counts


@given(names, names, counts, counts, choices, counts, counts, events, st.none() | objects, retries, limits)
def test_an_act_written_by_hand_is_the_struct_encoded(
    id_: str,
    match: str,
    step: int,
    seed: int,
    choice: Any,
    move_ms: int,
    bank_ms: int,
    news: Any,
    view: Any,
    retry: Any,
    match_ms: int | None,
) -> None:
    clock = Clock(move_ms, bank_ms, absent(match_ms))
    struct = Act(id_, match, step, seed, choice, clock, tuple(news), absent(view), absent(retry))
    parts = [msgspec.json.encode(event) for event in news]
    seen = None if view is None else msgspec.json.encode(view)
    written = encode.act(
        id_, match, step, seed, msgspec.json.encode(choice), move_ms, bank_ms, parts, seen, retry, match_ms
    )
    assert line(struct) == written
    assert struct == msgspec.json.decode(written, type=Act)


@given(names, st.lists(st.integers(1, 6)), st.none() | st.lists(st.integers(-LARGEST, LARGEST)), events)
def test_an_end_with_encoded_events_is_the_struct_encoded(
    match: str, ranks: Any, scores: Any, news: Any
) -> None:
    struct = End(match, tuple(ranks), scores and tuple(scores), (None, "crash"), tuple(news))
    parts = [msgspec.json.encode(event) for event in news]
    assert line(struct) == encode.end(match, ranks, scores and tuple(scores), (None, "crash"), parts)


@given(texts, st.lists(texts), objects)
def test_hello_and_start_are_their_structs_encoded(name: str, games: list[str], table: Any) -> None:
    limits = Limits(move_ms=5)
    assert line(Hello(1, name, name, tuple(games), table, limits)) == encode.hello(
        name, name, games, table, limits
    )
    told = {"match": "a", "game": name, "version": 1, "seat": 0, "seats": 2, "options": table}
    assert line(Start(**told)) == encode.start(**told)
    assert line(Start(rules=name, **told)) == encode.start(**told, rules=name)


@draws(30, 100, events, objects)
def test_no_message_holds_a_line_end_but_its_last(news: Any, view: Any) -> None:
    parts = [msgspec.json.encode(event) for event in news]
    assert 1 == encode.act("a", "b", 1, 2, b"{}", 3, 4, parts, msgspec.json.encode(view)).count(b"\n")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (Ready(1), b'{"type":"ready","protocol":1}'),
        (
            Ready(1, "R", 16, "none", text=True, rules=True),
            b'{"type":"ready","protocol":1,"name":"R","parallel":16,"view":"none","text":true,"rules":true}',
        ),
        (Answer("a", "take 1"), b'{"id":"a","move":"take 1"}'),
        (Answer("a", ("c1", "c2"), "why"), b'{"id":"a","move":["c1","c2"],"note":"why"}'),
        (
            Answer("a", "m", usage=Usage(1, 2, 0.5)),
            b'{"id":"a","move":"m","usage":{"input_tokens":1,"output_tokens":2,"cost_usd":0.5}}',
        ),
    ],
)
def test_what_a_bot_leaves_out_is_left_out(message: Any, expected: bytes) -> None:
    assert expected == msgspec.json.encode(message)


def test_the_schema_file_is_what_the_messages_say() -> None:
    assert schema.text() == schema.PATH.read_text(encoding="utf-8"), "run: python -m protocol.schema"


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json.loads(schema.PATH.read_bytes()))


@pytest.mark.parametrize("written", [SPEC_HELLO, SPEC_START, SPEC_ACT, SPEC_END, encode.BYE])
def test_the_schema_takes_what_the_referee_writes(written: bytes) -> None:
    Draft202012Validator(schema.schema()).validate(json.loads(written))


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
def test_the_schema_refuses_what_the_reader_refuses(message: Any) -> None:
    assert not Draft202012Validator(schema.schema()).is_valid(message)
