"""One bot process: start it, exchange lines, stop its tree.  Only starting blocks: the caller polls."""

import os
import signal
import time
from collections.abc import Sequence
from typing import Literal, TypeAlias

from ladder.machine.cores import run_on
from ladder.process.masks import MaskedStream, Masks
from ladder.process.procfs import Use, cpu_clock, threads
from ladder.process.tree import Tree
from ladder.process.unmeasured import Unmeasured
from ladder.process.waits import Activity, Waits
from ladder.sandbox import Confined
from protocol.lines import Lines

KEPT = 32_768
"""The number of bytes kept of the beginning, and of the end."""


class Stderr:
    """The log of one process."""

    def __init__(self) -> None:
        self.size = 0
        """The number of bytes that the process has written."""
        self._head = bytearray()
        self._tail = bytearray()
        self._where = ""
        self._written = 0
        """The number of bytes added in all, marks included."""
        self._masked: MaskedStream | None = None

    def hide(self, masks: Masks) -> None:
        """Hide the values of *masks* in all that is added from now on."""
        self._masked = MaskedStream(masks) if masks else None

    def begin(self) -> int:
        """Start the log of a new match; return its position for text().  A mark precedes its first output."""
        self._where = ""
        return self._written

    def add(self, data: bytes, where: str = "") -> None:
        """Add *data*, written at *where*, behind a mark if that is new; without it, it goes with the last."""
        self.size += len(data)
        self._keep(self._masked.feed(data) if self._masked else data, where)

    def end(self) -> None:
        """Note that nothing follows: what may have been the beginning of a hidden value is added as well."""
        if self._masked:
            self._keep(self._masked.release(), "")

    def _keep(self, data: bytes, where: str) -> None:
        if data and where and where != self._where:
            self._where = where
            new_line = self._head and (self._tail or self._head)[-1:] != b"\n"
            data = b"%b--- %b\n%b" % (b"\n" if new_line else b"", where.encode(), data)
        self._written += len(data)
        room = KEPT - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        del self._tail[:-KEPT]

    def text(self, limit: int, since: int = 0) -> str:
        """Return the last *limit* bytes of the log since position *since*; bytes not in UTF-8 are escaped."""
        cut = self._written - len(self._tail)  # where the kept end begins
        kept = self._head[since:] + self._tail[max(0, since - cut) :]
        if self._masked:
            kept += self._masked.held
        return bytes(kept[-limit:]).decode("utf-8", "backslashreplace").removeprefix("\n" if since else "")


READ_BYTES = 65536
"""The size of one read.  Above 128 KiB, CPython maps fresh memory for every call, 15 times slower."""
BYE_SECONDS = 2.0
"""The time for a process to exit after `bye`."""
Program: TypeAlias = Tree | Unmeasured
"""The program that a BotProcess talks to."""


class BotProcess:
    """A running bot program and its three pipes, all non-blocking.

    Poll stdin_fd (while something is unsent), stdout_fd, stderr_fd and exit_fd, which is readable once the
    process has ended (None after kill).  ScriptedBot has the same methods, for tests.
    """

    end: Literal["crash", "transport", "void"] = "crash"
    """What its end in a match is: of the bot, of its connection, or of the ladder's own server."""

    @classmethod
    def start(cls, confined: Confined, line_bytes: int) -> "BotProcess":
        """Start *confined*, with lines of at most *line_bytes* bytes.  Raises CannotStart, CannotConfine."""
        return cls(Tree(confined), line_bytes)

    def __init__(self, tree: Program, line_bytes: int) -> None:
        """Talk to the running program of *tree*."""
        self.tree = tree
        self.pid = self.tree.pid
        self._cpu_clock = cpu_clock(self.pid)
        self.stdin_fd = self.tree.spawned.stdin_fd
        self.stdout_fd = self.tree.spawned.stdout_fd
        self.stderr_fd = self.tree.spawned.stderr_fd
        self.exit_fd: int | None = self.tree.spawned.exit_fd
        self._lines = Lines(line_bytes)
        self.lines = 0
        """The number of lines received."""
        self._unsent = b""
        self.stderr = Stderr()
        self._waits = Waits()
        self._activity = Activity()
        self._use: Use | None = None
        """What `use` has measured last."""
        self.paused = False
        self.stdout_open = True
        self.stderr_open = True
        self._ended = False

    def send(self, data: bytes) -> bool:
        """Write *data*; return whether all of it was written (if not, call `send_rest` when writable)."""
        if self._unsent:
            self._unsent += data
            return False
        try:
            sent = os.write(self.stdin_fd, data)
        except BlockingIOError:
            sent = 0
        except OSError:  # it closed its stdin, or ended: the deadline or the exit will show that
            return True
        if sent == len(data):
            return True
        self._unsent = data[sent:]
        return False

    @property
    def unsent(self) -> bool:
        """Whether `send_rest` has something to write."""
        return bool(self._unsent)

    def send_rest(self) -> bool:
        """Write the rest; return whether all of it was written."""
        data, self._unsent = self._unsent, b""
        return not data or self.send(data)

    def receive(self) -> list[bytes] | None:
        """Return new lines, None without data; at the end, stdout_open is False.  Raises LineTooLong."""
        try:
            data = os.read(self.stdout_fd, READ_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            self.stdout_open = False
            return None
        lines = self._lines.feed(data)
        self.lines += len(lines)
        return lines

    @property
    def unfinished_line(self) -> bytes:
        """The beginning of a line whose end has not arrived."""
        return self._lines.rest

    def drain_stderr(self, where: str = "") -> None:
        """Read the bot's stderr; *where* names the step that it most likely belongs to."""
        try:
            data = os.read(self.stderr_fd, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.stderr_open = False
        self.stderr.add(data, where)

    def stderr_text(self, limit: int = 4096, since: int = 0) -> str:
        """Return the last *limit* bytes of the bot's stderr: see Stderr.text."""
        if self.stderr_open:
            self.drain_stderr()
        return self.stderr.text(limit, since)

    def cpu_us(self) -> int | None:
        """Return the CPU time of the process so far, its threads but not its children; None if unknown."""
        try:
            return time.clock_gettime_ns(self._cpu_clock) // 1000
        except (OSError, AttributeError):
            return None

    def use(self, *, times_only: bool = False) -> Use | None:
        """Return the resource use of the process and all that it started: see read_use."""
        if times_only:
            return self.tree.use(self.pids(), times_only=True)
        if self._activity.has_run:
            self._use = self.tree.use(self._activity.note(self.pids))
        return self._use

    @property
    def has_run(self) -> bool:
        """Whether the process or one that it started has run since `use` has measured them."""
        return self._activity.has_run

    def pids(self) -> list[int]:
        """Return the ids of the process and of all that it started."""
        return self.tree.pids()

    def waited_us(self) -> int:
        """Return how long threads of the process tree were ready to run and got no core: see Waits."""
        return self._waits.read_again_us(self.pids)

    @property
    def uncounted(self) -> int:
        """How many of its processes have ended, as far as seen, whose CPU time `use` may not contain."""
        return 0 if self.tree.counts_all else self._waits.gone

    def run_on(self, cores: Sequence[int]) -> None:
        """Pin all threads of the process and of all that it started to *cores*."""
        for pid in self.pids():
            for thread in threads(pid):
                run_on(thread, cores)

    def pause(self) -> None:
        """Stop the process and its group (SIGSTOP) until `resume`."""
        self._signal_group(signal.SIGSTOP, paused=True)

    def resume(self) -> None:
        """Continue a paused process."""
        self._signal_group(signal.SIGCONT, paused=False)

    def _signal_group(self, number: signal.Signals, *, paused: bool) -> None:
        if not self._ended and self.paused != paused:
            self.paused = paused
            self.tree.signal(number)

    def exit_status(self, patience: float = 0.0) -> int | None:
        """Return the exit status, or minus the signal; None if the process runs on for *patience* seconds."""
        return self.tree.status(patience)

    def known_status(self) -> int | None:
        """Return the exit status of a process that has ended; None if it is not known."""
        return self.exit_status()

    def say_bye(self, bye: bytes) -> None:
        """Send *bye* and close stdin; the process should then exit."""
        if self._ended:
            return
        self.resume()
        self.send(bye)
        self.tree.spawned.close(self.stdin_fd)

    def kill(self) -> None:
        """Kill the process and all that it started, and close the pipes.  May be called twice."""
        if self._ended:  # its process id and descriptors may be in use for something else by now
            return
        self._ended = True
        self.tree.kill()
        self.drain_stderr()  # its last words
        self.stderr.end()
        self.stdout_open = self.stderr_open = False
        self.exit_fd = None
        self.tree.close()
