"""The connections of the server: how many there are, whose, and which must go.

A client that sends its head or body slowly, or does not read its answer, has a limited time.  When there is
no room for another connection, one goes that waits for its client.  uvicorn has no such limits: its protocol
is extended here.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import h11
from uvicorn._types import ASGISendEvent
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from ladder.web.serve.visitors import SHARE, Proxy, visitor_of

MOST_CONNECTIONS: Final = 1_440
"""The most connections besides streams of events: four times those of 60 browsers, which open up to 6 each.
Then a class behind one address has room in the quarter of one visitor."""
SWEEP_SECONDS: Final = 1.0
"""How often connections are looked at."""
REFUSAL = b"HTTP/1.1 %s\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class ConnectionBounds(NamedTuple):
    """What connections may use; times in seconds."""

    most: int = MOST_CONNECTIONS
    """Connections at once, without streams of events."""
    slow_s: float = 10.0
    """A connection that has waited this long for its client is the first to go if room is needed."""
    head_s: float = 20.0
    """From the connection, or the last answer, to the end of the next head."""
    body_s: float = 30.0
    """From the end of a head to the end of its body."""
    read_s: float = 30.0
    """The client reads nothing of an answer for this long."""


class Connections:
    """All connections of a server."""

    def __init__(
        self,
        bounds: ConnectionBounds = ConnectionBounds(),  # noqa: B008 - it cannot change
        proxy: Proxy | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Hold connections to *bounds*; *proxy* tells of some whose they are."""
        self.bounds = bounds
        self.proxy = proxy
        self.clock = clock
        self._all: dict[Connection, str | None] = {}
        """The connections, the oldest first, with the visitor that each counts for: None for a stream."""
        self._counts: Counter[str | None] = Counter()

    def __len__(self) -> int:
        return self._counts.total() - self._counts[None]

    def admit(self, new: Connection) -> bool:
        """Take *new* in if there is room or another can go; return whether it is in."""
        if self._has_share(new.visitor) and (len(self) < self.bounds.most or self._drop_one(self._all)):
            self._count(new)
            return True
        return False

    def forget(self, old: Connection) -> None:
        """Count *old* no more: it is over, or about to be."""
        if old in self._all:
            self._counts[self._all.pop(old)] -= 1
            # Adding an empty Counter drops the zeros, so that it does not grow with every visitor there ever
            # was.
            self._counts += Counter()

    def allow(self, connection: Connection, visitor: str) -> bool:
        """Count *connection*, which is in, for *visitor*, who sends a request; return whether they may."""
        if connection.visitor == visitor:
            return True
        connection.visitor = visitor
        self._count(connection)
        return not visitor or self._counts[visitor] <= self.bounds.most // SHARE

    def sweep(self) -> None:
        """Close connections whose clients have used up their time."""
        now = self.clock()
        for connection in list(self._all):
            connection.note()
            self._count(connection)
            if connection.is_over_time(now):
                self._drop(connection)

    async def look_after(self) -> None:
        """Sweep again and again, until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sweep()

    def _count(self, connection: Connection) -> None:
        for_whom = None if connection.is_stream else connection.visitor
        if connection in self._all:
            self._counts[self._all[connection]] -= 1
        self._all[connection] = for_whom
        self._counts[for_whom] += 1

    def _has_share(self, visitor: str) -> bool:
        """Return whether *visitor* may have one more, after one of theirs has gone if need be."""
        if not visitor or self._counts[visitor] < self.bounds.most // SHARE:
            return True
        return self._drop_one(of for of, counted in self._all.items() if counted == visitor)

    def _drop_one(self, of: Iterable[Connection]) -> bool:
        """Close the one of these connections that has the least right to stay; return whether there is one.

        Those that have waited long for their clients go first, of the visitor with most connections before
        others; then those without a head: who means well sends it at once.
        """
        now = self.clock()

        # A server of one process can be filled by one client that sends its head byte by byte (slowloris):
        # there is always one to drop, and it is the one with the least claim.
        def rank(connection: Connection) -> tuple[bool, int, float]:
            is_slow = now - connection.since >= self.bounds.slow_s
            return not is_slow, -self._counts[connection.visitor], connection.since

        can_go = [
            one
            for one in of
            if one.phase == HEAD or (one.phase in WAITING and now - one.since >= self.bounds.slow_s)
        ]
        if not can_go:
            return False
        self._drop(min(can_go, key=rank))
        return True

    def _drop(self, connection: Connection) -> None:
        self.forget(connection)
        connection.transport.abort()


HEAD, BODY, READING, STREAM, WORK = "head", "body", "reading", "stream", "work"
"""What a connection waits for: a head, a body, that its answer is read, events, the application."""
WAITING: Final = (HEAD, BODY, READING)


class Connection(H11Protocol):
    """A connection that knows what it waits for, and since when."""

    def __init__(
        self, crowd: Connections, config: Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        """Count among *crowd*; the others are uvicorn's."""
        super().__init__(config, server_state, app_state)
        self.visitor = ""
        """Whose it is; "" if the proxy has not said it yet."""
        self.phase = HEAD
        self.since = crowd.clock()
        """When the phase began."""
        self._crowd = crowd
        self._is_of_proxy = False
        self._is_upgraded = False

    @property
    def is_stream(self) -> bool:
        """Whether it sends events."""
        return self.phase == STREAM

    def is_over_time(self, now: float) -> bool:
        """Return whether the client has used up its time at *now*."""
        bounds = self._crowd.bounds
        limit = {HEAD: bounds.head_s, BODY: bounds.body_s, READING: bounds.read_s}.get(self.phase)
        return limit is not None and now - self.since > limit

    def note(self) -> None:
        """Note what the connection waits for now."""
        phase = self._find_phase()
        if phase != self.phase:
            self.phase, self.since = phase, self._crowd.clock()

    def _find_phase(self) -> str:
        # Asked first, because a client that does not read its answer is in this state whatever it sends.
        if self.flow.write_paused or self.transport.is_closing():
            return READING
        if self._is_upgraded:
            return WORK
        theirs = self.conn.their_state
        if theirs is h11.IDLE:
            return HEAD
        if theirs is h11.SEND_BODY:  # who takes an upload counts its time
            return WORK if self.scope and self.scope["state"].get("upload") else BODY
        return STREAM if self.scope and self.scope["state"].get("stream") else WORK

    # -- what uvicorn and asyncio call

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        """Begin, or refuse."""
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        self._is_of_proxy = self._crowd.proxy is not None and self._crowd.proxy.is_at(peer)
        self.visitor = "" if self._is_of_proxy else visitor_of(peer)
        if not self._crowd.admit(self):
            transport.write(REFUSAL % b"503 Service Unavailable")
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._crowd.forget(self)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Hear what has come; a request tells whose the connection is."""
        before = self.scope
        super().handle_events()
        if self.scope is not before:
            self._hear_request()
        self.note()

    def _hear_request(self) -> None:
        visitor = self.visitor
        if self._is_of_proxy and self._crowd.proxy:
            visitor = self._crowd.proxy.visitor(self.headers) or visitor_of(
                self.client[0] if self.client else ""
            )
        is_allowed = self._crowd.allow(self, visitor)
        state: dict[str, Any] = self.scope["state"]
        state |= {"visitor": visitor, "refused": not is_allowed}

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Give the socket to another protocol; it counts until that has ended."""
        self._hear_request()
        self.app_state = {**self.app_state, **self.scope["state"]}
        super().handle_websocket_upgrade(event)
        self._is_upgraded = True
        protocol = self.transport.get_protocol()
        assert isinstance(protocol, SocketProtocol)
        protocol.ended = lambda: self._crowd.forget(self)
        if not protocol.handshake_initiated:  # uvicorn answers nothing, and leaves it open
            self.transport.write(REFUSAL % b"400 Bad Request")
            self.transport.close()

    def on_response_complete(self) -> None:
        """Wait for the next head."""
        super().on_response_complete()
        self.note()

    def pause_writing(self) -> None:
        """Note that the client does not read."""
        super().pause_writing()
        self.note()

    def resume_writing(self) -> None:
        """Note that the client reads."""
        super().resume_writing()
        self.note()


class SocketProtocol(WebSocketsSansIOProtocol):
    """A web socket; it was a Connection before."""

    ended: Callable[[], None] = staticmethod(lambda: None)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.ended()
        super().connection_lost(exc)

    async def send(self, message: ASGISendEvent) -> None:
        """Send *message*; a refusal completes the handshake, which uvicorn would log as an error else."""
        await super().send(message)
        self.handshake_complete |= message["type"] == "websocket.http.response.body"


def protocol_of(crowd: Connections) -> type[H11Protocol]:
    """Return the protocol of the connections of *crowd*, as uvicorn makes it."""

    class Protocol(Connection):
        def __init__(
            self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: object = None
        ) -> None:
            super().__init__(crowd, config, server_state, app_state)

    return Protocol
