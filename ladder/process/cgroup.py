"""Control groups that count the CPU time of a bot's processes, also of those that end unheard (cgroups(7)).

A group exists only where this process may make one: on Linux, as root or with a delegated hierarchy.  It
limits nothing.  A bot can read the name of its group, by which it could tell processes apart, unless it has a
namespace of groups, which begins with its own: so only bots in a sandbox of bubblewrap get one.
"""

import contextlib
import itertools
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

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
