"""The tier `bwrap`: arguments for bubblewrap 0.8 or later, for root and for ordinary users.

bubblewrap stays in the sandbox as process 1, where the bot can read its arguments and environment.  So its
options go through a descriptor and its environment is empty.  It starts no session, because the spawner has
started one, without a terminal and with the run's nice value (ladder/spawner/main.py).

An ordinary user gets a user namespace.  Root does not: bubblewrap binds files that only root can reach, and
inside, setpriv switches to a user that is not used elsewhere.  A bot with the kernel's user 0 would be exempt
from its limits and could write to /proc/sys.

In /proc a bot sees its own processes and three files without their changing parts (`_proc_files`); the rest
is hidden once the sandbox is set up (ladder.spawner.restrict.hide_machine).
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from ladder.sandbox import runtimes
from ladder.sandbox.plan import CannotConfine, Confined, Plan
from ladder.sandbox.seccomp import filter_of

FOLDER = Path("/bot")
"""The path of the bot's own folder in the sandbox."""
PLACES = "/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin"
"""The folders to find bubblewrap in.  The runner's PATH is not used."""
LAUNCH = ("/bin/sh", "-c", 'echo && read -r _ && exec "$@"', "sh")
"""The first program inside: reports that the sandbox is ready, and waits for a line (ladder.process.tree)."""
DROP = ("--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--")
"""Options of setpriv that drop all privileges of root."""
ROOT = "--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP"
USER = "--unshare-user --uid 1000 --gid 1000 --disable-userns --cap-drop ALL"
"""Options for root, who keeps the capabilities that setpriv needs, and for other users."""
APART = "--unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try --die-with-parent"
MB = 2**20


def apply(plan: Plan, confined: Confined, user: int | None) -> None:
    """Make *plan* start *confined* in bubblewrap, as *user* if the ladder is root.  Raises CannotConfine."""
    if user is not None:
        _check_open(confined.folder)
    drop = () if user is None else ("/usr/bin/setpriv", "--reuid", str(user), "--regid", str(user), *DROP)
    try:
        program = filter_of(
            modes=True, owners=confined.building, network=confined.network, locks=confined.building
        )
    except ValueError as error:
        raise CannotConfine(f"no filter of system calls: {error}") from None
    files = _proc_files()
    words = "\0".join(options(confined, user is not None)).encode() + b"\0"
    plan["attached"] = [words, program, *files.values()]
    bubblewrap: list[str | int] = [_bubblewrap(), "--args", 0, "--seccomp", 1]
    for number, path in enumerate(files, 2):
        bubblewrap += ["--perms", "0444", "--ro-bind-data", number, path]
    plan["arguments"] = [*bubblewrap, "--", *LAUNCH, *drop, *confined.arguments]
    plan["environment"] = {}
    plan["folder"] = "/"


def _check_open(folder: Path) -> None:
    """Raise CannotConfine if the user of a bot could not enter *folder*."""
    try:
        mode = folder.stat().st_mode
    except OSError as error:
        raise CannotConfine(f"the bot's folder cannot be shown to it: {error}") from None
    if mode & 0o005 != 0o005:
        hint = f"chmod -R a+rX {shlex.quote(str(folder))}"
        raise CannotConfine(f"{folder} is closed to all but its owner", hint)


def options(confined: Confined, root: bool) -> Iterator[str]:
    """Yield bubblewrap's options for *confined*: namespaces, environment, files."""
    yield from (ROOT if root else USER).split()
    yield from APART.split()
    if not confined.network:
        yield "--unshare-net"
    yield from ("--hostname", "bot", "--clearenv")
    for name, value in confined.environment.items():
        yield from ("--setenv", name, value)
    yield from _files(confined)


def _files(confined: Confined) -> Iterator[str]:
    scratch = confined.bounds.scratch_mb * MB
    closed = ["/dev", "/"] if scratch else ["/tmp", "/dev", "/"]  # noqa: S108 - in the sandbox
    # Everything is laid over an empty root in this order; a later option covers what an earlier one has
    # shown.
    yield from ("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev")
    yield from ("--perms", "1777", "--size", str(scratch // 4 or MB), "--tmpfs", "/dev/shm")  # noqa: S108
    yield from ("--perms", "1777", "--size", str(scratch or MB), "--tmpfs", "/tmp")  # noqa: S108
    yield from ("--perms", "0755", "--dir", "/etc")
    if confined.network:
        for name in runtimes.NETWORK:
            if Path(name).exists():
                yield from _bind(Path(name))
    shown = runtimes.programs(confined.arguments[0], confined.folder, confined.readable)
    settings = [path for path in runtimes.settings() if path not in shown] if confined.building else []
    for path in (*runtimes.system(), *settings):
        if path.is_symlink() and path.parent == Path("/"):
            yield from ("--symlink", str(path.readlink()), str(path))
        else:
            yield from _bind(path)
    covered = runtimes.exposed_home(confined.folder, shown)
    for path in sorted([*shown, *covered]):  # parents come before their children
        yield from ("--tmpfs", str(path)) if path in covered else _place(path, (*runtimes.system(), *shown))
    yield from ("--bind" if confined.building else "--ro-bind", str(confined.folder.resolve()), str(FOLDER))
    yield from ("--chdir", str(FOLDER))
    # Read-only last: the options above still make folders and mount points in these places.
    for place in (*map(str, covered), *closed):
        yield from ("--remount-ro", place)


@cache
def _proc_files() -> dict[str, bytes]:
    """Return the files in /proc by which runtimes adapt to the machine, without their changing parts."""
    cores = range(os.cpu_count() or 1)
    times = [b"cpu" + core + b" 0 0 0 0 0 0 0 0 0 0\n" for core in (b" ", *(b"%d" % core for core in cores))]
    pages, page = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    memory = [
        b"%s: %d kB\n" % (name, pages * page // 1024) for name in (b"MemTotal", b"MemFree", b"MemAvailable")
    ]
    processors = Path("/proc/cpuinfo").read_bytes().splitlines(keepends=True)
    return {
        "/proc/cpuinfo": b"".join(line for line in processors if not line.startswith(b"cpu MHz")),
        "/proc/meminfo": b"".join(memory),
        "/proc/stat": b"".join(times),
    }


def _place(path: Path, roots: Iterable[Path]) -> Iterator[str]:
    """Yield options that show *path*: as a link if it is one to a file below *roots*, else as `_bind` does.

    Some programs, such as gcc, look for their parts beside the file that they were called by.
    """
    real = path.resolve()
    if real != path and real.is_file() and any(real.is_relative_to(root) for root in roots):
        yield from (*_folders(path), "--symlink", str(real), str(path))
    else:
        yield from _bind(path)


def _bind(path: Path) -> Iterator[str]:
    """Yield options that show *path* in its own place, where programs find their parts, and nothing else."""
    yield from (*_folders(path), "--ro-bind", str(path), str(path))


def _folders(path: Path) -> Iterator[str]:
    """Yield options that make the folders above *path*."""
    for parent in reversed(path.parents[:-1]):
        yield from ("--perms", "0755", "--dir", str(parent))


@cache
def _bubblewrap() -> str:
    if not (found := shutil.which("bwrap", path=PLACES)):
        raise CannotConfine("bubblewrap is not installed", "apt install bubblewrap, or your system's like")
    return found
