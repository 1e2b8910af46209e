"""Listen on an address and answer, until Ctrl-C."""

import asyncio
import errno
import logging
import resource
import socket
from collections.abc import Callable

import uvicorn

from ladder.admission.inbox_answers import InboxFolders
from ladder.errors import LadderError, UsageProblem
from ladder.home.home import Home
from ladder.live.connect import LONGEST_FRAME
from ladder.web.serve.app import MOST_STREAMS, create_app
from ladder.web.serve.connections import ConnectionBounds, Connections, SocketProtocol, protocol_of
from ladder.web.serve.guard import Guard
from ladder.web.serve.public_address import PublicAddress, is_loopback
from ladder.web.serve.visitors import Proxy

NEXT_PORTS = 50
"""How many ports are tried before none is suggested."""
OTHER_FILES = 300
"""The files that are left for tables and results."""
LEAST = 64
"""The least connections, whatever files are left."""


def serve_home(
    home: Home,
    host: str,
    port: int,
    confine: Callable[[Home], Home],
    tell: Callable[[str, bool], object],
    proxy: Proxy | None = None,
    public: PublicAddress | None = None,
    uploads: InboxFolders | None = None,
    reviews: int = 2,
) -> None:
    """Serve *home* on *host* and *port* (0: any that is free), until the program is asked to end.

    *confine* is called once the address is ours: it takes time to choose a tier.
    *tell* is called with the URL, and with whether others than this machine may reach it, once it answers.
    *proxy* stands before the server, if any, and shows it as *public*.  Uploads go to the inbox of *uploads*.
    Raises UsageProblem for an address that is not here, LadderError for a port in use.
    """
    listener = _listen(host, port)
    number = listener.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    crowd = Connections(_bounds(), proxy)
    with listener:
        app = create_app(confine(home), host, public, uploads, reviews)
        url, others = f"http://{shown}:{number}/", not is_loopback(host)
        config = _configure(app, crowd, has_seats=uploads is not None)
        server = _Server(config, crowd, app.ending, lambda: tell(url, others))
        server.run(sockets=[listener])


def _configure(app: Guard, crowd: Connections, *, has_seats: bool = False) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=protocol_of(crowd),
        ws=SocketProtocol if has_seats else "none",
        ws_max_size=LONGEST_FRAME,
        ws_ping_interval=5,
        ws_ping_timeout=10,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=32_768,
    )


class _Server(uvicorn.Server):
    """A server that says when it answers, and looks after its connections."""

    def __init__(
        self, config: uvicorn.Config, crowd: Connections, ending: asyncio.Event, started: Callable[[], object]
    ) -> None:
        super().__init__(config)
        self._ending = ending
        self._crowd = crowd
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started:
            self._caring = asyncio.create_task(self._crowd.look_after())
            self._started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End; open pages hear of it.  What takes longer than they may is cut off, and that is no error."""
        self._ending.set()
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        self._caring.cancel()
        await super().shutdown(sockets)


def _bounds() -> ConnectionBounds:
    """Return the bounds of connections: fewer where this process may not open so many files."""
    bounds = ConnectionBounds()
    room = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - MOST_STREAMS - OTHER_FILES
    return bounds._replace(most=max(LEAST, min(bounds.most, room)))


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on *host* and *port*.  Raises UsageProblem or LadderError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if not host:  # would mean every address
        raise UsageProblem("expected an address of this machine, got none", "ladder serve, without --host")
    try:
        return _bind(family, host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            others = range(port + 1, port + NEXT_PORTS)
            free = next((other for other in others if _is_free(family, host, other)), None)
            hint = f"ladder serve --port {free or '0, which takes any that is free'}"
            raise LadderError(f"port {port} is in use", hint) from None
        if error.errno == errno.EACCES:
            what = f"port {port} cannot be used by this user: {error.strerror}"
            raise LadderError(what, "ladder serve --port 8000") from None
        raise UsageProblem(
            f"{host} is not an address of this machine: {error.strerror}", "ladder serve, without --host"
        ) from None


def _bind(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def _is_free(family: socket.AddressFamily, host: str, port: int) -> bool:
    try:
        _bind(family, host, port).close()
    except (OSError, OverflowError):
        return False
    return True
