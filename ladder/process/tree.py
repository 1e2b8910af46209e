"""A program and all processes that it starts: start them confined, measure them, end them all."""

import contextlib
import os
import resource
from collections.abc import Sequence
from pathlib import Path

from ladder.errors import TooBusy
from ladder.process import spawn
from ladder.process.cgroup import ControlGroup
from ladder.process.patience import Patience
from ladder.process.procfs import Use, children, descendants, read_use
from ladder.sandbox import CannotConfine, Confined, plan_of
from ladder.sandbox.users import Lease

SET_UP = 10.0
"""The most time for bubblewrap to set up a sandbox, in seconds, by Patience; it usually takes 10 ms."""
KILLED = 2.0
"""The time to wait for killed processes to be gone, in seconds."""


class Tree:
    """A process tree confined by a tier."""

    def __init__(self, confined: Confined, scratch: Path | None = None, *, together: bool = False) -> None:
        """Start *confined*; for *scratch* see plan_of, for *together* see spawn.start.

        Raises CannotStart if the program cannot be executed; CannotConfine, or TooBusy where time was
        lacking, if that is not its fault.
        """
        self._namespaced = confined.namespaced
        self._places = ("/tmp", "/dev/shm") if confined.bounds.scratch_mb else ("/dev/shm",)  # noqa: S108
        """Where it can write in its sandbox; without scratch space, what it writes counts as memory."""
        self._lease = Lease() if confined.needs_user else None
        self.user = self._lease.user if self._lease else None
        """The user of this tree alone, if the ladder runs as root."""
        self._lent = [confined.folder, *([scratch] if scratch else [])] if confined.building else []
        """The folders that belong to that user while the tree runs."""
        hides_group = self._namespaced and not confined.building
        self._group = ControlGroup.make() if hides_group else None
        """Counts the CPU time of all its processes, where there is one that they cannot see."""
        try:
            if self.user is not None:
                self._hand_over(self.user)
            plan = plan_of(confined, self.user, scratch)
            if self._group:
                plan["group"] = self._group.folder
            self.spawned = spawn.start(plan, together=together)
        except BaseException:
            self._give_back()
            raise
        self.pid = self.root = self.group = self.spawned.pid
        """The program; the ancestor of all its processes; their process group."""
        if self._namespaced:
            try:
                self._enter(confined.bounds.processes)
            except BaseException:
                self.kill()
                self.close()
                raise
        self._set_up_us = self._group.cpu_us() if self._group else 0

    def status(self, patience: float = 0.0) -> int | None:
        """Return the exit status, or minus the signal; None if the program runs on for *patience* seconds."""
        status = self.spawned.wait(patience)
        if self._namespaced and status is not None and 128 < status < 192:
            return 128 - status  # bubblewrap reports a signal as a shell does
        return status

    def pids(self) -> list[int]:
        """Return the running processes of the tree, as far as the system can tell."""
        orphans = () if self._namespaced else self.spawned.orphans()  # a sandbox keeps its own
        adopted = [pid for pid in orphans if _group(pid) == self.group]
        return descendants(self.root, *adopted)

    def use(self, pids: Sequence[int], *, times_only: bool = False) -> Use | None:
        """Return the use of *pids*, the processes of the tree, or *times_only*; None if unknown."""
        use = read_use(pids, self.pid, times_only=times_only)
        if use and self._group and (all_us := self._group.cpu_us()) is not None:
            all_us, own_us = all_us - (self._set_up_us or 0), use.cpu_us - use.children_us
            use = use._replace(cpu_us=max(use.cpu_us, all_us), children_us=max(0, all_us - own_us))
        if use and self._namespaced and not times_only:
            files, written = self._measure_written()
            held = use.buffer_bytes + (0 if self._places[1:] else written)
            # bubblewrap's own thread is not counted
            return use._replace(threads=use.threads - 1, files=files, buffer_bytes=held)
        return use

    @property
    def counts_all(self) -> bool:
        """Whether `use` contains the CPU time of all processes, also of those that ended unheard."""
        return self._group is not None and self._group.holds(self.pids())

    def _measure_written(self) -> tuple[int, int]:
        """Return the number of the files that it has written in its sandbox, and their bytes."""
        try:
            places = [os.statvfs(f"/proc/{self.root}/root{place}") for place in self._places]
        except OSError:
            return 0, 0
        used = ((place.f_blocks - place.f_bfree) * place.f_frsize for place in places)
        return sum(place.f_files - place.f_ffree for place in places), sum(used)

    def signal(self, number: int) -> None:
        """Send a signal to all processes of the tree, if the program runs."""
        if self.spawned.wait() is None:
            with contextlib.suppress(OSError):
                os.killpg(self.group, number)

    def kill(self) -> None:
        """Kill all processes of the tree and wait until they are gone."""
        self.spawned.kill(KILLED)

    def close(self) -> None:
        """Close the pipes, remove the control group and release the user."""
        self.spawned.close()
        self._give_back()

    def _give_back(self) -> None:
        if self._group:
            self._group.close()
        if self._lease:
            with contextlib.suppress(OSError, RecursionError):  # too deep: then the build is refused
                self._hand_over(os.geteuid())
            self._lease.release()

    def _hand_over(self, user: int) -> None:
        """Give the lent folders to *user* without following links, which a bot may have made."""
        for folder in self._lent:
            for _, folders, files, fd in os.fwalk(folder):
                for name in (".", *folders, *files):
                    os.chown(name, user, user, dir_fd=fd, follow_symlinks=False)

    def _enter(self, processes: int) -> None:
        """Let the program begin, once the sandbox is set up.

        Until then a launcher waits in its place.  Its first line says that bubblewrap will die with the
        spawner; if this process ends before it answers, no bot is started.  The limit of processes is set
        inside, because outside all others of the user would count as well.
        """
        patience = Patience(SET_UP, self.pids)
        if patience.wait(self.spawned.stdout_fd) != "came":
            raise TooBusy(f"bubblewrap has not made a sandbox in {patience.elapsed_s:.0f} s")
        first = os.read(self.spawned.stdout_fd, 1)
        if first != b"\n":
            self.spawned.wait(KILLED)
            said = b"".join(_read_rest(fd) for fd in (self.spawned.stdout_fd, self.spawned.stderr_fd))
            text = (first + said).decode("utf-8", "backslashreplace").strip()
            raise CannotConfine(f"bubblewrap cannot make a sandbox: {text[:500]}")
        try:
            [self.root] = children(self.spawned.pid)
            [self.pid] = children(self.root)
            self.group = os.getpgid(self.pid)
            resource.prlimit(self.pid, resource.RLIMIT_NPROC, (processes, processes))
            self.spawned.hide_machine(self.root)  # if this fails, the self-test finds what bots can see
            os.write(self.spawned.stdin_fd, b"\n")
        except (OSError, ValueError, EOFError) as error:
            raise CannotConfine(f"the sandbox has ended before its bot began: {error}") from None


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def _read_rest(fd: int, limit: int = 4096) -> bytes:
    with contextlib.suppress(OSError):
        return os.read(fd, limit)
    return b""
