"""The frames of remote seats, and which lines go again."""

import asyncio
import sys

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response

from ladder.live.connect import (
    MOST_BYTES,
    MOST_LINES,
    Flow,
    NotAdmitted,
    RemoteClient,
    _judge,
    _Seat,
    read_frame,
    write_frame,
)

KEY = b"0123456789abcdef" * 2
GOOD = [
    (("seat", "mine", 4), [b"seat", b"mine", b"4"]),
    (("seat", "mine", 64, KEY), [b"seat", b"mine", b"64", KEY]),
    (("seat", KEY), [b"seat", KEY]),
    (("open", 7), [b"open", b"7"]),
    (("line", 7, 12, b'{"id": 1}'), [b"line", b"7", b"12", b'{"id": 1}']),
    (("line", 7, 12, b" \xff\r "), [b"line", b"7", b"12", b" \xff\r "]),
    (("line", 7, 12, b""), [b"line", b"7", b"12", b""]),
    (("got", 7, 12), [b"got", b"7", b"12"]),
    *((("close", 7, word), [b"close", b"7", word.encode()]) for word in ("bye", "ended", "lost", "replaced")),
]
BAD = [
    *(b"", b" ", b"open", b"open 0", b"open 07", b"open -1", b"open 7 ", b"open  7", b"OPEN 7", b"open 7\n"),
    *(b"open 7 7", b"open 1000000000000000000", b"line 7 12", b"line 7 0 x", b"line 7 12 a\nb", b"got 7"),
    *(
        b"close 7",
        b"close 7 gone",
        b"seat",
        b"seat a/b 4",
        b"seat mine 0",
        b"seat mine 100",
        b"seat mine 4 key",
    ),
    *(b"ping", b"\xff\xfe", "open 7", b"seat " + b"m" * 65 + b" 4"),
]


@pytest.mark.parametrize(("words", "read"), GOOD)
def test_a_frame_is_read_as_it_is_written(words, read):
    assert read == read_frame(write_frame(*words))


@pytest.mark.parametrize("frame", BAD)
def test_other_frames_are_refused(frame):
    with pytest.raises(ValueError, match=r"expected a frame of ladder\.seat\.1, got: "):
        read_frame(frame)


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (429, b'{"detail":"too many","hint":"wait 7 s"}', "the server answers 429: too many; wait 7 s"),
        (502, b"", "the server answers 502"),
        (401, b'{"detail":"no\\u001b token"}', "the server answers 401: no token"),
    ],
)
def test_a_refusal_is_told_in_the_words_of_the_server(status, body, told, capsys):
    refusal = _judge(InvalidStatus(Response(status, "", Headers(), body)))
    said = capsys.readouterr().err.removesuffix("; it is tried again\n")
    assert told == (str(refusal) if status == 401 else said)


def test_what_is_not_confirmed_goes_again_and_is_taken_once():
    here, there = Flow(7), Flow(7)
    frames = [here.send(b"%d" % number) for number in range(1, 6)]
    assert [True, True] == [there.take(number) for number in (1, 2)]
    here.confirm(1)
    assert frames[1:] == here.again()
    assert [False, True] == [there.take(number) for number in (2, 3)]
    assert [write_frame("got", 7, 3)] == there.confirmation()
    assert [] == there.confirmation()
    assert [write_frame("got", 7, 3)] == (there.again(), there.confirmation())[1]


def test_numbers_that_cannot_be_are_refused():
    flow = Flow(7)
    with pytest.raises(ValueError, match="expected line 1 of channel 7, got: 2"):
        flow.take(2)
    with pytest.raises(ValueError, match="expected a number up to 0"):
        flow.confirm(1)


@pytest.mark.parametrize(("line", "most"), [(b"", MOST_LINES), (b"x" * MOST_BYTES, 1)])
def test_there_is_room_for_so_many_lines(line, most):
    flow = Flow(7)
    for _ in range(most):
        assert flow.room.is_set()
        flow.send(line)
    assert not flow.room.is_set()
    flow.confirm(1)
    assert flow.room.is_set()


# -- a hostile server, and what is typed


@pytest.fixture
def client(monkeypatch):
    monkeypatch.setenv("LADDER_TOKEN", "ldr_x")
    return RemoteClient("http://localhost:9", "mine", 4, "", [sys.executable, "-c", "input(); input()"])


@pytest.mark.parametrize("frame", [*BAD, b"line 1 2 x", b"got 1 1"])
def test_frames_that_a_server_may_not_send_end_its_connection(client, frame):
    client._seats[1] = _Seat(Flow(1), None)
    with pytest.raises(ValueError, match="expected"):
        asyncio.run(client._hear(frame))


@pytest.mark.parametrize("frame", [b"line 9 1 x", b"got 9 1", b"close 9 bye"])
def test_a_channel_of_yesterday_is_no_news(client, frame):
    asyncio.run(client._hear(frame))
    assert client._out.empty()


@pytest.mark.parametrize(
    ("url", "name", "command", "why"),
    [
        ("http://example.org", "mine", "python3", "an address that begins with https://"),
        ("ftp://localhost", "mine", "python3", "an address that begins with https://"),
        ("https://example.org", "a/b", "python3", "cannot be a bot's name"),
        ("https://example.org", "mine", "no-such-program", "there is no program 'no-such-program'"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_sent(monkeypatch, url, name, command, why):
    monkeypatch.setenv("LADDER_TOKEN", "ldr_x")
    with pytest.raises(NotAdmitted, match=why):
        RemoteClient(url, name, 4, "", [command])


def test_the_token_is_that_of_the_address(monkeypatch, tmp_path):
    monkeypatch.delenv("LADDER_TOKEN", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(NotAdmitted, match=r"there is no token for https://example\.org/ladder"):
        RemoteClient("https://example.org/ladder", "mine", 4, "", ["python3"])
    file = tmp_path / ".config" / "ladder" / "tokens.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"https://example.org/ladder": "ldr_kept"}')
    client = RemoteClient("https://example.org/ladder/", "mine", 4, "what is new", ["python3"])
    assert {"Authorization": "Bearer ldr_kept"} == client._headers
    assert "wss://example.org/ladder/api/v1/seat?note=what%20is%20new" == client._url


@pytest.mark.parametrize("token", ["ldr_\u00e4", "ldr_a\nX: y", " "])
def test_what_cannot_be_a_token_is_not_sent(monkeypatch, tmp_path, token):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LADDER_TOKEN", token)
    with pytest.raises(NotAdmitted, match="there is no token"):
        RemoteClient("https://example.org", "mine", 4, "", ["python3"])


@pytest.mark.process
def test_a_bot_has_no_token_and_one_that_does_not_start_is_told(client, capsys):
    async def open_both():
        client._command = ["no-such-program"]
        await client._hear(b"open 1")
        client._command = [sys.executable, "-c", "import os; print(repr(os.environ['LADDER_TOKEN']))"]
        await client._hear(b"open 2")
        found = [await client._out.get() for _ in range(2)]
        await asyncio.wait(client._tasks)
        return found

    assert [b"close 1 lost", b"line 2 1 ''"] == asyncio.run(open_both())
    assert "no-such-program does not start" in capsys.readouterr().err
