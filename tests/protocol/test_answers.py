"""Strict reading: the table of lines, and whatever else a bot may write."""

import itertools
import json

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.draws import draws

from protocol import answers
from protocol.answers import Malformed, read_answer, read_ready
from protocol.lines import Lines, LineTooLong
from protocol.messages import Answer, Ready, Usage

ID = "5b1f0c8e77a2d913"
SAID = Usage(cost_usd=3.0, requests=7)
PLAIN = Answer(ID, "take 1")


def with_(**fields):
    return json.dumps({"id": ID, "move": "take 1", **fields}, ensure_ascii=False).encode()


def raw(text):
    """Return the plain answer with *text*, unchecked, put in behind its move."""
    return b'{"id":"%b","move":"take 1"%b}' % (ID.encode(), text.encode())


def move(text):
    """Return an answer whose move is *text*, unchecked."""
    return b'{"id":"%b","move":%b}' % (ID.encode(), text.encode())


def nested(levels):
    """Return an answer with objects *levels* deep, the answer itself included."""
    return raw(',"x":' + '{"a":' * (levels - 1) + "1" + "}" * (levels - 1))


GOOD = [
    ("L01", raw(""), PLAIN),
    ("L01 list", move('["c1","c2"]'), Answer(ID, ("c1", "c2"))),
    ("L01 empty list", move("[]"), Answer(ID, ())),
    ("L02", b' { "id" : "%b" ,\t"move":  "take 1" } ' % ID.encode(), PLAIN),
    ("L03", raw("") + b"\r", PLAIN),
    ("L04", with_(confidence=0.5, tags=["a", {"b": None}]), PLAIN),
    ("L05 text", with_(move="𝄞 é"), Answer(ID, "𝄞 é")),
    ("L05 escaped pair", move(r'"\ud834\udd1e"'), Answer(ID, "𝄞")),
    ("L06", b'{"move":"take 1","id":"%b"}' % ID.encode(), PLAIN),
    ("L07", raw(',"usage":{"input_tokens":-0}'), Answer(ID, "take 1", usage=Usage(0))),
    ("L08", with_(move="[[[[[[[[[[{{{{{{{{{{"), Answer(ID, "[[[[[[[[[[{{{{{{{{{{")),
    ("L08 escaped quote", with_(move='"[[[[[[[[[[\\'), Answer(ID, '"[[[[[[[[[[\\')),
    ("L09", b" " * 60_000 + raw(""), PLAIN),
    ("L10", with_(__proto__={}, __class__="x"), PLAIN),
    ("L41-L43 another id", b'{"id":"ffffffffffffffff","move":"take 1"}', Answer("f" * 16, "take 1")),
    ("L45 no such move", with_(move="take 99"), Answer(ID, "take 99")),
    ("L46 not legal now", with_(move=""), Answer(ID, "")),
    ("L59 just not", nested(8), PLAIN),
    ("L63 just not", with_(x="é" * 4096), PLAIN),
    ("L63 escapes", raw(r',"x":"' + r"\u0061" * 4096 + '"'), PLAIN),
    ("L66 just not", with_(x={f"k{k}": k for k in range(1024)}), PLAIN),
    ("L67", with_(note="a\u2028b\u0085c"), Answer(ID, "take 1", "a\u2028b\u0085c")),
    ("note", with_(note="x" * 1000), Answer(ID, "take 1", "x" * 1000)),
    ("usage", with_(usage={"cost_usd": 3, "requests": 7}), Answer(ID, "take 1", usage=SAID)),
    ("largest integer", raw(f',"x":[{2**53},{-(2**53)}]'), PLAIN),
    ("longest number", raw(',"x":0.' + "1" * 38), PLAIN),
]

NOT_JSON = "expected a JSON object, got something else"
HINT = r"\(log to stderr, stdout is for the protocol\)"
BAD = [
    ("L11", b"", "got an empty line"),
    ("L12 spaces", b"   ", "got an empty line"),
    ("L12 tab", b"\t", "got an empty line"),
    ("L12 CR", b"\r", "got an empty line"),
    ("L13 word", b"hello", f"got: 'hello' {HINT}"),
    ("L13 log", b"DEBUG: x", f"got: 'DEBUG: x' {HINT}"),
    ("L14", b'{"id":"a","mo', "at character 11: '\"mo' .Unterminated string"),
    ("L14 between", b'{"id":"a",', "got something else at character 11: the end of the line"),
    ("L15", raw("") + b"}", f"{NOT_JSON} at character 42: '}}' .Extra data"),
    ("L16", raw("") + raw(""), "Extra data"),
    ("L17", raw("") + b" ok", "Extra data"),
    ("L18", raw(","), NOT_JSON),
    ("L18 list", move('["a",]'), NOT_JSON),
    ("L19 single quotes", b"{'id':'a','move':'b'}", NOT_JSON),
    ("L19 bare keys", b'{id:"a",move:"b"}', NOT_JSON),
    ("L19 Python", raw(',"x":True'), NOT_JSON),
    ("L20", raw("/* why */"), NOT_JSON),
    ("L20 slashes", raw("") + b" // why", "Extra data"),
    ("L21 array", b"[" + raw("") + b"]", HINT),
    ("L21 number", b"3", HINT),
    ("L21 string", b'"take 1"', HINT),
    ("L21 null", b"null", HINT),
    ("L21 true", b"true", HINT),
    ("L22", b"{}", r"expected the fields id and move, got no id: \[\]"),
    ("L23", raw(',"move":"take 1"'), "expected every key once, got twice: 'move'"),
    ("L24", raw(',"move":"take 2"'), "got twice: 'move'"),
    ("L25", raw(r',"mov\u0065":"take 1"'), "got twice: 'move'"),
    ("L26", raw(',"x":[{"a":1,"b":2,"a":1}]'), "got twice: 'a'"),
    ("L27", raw(',"x":NaN'), "expected finite numbers, got: NaN"),
    ("L28", raw(',"x":Infinity'), "expected finite numbers, got: Infinity"),
    ("L28 minus", raw(',"x":-Infinity'), "expected finite numbers, got: -Infinity"),
    ("L29", raw(',"x":1e400'), "expected finite numbers, got: 1e400"),
    ("L30", with_(usage={"input_tokens": 3.0}), "expected int, got float in usage.input_tokens"),
    ("L30 exponent", raw(',"usage":{"input_tokens":3e0}'), "expected int, got float"),
    ("L31", with_(usage={"input_tokens": 3.5}), "expected int, got float"),
    ("L32", raw(f',"x":{2**53 + 1}'), "within 2..53 of zero, got: 9007199254740993"),
    ("L32 more", raw(f',"x":{-(2**63)}'), "within 2..53 of zero"),
    ("L33", raw(f',"x":{"9" * 5000}'), "numbers of at most 40 characters, got 5,000"),
    *((f"L34 {text}", raw(f',"x":{text}'), NOT_JSON) for text in ("03", "+3", "0x3", ".5", "5.", "-", "1e")),
    ("L35", with_(usage={"input_tokens": "3"}), "expected int, got str in usage.input_tokens"),
    ("L36", with_(usage={"input_tokens": True}), "expected int, got bool in usage.input_tokens"),
    ("L37 null", move("null"), "expected str | array, got null in move"),
    ("L37 list in list", move('[["a"]]'), r"expected str, got array in move\[0\]"),
    ("L37 object", move("{}"), "got object in move"),
    ("L37 number", move("3"), "got int in move"),
    ("L37 number in list", move('["a",3]'), r"expected str, got int in move\[1\]"),
    ("L38", b'{"id":"a"}', r"got no move: \['id'\]"),
    ("L39", b'{"move":"a"}', r"got no id: \['move'\]"),
    ("L40", with_(id=7), "expected str, got int in id"),
    ("L40 null", with_(id=None), "expected str, got null in id"),
    ("L44 case", b'{"Id":"a","move":"b"}', r"got no id: \['Id', 'move'\]"),
    ("L44 space", b'{"id ":"a","move":"b"}', r"got no id: \['id ', 'move'\]"),
    ("L48", b'{"id":"\xff","move":"a"}', "expected UTF-8, got 0xFF as byte 8"),
    ("L49", b'{"id":"\xc0\xaf","move":"a"}', "expected UTF-8, got 0xC0"),
    ("L50", b'{"id":"\xed\xa0\x80","move":"a"}', "expected UTF-8, got 0xED"),
    ("L51", b'{"id":"\xe2\x80","move":"a"}', "expected UTF-8, got 0xE2"),
    ("L52", move(r'"\ud800"'), "half of a surrogate pair"),
    ("L52 key", raw(r',"\udfff":1'), "half of a surrogate pair"),
    ("L56 key", raw(r',"\u0000":1'), "got a NUL"),
    ("L53", b"\xef\xbb\xbf" + raw(""), "without a byte order mark"),
    ("L54", raw("").decode().encode("utf-16"), "expected UTF-8, got 0xFF as byte 1"),
    ("L54 no mark", raw("").decode().encode("utf-16-le"), NOT_JSON),
    ("L55", '{"id":"é","move":"a"}'.encode("latin-1"), "expected UTF-8, got 0xE9"),
    ("L56 after", raw("") + b"\0", "Extra data"),
    ("L56 inside", b'{"id":"a\0","move":"a"}', NOT_JSON),
    ("L57 tab", b'{"id":"a\t","move":"a"}', NOT_JSON),
    ("L57 escape", b'{"id":"a\x1b[0m","move":"a"}', NOT_JSON),
    ("L58 NBSP", "\u00a0".encode() + raw(""), HINT),
    ("L58 colours", b"\x1b[32m" + raw("") + b"\x1b[0m", r"got: '\\x1b\[32m"),
    ("L59", nested(9), "nesting of at most 8 levels"),
    ("L60", nested(100), "nesting of at most 8 levels"),
    ("L61", b"[" * 60_000, HINT),
    ("L61 in an answer", raw(',"x":' + "[" * 60_000), "nesting of at most 8 levels"),
    ("L62", nested(9000), "nesting of at most 8 levels"),
    ("L63", with_(x="é" * 4097), "strings of at most 4,096 characters, got 4,097"),
    ("L63 move", with_(move="x" * 4097), "strings of at most 4,096 characters"),
    ("L63 key", with_(**{"x" * 4097: 1}), "strings of at most 4,096 characters"),
    ("L64", b" " * 65_536 + raw(""), "lines of at most 65,536 bytes"),
    ("L65", b"x" * 1_000_000, "lines of at most 65,536 bytes"),
    ("L66", with_(x={f"k{k}": k for k in range(1025)}), "at most 1,024 keys, got 1,025"),
    ("L66 number", raw(',"x":0.' + "1" * 60_000), "numbers of at most 40 characters"),
    ("L68 VT", raw("\v"), NOT_JSON),
    ("L68 FF", raw("\f"), NOT_JSON),
    ("L68 CR", raw("") + b"\r" + raw(""), "Extra data"),
    ("L69", b'{"type":"ready","protocol":1}', r"got no id: \['type', 'protocol'\]"),
    ("note", with_(note="x" * 1001), "expected str of length <= 1000 in note"),
    ("note null", with_(note=None), "expected str, got null in note"),
    ("usage null", with_(usage=None), "expected object, got null in usage"),
    ("usage beyond all", with_(usage={"cost_usd": 1e308}), "expected float <= 1000000.0 in usage.cost_usd"),
    ("usage negative", with_(usage={"cost_usd": -0.01}), "in usage.cost_usd"),
    ("quotes without end", raw(',"x":"' + '\\"' * 30_000), NOT_JSON),
]  # fmt: skip

READY_BAD = [
    ("L70 version", b'{"type":"ready","protocol":2}', "expected protocol 1, got: 2"),
    ("L70 no version", b'{"type":"ready"}', "expected protocol 1, got: None"),
    ("L70 long name", b'{"type":"ready","protocol":1,"name":"%b"}' % (b"x" * 65), "length <= 64 in name"),
    ("L70 colours", rb'{"type":"ready","protocol":1,"name":"a\u001b[31m"}', "expected a name of printable"),
    ("L70 name of 1 MiB", b'{"type":"ready","protocol":1,"name":"%b"}' % (b"x" * 2**20), "lines of at most"),
    ("L36 version", b'{"type":"ready","protocol":true}', "expected int, got bool in protocol"),
    ("L30 version", b'{"type":"ready","protocol":1.0}', "expected int, got float in protocol"),
    ("type", b'{"type":"act","protocol":1}', "expected a message of type ready, got: 'act'"),
    ("no type", b'{"protocol":1}', "expected a message of type ready, got: None"),
    ("an answer", with_(), "expected a message of type ready, got: None"),
    ("L13", b"Loading model...", HINT),
    ("L23", b'{"type":"ready","protocol":1,"protocol":1}', "got twice: 'protocol'"),
    ("parallel 0", b'{"type":"ready","protocol":1,"parallel":0}', "expected int >= 1 in parallel"),
    ("parallel 1025", b'{"type":"ready","protocol":1,"parallel":1025}', "expected int <= 1024 in parallel"),
    ("parallel 2.0", b'{"type":"ready","protocol":1,"parallel":2.0}', "expected int, got float in parallel"),
    ("parallel null", b'{"type":"ready","protocol":1,"parallel":null}', "expected int, got null in parallel"),
    ("view", b'{"type":"ready","protocol":1,"view":"half"}', "expected a view of full or none, got: 'half'"),
    ("view null", b'{"type":"ready","protocol":1,"view":null}', "expected a view of full or none, got: None"),
    ("view list", b'{"type":"ready","protocol":1,"view":["full"]}', "expected a view of full or none"),
    ("text", b'{"type":"ready","protocol":1,"text":1}', "expected bool, got int in text"),
    ("rules", b'{"type":"ready","protocol":1,"rules":"yes"}', "expected bool, got str in rules"),
    ("rules null", b'{"type":"ready","protocol":1,"rules":null}', "expected bool, got null in rules"),
]  # fmt: skip

WHOLE = Ready(1, "R", 1024, "none", text=True)
RULES = Ready(1, rules=True)
READY_GOOD = [
    ("shortest", b'{"type":"ready","protocol":1}', Ready(1)),
    ("all", b'{"text":true,"view":"none","parallel":1024,"name":"R","protocol":1,"type":"ready"}', WHOLE),
    ("full", b'{"type":"ready","protocol":1,"view":"full","parallel":1,"text":false}', Ready(1)),
    ("rules", b'{"type":"ready","protocol":1,"rules":true}', RULES),
    ("no rules", b'{"type":"ready","protocol":1,"rules":false}', Ready(1)),
    ("unknown", b'{"type":"ready","protocol":1,"language":{"name":"C"}}', Ready(1)),
    ("L70 path", b'{"type":"ready","protocol":1,"name":"../<b>"}', Ready(1, "../<b>")),
]  # fmt: skip


def through_a_pipe(data):
    """Return the one line of *data*, cut as the referee cuts it."""
    (line,) = Lines().feed(data + b"\n")
    return line


def named(table):
    return pytest.mark.parametrize(("line", "expected"), [pytest.param(*row[1:], id=row[0]) for row in table])


@named(GOOD)
def test_a_good_line_is_an_answer(line, expected):
    assert expected == read_answer(through_a_pipe(line))


@named(BAD)
def test_a_bad_line_is_refused_with_its_reason(line, expected):
    with pytest.raises((Malformed, LineTooLong), match=expected):
        read_answer(through_a_pipe(line))


@named(READY_GOOD)
def test_a_good_ready_is_read(line, expected):
    assert expected == read_ready(through_a_pipe(line))


@named(READY_BAD)
def test_a_bad_ready_is_refused_with_its_reason(line, expected):
    with pytest.raises((Malformed, LineTooLong), match=expected):
        read_ready(through_a_pipe(line))


@pytest.mark.parametrize(
    "written",
    [
        json.dumps({"id": ID, "move": "take 1"}),
        json.dumps({"id": ID, "move": "take 1"}, separators=(",", ":")),
        json.dumps({"id": ID, "move": ["c1", "c2"]}),
        json.dumps({"id": ID, "move": []}, separators=(",", ":")),
        f'{{"id":"{ID}","move":"take 1"}}\r',
    ],
)
def test_answers_as_json_libraries_write_them_take_the_fast_path(written):
    assert answers._read_plain(written.encode())


spaces = st.sampled_from([b"", b"", b" ", b"  ", b"\t"])
strings = st.one_of(
    st.from_regex(rb"[ !#-\[\]-~]{0,8}", fullmatch=True),
    st.sampled_from(
        [b"x" * 4096, b"x" * 4097, rb"\u0061", rb"\"", b'"', b"\\", b"\x1f", b"\x7f", b"\xc3\xa9", b"\xff"]
    ),
).map(lambda text: b'"' + text + b'"')
ids = strings | st.sampled_from([f'"{ID}"'.encode()] * 3 + [b'"5B1F0C8E77A2D913"', b'"5b1f"', b"null"])
lists = st.lists(strings, max_size=3).map(lambda items: b"[" + b",".join(items) + b"]")
nearly_plain = st.builds(
    lambda s, id_, key, chosen, tail: b"".join(
        (b"{", s[0], b'"id"', s[1], b":", s[2], id_, b",", s[3], key, b":", s[4], chosen, s[5], b"}", tail)
    ),
    st.lists(spaces, min_size=6, max_size=6),
    ids,
    st.sampled_from([b'"move"'] * 4 + [b'"id"', b'"Move"']),
    strings | lists,
    st.sampled_from([b""] * 4 + [b"\r", b"\r\r", b" ", b"}", b',"note":"x"']),
)  # fmt: skip


PIECES = [
    *(b"{", b"}", b"[", b"]", b":", b",", b'"', b"\\", b" ", b"\n", b"\r", b"\t", b"\0"),
    *(b'"id"', b'"move"', b'"usage"', b'"x"', b"1", b"-0", b"1e999", b"NaN", b"null", b"true"),
    *(b"\xff", b"\xed\xa0\x80", rb"\ud800", "é".encode(), b"[" * 9, b'{"a":' * 9, b"9" * 50, b"x" * 5000),
    *(raw(""), move('["a"]'), with_(note="n", usage={"cost_usd": 1})),
]
tokens = st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
keys = st.sampled_from(["id", "move", "note", "usage", "type", "protocol", "x"])
shaped = st.dictionaries(keys, json_values).map(lambda fields: json.dumps(fields).encode())
anything = st.one_of(st.binary(max_size=60), tokens, shaped, nearly_plain, st.just(b"x" * 70_000))


def lines_of(chunks):
    """Yield the lines of *chunks* until one is too long."""
    framing = Lines()
    for chunk in chunks:
        try:
            lines = framing.feed(chunk)
        except LineTooLong:
            return
        yield from lines


def read(reader, line):
    """Return what *reader* makes of *line*, or its reason to refuse it."""
    try:
        return reader(line)
    except Malformed as refused:
        return str(refused)


@draws(20, 100, st.lists(anything, max_size=4), st.data())
def test_whatever_arrives_is_a_message_or_a_short_printable_reason(parts, data):
    whole = b"\n".join(parts) + b"\n"
    cuts = [0, *sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5))), len(whole)]
    for line in lines_of(whole[start:end] for start, end in itertools.pairwise(cuts)):
        for found in (read(read_answer, line), read(read_ready, line)):
            assert isinstance(found, (Answer, Ready)) or (found.isprintable() and len(found) < 250)


@given(nearly_plain)
@example(move('"' + "x" * 4096 + '"'))
@example(move('"' + "x" * 4097 + '"'))
def test_the_fast_path_changes_no_result(line):
    assert read(lambda line: answers._answer_in(answers._read(line)), line) == read(read_answer, line)


text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
likely = st.fixed_dictionaries(
    {"id": text, "move": text | st.lists(text, max_size=3)}, optional={"note": text, "x": json_values}
)


@given(likely)
def test_what_is_read_is_what_any_json_library_reads(fields):
    line = json.dumps(fields).encode()
    answer = read(read_answer, line)
    if isinstance(answer, Answer):
        move = answer.move if isinstance(answer.move, str) else [*answer.move]
        assert (fields["id"], fields["move"]) == (answer.id, move)


@given(text, st.lists(text))
def test_every_answer_that_may_be_written_is_read_back(written, items):
    for answer in (Answer(written, tuple(items), written, Usage(1, 2, 0.25)), Answer(ID, written)):
        assert answer == read_answer(msgspec.json.encode(answer))
        assert answer == read_answer(json.dumps(msgspec.to_builtins(answer)).encode())
