"""The hub of remote seats: it passes lines between workers, by a socket in the home, and bots elsewhere.

A client of a bot has channels, one for each seat that a worker opens.  While the client is away, the hub
reports each request as unanswered, so that it is asked again; the client goes on with its key.
"""

import asyncio
import json
import logging
import math
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from ladder.admission.arrivals import hand_in_remote, is_of_other, refuse_name
from ladder.admission.people import People, Person
from ladder.errors import LadderError, UsageProblem
from ladder.home.home import open_home
from ladder.live import connect
from ladder.machine.seat_socket import LAST_WORD, hub_socket
from ladder.web.door.door import Door, HttpProblem
from ladder.web.serve.visitors import Shares
from results.errors import ResultsError

logger = logging.getLogger(__name__)
MOST_CLIENTS = 64
"""The most connections of a person."""
PROCESSES = 8
"""The most processes that a client runs for each table that it offers: as many as a table has seats."""
MOST_FRAMES = 4_096
"""The most frames that wait for a client to read them."""
MOST_CLOSED = 1_024
"""The last channels that were closed, of which a client that comes back is told again."""
CHECK_S = 10.0
"""For so long a client is known to have a good token, and to be its bot's."""
LONGEST = 2**24
"""The most bytes of a line of a worker."""
ABSENT = b'{"type":"absent","why":"its client is %s"}\n'


class _Line(msgspec.Struct):
    type: str = ""
    id: str = ""


_read_line = msgspec.json.Decoder(_Line).decode


class _Seat:
    """A seat that a worker has opened."""

    def __init__(self, channel: int, worker: asyncio.StreamWriter) -> None:
        self.flow, self.worker = connect.Flow(channel), worker
        self.is_ready = False
        self.open: set[str] = set()
        """The requests that wait for their answers."""
        self._reported: set[str] = set()
        """The requests that were reported as unanswered: their answers come too late."""

    def report(self) -> None:
        """Report the requests that wait: the client is away."""
        for request in self.open:
            self.worker.write(b'{"id":%s,"fail":"transport","why":"cut"}\n' % json.dumps(request).encode())
        self._reported |= self.open
        self.open.clear()

    def hear(self, line: bytes) -> None:
        """Pass on *line* of the bot, unless it answers what was reported."""
        self.is_ready = True
        with suppress(ValueError, RecursionError):  # the referee judges what it is
            answer = _read_line(line).id
            if answer in self._reported:
                return self._reported.remove(answer)
            self.open.discard(answer)
        return self.worker.write(line + b"\n")

    def end(self, word: bytes) -> None:
        """Tell the worker how it has ended; after its own bye it waits for no word."""
        if word != b"bye":
            is_told = self.is_ready or word == b"ended"
            self.worker.write(LAST_WORD + word + b"\n" if is_told else ABSENT % b"not connected any more")
        self.worker.close()


class _Client:
    """A client of a bot; between two connections it is away."""

    def __init__(self, person: Person, bot: str, tables: int) -> None:
        self.person, self.bot, self.key = person, bot, secrets.token_hex(16).encode()
        self.seats: dict[int, _Seat] = {}
        self.out: asyncio.Queue[bytes] | None = None
        """What goes to the client; None while it is away."""
        self.most, self.checked, self.why = tables * PROCESSES, -math.inf, ""
        self._numbers = count(1)
        self._closed: deque[bytes] = deque(maxlen=MOST_CLOSED)
        self._connection: asyncio.Task[None] | None = None

    def put(self, *frames: bytes) -> None:
        """Send *frames* next; nothing while the client is away.  One that does not read is cut off."""
        if self.out is None or self._connection is None:
            return
        try:
            for frame in frames:
                self.out.put_nowait(frame)
        except asyncio.QueueFull:
            self._connection.cancel()

    def come(self) -> asyncio.Queue[bytes]:
        """Begin a connection, or go on with what may not have come over the last one."""
        if self._connection:
            self._connection.cancel()
        self._connection, self.out = asyncio.current_task(), asyncio.Queue(MOST_FRAMES)
        self.put(connect.write_frame("seat", self.key))
        self.put(*self._closed, *(frame for seat in self.seats.values() for frame in seat.flow.again()))
        return self.out

    def go(self) -> None:
        """Be away: what waits for the bot is reported, and what was not ready is absent."""
        self.out = None
        for channel, seat in list(self.seats.items()):
            seat.flow.room.set()
            if seat.is_ready:
                seat.report()
            else:
                self.end(channel, b"lost")

    def open(self, worker: asyncio.StreamWriter) -> _Seat:
        seat = _Seat(next(self._numbers), worker)
        self.seats[seat.flow.channel] = seat
        self.put(connect.write_frame("open", seat.flow.channel))
        return seat

    def end(self, channel: int, word: bytes, told: str = "bye") -> None:
        """End a seat: its worker reads *word*, and the client what it is *told*."""
        frame = connect.write_frame("close", channel, told)
        if seat := self.seats.pop(channel, None):
            seat.end(word)
            self._closed.append(frame)
        self.put(frame)

    def dismiss(self, word: str, why: str) -> None:
        """End the connection and the seats for good, with a *word* for both sides."""
        for channel in list(self.seats):
            self.end(channel, word.encode(), word)
        self.why = why
        self.put(b"")
        self.out = None

    def pass_on(self, seat: _Seat, line: bytes) -> None:
        """Pass *line* of a worker on."""
        if (request := _read_line(line)).type == "act":
            seat.open.add(request.id)
        self.put(seat.flow.send(line))
        if self.out is None:
            seat.report()
            if not seat.flow.room.is_set():
                self.end(seat.flow.channel, b"lost")

    async def hear(self, frame: bytes) -> None:
        """Do what *frame* says.  Raises ValueError for one that a client may not send."""
        word, number, *rest = connect.read_frame(frame)
        if word in (b"seat", b"open"):
            raise ValueError(f"expected line, got or close, got: {frame[:80]!r}")
        seat = self.seats.get(channel := int(number))
        if seat is None or word == b"close":
            self.end(channel, b"ended" if rest[0] == b"bye" else rest[0])
        elif word == b"got":
            seat.flow.confirm(int(rest[0]))
        elif seat.flow.take(int(rest[0])):
            seat.hear(rest[1])
            with suppress(OSError):  # the worker has gone
                await seat.worker.drain()
            self.put(*seat.flow.confirmation(connect.CONFIRM_LINES))


class RemoteSeats:
    """The seats of all remote bots."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._clients: dict[str, _Client] = {}
        """By the name of the bot."""
        self._replaced: deque[bytes] = deque(maxlen=1_000)
        self._connections = Shares(MOST_CLIENTS * 1_000, MOST_CLIENTS)

    # -- workers

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Serve workers meanwhile.  What they have open at the end is void."""
        with hub_socket(self._door.home.path) as listener:
            server = await asyncio.start_unix_server(self._serve, sock=listener, limit=LONGEST)
            confirming = asyncio.create_task(self._confirm())
            try:
                yield
            finally:
                confirming.cancel()
                server.close()
                for client in self._clients.values():
                    for seat in client.seats.values():
                        seat.worker.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, worker: asyncio.StreamWriter) -> None:
        """Serve a worker: its first line names a bot, or is empty, which asks for those that are there."""
        name = (await reader.readline()).decode("utf-8", "replace").strip()
        await self._check([client for bot, client in self._clients.items() if name in ("", bot)])
        there = {bot: client for bot, client in self._clients.items() if client.out is not None}
        client = there.get(name)
        if client is None or len(client.seats) >= client.most:
            why = b"busy at other tables" if client else b"not connected"
            worker.write(ABSENT % why if name else msgspec.json.encode([*there]) + b"\n")
            worker.close()
            return
        seat = client.open(worker)
        with suppress(OSError, ValueError):
            while (line := await reader.readline()) and seat.flow.channel in client.seats:
                await seat.flow.room.wait()
                client.pass_on(seat, line.rstrip(b"\n"))
        if seat.flow.channel in client.seats:
            client.end(seat.flow.channel, b"bye")
        self._forget(client)

    async def _check(self, clients: list[_Client]) -> None:
        """Dismiss those of *clients* whose token is not good any more, or whose bot is somebody else's."""
        if not (old := [client for client in clients if client.checked < time.monotonic() - CHECK_S]):
            return None
        try:
            good = await asyncio.to_thread(self._find_good, old)
        except (LadderError, OSError) as error:  # it is not known now
            return logger.warning("%s", error)
        for client in old:
            client.checked = time.monotonic()
            if client not in good and self._clients.get(client.bot) is client:
                client.dismiss("lost", f"your token or the name {client.bot!r} is not yours any more")
                del self._clients[client.bot]
        return None

    def _find_good(self, clients: list[_Client]) -> list[_Client]:
        people, home = [*People.read(self._door.home)], open_home(self._door.home.path)
        return [
            client
            for client in clients
            if client.person in people
            and not client.person.has_ended
            and not is_of_other(home, client.person.name, f"{client.bot}.zip")
        ]

    async def _confirm(self) -> None:
        """Confirm what has come, and dismiss who may not be here any more, now and then."""
        while True:
            await asyncio.sleep(connect.CONFIRM_SECONDS)
            for client in self._clients.values():
                client.put(*(frame for seat in client.seats.values() for frame in seat.flow.confirmation()))
            await self._check([*self._clients.values()])

    def _forget(self, client: _Client) -> None:
        """Forget *client* if nothing waits for it."""
        if client.out is None and not client.seats and self._clients.get(client.bot) is client:
            del self._clients[client.bot]

    # -- clients

    async def join(self, socket: WebSocket) -> None:
        """Let a client in."""
        try:
            name = (person := self._door.person_of(socket)).name
            if connect.SUBPROTOCOL not in socket.scope["subprotocols"]:
                what = f"expected the subprotocol {connect.SUBPROTOCOL}"
                raise HttpProblem(400, what, "connect with connect.py")
            if not self._connections.take(name):
                raise HttpProblem(429, f"you have {MOST_CLIENTS} connections", "close one of them", 30)
        except HttpProblem as problem:
            await socket.send_denial_response(problem.answer())
            return
        with suppress(WebSocketDisconnect, RuntimeError, asyncio.CancelledError):  # it is gone, or replaced
            try:
                await socket.accept(connect.SUBPROTOCOL)
                await self._talk(socket, person)
            except LadderError as error:
                why = f"{error}; {error.hint}".encode()[:120].decode("utf-8", "ignore")
                await socket.close(connect.ENDED, why)
            except (OSError, ResultsError) as error:
                logger.warning("%s", error)
                await socket.close(1011, "try again later")
            except (ValueError, KeyError):  # a text where bytes are expected has no bytes
                await socket.close(1002)
            finally:
                self._connections.give_back(name)

    async def _talk(self, socket: WebSocket, person: Person) -> None:
        word, name, *more = connect.read_frame(await socket.receive_bytes())
        if word != b"seat" or not more:
            raise ValueError("expected seat NAME TABLES")
        client = await self._find(person, name.decode(), more, socket.query_params.get("note", ""))
        sending = asyncio.create_task(_send(socket, client, out := client.come()))
        try:
            while True:
                await client.hear(await socket.receive_bytes())
        finally:
            sending.cancel()
            if client.out is out:
                client.go()
                self._forget(client)

    async def _find(self, person: Person, bot: str, more: list[bytes], note: str) -> _Client:
        """Return the client of *bot* that has this key, or a new one, in place of another.

        Raises LadderError if it is no bot of *person*, OSError, ResultsError.
        """
        key = more[1] if more[1:] else b""
        if (client := self._clients.get(bot)) and client.person == person and client.key == key:
            return client
        if key in self._replaced:
            raise UsageProblem(f"another client of {bot} has taken its place", "end one of them")
        if before := self._clients.get(bot):
            await self._check([before])
        where = self._door.home, self._door.folders
        await asyncio.to_thread(hand_in_remote, *where, person.name, bot, None if key else note)
        if before := self._clients.get(bot):
            if before.person.name != person.name:
                raise refuse_name(bot)
            self._replaced.append(before.key)
            before.dismiss("replaced", "another client of this bot has taken its place")
        client = self._clients[bot] = _Client(person, bot, int(more[0]))
        return client


async def _send(socket: WebSocket, client: _Client, out: asyncio.Queue[bytes]) -> None:
    """Send what comes *out*; an empty frame is the end."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while frame := await out.get():
            await socket.send_bytes(frame)
        await socket.close(connect.ENDED, client.why)
