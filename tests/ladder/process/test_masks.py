"""Values that are hidden in text: as they stand, escaped, split and cut."""

import json
import os
from random import Random
from urllib.parse import quote

import pytest

from ladder.process.bot import KEPT, Stderr
from ladder.process.masks import MASK, MaskedStream, Masks, is_short_number

KEY = 'sk-ant/API+03 é\N{GRINNING FACE}"key\\-0123'
SPELLINGS = {
    "plain": KEY,
    "json": json.dumps(KEY),
    "json with slashes": json.dumps(KEY).replace("/", "\\/"),
    "capital hex digits": json.dumps(KEY).replace("\\u00e9", "\\u00E9"),
    "json twice": json.dumps(json.dumps(KEY)),
    "json three times": json.dumps(json.dumps(json.dumps(KEY))),
    "every character escaped": "".join(
        f"\\u{code:04x}" for code in memoryview(KEY.encode("utf-16-le")).cast("H")
    ),
    "repr": repr(KEY),
    "ascii": ascii(KEY),
    "bytes": repr(KEY.encode()),
    "url": quote(KEY),
    "query": quote(KEY, safe=""),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_value_is_hidden_in_each_spelling(spelling):
    hidden = Masks([KEY]).hide(f"the key {SPELLINGS[spelling]} is secret")
    assert hidden.replace('\\"', "").replace("\\", "").strip('b"') in (
        f"the key {MASK} is secret",
        f'the key "{MASK}" is secret',
        f"the key '{MASK}' is secret",
        f"the key b'{MASK}' is secret",
    )


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_value_that_comes_in_pieces_is_hidden(spelling):
    masks, rng = Masks([KEY]), Random(spelling)
    text = f"a sk-an b {SPELLINGS[spelling]} c\n{SPELLINGS[spelling]} and sk-"
    for _ in range(8):
        stream, shown, data = MaskedStream(masks), b"", text.encode()
        while data:
            size = rng.randint(1, 7)
            shown += stream.feed(data[:size])
            data = data[size:]
        assert masks.hide(text) == (shown + stream.release()).decode()


def test_what_is_no_value_stays_as_it_is():
    text = 'C:\\new\\table 100% of \\u0041 \\x41 %41 "sk-ant" \\ud83d \udc80'
    assert text == Masks([KEY]).hide(text)
    data = text.encode("utf-8", "surrogateescape") + b"\xff\xc3\xa9\xc3"
    stream = MaskedStream(Masks([KEY]))
    assert data == b"".join(stream.feed(data[i : i + 1]) for i in range(len(data))) + stream.release()


def test_the_beginning_of_a_value_at_the_end_of_a_text_is_hidden():
    masks = Masks([KEY])
    assert f"key: {MASK}" == masks.hide(f"key: {KEY[:-1]}")
    assert f"key: {MASK}" == masks.hide(f"key: {KEY[:4]}")
    assert f'key: "{MASK}' == masks.hide("key: " + json.dumps(KEY)[:21])
    assert "key: sk-" == masks.hide("key: sk-")


def test_of_a_value_with_lines_each_is_hidden():
    masks = Masks(["-----BEGIN-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END-----\n"])
    assert f"1 {MASK}\n2 {MASK}" == masks.hide("1 MIIEvQIBADANBg\n2 kqhkiG9w0BAQEF")


@pytest.mark.parametrize("value", ["short12", "12345678901", "-1234567.25", "0.700000001"])
def test_short_values_and_short_numbers_are_not_hidden(value):
    assert not Masks([value])
    assert value == Masks([value]).hide(value)


@pytest.mark.parametrize("value", ["12345678", "123456789012", "1234567a", "production"])
def test_a_number_has_digits_only_and_a_long_one_is_hidden(value):
    assert (value == "12345678") == is_short_number(value) == (value == Masks([value]).hide(value))


def test_values_that_overlap_are_hidden_together():
    masks = Masks(["abcdefgh", "efghijklmn"])
    assert f"<{MASK}>" == masks.hide("<abcdefghijklmn>")
    stream = MaskedStream(masks)
    shown = b"".join(stream.feed(bytes([byte])) for byte in b"<abcdefghijklmn>")
    assert f"<{MASK}>".encode() == shown


def test_a_reason_does_not_quote_an_answer_with_a_value():
    masks = Masks([KEY])
    cut = f"expected a JSON object, got: {KEY[2:12]!r}... (log to stderr)"
    assert "expected a JSON object, got one that holds a hidden value" == masks.hide_reason(cut, KEY.encode())
    assert "expected 3, got: 4" == masks.hide_reason("expected 3, got: 4", b"4")


def test_masks_take_no_time_that_a_bot_can_stretch():
    """Quadratic searches would take minutes here."""
    masks = Masks([KEY, "a" * 20])
    for text in ("\\" * 50_000 + "z", "%" * 50_000, "\\u00" * 20_000, "a" * 50_000, KEY[:9] * 5_000):
        stream = MaskedStream(masks)
        stream.feed(text.encode())
        masks.hide(text)


def test_stderr_counts_what_was_written_and_keeps_what_is_shown():
    log = Stderr()
    log.hide(Masks([KEY]))
    log.add(b"key: " + KEY.encode()[:9], "step 1")
    assert f"--- step 1\nkey: {MASK}" == log.text(100)
    log.add(KEY.encode()[9:] + b"\nk", "step 1")
    assert f"--- step 1\nkey: {MASK}\nk" == log.text(100)
    assert len(f"key: {KEY}\nk".encode()) == log.size


def test_no_cut_of_a_log_leaves_a_part_of_a_value():
    key, log = os.urandom(40).hex(), Stderr()
    log.hide(Masks([key]))
    for _ in range(3 * KEPT // 100):
        log.add(f"{'.' * 19} {key}".encode())
    for limit in range(1, 300):
        assert set(log.text(limit)) <= set(". *")
