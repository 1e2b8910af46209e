"""Hears the programs that this process starts and the hosts to which it connects."""

import functools
import importlib
import ipaddress
import sys
from collections.abc import Callable
from typing import Any

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


class CannotHear(Exception):
    """This Python lacks something by which starts are heard."""


def listen(on_start: Callable[[str], None], on_host: Callable[[str, Any], None]) -> None:
    """Call *on_start* and *on_host* with the call and the host before each start and connection, for good.

    What they raise keeps it from happening.  Raises CannotHear.
    """
    heard: list[str] = []

    def hear(event: str, args: tuple[Any, ...]) -> None:
        if event == "support.ears":
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
    sys.audit("support.ears")
    if not heard:
        raise CannotHear("this Python fires no audit events")


def _wrap(module: str, name: str, on_start: Callable[[str], None]) -> None:
    *path, last = name.split(".")
    try:
        owner = functools.reduce(getattr, path, importlib.import_module(module))
        real = getattr(owner, last)
    except (ImportError, AttributeError):
        raise CannotHear(f"this Python has no {module}.{name}") from None

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
