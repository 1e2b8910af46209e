"""The spawner's loop: start bots, kill bots, report exit statuses; end all bots when the worker is gone.

The worker sends requests over a stream socket (ladder/spawner/wire.py):

  start a bot        a plan (see ladder.sandbox.Plan) and four descriptors: the bot's stdin, stdout and
                     stderr, and the pipe for its exit status; the answer is its process id, or (reason,
                     message) with the reason "start" or "confine"
  kill a bot         its process id; no answer
  hide the machine   [a process id in a sandbox], whose /proc then shows nothing of the machine; the answer
                     is an error message, or ""

The exit status is reported when all processes of the bot are gone.  Its group is killed, and so is every
process that has left all groups and lost its parent.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import socket
import sys
import time
from typing import Any

from ladder.spawner import restrict
from ladder.spawner.wire import STATUS, receive, send

PATIENCE = 1.0
"""The time to wait for killed processes to be gone, in seconds; they may hang in the kernel."""
STRAYS_MS = 50
"""The time between two checks for killed processes that take longer."""
LINUX = sys.platform == "linux"
LACKING = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ETXTBSY)
"""Errors of a start that say what this machine lacks, and nothing of the program."""


def main(fd: int) -> None:
    """Serve the worker at the other end of socket *fd* until it is gone, then end all its bots."""
    if LINUX:
        restrict.adopt_orphans()
    restrict.keep_nice()
    os.set_inheritable(fd, False)  # no bot may speak to the spawner
    spawner = Spawner(socket.socket(fileno=fd))
    try:
        signal.signal(signal.SIGTERM, _leave)
        spawner.serve()
    except (EOFError, OSError):
        pass  # the worker is gone
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # one may come with the end of the worker, or after it
        spawner.end()


def _leave(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise EOFError


class Spawner:
    """The bots of one worker, by process id, with the pipes for their exit statuses."""

    def __init__(self, worker: socket.socket) -> None:
        self._worker = worker
        self._bots: dict[int, int] = {}
        self._strays = False
        """Whether killed processes still existed at the last check."""

    def serve(self) -> None:
        """Serve the worker's requests forever.  Raises EOFError when it is gone."""
        woken, wake = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        poll = select.poll()
        poll.register(self._worker, select.POLLIN)
        poll.register(woken, select.POLLIN)
        while True:
            ready = {fd for fd, _ in poll.poll(STRAYS_MS if self._strays else None)}
            if woken in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(woken, 4096)
                self._reap()
            if self._strays:
                self._kill_strays(0.0)
            if self._worker.fileno() in ready:
                self._obey()

    def end(self) -> None:
        """Kill every descendant of this process."""
        for bot in self._bots:
            _kill(bot)
        self._bots.clear()
        self._kill_strays(10 * PATIENCE)

    def _obey(self) -> None:
        wanted, fds = receive(self._worker)
        if isinstance(wanted, int):
            if wanted in self._bots:
                _kill(wanted)
        elif isinstance(wanted, list):
            send(self._worker, _hide(*wanted))
        else:
            send(self._worker, self._start(wanted, fds))

    def _start(self, plan: dict[str, Any], fds: list[int]) -> int | tuple[str, str]:
        *streams, status = fds
        said, say = os.pipe()
        spawner = os.getpid()
        pid = os.fork()
        if pid == 0:
            _become_bot(plan, streams, say, spawner)
        os.close(say)
        for fd in streams:
            os.close(fd)
        with open(said, "rb") as pipe:  # noqa: PTH123 - pathlib takes long to load
            failure = pipe.read()  # at its end the process has become the program
        if failure:
            os.waitpid(pid, 0)
            os.close(status)
            why, _, text = failure.decode("utf-8", "replace").partition(" ")
            return why, text
        self._bots[pid] = status
        return pid

    def _reap(self) -> None:
        ended: list[tuple[int, int, int]] = []
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = found
                if pid in self._bots:
                    ended.append((pid, self._bots.pop(pid), status))
        for pid, pipe, status in ended:
            _kill_group(pid)
            self._kill_strays(PATIENCE)
            with contextlib.suppress(OSError):
                os.write(pipe, STATUS.pack(os.waitstatus_to_exitcode(status)))
            os.close(pipe)

    def _kill_strays(self, patience: float) -> None:
        """Kill the processes that belong to no living bot, and those that lose their parent by this."""
        deadline = time.monotonic() + patience
        while strays := [pid for pid in _children() if not self._belongs(pid)]:
            for pid in strays:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            if time.monotonic() > deadline:
                break
            time.sleep(0.0003)
        self._strays = bool(strays)

    def _belongs(self, pid: int) -> bool:
        try:
            return pid in self._bots or os.getpgid(pid) in self._bots
        except ProcessLookupError:
            return False


def _hide(pid: int) -> str:
    """Hide the machine from the sandbox of *pid*, by a child that enters it; return an error, or ""."""
    said, say = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            restrict.hide_machine(pid)
        except BaseException as error:
            os.write(say, str(error).encode())
        finally:
            os._exit(0)
    os.close(say)
    with open(said, "rb") as pipe:  # noqa: PTH123 - pathlib takes long to load
        wrong = pipe.read().decode("utf-8", "replace")
    os.waitpid(child, 0)
    return wrong


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", "rb") as file:  # noqa: PTH123
            return [int(pid) for pid in file.read().split()]
    except FileNotFoundError:  # another system, or a kernel without CONFIG_PROC_CHILDREN
        return []


def _kill(bot: int) -> None:
    """Kill a bot that was not reaped yet, and its group."""
    os.kill(bot, signal.SIGKILL)
    _kill_group(bot)


def _kill_group(bot: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS: the group is ending
        os.killpg(bot, signal.SIGKILL)


def _become_bot(plan: dict[str, Any], streams: list[int], say: int, spawner: int) -> None:
    """Turn this newly forked process into the program of *plan*; on an error, write the reason to *say*."""
    why = "start"
    try:
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        restrict.keep_nice()
        for target, fd in enumerate(streams):
            os.dup2(fd, target)
        os.chdir(plan["folder"])
        why = "confine"
        if plan["group"]:
            _enter_group(plan["group"])
        attached = list(map(_attach, plan["attached"]))
        _confine(plan, spawner)
        arguments = [attached[word] if isinstance(word, int) else word for word in plan["arguments"]]
        why = "start"
        os.execvpe(arguments[0], arguments, plan["environment"])  # noqa: S606
    except BaseException as error:
        if isinstance(error, OSError) and error.errno in LACKING:
            why = "confine"
        os.write(say, f"{why} {error}".encode())
    finally:
        os._exit(127)


def _confine(plan: dict[str, Any], spawner: int) -> None:
    """Restrict this process as *plan* says.  The filter comes last because it forbids the other steps."""
    if plan["cores"]:
        os.sched_setaffinity(0, plan["cores"])
    if plan["user"] is not None:
        restrict.become_user(plan["user"])
    if LINUX:
        restrict.die_with_parent()
    if os.getppid() != spawner:
        raise ChildProcessError("the spawner has ended")
    if plan["files"] is not None:
        restrict.confine_files(plan["files"], plan["network"])
    restrict.set_limits(plan["limits"])
    if plan["filter"] is not None:
        restrict.filter_calls(plan["filter"])


def _enter_group(folder: str) -> None:
    """Have this process, and all that it starts, counted by the control group at *folder*, if it can be."""
    with contextlib.suppress(OSError), open(f"{folder}/cgroup.procs", "w") as file:  # noqa: PTH123 - as above
        file.write("0")


def _attach(content: bytes) -> str:
    """Return the number of an inheritable descriptor from which the program can read *content*."""
    fd = os.memfd_create("attached", 0)
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    return str(fd)
