"""The socket in a home by which workers reach the hub of remote seats, in `ladder serve`.

The first line of a worker names a bot; an empty one asks for a list of those that are there.  Then lines of
JSON go both ways, and the hub says in a last word how the seat has ended.
"""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LAST_WORD = b"close "
"""How the last line of the hub begins."""
PATIENCE = 2.0
"""How long the hub has to say who is there, in seconds."""
_DOOR, _SOCKET = ".door", "seats.sock"


@contextmanager
def _open_door(door: Path) -> Iterator[tuple[int, str]]:
    """Yield the folder *door*, open, and the socket in it, by a path of less than 108 bytes."""
    fd = os.open(door, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield fd, f"/proc/self/fd/{fd}/{_SOCKET}"
    finally:
        os.close(fd)


@contextmanager
def hub_socket(home: Path) -> Iterator[socket.socket]:
    """Yield the socket of the hub of *home*, which takes the place of another."""
    (home / _DOOR).mkdir(mode=0o700, exist_ok=True)
    with _open_door(home / _DOOR) as (fd, path), socket.socket(socket.AF_UNIX) as listener:
        with suppress(FileNotFoundError):
            os.unlink(_SOCKET, dir_fd=fd)
        listener.bind(path)
        os.chmod(path, 0o600)  # noqa: PTH101 - the path is no place on the disk
        yield listener


def call_hub(folder: Path, line: str) -> socket.socket:
    """Return a connection to the hub of the home that holds *folder*, sent *line*.  Raises OSError."""
    doors = (home / _DOOR for home in folder.parents)
    with _open_door(next((door for door in doors if door.is_dir()), folder / _DOOR)) as (_, path):
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.setblocking(False)  # no caller waits for a hub that does not answer
            connection.connect(path)
            connection.sendall(line.encode() + b"\n")
        except OSError:
            connection.close()
            raise
        return connection


def list_present(home: Path) -> list[str]:
    """Return the remote bots of *home* whose clients are connected."""
    try:
        with call_hub(home / "bots", "") as hub, hub.makefile("rb") as answer:
            hub.settimeout(PATIENCE)
            return [str(bot) for bot in json.loads(answer.readline())]
    except (OSError, ValueError):
        return []
