"""A program with all the processes that it starts, from its confined beginning to its certain end."""

from __future__ import annotations

import contextlib
import os
import resource
import select
from pathlib import Path

from ladder.process import spawn
from ladder.process.procfs import Use, children, read_use
from ladder.sandbox import CannotConfine, Confined, plan_of
from ladder.sandbox.users import Lease

__all__ = ["Tree"]

SET_UP = 10.0
"""How long bubblewrap may take to make its sandbox, in seconds; it takes 10 ms."""
KILLED = 2.0
"""How long to wait for processes that have been killed, in seconds."""


class Tree:
    """A process tree under a tier."""

    def __init__(self, confined: Confined, scratch: Path | None = None, *, together: bool = False) -> None:
        """Start *confined*; *scratch*, *together*: see plan_of and spawner.start.

        Raises CannotStart if the program cannot be executed, CannotConfine if that is not its fault.
        """
        self._namespaced = confined.namespaced
        self._scratch = confined.bounds.scratch_mb > 0
        self._lease = Lease() if confined.needs_user else None
        self.user = self._lease.user if self._lease else None
        """The user that the tree has for itself, if it is root who starts it."""
        self._lent = [confined.folder, *([scratch] if scratch else [])] if confined.building else []
        """What the user may write to, and gives back."""
        try:
            if self.user is not None:
                self._hand_over(self.user)
            self.spawned = spawn.start(plan_of(confined, self.user, scratch), together=together)
        except BaseException:
            self._give_back()
            raise
        self.pid = self.root = self.group = self.spawned.pid
        """The program itself; the process that all others descend from; the group that all are in."""
        if self._namespaced:
            try:
                self._enter(confined.bounds.processes)
            except BaseException:
                self.kill()
                self.close()
                raise

    def status(self, patience: float = 0.0) -> int | None:
        """Return the exit status, or minus the signal, of a program that ends within *patience* seconds."""
        status = self.spawned.wait(patience)
        if self._namespaced and status is not None and 128 < status < 192:
            return 128 - status  # what bubblewrap makes of a signal, like any shell
        return status

    def pids(self) -> list[int]:
        """Return the processes of the tree that run now, where the system can tell."""
        orphans = () if self._namespaced else children(self.spawned.spawner_pid)  # a sandbox keeps its own
        adopted = [pid for pid in orphans if _group(pid) == self.group]
        found = list(dict.fromkeys([self.root, *adopted]))  # whom all others descend from
        for pid in found:
            found += children(pid)
        return found

    def use(self) -> Use | None:
        """Return what the processes of the tree use; None if it cannot be told."""
        use = read_use(self.pids(), self.pid)
        if use and self._namespaced:
            return use._replace(
                threads=use.threads - 1, files=self._files()
            )  # bubblewrap's own is not counted
        return use

    def _files(self) -> int:
        """Return how many files lie in the scratch space, if there is one."""
        if not self._scratch:
            return 0
        try:
            places = [os.statvfs(f"/proc/{self.root}/root{place}") for place in ("/tmp", "/dev/shm")]  # noqa: S108
        except OSError:
            return 0
        return sum(place.f_files - place.f_ffree for place in places)

    def signal(self, number: int) -> None:
        """Send a signal to all processes of the tree, if the program runs."""
        if self.spawned.wait() is None:
            with contextlib.suppress(OSError):
                os.killpg(self.group, number)

    def kill(self) -> None:
        """End all processes of the tree, and see them gone."""
        self.spawned.kill(KILLED)

    def close(self) -> None:
        """Give back what the tree had: pipes, user."""
        self.spawned.close()
        self._give_back()

    def _give_back(self) -> None:
        if self._lease:
            self._hand_over(os.geteuid())
            self._lease.release()

    def _hand_over(self, user: int) -> None:
        """Make what is lent the property of *user*, following no link that a bot may have made."""
        for folder in self._lent:
            for _, folders, files, fd in os.fwalk(folder):
                for name in (".", *folders, *files):
                    os.chown(name, user, user, dir_fd=fd, follow_symlinks=False)

    def _enter(self, processes: int) -> None:
        """Let the program begin, once the sandbox stands.

        Until then a launcher has its place, whose first line says that bubblewrap will die with the spawner:
        if this process ends before it answers, no bot has been started.  Processes are counted inside, for
        outside they would be added to all others of the user.
        """
        self._await_launcher()
        try:
            [self.root] = children(self.spawned.pid)
            [self.pid] = children(self.root)
            self.group = os.getpgid(self.pid)
            resource.prlimit(self.pid, resource.RLIMIT_NPROC, (processes, processes))
            self.spawned.hide_machine(self.root)  # where it cannot be done, the self-test finds what is seen
            os.write(self.spawned.stdin_fd, b"\n")
        except (OSError, ValueError, EOFError) as error:
            raise CannotConfine(f"the sandbox has ended before its bot began: {error}") from None

    def _await_launcher(self) -> None:
        poll = select.poll()
        poll.register(self.spawned.stdout_fd, select.POLLIN)
        if not poll.poll(SET_UP * 1000):
            raise CannotConfine(f"bubblewrap has not made a sandbox within {SET_UP:.0f} s")
        first = os.read(self.spawned.stdout_fd, 1)
        if first != b"\n":
            self.spawned.wait(KILLED)
            said = b"".join(_read_rest(fd) for fd in (self.spawned.stdout_fd, self.spawned.stderr_fd))
            text = (first + said).decode("utf-8", "backslashreplace").strip()
            raise CannotConfine(f"bubblewrap cannot make a sandbox: {text[:500]}")


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def _read_rest(fd: int, limit: int = 4096) -> bytes:
    with contextlib.suppress(OSError):
        return os.read(fd, limit)
    return b""
