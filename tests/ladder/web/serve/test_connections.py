"""Slow and many connections: who has what, and which go first.  The clock is the test's."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from ladder.web.serve.connections import ConnectionBounds, Connections, protocol_of
from ladder.web.serve.guard import Guard, Hosts
from ladder.web.serve.visitors import SHARE, Proxy

SMALL = ConnectionBounds(most=8, slow_s=10, head_s=20, body_s=30, read_s=40)
HEAD = b"GET %s HTTP/1.1\r\nhost: localhost\r\n%s\r\n"
POST = b"POST / HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\ncontent-length: 100\r\n\r\n"


class Site:
    """A server of this test, with a clock that the test sets."""

    def __init__(self, bounds=SMALL, proxy=None):
        self.now = 0.0
        self.crowd = Connections(bounds, proxy, lambda: self.now)
        self.finish = asyncio.Event()
        self.visitors: list[str] = []
        self.port = 0
        self._open: list[asyncio.StreamWriter] = []

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer at once; `/work` when the test says so, `/large` with 50 MB, `/stream` without end.

        `/upload` counts the time of its body itself.
        """
        self.visitors.append(scope["state"]["visitor"])
        scope["state"]["upload"] = scope["path"] == "/upload"
        while scope["method"] == "POST" and (await receive()).get("more_body"):
            pass
        if scope["path"] == "/work":
            await self.finish.wait()
        is_stream = scope["path"] == "/stream"
        scope["state"]["stream"] = is_stream
        await send({"type": "http.response.start", "status": 200, "headers": []})
        body = b"x" * 50_000_000 if scope["path"] == "/large" else b"good"
        await send({"type": "http.response.body", "body": body, "more_body": is_stream})
        if is_stream:
            await self.finish.wait()

    async def call(self, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect and send *data*; return when the server has read it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._open.append(writer)
        writer.write(data)
        await self.settle()
        return reader, writer

    async def get(self, path: bytes = b"/", more: bytes = b"") -> bytes:
        """Return the first line of the answer to a new connection, b"" if it is closed without one."""
        reader, _ = await self.call(HEAD % (path, more))
        return await first_line(reader)

    async def settle(self) -> None:
        """Let the server do what it can do now."""
        for _ in range(20):
            await asyncio.sleep(0.001)

    def sweep(self, now):
        """Let the time be *now*, and look at the connections."""
        self.now = now
        self.crowd.sweep()


async def first_line(reader: asyncio.StreamReader) -> bytes:
    try:
        return (await asyncio.wait_for(reader.readline(), 30)).strip()
    except ConnectionResetError:
        return b""


async def is_closed(reader: asyncio.StreamReader) -> bool:
    """Return whether the server has ended a connection on which it says nothing more."""
    try:
        return b"" == await asyncio.wait_for(reader.read(1), 0.3)
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


@asynccontextmanager
async def serving(**how: Any) -> AsyncIterator[Site]:
    site = Site(**how)
    config = Config(
        Guard(site.app, Hosts("127.0.0.1"), asyncio.Event()), http=protocol_of(site.crowd), log_config=None
    )
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: config.http_protocol_class(config, state, {}),  # type: ignore[call-arg]  # uvicorn's protocols
        "127.0.0.1",
        0,
    )
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        site.finish.set()
        for writer in site._open:
            writer.transport.abort()
        await site.settle()
        await asyncio.gather(*state.tasks, return_exceptions=True)
        server.close()
        await server.wait_closed()


OK = b"HTTP/1.1 200 OK"
REFUSED = b"HTTP/1.1 503 Service Unavailable"
BY_PROXY = Proxy("x-forwarded-for")


def told(visitor):
    return f"x-forwarded-for: {visitor}\r\n".encode()


async def test_silent_connections_keep_nobody_out() -> None:
    async with serving() as site:
        silent = [await site.call(b"G") for _ in range(30)]
        assert OK == await site.get()
        assert len(site.crowd) <= SMALL.most
        assert await is_closed(silent[0][0])
        assert not await is_closed(silent[-1][0])


async def test_one_visitor_has_at_most_a_quarter() -> None:
    async with serving() as site:
        for _ in range(2):
            await site.call(HEAD % (b"/work", b""))
        assert REFUSED == await site.get()
        assert 2 == len(site.crowd)
        site.finish.set()
        await site.settle()
        assert OK == await site.get(), "there is room again"


async def test_visitors_behind_a_proxy_have_a_quarter_each() -> None:
    async with serving(proxy=BY_PROXY) as site:
        for _ in range(2):
            await site.call(HEAD % (b"/work", told("192.0.2.1")))
        assert REFUSED == await site.get(more=told("192.0.2.1"))
        assert REFUSED == await site.get(more=told("192.0.2.9, 192.0.2.1"))
        assert OK == await site.get(more=told("192.0.2.1, 192.0.2.9"))
        assert ["192.0.2.1", "192.0.2.1", "192.0.2.9"] == site.visitors


async def test_headers_are_not_read_unless_they_were_named_and_the_proxy_sends_them() -> None:
    for proxy in (None, Proxy("x-real-ip"), Proxy("x-forwarded-for", "192.0.2.200")):
        async with serving(proxy=proxy) as site:
            assert OK == await site.get(more=told("192.0.2.1"))
            assert ["127.0.0.1"] == site.visitors


async def test_the_slowest_of_the_fullest_visitor_goes_first() -> None:
    async with serving(proxy=BY_PROXY) as site:
        keep = HEAD % (b"/", b"connection: keep-alive\r\n%s")
        lone, _ = await site.call(keep % told("192.0.2.1"))
        crowd = [(await site.call(keep % told("192.0.2.2")))[0] for _ in range(2)]
        for address in ("192.0.2.3", "192.0.2.4"):  # at work: they stay
            for _ in range(2):
                await site.call(HEAD % (b"/work", told(address)))
        site.now = 11.0
        young, _ = await site.call(b"G")
        assert 8 == len(site.crowd)
        assert OK == await site.get(more=told("192.0.2.5"))
        assert await ended(crowd[0])
        assert OK == await site.get(more=told("192.0.2.5"))
        assert await ended(lone) != await ended(crowd[1]), "those that waited go before the young one"
        assert not await is_closed(young)


async def ended(reader: asyncio.StreamReader) -> bool:
    """Return whether the server has closed a connection, after what it has said on it."""
    try:
        await asyncio.wait_for(reader.read(), 0.3)
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


async def test_connections_at_work_do_not_go_for_others() -> None:
    async with serving(proxy=BY_PROXY) as site:
        working = [await site.call(HEAD % (b"/work", told(f"192.0.2.{i}"))) for i in range(8)]
        site.sweep(1e6)
        assert REFUSED == await site.get(more=told("192.0.2.99"))
        site.finish.set()
        assert [OK] * 8 == [await first_line(reader) for reader, _ in working]


async def test_streams_are_counted_apart_and_have_no_end() -> None:
    async with serving() as site:
        streams = [await site.call(HEAD % (b"/stream", b"")) for _ in range(2)]
        site.sweep(1e6)
        assert 0 == len(site.crowd)
        streams += [await site.call(HEAD % (b"/stream", b"")) for _ in range(2)]
        assert [OK] * 4 == [await first_line(reader) for reader, _ in streams]


@pytest.mark.parametrize(
    ("sent", "limit"),
    [(b"", 20), (b"GET / HT", 20), (POST, 30), (POST + b"x" * 50, 30)],
    ids=["nothing", "half a head", "no body", "half a body"],
)
async def test_a_client_that_sends_too_slowly_is_cut_off(sent: bytes, limit: float) -> None:
    async with serving() as site:
        reader, writer = await site.call(sent)
        site.sweep(limit - 1)
        writer.write(b"x" if sent else b"G")  # a byte now and then does not help
        await site.settle()
        site.sweep(limit + 1)
        assert await is_closed(reader)
        assert 0 == len(site.crowd)


async def test_an_upload_has_the_time_that_its_own_reader_gives_it() -> None:
    async with serving() as site:
        reader, writer = await site.call(POST.replace(b"/ ", b"/upload "))
        site.sweep(600)
        writer.write(b"x" * 100)
        assert OK == await first_line(reader)


async def test_the_second_head_of_a_connection_has_its_time_too() -> None:
    async with serving() as site:
        reader, writer = await site.call(HEAD % (b"/", b""))
        assert OK == await first_line(reader)
        site.now = 15
        writer.write(b"G")
        await site.settle()
        site.sweep(19)
        assert 1 == len(site.crowd)
        site.sweep(21)
        assert await ended(reader)


async def test_a_client_that_does_not_read_its_answer_is_cut_off() -> None:
    async with serving() as site:
        await site.call(HEAD % (b"/large", b""))
        site.sweep(0)
        (connection,) = site.crowd._all
        assert "reading" == connection.phase
        site.sweep(39)
        assert 1 == len(site.crowd)
        site.sweep(41)
        assert 0 == len(site.crowd)


async def test_a_visitor_that_has_gone_is_forgotten() -> None:
    async with serving() as site:
        for _ in range(3):
            _, writer = await site.call(HEAD % (b"/work", b""))
            writer.transport.abort()
            await site.settle()
        assert (0, {}) == (len(site.crowd), site.crowd._counts)


def test_the_bounds_hold_four_times_a_class_of_60():
    of_a_browser = 6  # as many as browsers open to one server (HTTP/1.1)
    assert ConnectionBounds().most >= 4 * 60 * of_a_browser
    assert ConnectionBounds().most // SHARE >= 60 * of_a_browser, "the class may have one address"
