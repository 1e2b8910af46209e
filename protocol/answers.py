"""Read the messages of bots strictly: one form for each message, and a reason for every refusal."""

import json
import re
from math import isfinite
from typing import TypeVar

import msgspec

from protocol import VERSION
from protocol.messages import LARGEST, Absent, Answer, Failure, Json, Ready

DEEPEST = 8
"""The deepest nesting of objects and lists; the message itself is the first level."""
LONGEST_STRING = 4_096
LONGEST_NUMBER = 40
MOST_KEYS = 1_024


M = TypeVar("M", Absent, Answer, Failure, Ready)
F = TypeVar("F", Absent, Failure)


class Malformed(ValueError):
    """A line that is not the expected message.  The text is for the bot's author."""


def read_answer(line: bytes) -> Answer:
    """Return the answer in *line*, which has no newline.  Raises Malformed, and nothing else, for others."""
    return _read_plain(line) or _answer_in(_read(line))


def read_answer_or_failure(line: bytes) -> Answer | Failure:
    """Return what `read_answer` does, or the failure that is reported in its place."""
    if plain := _read_plain(line):
        return plain
    fields = _read(line)
    if "fail" not in fields:
        return _answer_in(fields)
    if "move" in fields:
        raise Malformed("expected move or fail, got both")
    return _check_why(_convert(fields, Failure))


def read_ready(line: bytes) -> Ready:
    """Return the ready in *line*, which has no newline.  Raises Malformed, and nothing else, for others."""
    return _ready_in(_read(line))


def read_ready_or_absent(line: bytes) -> Ready | Absent:
    """Return what `read_ready` does, or what is said in its place."""
    fields = _read(line)
    return _check_why(_convert(fields, Absent)) if fields.get("type") == "absent" else _ready_in(fields)


def _ready_in(fields: dict[str, Json]) -> Ready:
    if fields.get("type") != "ready":
        raise Malformed(f"expected a message of type ready, got: {_quote(fields.get('type'))}")
    if fields.get("protocol") != VERSION:
        raise Malformed(f"expected protocol {VERSION}, got: {_quote(fields.get('protocol'))}")
    if fields.get("view", "full") not in ("full", "none"):
        raise Malformed(f"expected a view of full or none, got: {_quote(fields['view'])}")
    ready = _convert(fields, Ready)
    if not ready.name.isprintable():
        raise Malformed(f"expected a name of printable characters, got: {_quote(ready.name)}")
    return ready


def _check_why(said: F) -> F:
    if not said.why.isprintable():
        raise Malformed(f"expected a why of printable characters, got: {_quote(said.why)}")
    return said


_decode_answer = msgspec.json.Decoder(Answer).decode
_KEYS_AND_ID = 6
"""The quotation marks of an answer beside those of its move."""


def _read_plain(line: bytes) -> Answer | None:
    """Return the answer in *line* if it has nothing but id and move, without escapes; else None.

    Such a line needs no strict reading: another key, or one that comes twice, would bring more quotation
    marks, and the decoder refuses what is not JSON.
    """
    try:
        answer = _decode_answer(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):  # the last one: nested too deep
        return None
    strings = 1 if isinstance(answer.move, str) else len(answer.move)
    # The strict reading takes more than ten times as long, and nearly all lines are as plain as this.
    plain = line.count(b'"') == _KEYS_AND_ID + 2 * strings and b"\\" not in line
    return answer if plain else None


def _answer_in(fields: dict[str, Json]) -> Answer:
    if missing := [name for name in ("id", "move") if name not in fields]:
        raise Malformed(f"expected the fields id and move, got no {missing[0]}: {_quote(list(fields))}")
    return _convert(fields, Answer)


_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[][{}]', re.DOTALL)  # unterminated strings too, in linear time
_NOT_TEXT = re.compile(r"[\0\ud800-\udfff]")
_HINT = "log to stderr, stdout is for the protocol"


def _read(line: bytes) -> dict[str, Json]:
    """Return the object on *line*, after checking the rules that hold for all messages."""
    text = _decode_text(line)
    found = text.strip(" \t\r\n")
    if not found:
        raise Malformed("expected a JSON object, got an empty line")
    if found[0] != "{":
        raise Malformed(f"expected a JSON object, got: {_quote(found)} ({_HINT})")
    _check_nesting(text)
    try:
        fields: dict[str, Json] = _decode(text)
    except json.JSONDecodeError as error:
        found = _quote(text[error.pos :]) if error.pos < len(text) else "the end of the line"
        raise Malformed(
            f"expected a JSON object, got something else at character {error.pos + 1}: {found} ({error.msg})"
        ) from None
    if len(text) > LONGEST_STRING or r"\u" in text:
        _check_strings(fields)
    return fields


def _decode_text(line: bytes) -> str:
    if line.startswith(b"\xef\xbb\xbf"):
        raise Malformed("expected UTF-8 without a byte order mark, got one at the start of the line")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise Malformed(
            f"expected UTF-8, got 0x{line[error.start]:02X} as byte {error.start + 1} ({error.reason})"
        ) from None


def _check_nesting(text: str) -> None:
    """Raise Malformed if *text* nests too deep, before a parser recurses into it."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    for mark in _MARKS.finditer(text):
        if mark[0] in "[{":
            depth += 1
            if depth > DEEPEST:
                raise Malformed(f"expected nesting of at most {DEEPEST} levels, got more")
        elif mark[0] in "]}":
            depth -= 1


def _check_strings(value: Json) -> None:
    """Raise Malformed for long strings, and for escapes of NUL or of half a surrogate pair."""
    if isinstance(value, str):
        if len(value) > LONGEST_STRING:
            raise Malformed(f"expected strings of at most {LONGEST_STRING:,} characters, got {len(value):,}")
        if found := _NOT_TEXT.search(value):
            what = "a NUL" if found[0] == "\0" else "half of a surrogate pair"
            raise Malformed(f"expected text, got {what}: {_quote(found[0])}")
    elif isinstance(value, list):
        for item in value:
            _check_strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_strings(key)
            _check_strings(item)


def _build_object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    if len(pairs) > MOST_KEYS:
        raise Malformed(f"expected objects of at most {MOST_KEYS:,} keys, got {len(pairs):,}")
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in fields if names.count(name) > 1)
        raise Malformed(f"expected every key once, got twice: {_quote(twice)}")
    return fields


def _parse_integer(digits: str) -> int:
    number = int(_check_length(digits))
    if abs(number) > LARGEST:
        raise Malformed(f"expected integers within 2**53 of zero, got: {digits}")
    return number


def _parse_float(digits: str) -> float:
    number = float(_check_length(digits))
    if not isfinite(number):
        raise Malformed(f"expected finite numbers, got: {digits}")
    return number


def _check_length(digits: str) -> str:
    if len(digits) > LONGEST_NUMBER:
        raise Malformed(f"expected numbers of at most {LONGEST_NUMBER} characters, got {len(digits):,}")
    return digits


def _refuse_constant(name: str) -> float:
    raise Malformed(f"expected finite numbers, got: {name}")


_decode = json.JSONDecoder(
    object_pairs_hook=_build_object,
    parse_int=_parse_integer,
    parse_float=_parse_float,
    parse_constant=_refuse_constant,
).decode


def _convert(fields: dict[str, Json], kind: type[M]) -> M:
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        reason = str(error).replace("`", "").replace(" - at $.", " in ")
        raise Malformed(reason[0].lower() + reason[1:]) from None


def _quote(value: Json) -> str:
    """Return the repr of *value*, shortened because bots may send long values."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
