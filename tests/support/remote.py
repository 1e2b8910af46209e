"""The server of a home with the hub of remote seats, in a thread of the test, and clients of it."""

from __future__ import annotations

import asyncio
import os
import random
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import NamedTuple

from websockets.sync.client import ClientConnection, connect

from ladder.admission.inbox_answers import InboxFolders
from ladder.admission.people import changing_people
from ladder.home.home import Home
from ladder.live import connect as connect_module
from ladder.live.connect import SUBPROTOCOL, read_frame, write_frame
from ladder.process.remote_bot import RemoteBot
from ladder.web.serve.app import create_app
from ladder.web.serve.connections import Connections
from ladder.web.serve.server import _configure, _Server
from support.commands import process_group

LINE_BYTES = 4_096


class Hub(NamedTuple):
    home: Home
    url: str
    token: str
    folders: InboxFolders
    crowd: Connections
    stop: Callable[[], None]

    def connect(self, name: str = "mine", *words: bytes | int, **more: object) -> Client:
        """Return a client of the bot *name*, which has been let in."""
        client = Client(self.dial(**more))
        client.socket.send(write_frame("seat", name, *(words or (4,))))
        client.key = client.hear()[-1]
        return client

    def dial(self, query: str = "", **more: object) -> ClientConnection:
        """Return a connection that has said nothing."""
        headers = {"Authorization": f"Bearer {self.token}"}
        values = {"additional_headers": headers, "subprotocols": [SUBPROTOCOL], "compression": None} | more
        return connect(f"ws{self.url[4:]}api/v1/seat{query}", **values).__enter__()

    def seat(self, name: str = "mine") -> RemoteBot:
        """Return a seat of the bot *name*, as a worker opens it."""
        return RemoteBot.join(self.home.path / "bots" / name, name, LINE_BYTES)


class Client:
    """A client that does as the test says."""

    key = b""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def hear(self, seconds: float = 30) -> list[bytes]:
        frame = self.socket.recv(seconds)
        assert isinstance(frame, bytes)
        return read_frame(frame)

    def say(self, *words: str | int | bytes) -> None:
        self.socket.send(write_frame(*words))


@contextmanager
def open_hub(home: Home) -> Iterator[Hub]:
    """Serve *home* in a thread; ann has a token."""
    folders = InboxFolders(*(home.path.parent / name for name in ("inbox", "outbox", "done")))
    for folder in folders.inbox, folders.outbox, folders.taking:
        folder.mkdir(parents=True, exist_ok=True)
    with changing_people(home) as people:
        token = people.renew("ann") if any(people) else people.add("ann")
    crowd, started = Connections(), Event()
    app = create_app(home, uploads=folders)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = _Server(_configure(app, crowd, has_seats=True), crowd, app.ending, started.set)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})

        def stop() -> None:
            server.should_exit = True
            thread.join(30)

        thread.start()
        assert started.wait(30)
        try:
            yield Hub(home, f"http://127.0.0.1:{listener.getsockname()[1]}/", token, folders, crowd, stop)
        finally:
            stop()


@contextmanager
def bad_line(to: int, delay_s: float, cuts: float, seed: int = 1) -> Iterator[tuple[int, list[int]]]:
    """Yield the port of a proxy for port *to*, and its cuts: each part is late, a share ends all."""
    draw, ports, cut, stop = random.Random(seed), SimpleQueue[int](), [], Event()

    async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65_536):
            await asyncio.sleep(delay_s * draw.uniform(0.6, 1.4))
            if draw.random() < cuts:
                cut.append(len(data))
                return
            target.write(data)

    async def serve(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", to)
        ways = [
            asyncio.ensure_future(pass_on(source, writer)),
            asyncio.ensure_future(pass_on(reader, target)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for end in writer, target:
            end.transport.abort()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        ports.put(server.sockets[0].getsockname()[1])
        await asyncio.to_thread(stop.wait)
        server.close()

    thread = Thread(target=asyncio.run, args=(run(),))
    thread.start()
    try:
        yield ports.get(timeout=30), cut
    finally:
        stop.set()
        thread.join(30)


@contextmanager
def playing(
    hub: Hub, port: int, folder: Path, program: Path, name: str = "mine"
) -> Iterator[subprocess.Popen[str]]:
    """Run connect.py, copied to *folder*, with *program* as the bot *name*, to the hub behind *port*."""
    copy = folder / f"{name}.py"
    copy.write_text(Path(connect_module.__file__).read_text())
    command = [sys.executable, copy.name, f"http://127.0.0.1:{port}", name, "--tables", "8", "--"]
    environment = {"PATH": os.environ["PATH"], "LADDER_TOKEN": hub.token}
    with process_group(
        [*command, sys.executable, "-S", str(program)],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr
        assert any(f"connected: {name}" in line for line in process.stderr)  # it may have been cut before
        Thread(target=process.stderr.read, daemon=True).start()  # else it could not go on
        yield process
