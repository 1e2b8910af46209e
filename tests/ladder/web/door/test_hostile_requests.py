"""Hostile requests, drawn with a fixed seed: no answer is an error of ours, and no file leaves its folder.

The gate sends some thousands; `LADDER_FULL=1 pytest -m slow --timeout 0 PATH` sends 100,000.
"""

import asyncio
import logging
import re
import resource
from contextlib import suppress
from random import Random

import uvicorn
from support.draws import times
from support.full import gate_or_full
from support.ladders import a_home

from ladder.admission.arrivals import is_file_name
from ladder.admission.inbox_answers import InboxFolders
from ladder.admission.people import changing_people
from ladder.web.door.door import RequestRate
from ladder.web.serve.app import create_app
from ladder.web.serve.connections import Connections
from ladder.web.serve.server import _configure

METHODS = (
    *("GET", "PUT", "POST", "HEAD", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "put", "P\x00T", ""),
)
PATHS = ("bots/{}", "bots/{}", "uploads", "uploads/{}", "me", "wishes", "bots/{}/feedback", "leaderboard/{}")
NAMES = (
    *(
        "a.py",
        "b.zip",
        "..",
        "../a.py",
        "%2e%2e%2fa.py",
        "..%2f..%2fa.py",
        "a%00.py",
        "a\\..\\b.py",
        "%c0%ae%c0%ae",
    ),
    *(
        ".a.py",
        "a.py.part",
        "a.wish.toml",
        "bot.toml",
        "x" * 300 + ".py",
        "%ff%fe.py",
        "\u212b.py",
        "A.PY",
        "first.py",
    ),
    *("a.py/", "/etc/passwd", "~a.py", "a.py?x=1", "a.py#x", "CON.py", "a.py%20", "-rf.py", "$(id).py", ""),
)
WISHES = (
    *(
        b'{"wish":"retire","bot":"a"}',
        b'{"wish":"rename","bot":"a","to":"../b"}',
        b'{"wish":["retire"]}',
        b"[" * 3000,
    ),
    *(
        b"null",
        b'{"wish":"retire","bot":"a\\u0000"}',
        b'{"a":' + b"9" * 4000 + b"}",
        b"\xff\xfe",
        b"",
        b" " * 90_000,
    ),
)
PROBLEMS = {503, 507}


def a_request(random: Random, tokens: list[str]) -> bytes:
    """Return the bytes of a request: a good one, of which some parts are hostile."""

    def choose(good, *others):
        return random.choice(others) if random.random() < 0.2 else good

    path = choose("bots/{}", *PATHS).replace(
        "{}", choose(random.choice(("a.py", "b.zip", "first.py")), *NAMES)
    )
    wish = random.choice(WISHES)
    body = wish if path == "wishes" else choose(b"print(1)\n", b"", wish, random.randbytes(3000))
    method = choose("POST" if path == "wishes" else "PUT" if path.startswith("bots") else "GET", *METHODS)
    token = choose(random.choice(tokens), "ldr_" + "A" * 43, tokens[0][:-1], "", "\x7f", "x" * 9000)
    host = choose("localhost", "evil.example", "localhost:x", "")
    length = choose(len(body), len(body) + 5, max(0, len(body) - 5), -1, "0x5", 10**30, 60_000_000, "5, 5")
    heads = [("Host", host), ("Authorization", f"Bearer {token}"), ("Content-Length", length)]
    others = (
        *(("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "gzip, chunked"), ("Content-Length", "7")),
        *(("Authorization", "Bearer b"), ("Origin", "http://evil.example"), ("Expect", "100-continue")),
        *(("Upgrade", "websocket"), ("X-" + "a" * 40_000, "a"), ("Connection", "close"), ("A b", "c")),
    )
    heads += random.sample(others, choose(0, 1, 2))
    random.shuffle(heads)
    end = choose("\r\n", "\n", "\r", "\r\n ")
    root = choose("/api/v1/", "/", "//api/v1/", "/api/v1/../v1/")
    lines = [f"{method} {root}{path} HTTP/1.1", *(f"{name}: {value}" for name, value in heads), "", ""]
    sent = end.join(lines).encode("utf-8") + body
    return sent[: choose(len(sent), random.randrange(1, len(sent)))]


async def answer_to(port: int, sent: bytes) -> int:
    """Return the status of the answer to what was *sent*; 0 if none comes soon."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(sent)
        # it is there at once, or the server waits for the rest
        line = await asyncio.wait_for(reader.readline(), 0.2)
        found = re.match(rb"HTTP/1.1 (\d{3}) ", line)
        return int(found[1]) if found else 0
    except (TimeoutError, ConnectionError):
        return 0
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@times(300, gate_or_full(3_000, 100_000))
async def test_no_hostile_request_is_an_error_of_ours_or_leaves_its_folder(tmp_path, monkeypatch, number):
    monkeypatch.setattr(RequestRate, "wait_s", lambda self, who: 0)
    monkeypatch.setattr(RequestRate, "count", lambda self, who: None)
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "disabled", True)
    text = '[run]\ngames = ["stellar"]\n[sandbox]\ntier = "none"\n[inbox]\nwaiting = 0\n'
    home = a_home(tmp_path / "home", {"first": {}, "last": {}}, text)
    with changing_people(home) as people:
        tokens = [people.add(name) for name in ("ann", "bob")]
    (tmp_path / "inbox").mkdir()
    app = create_app(home, uploads=InboxFolders(*(tmp_path / name for name in ("inbox", "outbox", "done"))))
    server = uvicorn.Server(_configure(app, Connections()))
    config = server.config
    config.host, config.port, config.log_level = "127.0.0.1", 0, "critical"
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    random, statuses = Random(46), set()
    for _ in range(0, number, 30):
        requests = [a_request(random, tokens) for _ in range(30)]
        answers = await asyncio.gather(*(answer_to(port, sent) for sent in requests))
        for sent, status in zip(requests, answers, strict=True):
            assert status < 500 or status in PROBLEMS, (status, sent)
        statuses |= {*answers}
    server.should_exit = True
    await serving
    assert {200, 202, 400, 401, 403, 404, 405, 409, 413, 421, 422} <= statuses
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    arrived = [path.parts for path in files if path.parts[0] not in ("home", "player.py")]
    assert arrived
    assert all(("inbox", True) == (top, folder in ("ann", "bob")) for top, folder, _ in arrived)
    assert all(is_file_name(name) or name.endswith(".wish.toml") for *_, name in arrived)
    stored = b"".join((tmp_path / path).read_bytes() for path in files)
    assert not any(token.encode() in stored for token in tokens)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2**20, "KB: a gigabyte"
