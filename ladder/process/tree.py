"""A program and all processes that it starts: start them confined, measure them, end them all."""

import contextlib
import itertools
import os
import resource
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from ladder.errors import TooBusy
from ladder.process import spawn
from ladder.process.patience import Patience
from ladder.process.procfs import Use, children, descendants, read_use
from ladder.sandbox import CannotConfine, Confined, plan_of
from ladder.sandbox.users import Lease

_PREFIX = "ladder-"
"""Groups are called ladder-PID-NUMBER, by the process that made them."""


class _Place(NamedTuple):
    """Where groups can be made."""

    folder: Path
    unified: bool
    """Whether it is of version 2."""


class ControlGroup:
    """A control group for the processes of one bot."""

    @classmethod
    def make(cls) -> Self | None:
        """Return a new group; None where there are none."""
        global _place, _place_of
        if _place_of != os.getpid():
            _place, _place_of = find_place(), os.getpid()
        if _place is None:
            return None
        folder = _place.folder / f"{_PREFIX}{os.getpid()}-{next(_numbers)}"
        try:
            folder.mkdir()
        except OSError:
            return None
        return cls(folder, _place.unified)

    def __init__(self, folder: Path, unified: bool) -> None:
        """Use the group at *folder*, of version 2 if *unified*."""
        self.folder = str(folder)
        self._unified = unified

    def cpu_us(self) -> int | None:
        """Return the CPU time that its processes have used, in microseconds; None if that is not known."""
        try:
            if self._unified:
                words = Path(self.folder, "cpu.stat").read_text().split()
                return int(words[words.index("usage_usec") + 1])
            return int(Path(self.folder, "cpuacct.usage").read_text()) // 1000
        except (OSError, ValueError):
            return None

    def holds(self, pids: Iterable[int]) -> bool:
        """Return whether all processes *pids* are in it: then their CPU time is counted."""
        try:
            inside = set(map(int, Path(self.folder, "cgroup.procs").read_text().split()))
        except (OSError, ValueError):
            return False
        return inside.issuperset(pids)

    def close(self) -> None:
        """Remove the group; if processes still end in it, the next ladder does."""
        with contextlib.suppress(OSError):
            os.rmdir(self.folder)  # noqa: PTH106 - its files are the kernel's


_place: _Place | None = None
_place_of = 0
"""The process that has looked for the place: a fork looks again."""
_numbers = itertools.count()


def find_place(proc: Path = Path("/proc")) -> _Place | None:
    """Return where groups can be made: below ours, of version 2 or CPU accounting; *proc*: /proc."""
    try:
        own = [line.split(":", 2) for line in (proc / "self/cgroup").read_text().splitlines()]
        mounts = [line.split() for line in (proc / "self/mountinfo").read_text().splitlines()]
    except OSError:
        return None
    for unified in (True, False):
        for _, controllers, path in own:
            if (controllers == "") if unified else ("cpuacct" in controllers.split(",")):
                for mount in mounts:
                    place = _Place(Path(mount[4], _below(path, mount[3])), unified)
                    if _is_of(mount, unified) and _works(place):
                        return place
    return None


def _is_of(mount: list[str], unified: bool) -> bool:
    """Return whether *mount*, a line of mountinfo in words, is of that version."""
    kind, _, options = mount[mount.index("-") + 1 :]
    return kind == "cgroup2" if unified else kind == "cgroup" and "cpuacct" in options.split(",")


def _below(path: str, root: str) -> str:
    """Return *path*, of a group, relative to the group *root*, which is mounted."""
    return os.path.relpath(path, root) if path.startswith(root) else path.lstrip("/")


def _works(place: _Place) -> bool:
    """Return whether a group can be made there and counts; remove those that dead ladders have left."""
    if not os.access(place.folder, os.W_OK):
        return False
    for left in place.folder.glob(f"{_PREFIX}*-*"):
        maker = left.name.split("-")[1]
        if maker.isdecimal() and not Path("/proc", maker).exists():
            with contextlib.suppress(OSError):
                left.rmdir()
    tried = place.folder / f"{_PREFIX}{os.getpid()}-try"
    try:
        tried.mkdir()
    except OSError:
        return False
    group = ControlGroup(tried, place.unified)
    try:
        return group.cpu_us() is not None
    finally:
        group.close()


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
