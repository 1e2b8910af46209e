"""Bots without a process, for tests: a script says what they do, on a clock that only waiting moves."""

from __future__ import annotations

import heapq
import itertools
import select
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from ladder.process.bot import READ_BYTES, Stderr
from ladder.process.link import TimeSource
from ladder.process.procfs import Use
from protocol.lines import Lines

BEGIN_NS = 1_000_000_000
"""When a timeline begins: not 0, which means `never` in many places."""
FIRST_FD = 1 << 20
"""Scripted descriptors start here, so that no real one is taken for one of them."""
MS = 1_000_000
MOST_POLLS = 1_000_000
"""A table that polls more often would never end."""


class Say(NamedTuple):
    """Write to stdout."""

    data: bytes
    after_ms: float = 0


class Log(NamedTuple):
    """Write to stderr."""

    data: bytes
    after_ms: float = 0


class CloseStdout(NamedTuple):
    """Close stdout and run on."""

    after_ms: float = 0


class Exit(NamedTuple):
    """End with an exit status, or by a signal if it is negative."""

    status: int = 0
    after_ms: float = 0


class Spend(NamedTuple):
    """Use CPU time, also of children, wait for a core, or let processes end unheard."""

    cpu_us: int = 0
    waited_us: int = 0
    after_ms: float = 0
    unheard: int = 0
    children_us: int = 0


Deed: TypeAlias = Say | Log | CloseStdout | Exit | Spend
Script: TypeAlias = Callable[[list[bytes]], Iterable[Deed]]
"""What a bot does about the lines that it reads at once; the times count from then on."""


class Timeline:
    """Time that passes only while somebody waits, for all scripted bots of a test."""

    def __init__(self, oversleep_ms: float = 0) -> None:
        """*oversleep_ms*: how much later than asked a wait ends in which nothing happened."""
        self.now_ns = BEGIN_NS
        self.oversleep_ms = oversleep_ms
        self.referee_waited_us = 0
        """How long the referee itself has waited for a core."""
        self.clock = TimeSource(
            self.now, lambda: ScriptedPoll(self), waited_us=lambda: self.referee_waited_us
        )
        self.readable: dict[int, Callable[[], bool]] = {}
        """Whether a descriptor is ready, by its number."""
        self._fds = itertools.count(FIRST_FD)
        self._turns = itertools.count()
        self._coming: list[tuple[int, int, Callable[[], None]]] = []
        self.polls = 0

    def now(self) -> int:
        """Return the time."""
        return self.now_ns

    def descriptor(self, ready: Callable[[], bool]) -> int:
        """Return a new descriptor, which *ready* tells to be readable."""
        fd = next(self._fds)
        self.readable[fd] = ready
        return fd

    def at(self, after_ms: float, happen: Callable[[], None]) -> None:
        """Let something happen later; what is due at the same time happens in this order."""
        heapq.heappush(self._coming, (self.now_ns + int(after_ms * MS), next(self._turns), happen))

    def suspend(self, after_ms: float, for_ms: float, *, waiting: bool = False) -> None:
        """Let time jump by *for_ms* then, so that a waiting referee wakes that much later.

        *waiting*: it has waited for a core.
        """

        def jump() -> None:
            self.now_ns += int(for_ms * MS)
            self.referee_waited_us += int(for_ms * 1000) if waiting else 0

        self.at(after_ms, jump)

    def catch_up(self) -> None:
        """Let everything happen that is due."""
        while self._coming and self._coming[0][0] <= self.now_ns:
            heapq.heappop(self._coming)[2]()

    def pass_until(self, limit_ns: int) -> None:
        """Let time pass up to the next thing that happens, at most to *limit_ns*."""
        if self._coming and self._coming[0][0] <= limit_ns:
            self.now_ns = max(self.now_ns, self._coming[0][0])
            self.catch_up()
        else:
            self.now_ns = limit_ns + int(self.oversleep_ms * MS)
            self.catch_up()


class ScriptedPoll:
    """Waits for scripted descriptors, in their order of registration."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._fds: dict[int, int] = {}

    def register(self, fd: int, eventmask: int, /) -> None:
        """Wait for *fd*, too."""
        self._fds[fd] = eventmask

    def unregister(self, fd: int, /) -> None:
        """Wait for *fd* no longer."""
        del self._fds[fd]

    def poll(self, timeout: float | None, /) -> list[tuple[int, int]]:
        """Let time pass until a descriptor is ready, at most *timeout* milliseconds; return what is ready."""
        assert timeout is not None, "a wait without an end"
        timeline = self._timeline
        timeline.polls += 1
        assert timeline.polls < MOST_POLLS, "polls without an end"
        limit_ns = timeline.now_ns + int(timeout * MS)
        timeline.catch_up()
        while not (ready := self._ready()) and timeline.now_ns < limit_ns:
            timeline.pass_until(limit_ns)
        return ready

    def _ready(self) -> list[tuple[int, int]]:
        readable = self._timeline.readable
        return [(fd, select.POLLIN) for fd in self._fds if fd in readable and readable[fd]()]


class ScriptedBot:
    """Has the methods of BotProcess, and follows a script.

    It reads a line as soon as it is sent.  While it is paused, nothing that it does happens.
    """

    end = "crash"

    def __init__(self, timeline: Timeline, script: Script, line_bytes: int = 65_536) -> None:
        self._timeline = timeline
        self._script = script
        self._framing = Lines(line_bytes)
        self._read = Lines(1 << 30)
        self._stdout = b""
        self._stdout_ended = False
        """Whether the bot has closed stdout, or ended."""
        self._log = b""
        self._held: list[Deed] = []
        """What it would have done while it was paused."""
        self._status: int | None = None
        self._killed = False
        self.stdin_fd = timeline.descriptor(lambda: False)
        self.stdout_fd = timeline.descriptor(lambda: bool(self._stdout) or self._stdout_ended)
        self.stderr_fd = timeline.descriptor(lambda: bool(self._log) or self._status is not None)
        self.exit_fd: int | None = timeline.descriptor(lambda: self._status is not None)
        self.pid = self.stdin_fd
        self.stdout_open = self.stderr_open = True
        self.paused = False
        self.lines = 0
        self.stderr = Stderr()
        self.spent_us = self.children_us = 0
        self.starved_us = 0
        self.uncounted = 0

    # -- talking

    def send(self, data: bytes) -> bool:
        """Let the bot read *data*; always True."""
        lines = self._read.feed(data)
        if lines and self._status is None:
            self._plan(self._script(lines))
        return True

    @property
    def unsent(self) -> bool:
        """Whether something is still to be written: never."""
        return False

    def send_rest(self) -> bool:
        """Return whether everything is written: always."""
        return True

    def receive(self) -> list[bytes] | None:
        """Return the lines that are complete, None if nothing has arrived.  Raises LineTooLong."""
        data, self._stdout = self._stdout[:READ_BYTES], self._stdout[READ_BYTES:]
        if not data:
            self.stdout_open = not self._stdout_ended
            return None
        lines = self._framing.feed(data)
        self.lines += len(lines)
        return lines

    @property
    def unfinished_line(self) -> bytes:
        """What has arrived of a line without its newline."""
        return self._framing.rest

    def drain_stderr(self, where: str = "") -> None:
        """Read stderr, which the bot wrote while it was at *where*."""
        data, self._log = self._log, b""
        self.stderr.add(data, where)
        if not data and self._status is not None:
            self.stderr_open = False

    def stderr_text(self, limit: int = 4096, since: int = 0) -> str:
        """Return the end of what the bot wrote to stderr."""
        self.drain_stderr()
        return self.stderr.text(limit, since)

    # -- watching

    def cpu_us(self) -> int | None:
        """Return the CPU time that the script has spent; None once the bot has ended."""
        return self.spent_us if self._status is None else None

    def use(self, *, times_only: bool = False) -> Use | None:
        """Return what the bot uses: one thread, no memory, and its CPU time."""
        all_us = self.spent_us + self.children_us
        return Use(1, 0, all_us, self.children_us) if self._status is None else None

    def pids(self) -> list[int]:
        """Return the ids of its processes: it has none."""
        return []

    has_run = True

    def waited_us(self) -> int:
        """Return how long the script has waited for a core."""
        return self.starved_us

    def run_on(self, cores: Sequence[int]) -> None:
        """Do nothing."""

    def pause(self) -> None:
        """Hold back what the bot does."""
        self.paused = True

    def resume(self) -> None:
        """Let happen what was held back."""
        self.paused = False
        held, self._held = self._held, []
        for deed in held:
            self._do(deed)

    # -- ending

    def exit_status(self, patience: float = 0.0) -> int | None:
        """Return the exit status, None if the bot runs."""
        self._timeline.catch_up()
        return self._status

    known_status = exit_status

    def say_bye(self, bye: bytes) -> None:
        """Let the bot read *bye*, and leave."""
        self.resume()
        self.send(bye)
        self._plan([Exit()])

    def kill(self) -> None:
        """End the bot.  May be called twice."""
        if self._killed:
            return
        self._killed = True
        self._do(Exit(-9))
        self.drain_stderr()
        self.stdout_open = self.stderr_open = False
        for fd in (self.stdin_fd, self.stdout_fd, self.stderr_fd, self.exit_fd):
            if fd is not None:
                del self._timeline.readable[fd]
        self.exit_fd = None

    def _plan(self, deeds: Iterable[Deed]) -> None:
        for deed in deeds:
            self._timeline.at(deed.after_ms, partial(self._do, deed))

    def _do(self, deed: Deed) -> None:
        if self._status is not None:
            return
        if self.paused and not self._killed:
            self._held.append(deed)
            return
        match deed:
            case Say(data):
                self._stdout += data
            case Log(data):
                self._log += data
            case CloseStdout():
                self._stdout_ended = True
            case Spend(cpu_us, waited_us, _, unheard, children_us):
                self.children_us += children_us
                self.uncounted += unheard
                self.spent_us += cpu_us
                self.starved_us += waited_us
            case Exit(status):
                self._status, self._stdout_ended = status, True
