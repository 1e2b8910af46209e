r"""Hide secret values, such as a bot's API key, in what a bot writes.

A value is found as it stands, and escaped: as in JSON (`\u0041`, `\/`), in a Python repr, in a URL (`%2B`),
and escaped twice or three times.  It is hidden where the text is taken in, so that nothing stored has it.
"""

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

MASK: Final = "***"
"""What stands in place of a value."""
LEAST: Final = 8
"""Shorter values are not hidden: they are settings such as `on`, not secrets."""
PART: Final = 4
"""At the end of a text, which may be cut, the beginning of a value is hidden if it is this long."""
LONG_NUMBER: Final = 12
"""A number of fewer digits is not hidden: a seed, a limit or a date, and scores and times look alike."""
NUMBER = re.compile(r"[+-]?[0-9]*\.?[0-9]*")
DEEPEST: Final = 3
"""How often a text may be escaped."""
SPELLING: Final = 16
"""The most characters, or almost, that a character takes that is escaped: a stream holds no more back."""

ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u(?![dD][89abAB])[0-9a-fA-F]{4}"
    r"|\\U000[0-9a-fA-F]{5}|(?:\\x[0-9a-fA-F]{2})+|(?:%[0-9a-fA-F]{2})+|\\[^uUx]",
    re.DOTALL,
)
UNFINISHED = re.compile(r"(?:\\+(?:u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|x[0-9a-fA-F]?)?|%[0-9a-fA-F]?)$")
"""The beginning of an escape at the end of a text."""
INCOMPLETE = re.compile(
    r"(?:\\+u[dD][89abAB][0-9a-fA-F]{2}|\\+x[89a-fA-F][0-9a-fA-F]|%[89a-fA-F][0-9a-fA-F])$"
)
"""An escape at the end of a text that may be one character together with the next: up to three of them."""
ESCAPE_SIZE = 64
"""No escape is longer; the two patterns need not look further back, where they would look long."""
SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Span(NamedTuple):
    """A part of a text, from *start* up to but not including *end*."""

    start: int
    end: int


class Masks:
    """The values that are hidden: those of at least LEAST characters among *values* that are no short number.

    Of a value with several lines, such as a private key, each line is hidden by itself.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        # Hiding a short or common word would put holes into every bot's log, and a hole tells a reader who
        # knows the text around it what stood there.
        secret = [value for value in values if len(value) >= LEAST and not is_short_number(value)]
        parts = {part for value in secret for part in _parts(value)}
        self._parts = sorted(parts, key=lambda part: (-len(part), part))
        # A stream may hold back a whole value in its longest spelling, and no more: a bot decides what it
        # writes, and must not make the ladder keep all of it in memory.
        self._most_held = SPELLING * max(map(len, parts), default=0)

    def __bool__(self) -> bool:
        """Return whether there is anything to hide."""
        return bool(self._parts)

    def hide(self, text: str) -> str:
        """Return *text* with MASK in place of each value, also of the beginning of one at the end."""
        if not self._parts or not text:
            return text
        spans = self._whole(text)
        if (begun := self._find_beginning(text, PART)) < len(text):
            spans.append(Span(begun, len(text)))
        return _put_masks(text, spans)

    def hide_bytes(self, data: bytes) -> bytes:
        """Return *data*, most of it UTF-8, as `hide` returns text."""
        if not self._parts:
            return data
        text = data.decode("utf-8", "surrogateescape")
        hidden = self.hide(text)
        return data if hidden == text else hidden.encode("utf-8", "surrogateescape")

    def hide_reason(self, reason: str, answer: bytes) -> str:
        """Return the *reason* of a fault without values; *answer* is what it quotes, perhaps a part of it."""
        if not self._parts:
            return reason
        if self.hide_bytes(answer) != answer and ", got" in reason:
            reason = reason.partition(", got")[0] + ", got one that holds a hidden value"
        return self.hide(reason)

    def split(self, text: str) -> tuple[str, str]:
        """Return *text* in two parts: without values, and its end, which may be the beginning of a value."""
        spans = _join(self._whole(text))
        cut = self._find_beginning(text, 1)
        for span in reversed(spans):  # what comes next may turn two values that overlap into a longer one
            if span.start < cut < span.end:
                cut = span.start if len(text) - span.start <= self._most_held else span.end
        if len(text) - cut > self._most_held:
            cut = len(text)
        return _put_masks(text[:cut], [span for span in spans if span.end <= cut]), text[cut:]

    def _whole(self, text: str) -> list[Span]:
        """Return where whole values stand."""
        found = []
        for reading in _readings(text):
            for part in self._parts:
                at = reading.text.find(part)
                while at >= 0:
                    found.append(reading.span(at, at + len(part)))
                    at = reading.text.find(part, at + len(part))
        return found

    def _find_beginning(self, text: str, least: int) -> int:
        """Return where a value begins that may go on after *text*, if *least* characters of it are there."""
        tails = _tails(text)
        # In a stream (*least* is 1) half an escape is held back as well: the rest of it may make it a value's
        # first character.
        begins = len(tails[-1]) if least == 1 else len(text)
        for tail in tails:
            for reading in _readings(tail):
                for part in self._parts:
                    if size := _overlap(reading.text, part, least):
                        begins = min(begins, reading.starts[-size])
        return begins


NO_MASKS: Final = Masks()


class MaskedStream:
    """Hides values in bytes that come in pieces: a value may be split among them."""

    def __init__(self, masks: Masks) -> None:
        self._masks = masks
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._held = ""
        """The end of what has come, which may be the beginning of a value."""

    def feed(self, data: bytes) -> bytes:
        """Return what *data* adds to the text; what may begin a value is held back until more comes."""
        shown, self._held = self._masks.split(self._held + self._decoder.decode(data))
        return shown.encode("utf-8", "surrogateescape")

    @property
    def held(self) -> bytes:
        """What is held back, with the beginning of a value hidden if it is one."""
        unread = self._decoder.getstate()[0]
        return self._masks.hide(self._held).encode("utf-8", "surrogateescape") + unread

    def release(self) -> bytes:
        """Return what is held back, and hold it no longer."""
        held, self._held = self.held, ""
        self._decoder.reset()
        return held


class _Reading:
    """A text without its escapes, and where each of its characters stands in the original."""

    def __init__(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        self.text = text
        self.starts = starts
        self.ends = ends

    def span(self, start: int, end: int) -> Span:
        """Return where the characters from *start* to *end* stand in the original."""
        return Span(self.starts[start], self.ends[end - 1])

    def unescape(self) -> "_Reading | None":
        """Return the text with escapes replaced; None if it has none."""
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        done = 0
        for escape in ESCAPE.finditer(self.text):
            first, last = escape.span()
            meant = _meaning(escape[0])
            pieces += [self.text[done:first], meant]
            starts += [*self.starts[done:first], *[self.starts[first]] * len(meant)]
            ends += [*self.ends[done:first], *[self.ends[last - 1]] * len(meant)]
            done = last
        if not pieces:
            return None
        # Positions in the original are kept for every character: a value is found in the unescaped text and
        # hidden in the text that the bot wrote, whose other escapes stay as they are.
        pieces.append(self.text[done:])
        starts += self.starts[done:]
        ends += self.ends[done:]
        return _Reading("".join(pieces), starts, ends)


def _readings(text: str) -> Iterator[_Reading]:
    """Yield *text* as it stands, and with its escapes replaced once and more often."""
    reading: _Reading | None = _Reading(text, range(len(text)), range(1, len(text) + 1))
    for _ in range(DEEPEST + 1):
        if reading is None:
            return
        yield reading
        reading = reading.unescape()


def _tails(text: str) -> list[str]:
    """Return *text*, and without what may be the first part of an escaped character at its end."""
    tails = [text]
    for part in (UNFINISHED, INCOMPLETE, INCOMPLETE, INCOMPLETE):
        if found := part.search(tails[-1], max(0, len(tails[-1]) - ESCAPE_SIZE)):
            tails.append(tails[-1][: found.start()])
    return tails


def _meaning(escape: str) -> str:
    """Return what *escape* stands for."""
    if escape[1] in "uU":
        codes = re.findall("[0-9a-fA-F]{4,8}", escape)
        if len(codes) == 2:
            high, low = (int(code, 16) for code in codes)
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        return chr(min(int(codes[0], 16), 0x10FFFF))
    if escape[0] == "%" or escape[1] == "x":
        data = bytes.fromhex(escape.replace("\\x", "").replace("%", ""))
        try:
            return data.decode()
        except UnicodeDecodeError:
            # Bytes that are no UTF-8, as in `\xe9`: Python's repr of a text writes such escapes for
            # characters up to 255.
            return data.decode("latin-1")
    return SHORT.get(escape[1], escape[1])


def is_short_number(value: str) -> bool:
    """Return whether *value* is a number of fewer than LONG_NUMBER digits."""
    return bool(NUMBER.fullmatch(value)) and sum(char.isdigit() for char in value) < LONG_NUMBER


def _parts(value: str) -> list[str]:
    """Return the lines of *value* that are long enough to be hidden; if none is, the whole value."""
    lines = [line.strip() for line in value.splitlines()]
    return [line for line in lines if len(line) >= LEAST] or [value]


def _overlap(text: str, part: str, least: int) -> int:
    """Return how many characters at the end of *text* are the beginning of *part*, 0 if below *least*."""
    for size in range(min(len(part) - 1, len(text)), least - 1, -1):
        if text.endswith(part[:size]):
            return size
    return 0


def _join(spans: Iterable[Span]) -> list[Span]:
    """Return *spans* in order; those that overlap are one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start < joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(span.end, joined[-1].end))
        else:
            joined.append(span)
    return joined


def _put_masks(text: str, spans: Iterable[Span]) -> str:
    """Return *text* with MASK in place of each of *spans*."""
    pieces, done = [], 0
    for span in _join(spans):
        pieces += [text[done : span.start], MASK]
        done = span.end
    return "".join([*pieces, text[done:]])
