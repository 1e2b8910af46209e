"""What is checked of every request, and what every answer tells the browser.

A page elsewhere can make a browser send requests here.  It cannot read the answers because there is no CORS.
It cannot reach us under a name of its own (DNS rebinding) because Host is checked.  A request that changes
something must come from a page of ours: Sec-Fetch-Site or Origin says so (Fetch Metadata; Fetch Standard),
and so does the token.
"""

import asyncio
import ipaddress
import socket

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ladder.web.door.door import HttpProblem
from ladder.web.pages.assets import policy_of_files
from ladder.web.serve.public_address import PublicAddress, is_loopback

BODY_BYTES = 65_536
"""The longest body of a request..."""
UPLOAD_BYTES = 50_000_000
"""...and of an upload."""
TOO_LONG = "Expected at most {:,} bytes."
PROGRAMS = "/api/"
"""How the addresses begin that answer programs."""
READS = ("GET", "HEAD")
HEADERS = {
    "content-security-policy": policy_of_files(live=True) + "; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "same-origin",  # with no-referrer browsers send `Origin: null` with our own forms
    "cache-control": "no-store",
}


class Hosts:
    """The names under which browsers may know this server."""

    def __init__(self, address: str, public: PublicAddress | None = None) -> None:
        """Listen on *address*; a proxy shows the server as *public*.

        On a loopback address only its own names are allowed.  Elsewhere any address in digits is, and the
        names of this machine: an attacker's page has a name that its owner chose.
        """
        self._is_open = not is_loopback(address)
        self._names = {"localhost", address.lower()}
        self._origins = set()
        """What browsers say of pages that a proxy shows; the proxy may send another Host."""
        if public:
            self._names.add(public.name)
            self._origins.add(public.origin)
        if self._is_open:
            self._names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    def allows(self, host: str) -> bool:
        """Return whether *host*, a Host header, names this server."""
        name = host.lower()
        if name.startswith("["):
            name = name[1:].partition("]")[0]
        elif name.count(":") == 1:
            name = name.partition(":")[0]
        if name in self._names:
            return True
        try:
            number = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self._is_open or number.is_loopback

    def is_ours(self, origin: str, host: str) -> bool:
        """Return whether *origin*, a header, is that of our pages, in a request to *host*."""
        return origin.lower() in {f"http://{host.lower()}", f"https://{host.lower()}", *self._origins}


class Guard:
    """Refuses requests that do not come from a page of this server."""

    def __init__(self, app: ASGIApp, hosts: Hosts, ending: asyncio.Event, *, has_door: bool = False) -> None:
        """Guard *app*, which is known under *hosts*; its open pages hear of it when *ending* is set.

        With *has_door*, programs send requests below api/, too: a token in their headers says who they are.
        """
        self.ending = ending
        self._has_door = has_door
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers, is_socket = Headers(scope=scope), scope["type"] == "websocket"
        of_program = self._has_door and scope["path"].startswith(PROGRAMS)
        most = UPLOAD_BYTES if of_program and scope.get("method") == "PUT" else BODY_BYTES
        if scope.get("state", {}).get("refused"):
            refused: tuple[int, str] | None = (503, "there are too many connections from your address\n")
        else:
            refused = self._refusal(scope.get("method"), headers, most, of_program=of_program)
        if is_socket and refused:
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    own.setdefault(name, value)
                if refused and refused[0] == 400:
                    own["connection"] = "close"
            await send(message)

        if refused:
            status, text = refused
            problem = HttpProblem(status, text.strip(), "see api/v1/openapi.json").answer()
            answer = problem if of_program else PlainTextResponse(text, status)
            await answer(scope, receive, send_with_headers)
        elif is_socket:
            await self._app(scope, receive, send)
        else:
            await self._app(scope, _Bounded(receive, most), send_with_headers)

    def _refusal(
        self, method: str | None, headers: Headers, most: int, *, of_program: bool
    ) -> tuple[int, str] | None:
        """Return the status and the words of a refusal; None if the request, or web socket, is good."""
        # DNS rebinding: a page of a stranger can make its own name mean this machine, and its scripts then
        # speak to us as to themselves.  The Host header still has the stranger's name.
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._hosts.allows(hosts[0]):
            return 421, "this server is not known under that name\n"
        if method is None:
            return (403, "") if "origin" in headers else None
        # a proxy may read the one and we the other, and the rest of a body would be a request of its own
        if "content-length" in headers and "transfer-encoding" in headers:
            return 400, "expected one of Content-Length and Transfer-Encoding, got both\n"
        if method in READS:
            return None
        if method != "POST" and not (of_program and method == "PUT"):
            return 405, f"only GET, HEAD{', PUT' if of_program else ''} and POST are answered\n"
        origins, sites = headers.getlist("origin"), headers.getlist("sec-fetch-site")
        is_of_page = not of_program or bool(origins or sites)
        if is_of_page and not self._is_from_here(origins, sites, headers["host"]):
            return 403, "this request does not come from a page of this server\n"
        length = headers.get("content-length", "0")
        # At most 18 digits are converted: Python takes long for very long numbers, and this comes from
        # anyone.
        if not (length.isascii() and length.isdigit() and int(length[:18]) <= most):
            return 413, TOO_LONG.format(most)
        return None

    def _is_from_here(self, origins: list[str], sites: list[str], host: str) -> bool:
        """Return whether the headers Origin and Sec-Fetch-Site say that a page of ours sent the request.

        Sec-Fetch-Site decides if the browser sends it: no script can set it, and it is right behind a proxy,
        too, where Host is not the name in Origin.
        """
        if len(origins) > 1 or len(sites) > 1:
            return False
        if sites:
            return sites[0] == "same-origin"
        return bool(origins) and self._hosts.is_ours(origins[0], host)


class _Bounded:
    """Receives a body of bounded size, whatever its header says."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = self._left = most

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise HTTPException(413, TOO_LONG.format(self._most))
        return message
