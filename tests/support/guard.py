"""Holds each test to its mark: one without a mark starts no program, none connects beyond this machine.

What a test may use, by mark, stands in tests/README.md.  The guard raises where the call happens, and fails
the test or the module afterwards, since the code under test may swallow the error.
"""

import functools
import importlib
import ipaddress
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

MARKS = ("process", "tools", "slow")
"""With one of them a test may start programs."""
ADVICE = 'mark it "process", or "tools" if that is no Python'
UNHELD = "tests cannot be held to their marks"
STARTS = {"subprocess.Popen", "pty.spawn", "ladder.process.start"} | {
    f"os.{name}" for name in ("posix_spawn", "fork", "forkpty", "exec", "system", "spawn")
}
"""Python's audit events of a start.  `ladder.process.start` is of bots, whose spawner may run already."""
UNHEARD = (
    ("_posixsubprocess", "fork_exec"),  # multiprocessing by spawn, and its fork server
    ("multiprocessing.process", "BaseProcess.start"),  # also where a fork server runs already
    ("multiprocessing.resource_tracker", "ResourceTracker.ensure_running"),  # also where it runs already
)
"""What starts programs and fires no audit event: it is wrapped."""
SYMBOLS = {"system", "popen", "fork", "vfork", "clone", "posix_spawn", "posix_spawnp", "execv", "execve"}
"""Functions of C by which ctypes starts a program."""
LOOKUPS = {"socket.getaddrinfo", "socket.gethostbyname"}
CONNECTS = {"socket.connect", "socket.sendto", "socket.sendmsg"}


class Guard:
    """The plugin of pytest.  Raises UsageError where this Python does not let it hear everything."""

    def __init__(self) -> None:
        self._who: pytest.Item | pytest.Collector | None = None
        self._calls: list[str] = []
        self._faults: list[str] = []
        self._fixtures: dict[Any, str] = {}
        """What the set-up of a shared fixture has started: a later test that finds it there uses it, too."""
        listen(self._hear_start, self._hear_host)

    def _hear_start(self, call: str) -> None:
        self._calls.append(call)
        if isinstance(self._who, pytest.Collector):
            self._fail(f"this module starts a program while it is collected ({call}): start it in a fixture")
        elif self._who and not is_marked(self._who):
            self._fail(f"this test starts a program ({call}): {ADVICE}")

    def _hear_host(self, event: str, host: Any) -> None:
        if self._who and not is_here(host):
            self._fail(f"this test connects beyond this machine ({event}: {host})")

    def _fail(self, why: str) -> None:
        self._faults.append(why)
        raise AssertionError(why)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._who, self._faults = item, []
        try:
            return (yield)
        finally:
            self._who = None

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        self._who, self._faults = collector, []
        try:
            return self._charge((yield))
        finally:
            self._who = None

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        before = len(self._calls)
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function" and len(self._calls) > before:
                self._fixtures[fixturedef] = self._calls[before]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        result = yield
        for used in item._request._fixture_defs.values():  # also those that it asked for by name while it ran
            if (call := self._fixtures.get(used)) and not is_marked(item):
                self._fail(f"a fixture of this test starts a program ({call}): {ADVICE}")
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        return self._charge((yield))

    def _charge(self, report: Any) -> Any:
        if self._faults and not report.failed:
            report.outcome, report.longrepr = "failed", self._faults[0]
        self._faults = []
        return report


def is_marked(item: pytest.Item) -> bool:
    """Return whether *item* may start programs."""
    return any(item.get_closest_marker(mark) for mark in MARKS)


# -- what this process starts, and to which hosts it connects


def listen(on_start: Callable[[str], None], on_host: Callable[[str, Any], None]) -> None:
    """Call *on_start* and *on_host* with the call and the host before each start and connection, for good.

    What they raise keeps it from happening.  Raises UsageError where this Python does not let all be heard.
    """
    heard: list[str] = []

    def hear(event: str, args: tuple[Any, ...]) -> None:
        if event == "support.guard":
            heard.append(event)
        elif event in STARTS:
            on_start(f"{event}: {args[0]}" if args else event)
        elif event == "ctypes.dlsym" and args[1] in SYMBOLS:
            on_start(f"{event}: {args[1]}")
        elif event in LOOKUPS:
            on_host(event, args[0])
        elif event in CONNECTS and isinstance(args[1], tuple):  # else it is the path of a Unix socket
            on_host(event, args[1][0])

    for module, name in UNHEARD:
        _wrap(module, name, on_start)
    sys.addaudithook(hear)
    sys.audit("support.guard")
    if not heard:
        raise pytest.UsageError(f"this Python fires no audit events: {UNHELD}")


def _wrap(module: str, name: str, on_start: Callable[[str], None]) -> None:
    *path, last = name.split(".")
    try:
        owner = functools.reduce(getattr, path, importlib.import_module(module))
        real = getattr(owner, last)
    except (ImportError, AttributeError):
        raise pytest.UsageError(f"this Python has no {module}.{name}: {UNHELD}") from None

    @functools.wraps(real)
    def call(*args: Any, **named: Any) -> Any:
        on_start(f"{module}.{name}")
        return real(*args, **named)

    setattr(owner, last, call)


def is_here(host: Any) -> bool:
    """Return whether *host*, as `socket` takes it, is this machine; a number is no host of the internet."""
    if not host or isinstance(host, int) or host == "localhost":
        return True
    try:
        found = ipaddress.ip_address(host.decode() if isinstance(host, bytes) else host)
    except ValueError:
        return False
    return found.is_loopback or found.is_unspecified
