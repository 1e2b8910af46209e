"""The pipes of the players at a table: lines go out together, and what comes in finds its handler."""

import select
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from ladder.process.link import TimeSource
from ladder.referee.player import Player
from ladder.referee.watch import Bell

Handler: TypeAlias = Callable[[Player, int], Any]
"""Handles what came from a player; gets the time."""


class Handlers(NamedTuple):
    """What to call when a descriptor of a player is ready."""

    on_stdout: Handler
    on_stderr: Handler
    on_exit: Handler
    on_writable: Handler


class Channels:
    """The descriptors of the players, and the lines that wait to be sent."""

    def __init__(self, clock: TimeSource) -> None:
        self._poll = clock.waiter()
        self._handlers: dict[int, tuple[Handler, Player]] = {}
        self._on_writable: dict[Player, Handler] = {}
        """What to call when a player takes the rest of its lines."""
        self._logs: set[int] = set()
        """The descriptors in the handlers that are a bot's stderr."""
        self._outbox: dict[Player, list[bytes]] = {}
        """The lines that the next flush sends together."""
        self._bell: Bell | None = None
        self.has_rung = False
        """Whether the bell has rung since that was answered."""

    def hear(self, bell: Bell) -> None:
        """Wake when *bell* rings, too, and note that in `has_rung`."""
        self._bell = bell
        self._poll.register(bell.fd, select.POLLIN)

    def watch(self, player: Player, handlers: Handlers) -> None:
        """Wait for what *player* writes, and for its end; what goes out to it may have to wait as well."""
        process = player.process
        if process is None or player.lost:
            return
        self._on_writable[player] = handlers.on_writable
        self._register(process.stdout_fd, handlers.on_stdout, player)
        if process.stderr_open:
            self._register(process.stderr_fd, handlers.on_stderr, player)
            self._logs.add(process.stderr_fd)
        if process.exit_fd is not None:
            self._register(process.exit_fd, handlers.on_exit, player)

    def _register(self, fd: int, handler: Handler, player: Player, flags: int = select.POLLIN) -> None:
        self._handlers[fd] = (handler, player)
        self._poll.register(fd, flags)

    def forget(self, fd: int) -> None:
        """Wait for *fd* no longer."""
        if self._handlers.pop(fd, None):
            self._poll.unregister(fd)
            self._logs.discard(fd)

    def unwatch(self, player: Player) -> None:
        """Forget *player*, and send nothing more to it."""
        for fd in [fd for fd, (_, watched) in self._handlers.items() if watched is player]:
            self.forget(fd)
        self._outbox.pop(player, None)

    def close(self) -> None:
        """Forget all handlers: they refer to the table, and garbage is collected rarely."""
        self._handlers.clear()
        self._on_writable.clear()

    def send(self, player: Player, line: bytes) -> None:
        """Queue *line* for the next flush."""
        lines = self._outbox.get(player)
        if lines is None:
            self._outbox[player] = [line]
        else:
            lines.append(line)

    def flush(self) -> list[Player]:
        """Send all queued lines, one write per process; return the players who have not taken all."""
        outbox = self._outbox
        stuck: list[Player] = []
        for player, lines in outbox.items():
            process = player.process
            if process and not process.send(lines[0] if len(lines) == 1 else b"".join(lines)):
                stuck.append(player)
                if process.stdin_fd not in self._handlers:  # else it has not taken the lines before these
                    self._register(process.stdin_fd, self._on_writable[player], player, select.POLLOUT)
        outbox.clear()
        return stuck

    def wait(self, timeout_ms: int) -> list[int]:
        """Return the descriptors that are ready, after at most *timeout_ms*."""
        ready = [fd for fd, _ in self._poll.poll(timeout_ms)]
        if len(ready) > 1:  # stderr first: what a bot logged before its answer belongs to that step
            ready.sort(key=lambda fd: fd not in self._logs)
        return ready

    def handle(self, ready: list[int], now: int) -> None:
        """Handle the descriptors that are *ready*."""
        for fd in ready:
            if entry := self._handlers.get(fd):  # none if an earlier handler has ended that process
                handler, player = entry
                handler(player, now)
            elif self._bell and fd == self._bell.fd:
                self._bell.hear()
                self.has_rung = True
