"""L01 to L70: lines that bots write instead of one good answer, and the expected results.

Moves are strings, and the only numbers in an answer are those of `usage`, so a case about numbers uses a
number of tokens; such cases say so.

A line consists of parts: bytes, or bytes and their number of repetitions.  <id> and <move> stand for those of
a good answer; tests/bad_bots/says_a_line.py explains the other words in angle brackets.
"""

from typing import TypeAlias

from ladder.dev.hostile.case import OK, Case
from protocol.messages import Json

Part: TypeAlias = bytes | tuple[bytes, int]

HINT = "log to stderr"
HEAD = b'{"id":"<id>","move":"<move>"'
PLAIN = HEAD + b"}"


def _with(more: str) -> bytes:
    """Return a good answer with *more* after its move."""
    return HEAD + b"," + more.encode() + b"}"


def _tokens(number: str) -> bytes:
    return _with(f'"usage":{{"input_tokens":{number}}}')


def _move(text: str) -> bytes:
    """Return an answer with *text* in place of its move."""
    return b'{"id":"<id>","move":%b}' % text.encode()


def _id(text: str) -> bytes:
    """Return an answer with *text* in place of its id."""
    return b'{"id":%b,"move":"<move>"}' % text.encode()


def _nest(levels: int) -> list[Part]:
    """Return an answer with objects nested *levels* deep, the answer included."""
    return [HEAD + b',"x":', (b'{"a":', levels - 1), b"1", (b"}", levels - 1), b"}"]


Row: TypeAlias = tuple[str, str, bytes | list[Part]]

# Beside every line that must be refused there is one that looks like it and must not be: a reader that is too
# strict harms honest bots, and no other test would notice.
_GOOD: list[Row] = [
    ("L01", "the exact answer", PLAIN),
    ("L02", "spaces inside and around", b' { "id" : "<id>" ,\t"move":  "<move>" } '),
    ("L03", "CRLF at its end", PLAIN + b"\r"),
    ("L04", "an unknown key", _with('"confidence":[0.5,{"x":null}]')),
    ("L05", "a character beyond 16 bits", _with('"note":"𝄞"')),
    ("L05b", "the same as an escaped pair", _with(r'"note":"\ud834\udd1e"')),
    ("L06", "keys in another order", b'{"move":"<move>","id":"<id>"}'),
    ("L07", "-0 tokens, for a move of -0", _tokens("-0")),
    ("L08", "brackets inside a string", _with('"note":"[[[[[[[[[[{{{{{{{{{{"')),
    ("L09", "60,000 spaces before it", [(b" ", 60_000), PLAIN]),
    ("L10", "__proto__ and __class__ as keys", _with('"__proto__":{},"__class__":"x"')),
    ("L67", "U+2028 and U+0085 in a string", _with('"note":"a\u2028b\u0085c"')),
]

_MALFORMED: list[Row] = [
    ("L11", "an empty line", b""),
    ("L12", "spaces", b"   "),
    ("L12b", "a tab", b"\t"),
    ("L12c", "a lone CR", b"\r"),
    ("L13", "a word", b"hello"),
    ("L13b", "a log line", b"DEBUG: x"),
    ("L14", "an object that is cut off", b'{"id":"<id>","mo'),
    ("L15", "one brace too many", PLAIN + b"}"),
    ("L16", "two objects on a line", PLAIN + PLAIN),
    ("L17", "an object and more", PLAIN + b" ok"),
    ("L18", "a comma at the end", HEAD + b",}"),
    ("L19", "single quotes", b"{'id':'<id>','move':'<move>'}"),
    ("L19b", "keys without quotes", b'{id:"<id>",move:"<move>"}'),
    ("L19c", "Python's True", _with('"x":True')),
    ("L20", "a comment", HEAD + b"/* why */}"),
    ("L21", "an array", b"[" + PLAIN + b"]"),
    ("L21b", "a number", b"3"),
    ("L21c", "a string", b'"<move>"'),
    ("L21d", "null", b"null"),
    ("L21e", "true", b"true"),
    ("L22", "an empty object", b"{}"),
    ("L23", "a key twice, same value", _with('"move":"<move>"')),
    ("L24", "a key twice, another value", _with('"move":"take 99"')),
    ("L25", "a key twice, once escaped", _with(r'"mov\u0065":"<move>"')),
    ("L26", "a key twice, deeper inside", _with('"x":[{"a":1,"a":1}]')),
    ("L27", "NaN", _with('"x":NaN')),
    ("L28", "Infinity", _with('"x":Infinity')),
    ("L28b", "-Infinity", _with('"x":-Infinity')),
    ("L29", "1e400, which is infinite", _with('"x":1e400')),
    ("L30", "3.0 tokens, for a move of 3.0", _tokens("3.0")),
    ("L30b", "3e0 tokens", _tokens("3e0")),
    ("L31", "3.5 tokens", _tokens("3.5")),
    ("L32", "2^53 + 1", _with(f'"x":{2**53 + 1}')),
    ("L32b", "2^63", _with(f'"x":{2**63}')),
    ("L33", "an integer of 5,000 digits", [HEAD + b',"x":', (b"9", 5_000), b"}"]),
    *(
        (f"L34{letter}", f"{number}, which is not a number", _with(f'"x":{number}'))
        for letter, number in zip(("", *"bcde"), ("03", "+3", "0x3", ".5", "5."), strict=True)
    ),
    ("L35", '"3" tokens', _tokens('"3"')),
    ("L36", "true tokens, equal to 1 in Python", _tokens("true")),
    ("L37", "null as the move", _move("null")),
    ("L37b", "a list as the move", _move('["<move>"]')),
    ("L37c", "an object as the move", _move("{}")),
    ("L37d", "a number as the move", _move("3")),
    ("L38", "no move", b'{"id":"<id>"}'),
    ("L39", "no id", b'{"move":"<move>"}'),
    ("L40", "a number as the id", _id("7")),
    ("L41", "the id of an earlier request", _id('"<earlier>"')),
    ("L42", "the id of a later request", _id('"<later>"')),
    ("L43", "the id of the other seat", _id('"<other>"')),
    ("L44", "Id instead of id", b'{"Id":"<id>","move":"<move>"}'),
    ("L44b", "a space after id", b'{"id ":"<id>","move":"<move>"}'),
    ("L48", "byte FF", b'{"id":"<id>","move":"\xff"}'),
    ("L49", "an overlong C0 AF", b'{"id":"<id>","move":"\xc0\xaf"}'),
    ("L50", "a surrogate in UTF-8", b'{"id":"<id>","move":"\xed\xa0\x80"}'),
    ("L51", "a character cut in half", b'{"id":"<id>","move":"\xe2\x80"}'),
    ("L52", "half of an escaped pair", _move(r'"\ud800"')),
    ("L53", "a byte order mark", b"\xef\xbb\xbf" + PLAIN),
    ("L54", "UTF-16", b"\xff\xfe" + b"".join(bytes((byte, 0)) for byte in b'{"id":"x","move":"y"}')),
    ("L55", "Latin-1", b'{"id":"<id>","move":"\xe9"}'),
    ("L56", "a NUL after the object", PLAIN + b"\0"),
    ("L56b", "a NUL inside", b'{"id":"<id>","move":"\0"}'),
    ("L56c", "an escaped NUL in a key", _with(r'"\u0000":1')),
    ("L57", "a raw tab in a string", b'{"id":"<id>","move":"\t"}'),
    ("L57b", "a raw control character in a string", b'{"id":"<id>","move":"\x01"}'),
    ("L58", "a no-break space before it", b"\xc2\xa0" + PLAIN),
    ("L58b", "colours for a terminal", b"\x1b[32m" + PLAIN + b"\x1b[0m"),
    ("L59", "objects 9 deep", _nest(9)),
    ("L60", "objects 100 deep", _nest(100)),
    ("L61", "60,000 brackets", [HEAD + b',"x":', (b"[", 60_000)]),
    ("L62", "objects 9,000 deep", _nest(9_000)),
    ("L63", "a string of 5,000 characters", [HEAD + b',"x":"', (b"x", 5_000), b'"}']),
    ("L64", "more than 64 KiB", [(b" ", 65_536), PLAIN]),
    ("L65", "1 GiB without a newline", [(b"x" * 1024, 2**20)]),
    ("L66", "4,000 keys", [HEAD + b',"x":{', (b'"k#":0,', 4_000), b'"k":0}}']),
    ("L66b", "a number of 60,000 digits", [HEAD + b',"x":0.', (b"1", 60_000), b"}"]),
    ("L68", "a vertical tab between keys", HEAD + b"\v}"),
    ("L68b", "a form feed between keys", HEAD + b"\f}"),
    ("L68c", "a lone CR between two answers", PLAIN + b"\r" + PLAIN),
    ("L69", "ready, where an answer is asked for", b'{"type":"ready","protocol":1}'),
]

_ILLEGAL: list[Row] = [
    ("L45", "a move that does not exist", _move('"take 99"')),
    ("L45b", "an empty move", _move('""')),
    ("L46", "a move that is not legal now", _move('"<gone>"')),
    ("L47", "a card that is not in hand", _move('"<unheld>"')),
]

_READY = b'{"type":"ready","protocol":1'
_GREETINGS: list[tuple[str, str, str, bytes | list[Part]]] = [
    ("L70", "ready for another protocol", "start", b'{"type":"ready","protocol":2}\n'),
    ("L70b", "a name of 1 MiB", "start", [_READY + b',"name":"', (b"x" * 1024, 1024), b'"}\n']),
    ("L70c", "a name in colours", "start", _READY + rb',"name":"\u001b[31m"}' + b"\n"),
    ("L70d", "a path with HTML as a name", OK, _READY + b',"name":"../../etc/<b>"}\n'),
    ("L69b", "ready twice", "start", 2 * (_READY + b"}\n")),
]
"""Bad answers to hello."""

_SHORT = {"L01", "L13", "L24", "L41", "L45", "L53", "L61", "L65"}


def _parts(line: bytes | list[Part]) -> list[Json]:
    parts = [line] if isinstance(line, bytes) else line
    pairs = [part if isinstance(part, tuple) else (part, 1) for part in parts]
    return [[text.decode("latin-1"), times] for text, times in pairs]


def _cases(rows: list[Row], expected: str) -> list[Case]:
    return [
        Case(
            id_,
            what,
            (expected,),
            "says_a_line",
            sin={"parts": [*_parts(line), ["\n", 1]]},
            reason=HINT if id_ in ("L13", "L13b") else "",
            short=id_ in _SHORT,
        )
        for id_, what, line in rows
    ]


LINES: tuple[Case, ...] = (
    *_cases(_GOOD, OK),
    *_cases(_MALFORMED, "protocol"),
    *_cases(_ILLEGAL, "illegal"),
    *(
        Case(id_, what, (kind,), "greets", config={"greeting": _parts(line)}, always=True)
        for id_, what, kind, line in _GREETINGS
    ),
)
