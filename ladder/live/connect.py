"""Play from your own machine: run a bot here, and let it sit at the tables of a ladder elsewhere.

    python connect.py URL NAME [--tables N] [--new-version NOTE] -- COMMAND...

It needs Python 3.10 and the package `websockets`, and nothing else of the ladder, whose server gives it away.
It opens one connection outwards, starts COMMAND for each process that the server asks for, and passes lines
on: stdin and stdout as ever.  A connection that is cut is made again, and the processes go on.  The token is
in LADDER_TOKEN, or where `ladder push --login URL` has put it.

The frames are of the subprotocol `ladder.seat.1`; the server reads and counts them by the same code.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import signal
import sys
from collections import deque
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

SUBPROTOCOL = "ladder.seat.1"
MOST_LINES, MOST_BYTES = 64, 2**20
"""The most lines of a channel that are not confirmed, and their most bytes."""
CONFIRM_LINES, CONFIRM_SECONDS = 32, 1.0
"""Lines are confirmed after this number of them, or after this time."""
BYE_SECONDS = 2.0
"""The time for a process to end by itself."""
LONGEST_FRAME = MOST_BYTES + 64
"""The most bytes of a frame of a client: the longest line that a ladder may allow, and the words before."""
ENDED = 4000
"""The code with which the server closes a connection for good; its reason says why."""
_N = rb" ([1-9][0-9]{0,17})"
_FORMS = {
    b"seat": rb"(seat) ([A-Za-z0-9._-]{1,64})(?: ([1-9][0-9]?)(?: ([0-9a-f]{32}))?)?",
    b"open": b"(open)" + _N,
    b"line": b"(line)" + _N + _N + rb" ([^\n]*)",
    b"got": b"(got)" + _N + _N,
    b"close": b"(close)" + _N + b" (bye|ended|lost|replaced)",
}


def read_frame(frame: bytes | str) -> list[bytes]:
    """Return the words of *frame*, the last of which may be of any kind.  Raises ValueError."""
    form = _FORMS.get(frame.partition(b" ")[0]) if isinstance(frame, bytes) else None
    if form and isinstance(frame, bytes) and (found := re.fullmatch(form, frame)):
        return [word for word in found.groups() if word is not None]
    raise ValueError(f"expected a frame of {SUBPROTOCOL}, got: {frame[:80]!r}")


def write_frame(*words: str | int | bytes) -> bytes:
    """Return the frame of *words*."""
    return b" ".join(word if isinstance(word, bytes) else str(word).encode() for word in words)


class Flow:
    """The lines of a channel in both directions: what was sent and may be lost, and what has come."""

    def __init__(self, channel: int) -> None:
        self.channel = channel
        self.room = asyncio.Event()
        """Set while another line may be sent."""
        self._sent = self._come = self._told = self._size = 0
        self._kept: deque[bytes] = deque()
        self._note_room()

    def _note_room(self) -> None:
        is_full = len(self._kept) >= MOST_LINES or self._size >= MOST_BYTES
        self.room.clear() if is_full else self.room.set()

    def send(self, line: bytes) -> bytes:
        """Return the frame of *line*, which is kept until it is confirmed."""
        self._sent += 1
        self._kept.append(frame := write_frame("line", self.channel, self._sent, line))
        self._size += len(frame)
        self._note_room()
        return frame

    def confirm(self, number: int) -> None:
        """Forget the lines up to *number*, which have come.  Raises ValueError for one that was not sent."""
        if number > self._sent:
            raise ValueError(f"expected a number up to {self._sent}, got: got {self.channel} {number}")
        while self._kept and self._sent - len(self._kept) < number:
            self._size -= len(self._kept.popleft())
        self._note_room()

    def again(self) -> list[bytes]:
        """Return the frames to send on a new connection: all that may not have come."""
        self._told = 0
        return [*self._kept]

    def take(self, number: int) -> bool:
        """Return whether line *number* is new.  Raises ValueError if one before it has not come."""
        if number > self._come + 1:
            raise ValueError(f"expected line {self._come + 1} of channel {self.channel}, got: {number}")
        is_new = number > self._come
        self._come += is_new
        return is_new

    def confirmation(self, least: int = 1) -> list[bytes]:
        """Return the frame that confirms what has come, if that is *least* lines more than it said before."""
        if self._come - self._told < least:
            return []
        self._told = self._come
        return [write_frame("got", self.channel, self._come)]


class NotAdmitted(Exception):
    """The server will not have this client, for the reason that it gives."""


class _Seat(NamedTuple):
    """A process of the bot, and its channel."""

    flow: Flow
    process: asyncio.subprocess.Process

    def kill(self) -> None:
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.kill()

    async def leave(self) -> None:
        """Close the stdin of the process; kill it if it goes on."""
        if self.process.stdin:
            self.process.stdin.close()
        with suppress(asyncio.TimeoutError):  # which is no TimeoutError in 3.10
            await asyncio.wait_for(self.process.wait(), BYE_SECONDS)
        self.kill()


class RemoteClient:
    """The processes of a bot on this machine, and the connection to the server, which may be cut."""

    def __init__(self, url: str, name: str, tables: int, note: str, command: list[str]) -> None:
        """Run *command* for each seat of the bot *name*; a *note* begins a new version of it."""
        parts = urlsplit(url)
        is_here = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if parts.scheme != "https" and not (is_here and parts.scheme == "http"):
            raise NotAdmitted(f"expected an address that begins with https://, got: {url}")
        if not re.fullmatch(_FORMS[b"seat"], write_frame("seat", name, tables)):
            raise NotAdmitted(f"{name!r} cannot be a bot's name: 1 to 64 letters, digits, dots and dashes")
        if not shutil.which(command[0]):
            raise NotAdmitted(f"there is no program {command[0]!r}")
        self._url = f"ws{url[4:].rstrip('/')}/api/v1/seat" + (f"?note={quote(note)}" if note else "")
        self._headers = {"Authorization": f"Bearer {_read_token(url)}"}
        self._words, self._command = (name, tables), command
        self._key = b""
        self._seats: dict[int, _Seat] = {}
        self._out: asyncio.Queue[bytes] = asyncio.Queue()
        self._tasks: set[asyncio.Future[None]] = set()

    async def play(self) -> None:
        """Play until Ctrl-C or SIGTERM.  Raises NotAdmitted if the server will not have this client."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task
        cancel = task.cancel  # before 3.11, Python would cancel all tasks, and leave the processes
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, lambda *_: loop.call_soon_threadsafe(cancel))
        try:
            async for socket in connect(
                self._url,
                additional_headers=self._headers,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                max_size=2**24,
                ping_interval=5,
                ping_timeout=10,
                process_exception=_judge,
            ):
                with suppress(ValueError):  # an odd frame: another connection may be better
                    await self._talk(socket)
                _say("the connection was cut")
                await asyncio.sleep((1 + random.random()) / 2)
        finally:
            self._drop()
            if self._tasks:  # a process is to be waited for before its loop ends
                await asyncio.wait(self._tasks, timeout=BYE_SECONDS)

    def _drop(self) -> None:
        """End all processes: the server does not know them any more."""
        for seat in self._seats.values():
            seat.kill()
        self._seats.clear()
        self._key = b""

    async def _talk(self, socket: ClientConnection) -> None:
        """Go on where the last connection ended, until this one does.  Raises NotAdmitted, and ValueError."""
        tasks = []
        try:
            await socket.send(write_frame("seat", *self._words, *filter(None, [self._key])))
            self._go_on(read_frame(await socket.recv())[-1])
            tasks = [asyncio.create_task(self._send(socket)), asyncio.create_task(self._confirm())]
            async for frame in socket:
                await self._hear(frame)
        except ConnectionClosed as error:
            if error.rcvd and error.rcvd.code == ENDED:
                raise NotAdmitted(error.rcvd.reason) from None
        finally:
            for task in tasks:
                task.cancel()

    def _go_on(self, key: bytes) -> None:
        if key != self._key:
            self._drop()
        self._key, self._out = key, asyncio.Queue()
        for seat in self._seats.values():
            self._put(*seat.flow.again(), *self._end_of(seat))
        _say(f"connected: {self._words[0]} plays when the ladder has a match for it; Ctrl-C ends it")

    def _put(self, *frames: bytes) -> None:
        for frame in frames:
            self._out.put_nowait(frame)

    async def _send(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await socket.send(await self._out.get())

    async def _confirm(self) -> None:
        while True:
            await asyncio.sleep(CONFIRM_SECONDS)
            for seat in self._seats.values():
                self._put(*seat.flow.confirmation())

    async def _hear(self, frame: bytes | str) -> None:
        word, number, *rest = read_frame(frame)
        seat = self._seats.get(channel := int(number))
        if word == b"open" and seat is None:
            await self._open(channel)
        elif word == b"close" and seat:
            del self._seats[channel]
            self._begin(seat.leave())
        elif word == b"got" and seat:
            seat.flow.confirm(int(rest[0]))
        elif word == b"line" and seat and seat.flow.take(int(rest[0])):
            if seat.process.stdin and seat.process.returncode is None:
                seat.process.stdin.write(rest[1] + b"\n")
            self._put(*seat.flow.confirmation(CONFIRM_LINES))

    async def _open(self, channel: int) -> None:
        pipe, env = asyncio.subprocess.PIPE, {**os.environ, "LADDER_TOKEN": ""}  # a bot needs none
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=pipe,
                stdout=pipe,
                env=env,
                limit=MOST_BYTES,
                start_new_session=True,  # Ctrl-C is for this program
            )
        except OSError as error:
            _say(f"{self._command[0]} does not start: {error}")
            self._put(write_frame("close", channel, "lost"))
            return
        seat = self._seats[channel] = _Seat(Flow(channel), process)
        self._begin(self._pass_on(seat))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        self._tasks.add(task := asyncio.ensure_future(work))
        task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, seat: _Seat) -> None:
        """Pass on what the process writes, and tell that it has ended."""
        assert seat.process.stdout
        with suppress(ValueError):  # a line beyond all limits
            while (line := await seat.process.stdout.readline()).endswith(b"\n"):
                await seat.flow.room.wait()
                self._put(seat.flow.send(line[:-1]))
        await seat.leave()
        await seat.process.wait()
        if seat.flow.channel in self._seats:
            _say(f"a process of {self._words[0]} has ended before it was to")
            self._put(*self._end_of(seat))

    def _end_of(self, seat: _Seat) -> list[bytes]:
        over = seat.process.returncode is not None
        return [write_frame("close", seat.flow.channel, "ended")] if over else []


def _judge(error: Exception) -> Exception | None:
    """Return what to raise for an attempt to connect that failed with *error*; None: try again, later."""
    told = str(error) or type(error).__name__
    if isinstance(error, InvalidStatus):
        status, body = error.response.status_code, error.response.body or b""
        said = body[:300].decode("utf-8", "replace")
        with suppress(ValueError, KeyError, TypeError):
            problem = json.loads(said)
            said = f"{problem['detail']}; {problem.get('hint', '')}".removesuffix("; ")
        told = f"the server answers {status}: {''.join(filter(str.isprintable, said))}".removesuffix(": ")
        if status < 500 and status != 429:
            return NotAdmitted(told)
    _say(f"{told}; it is tried again")
    return None


def _read_token(url: str) -> str:
    """Return the token for *url*.  Raises NotAdmitted if there is none."""
    token = os.environ.get("LADDER_TOKEN", "").strip()
    with suppress(OSError, ValueError, AttributeError, RuntimeError):  # RuntimeError: this user has no home
        kept = json.loads((Path.home() / ".config" / "ladder" / "tokens.json").read_text("utf-8"))
        token = token or str(kept.get(url.rstrip("/"), ""))
    if re.fullmatch(r"[\w.-]+", token, re.ASCII):  # else it could not be in a header
        return token
    raise NotAdmitted(f"there is no token for {url}: set LADDER_TOKEN, or type: ladder push --login {url}")


def _say(text: str) -> None:
    """Print *text* beside what the bot logs."""
    print(text, file=sys.stderr, flush=True)


def play_from_here(url: str, name: str, tables: int, note: str, command: list[str]) -> None:
    """Play with *command* as the bot *name* of the ladder at *url*, until Ctrl-C.  Raises NotAdmitted."""
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(RemoteClient(url, name, tables, note, command).play())


if __name__ == "__main__":
    _parser = argparse.ArgumentParser(description="Let a bot on this machine play on a ladder elsewhere.")
    _parser.add_argument("url", help="where the ladder is: https://example.org/ladder")
    _parser.add_argument("name", help="the name of the bot")
    _parser.add_argument("--tables", type=int, choices=range(1, 65), default=4, metavar="N")
    _parser.add_argument(
        "--new-version", default="", metavar="NOTE", help="begin a new version, and a rating"
    )
    _parser.add_argument("command", nargs="+", help="what starts the bot, behind --: python bot.py")
    _asked = _parser.parse_args()
    try:
        play_from_here(_asked.url, _asked.name, _asked.tables, _asked.new_version, _asked.command)
    except NotAdmitted as refused:
        sys.exit(str(refused))
