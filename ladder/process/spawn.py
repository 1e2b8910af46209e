"""Start bots through the spawner, a process that also ends them however the worker ends.

This is the worker's side; the other is ladder/spawner.  Bots are children of the spawner, not of the worker.
"""

import atexit
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from threading import Lock, current_thread, main_thread

from ladder.errors import LadderError
from ladder.machine.installation import ROOT
from ladder.process.procfs import children
from ladder.process.unmeasured import Pipes, is_readable
from ladder.sandbox.plan import CannotConfine, Plan
from ladder.spawner.wire import STATUS, receive, send

PROGRAM = """
import sys
sys.path.append(sys.argv[1])
from ladder.spawner.main import main
try:
    main(int(sys.argv[2]))
except Exception as error:
    from ladder.machine.unexpected import summarize
    sys.exit(f"ladder: the process that starts bots gives up: {summarize(error)}")
"""


class CannotStart(Exception):
    """The program could not be executed."""


class SpawnerEnded(LadderError):
    """The spawner was killed, and its bots with it.  That is no fault of the bots."""

    exit_code = 8


class Spawned(Pipes):
    """A process that the spawner has started; `exit_fd` waits for all that it started as well."""

    def __init__(self, spawner: "_Spawner", pid: int, fds: Sequence[int]) -> None:
        super().__init__(fds)
        self._spawner = spawner
        self.spawner_pid = spawner.pid
        self.pid = pid
        self.stdin_fd, self.stdout_fd, self.stderr_fd, self.exit_fd = fds
        self.status: int | None = None
        """The exit status, or minus the signal."""
        spawner.roots.add(pid)
        for fd in fds:
            os.set_blocking(fd, False)

    def wait(self, patience: float = 0.0) -> int | None:
        """Wait for its end up to *patience* seconds; return its status or None.  Raises SpawnerEnded."""
        if self.status is None and self.exit_fd in self._open and is_readable(self.exit_fd, patience):
            if not (data := os.read(self.exit_fd, STATUS.size)):
                raise SpawnerEnded("the process that starts bots was killed")
            (self.status,) = STATUS.unpack(data)
            self._spawner.roots.discard(self.pid)
        return self.status

    def kill(self, patience: float) -> None:
        """Kill the process and all that it started; wait at most *patience* seconds for them to be gone."""
        if self.status is None:
            self._spawner.kill(self.pid)
            with contextlib.suppress(SpawnerEnded):
                self.wait(patience)

    def orphans(self) -> list[int]:
        """Return the children of the spawner that it has not started: processes that lost their parents."""
        return [pid for pid in children(self.spawner_pid) if pid not in self._spawner.roots]

    def hide_machine(self, pid: int) -> str:
        """Hide the machine from the sandbox of process *pid*; return an error message or "".

        Raises OSError, EOFError.
        """
        return self._spawner.hide_machine(pid)


def start(plan: Plan, *, together: bool = False) -> Spawned:
    """Start a process; *together*: stderr as stdout.  Raises CannotStart, CannotConfine, SpawnerEnded."""
    sys.audit("ladder.process.start", " ".join(map(str, plan["arguments"])))  # its spawner may run already
    ours: list[int] = []
    theirs: list[int] = []
    for to_us in (False, True, True, True):
        read, write = os.pipe()
        ours.append(read if to_us else write)
        theirs.append(write if to_us else read)
    try:
        sent = [theirs[0], theirs[1], theirs[1] if together else theirs[2], theirs[3]]
        spawner = _get_spawner()
        answer = spawner.start(plan, sent)
    except (EOFError, OSError) as error:
        _close(ours)
        raise SpawnerEnded(f"the process that starts bots was killed: {error}") from None
    finally:
        _close(theirs)
    if isinstance(answer, int):
        return Spawned(spawner, answer, ours)
    _close(ours)
    why, text = answer
    raise CannotStart(text) if why == "start" else CannotConfine(f"a bot cannot be confined: {text}")


class _Spawner:
    """The spawner of this process.  Several threads may use it: one request at a time is on its way."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._lock = Lock()
        self.roots: set[int] = set()
        """The processes that it has started and that run, as far as known."""
        self._socket, other = socket.socketpair()
        try:
            self._process = subprocess.Popen(
                # A small interpreter without site-packages.  It forks for each bot and confines the child
                # before its exec, which is not safe in a process with threads (subprocess warns of
                # preexec_fn), and takes longer the more a process has loaded.  And it outlives this worker,
                # so it can end the bots however the worker ends.
                [sys.executable, "-I", "-S", "-c", PROGRAM, ROOT, str(other.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[other.fileno()],
                start_new_session=True,  # out of reach of the terminal's Ctrl-C
            )
        finally:
            other.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self.owner == os.getpid() and self._process.poll() is None

    def kill(self, pid: int) -> None:
        with contextlib.suppress(OSError), self._lock:  # OSError: the spawner is gone, and its bots with it
            send(self._socket, pid)

    def hide_machine(self, pid: int) -> str:
        with self._lock:
            send(self._socket, [pid])
            return str(receive(self._socket)[0])

    def start(self, plan: Plan, fds: Sequence[int]) -> int | tuple[str, str]:
        """Return the process id, or (reason, message).  Raises EOFError, OSError."""
        with self._lock:
            send(self._socket, dict(plan), fds)
            answer: int | tuple[str, str] = receive(self._socket)[0]
        return answer

    def close(self) -> None:
        self._socket.close()
        if self.owner == os.getpid():
            self._process.wait()


_spawner: _Spawner | None = None
_beginning = Lock()


def _get_spawner() -> _Spawner:
    """Return the spawner of this process; start one if needed, also after one was killed."""
    global _spawner
    with _beginning:
        # Not alive, also, in a forked child of the process that started it: two processes must not share a
        # socket.
        if _spawner is None or not _spawner.alive:
            if _spawner is not None:
                _spawner.close()
            _spawner = _Spawner()
            atexit.register(_close_at_exit, _spawner)
        return _spawner


def _close_at_exit(spawner: _Spawner) -> None:
    """Close *spawner* undisturbed: a signal whose handler raises would print a traceback here."""
    if current_thread() is main_thread():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    spawner.close()


def _close(fds: list[int]) -> None:
    for fd in fds:
        os.close(fd)
