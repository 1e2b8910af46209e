"""Whatever a bot writes, in whatever pieces: it is an answer or a known fault."""

import itertools
import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.draws import draws
from support.places import BAD_BOTS
from support.scripted import Exit, Say
from support.scripts import at_decision, stage
from support.seating import SECRET, bot, hall

from engines import GAMES
from engines.game import IllegalMove, InvalidMove
from ladder.contest.keys import Keys, deal_rng
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version
from protocol.answers import Malformed, read_answer
from protocol.messages import Limits

KEYS = Keys(SECRET)
LINE_BYTES = 512
LIMITS = Limits(start_ms=30_000, move_ms=30_000, bank_ms=0, line_bytes=LINE_BYTES)
STELLAR = GAMES["stellar"]
CHOICES = STELLAR.choices(STELLAR.start(STELLAR.deal(2, deal_rng(KEYS.deal(0))), 2).state)
"""What both seats are asked first, at once, in the matches of block 0."""
IDS = {(match, seat): KEYS.decisions(match, seat, 0)[0] for match in (0, 1) for seat in (0, 1)}
ANSWERS = [
    json.dumps({"id": id_, "move": move}).encode()
    for (_, seat), id_ in IDS.items()
    for move in (CHOICES[seat].options[0], "take 9", ["a", "a"], ["b", "a"], ["c"])
]
PIECES = [
    *(b"{", b"}", b"[", b"]", b":", b",", b'"', b"\\", b" ", b"\n", b"\r", b"\t", b"\0", b"%", b"\xff"),
    *(b'"id"', b'"move"', b'"note"', b"1", b"-0", b"1e999", b"NaN", b"null", b"\xed\xa0\x80", rb"\ud800"),
    *("é".encode(), b"[" * 9, b"9" * 50, b"x" * LINE_BYTES, b" " * (LINE_BYTES - 90)),
]
soup = st.lists(st.sampled_from(PIECES) | st.binary(max_size=20), max_size=8).map(b"".join)
answer = st.sampled_from(ANSWERS)
ended = st.builds(
    lambda line, end: line + end, answer | answer | soup, st.sampled_from([b"\n", b"\n", b"\r\n", b""])
)
written = st.lists(ended, min_size=1, max_size=3).map(b"".join)


@st.composite
def chunks(draw):
    """Return what is written, cut anywhere."""
    whole = draw(written)
    cuts = [0, *sorted(draw(st.lists(st.integers(0, len(whole)), max_size=4))), len(whole)]
    return [whole[start:end] for start, end in itertools.pairwise(cuts)]


def worth(line, id_, choice):
    """Return what a line gets: `ok`, `protocol` or `illegal`."""
    try:
        said = read_answer(line)
        if said.id != id_:
            return "protocol"
        choice.check(said.move)
    except (Malformed, InvalidMove):
        return "protocol"
    except IllegalMove:
        return "illegal"
    return "ok"


def expected(pieces, match, seat):
    """Return what a bot may get that writes *pieces* and exits, where its first line decides it."""
    first, end, _ = b"".join(pieces).partition(b"\n")
    if len(first) + len(end) > LINE_BYTES or (not end and len(first) == LINE_BYTES):
        return {"protocol"}
    if not end:
        return {"crash"}
    found = worth(first, IDS[match, seat], CHOICES[seat])
    return {None, "crash", "protocol"} if found == "ok" else {found}


def sayer(name, pieces):
    octal = ["".join(f"\\0{byte:03o}" for byte in piece) for piece in pieces]
    return Version(name, "1", str(BAD_BOTS), BotManifest(name, ("/bin/sh", "says_bytes.sh", *octal)))


def speaker(pieces):
    """Return the script of a bot that writes *pieces* when it is asked first, and exits."""
    return at_decision(1, lambda act: [*map(Say, pieces), Exit(0)])


def check_faults(play, written):
    """Assert that each bot gets what its first line deserves."""
    for match in play.matches(0):
        for seat, found in enumerate(match.seats):
            assert found.fault in expected(written[found.bot], match.number, seat)
        assert any(seat.fault for seat in match.seats)
        assert {None} == {seat.score for seat in match.seats}


@draws(40, 200, chunks(), chunks())
@example([ANSWERS[0] + b"\n"], [ANSWERS[1] + b"\n"])
@example([b"x" * LINE_BYTES], [b" " * (LINE_BYTES - 1) + b"\n"])
@example([b"", b"\0\n"], [])
@example([b'{"id": "506e405250ced02c", "move": "take 9"}\n' + b"x" * LINE_BYTES], [ANSWERS[1] + b"\n"])
def test_a_referee_finds_the_same(one, other):
    written = {"one": one, "other": other}
    scripts = {name: speaker(pieces) for name, pieces in written.items()}
    with stage(bot("one"), bot("other"), limits=LIMITS, scripts=scripts) as play:
        check_faults(play, written)


@pytest.mark.process
@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(chunks(), chunks())
@example([ANSWERS[0] + b"\n"], [ANSWERS[1] + b"\n"])
def test_through_real_pipes_too(one, other):
    written = {"one": one, "other": other}
    with hall(sayer("one", one), sayer("other", other), limits=LIMITS) as play:
        check_faults(play, written)
