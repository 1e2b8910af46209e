"""Hostile requests, drawn with a fixed seed: no answer is an error of ours, and no file leaves its folder.

The gate sends some thousands; `LADDER_FULL=1 pytest -m slow --timeout 0 PATH` sends 100,000.
"""

import asyncio
import logging
import os
import re
from contextlib import suppress
from random import Random

import uvicorn
from support.draws import times
from support.full import gate_or_full
from support.hostile_requests import a_request
from support.ladders import a_home

from ladder.admission.arrivals import is_file_name
from ladder.admission.inbox_answers import InboxFolders
from ladder.admission.people import changing_people
from ladder.dev.benchmark.rig import memory_mb
from ladder.web.door.door import RequestRate
from ladder.web.serve.app import create_app
from ladder.web.serve.connections import Connections
from ladder.web.serve.server import _configure

PROBLEMS = {503, 507}

ALL = {200, 202, 400, 401, 403, 404, 405, 409, 413, 421, 422}
"""The statuses of which some requests get each."""


async def answer_to(port: int, sent: bytes, patience_s: float) -> int:
    """Return the status of the answer to what was *sent*; 0 if none comes within *patience_s*."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(sent)
        line = await asyncio.wait_for(reader.readline(), patience_s)
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
    statuses, before = set(), memory_mb(os.getpid(), peak=False) or 0.0
    # an answer is there at once, or the server waits for the rest; a busy machine takes longer
    for patience_s in (0.2, 1, 5):
        random = Random(46)
        for _ in range(0 if ALL <= statuses else number, 0, -30):
            requests = [a_request(random, tokens) for _ in range(30)]
            answers = await asyncio.gather(*(answer_to(port, sent, patience_s) for sent in requests))
            for sent, status in zip(requests, answers, strict=True):
                assert status < 500 or status in PROBLEMS, (status, sent)
            statuses |= {*answers}
    server.should_exit = True
    await serving
    assert ALL <= statuses
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    arrived = [path.parts for path in files if path.parts[0] not in ("home", "player.py")]
    assert arrived
    assert all(("inbox", True) == (top, folder in ("ann", "bob")) for top, folder, _ in arrived)
    assert all(is_file_name(name) or name.endswith(".wish.toml") for *_, name in arrived)
    stored = b"".join((tmp_path / path).read_bytes() for path in files)
    assert not any(token.encode() in stored for token in tokens)
    grown = (memory_mb(os.getpid(), peak=False) or 0.0) - before
    assert grown < 300, "MB: beside what other tests of this process have taken"
