"""One bot process: start it, send to it, receive from it, stop its whole tree.

Nothing here blocks but starting: whoever polls the descriptors calls these methods when one is ready.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ladder.errors import LadderError
from ladder.keeper import CannotStart
from ladder.proc import Use, threads, waited_us
from ladder.sandbox import BUILD, Confined
from ladder.stderr import Stderr
from ladder.tree import Tree
from protocol.lines import Lines

__all__ = ["BYE_SECONDS", "BotProcess", "CannotStart", "build", "run_on"]

READ_BYTES = 65536
"""A read of more than 128 KiB makes CPython map fresh memory for every call: 15 times slower."""
BYE_SECONDS = 2.0
"""How long a process may take to exit after `bye`."""
OUTPUT_KEPT = 2**20
"""How much of a build's output is kept, of its end."""
BUILT_BYTES = 2**30
"""How much a build may leave in its folder, and how much room it may take there meanwhile."""
BUILT_FILES = 100_000
LOOK_SECONDS = 0.5
"""How often to look at what a build has written, where that does not take long."""


class BotProcess:
    """A running bot program and its three pipes, all non-blocking.

    To be polled: stdin_fd (while there is a rest to send), stdout_fd, stderr_fd, and exit_fd, readable once
    the process has ended (None when all is over).
    """

    def __init__(self, confined: Confined, line_bytes: int) -> None:
        """Start the program.  Raises CannotStart, and CannotConfine, which is not the bot's fault."""
        self.tree = Tree(confined)
        self.pid = self.tree.pid
        self._cpu_clock = ~self.pid << 3 | 2
        """The kernel's CPU clock of another process (clock_gettime(2), linux/posix-timers.h)."""
        self.stdin_fd = self.tree.kept.stdin_fd
        self.stdout_fd = self.tree.kept.stdout_fd
        self.stderr_fd = self.tree.kept.stderr_fd
        self.exit_fd: int | None = self.tree.kept.exit_fd
        self._lines = Lines(line_bytes)
        self.lines = 0
        """How many it has said."""
        self._unsent = b""
        self.stderr = Stderr()
        self.paused = False
        self.stdout_open = True
        self.stderr_open = True
        self._ended = False

    # -- talking

    def send(self, data: bytes) -> bool:
        """Write *data*; return whether all of it is on its way (if not, call `send_rest` when writable)."""
        if self._unsent:
            self._unsent += data
            return False
        try:
            sent = os.write(self.stdin_fd, data)
        except BlockingIOError:
            sent = 0
        except OSError:  # it closed its stdin, or ended: the deadline or the exit will tell
            return True
        if sent == len(data):
            return True
        self._unsent = data[sent:]
        return False

    @property
    def unsent(self) -> bool:
        """Whether something is still to be written, by `send_rest`."""
        return bool(self._unsent)

    def send_rest(self) -> bool:
        """Write on; return whether everything is on its way now."""
        data, self._unsent = self._unsent, b""
        return not data or self.send(data)

    def receive(self) -> list[bytes] | None:
        """Return the lines that have become complete, None if nothing has arrived.

        Sets stdout_open to False at the end of the stream.  Raises protocol.lines.LineTooLong.
        """
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
        """What has arrived of a line whose end has not."""
        return self._lines.rest

    def drain_stderr(self, where: str = "") -> None:
        """Take in what the bot wrote to stderr, most likely while it was at *where*."""
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
        """Return the end of what the bot wrote to stderr, at most *limit* bytes of it: see Stderr.text."""
        if self.stderr_open:
            self.drain_stderr()
        return self.stderr.text(limit, since)

    # -- watching

    def cpu_us(self) -> int | None:
        """Return the CPU time of the process so far, its threads but not its children; None if unknown."""
        try:
            return time.clock_gettime_ns(self._cpu_clock) // 1000
        except (OSError, AttributeError):
            return None

    def use(self) -> Use | None:
        """Return what the process and all that it has started use; None if it cannot be told."""
        return self.tree.use()

    def pids(self) -> list[int]:
        """Return the process and all that it has started."""
        return self.tree.pids()

    def waited_us(self) -> int:
        """Return for how long a thread of the process, or of what it has started, has waited for a core."""
        return waited_us(self.pids())

    def run_on(self, cores: Sequence[int]) -> None:
        """Let the process, and all that it has started, run on *cores* only, with all threads."""
        for pid in self.pids():
            for thread in threads(pid):
                run_on(thread, cores)

    def pause(self) -> None:
        """Let the process and its group do nothing until `resume`."""
        self._signal_group(signal.SIGSTOP, paused=True)

    def resume(self) -> None:
        """Let a paused process go on."""
        self._signal_group(signal.SIGCONT, paused=False)

    def _signal_group(self, number: signal.Signals, *, paused: bool) -> None:
        if not self._ended and self.paused != paused:
            self.paused = paused
            self.tree.signal(number)

    # -- ending

    def exit_status(self, patience: float = 0.0) -> int | None:
        """Return the exit status, or minus the signal, of a process that ends within *patience* seconds."""
        return self.tree.status(patience)

    def say_bye(self, bye: bytes) -> None:
        """Send *bye* and close stdin; the process should exit by itself."""
        if self._ended:
            return
        self.resume()
        self.send(bye)
        self.tree.kept.close(self.stdin_fd)

    def kill(self) -> None:
        """Kill the process with all that it started and close the pipes.  May be called twice."""
        if self._ended:  # its numbers, of process and pipes, may be somebody else's by now
            return
        self._ended = True
        self.tree.kill()
        self.drain_stderr()  # its last words
        self.stdout_open = self.stderr_open = False
        self.exit_fd = None
        self.tree.close()


def run_on(thread: int, cores: Sequence[int]) -> None:
    """Let a thread (0: this one) run on *cores* only, where the system can do that."""
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(thread, cores)


def build(confined: Confined, timeout_s: float) -> tuple[int | None, str]:
    """Run a build command to its end; return its exit status (None: out of time) and its output.

    It may write to its folder and needs more of everything than a bot.  Raises CannotConfine, and LadderError
    for a build that writes too much.
    """
    folder = confined.folder
    confined = replace(confined, building=True, bounds=BUILD)
    with tempfile.TemporaryDirectory(prefix="ladder-build-") as scratch:
        try:
            tree = Tree(confined, Path(scratch), together=True)
        except CannotStart as error:
            return 127, str(error)
        try:
            tree.kept.close(tree.kept.stdin_fd)
            output = _output(tree, time.monotonic() + timeout_s, [folder, Path(scratch)])
            return tree.status(), output.decode("utf-8", "backslashreplace")
        finally:
            tree.kill()
            tree.close()


def _output(tree: Tree, deadline: float, folders: Sequence[Path]) -> bytes:
    """Return what *tree* writes until it ends or the *deadline* has come.

    Raises LadderError as soon as there is too much in one of *folders*.
    """
    poll = select.poll()
    poll.register(tree.kept.stdout_fd, select.POLLIN)
    poll.register(tree.kept.exit_fd, select.POLLIN)
    output = b""
    look_at = time.monotonic() + LOOK_SECONDS
    while (now := time.monotonic()) < deadline:
        if now >= look_at:
            _check_sizes(folders)
            look_at = time.monotonic() + max(LOOK_SECONDS, 10 * (time.monotonic() - now))
        ready = [fd for fd, _ in poll.poll(max(0.0, min(deadline, look_at) - now) * 1000)]
        if tree.kept.stdout_fd in ready:
            said = os.read(tree.kept.stdout_fd, READ_BYTES)
            if not said:
                poll.unregister(tree.kept.stdout_fd)
            output = (output + said)[-OUTPUT_KEPT:]
        elif tree.kept.exit_fd in ready:
            break
    _check_sizes(folders)
    return output


def _check_sizes(folders: Iterable[Path]) -> None:
    """Raise LadderError if one of *folders* holds more than a build may write."""
    for folder in folders:
        files = size = 0
        for each in _entries(str(folder)):
            with suppress(OSError):  # it has gone meanwhile
                files, size = files + 1, size + each.stat(follow_symlinks=False).st_size
            if files > BUILT_FILES or size > BUILT_BYTES:
                most = f"{BUILT_BYTES >> 20:,} MB or {BUILT_FILES:,} files"
                raise LadderError(
                    f"the build was ended: it wrote more than {most}",
                    "let it make less, or remove on its way what the bot does not need; then submit again",
                )


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield what lies in *folder*, at whatever depth."""
    waiting = [folder]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as found:
            for each in found:
                yield each
                if each.is_dir(follow_symlinks=False):
                    waiting.append(each.path)
