"""The probe bot of the self-test: attempts what no bot may do, and reports which attempts succeeded.

It reads its targets as one JSON object and answers with another: the attempts that succeeded, by kind.  It
also leaves a daemon behind.  It does no harm even if nothing confines it.
"""

import _thread
import contextlib
import ctypes
import fcntl
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Targets = dict[str, Any]
Found = Iterator[str]

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
X86 = os.uname().machine == "x86_64"
KEYCTL = 250 if X86 else 219
IO_SETUP = 206 if X86 else 0
CACHESTAT = 451
IO_URING_SETUP = 425
PTRACE_SEIZE = 0x4206
CLONE_NEWUSER = 0x10000000
SHARED_ANONYMOUS = 0x21
MAP_SHARED, MADV_PAGEOUT = 1, 21
PAGE = 4096
COUNTERS = (
    *("loadavg", "uptime", "vmstat", "interrupts", "softirqs", "diskstats", "schedstat", "buddyinfo"),
    *("zoneinfo", "swaps", "locks", "key-users", "slabinfo", "pagetypeinfo", "timer_list", "sysvipc/shm"),
    *("pressure/cpu", "pressure/memory", "pressure/io", "sys/fs/file-nr", "sys/fs/inode-nr"),
    *("sys/fs/aio-nr", "sys/fs/dentry-state", "sys/kernel/pty/nr", "sys/kernel/ns_last_pid"),
    "sys/kernel/random/entropy_avail",
)
"""Files in /proc with counters of the whole machine, besides `stat` and `meminfo`."""
OF_THE_SHELL = {"PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE", "PYTHONPATH"}


def files(targets: Targets) -> Found:
    for path in (*targets["files"], "/etc/shadow"):
        yield from attempt(f"read {path}", Path(path).read_bytes)
    for folder in targets["folders"]:
        yield from attempt(f"listed {folder}", partial(os.listdir, folder))


def writing(targets: Targets) -> Found:
    shared = ("/tmp", "/var/tmp")  # noqa: S108 - this is what it attempts
    yield from attempt("wrote more than 1 MB to /dev/shm", partial(leave_nothing_in, Path("/dev/shm"), 2**21))  # noqa: S108
    for folder in (".", Path(sys.executable).parent, *shared, *targets["folders"]):
        yield from attempt(f"wrote to {folder}", partial(leave_nothing_in, Path(folder)))
    settings = Path("/proc/sys/kernel/core_pattern")
    yield from attempt("opened /proc/sys for writing", lambda: settings.open("a").close())
    for file in map(Path, (__file__, *targets["files"])):
        yield from attempt(f"cut {file}", partial(same_size, file))
        yield from attempt(f"set the mode of {file}", partial(same_mode, file))


def leave_nothing_in(folder: Path, size: int = 0) -> None:
    file = folder / f"ladder-selftest-{os.getpid()}"
    file.touch(exist_ok=False)
    try:
        file.write_bytes(bytes(size))
    finally:
        file.unlink()


def same_size(file: Path) -> None:
    os.truncate(file, file.stat().st_size)


def same_mode(file: Path) -> None:
    file.chmod(file.stat().st_mode)


def runner(targets: Targets) -> Found:
    if strange := set(os.environ) - set(targets["environment"]) - OF_THE_SHELL:
        yield f"found {', '.join(sorted(strange))} in its environment"
    for fd in range(3, 1024):
        yield from attempt(f"inherited descriptor {fd}", partial(os.fstat, fd))
    for pid in (1, os.getppid(), *runner_in(targets)):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/environ").read_bytes():
                yield f"read the environment of process {pid}"


def runner_in(targets: Targets) -> list[int]:
    """Return the runner's number, unless a process of this sandbox has it: sandboxes count from 1."""
    pid, own = targets["runner"], Path("/proc/self/cmdline")
    if pid in (1, os.getpid(), os.getppid()):
        return []
    with contextlib.suppress(OSError):
        if Path(f"/proc/{pid}/cmdline").read_bytes() == own.read_bytes():
            return []
    return [pid]


def network(targets: Targets) -> Found:
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, socket.AF_VSOCK):
        yield from attempt(f"opened a socket ({family.name})", partial(socket.socket, family))
    server = ("127.0.0.1", targets["port"])
    yield from attempt("reached a server of this machine", lambda: socket.create_connection(server, 1))
    datagrams = (socket.AF_UNIX, socket.SOCK_DGRAM)
    yield from attempt("opened sockets that send anywhere", lambda: socket.socketpair(*datagrams))


def processes(targets: Targets) -> Found:
    for pid in runner_in(targets):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/cmdline").read_text() == targets["command"]:
                yield "saw the runner"
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGURG)  # the runner reports whether it arrived
        trace = partial(call, "ptrace", PTRACE_SEIZE, pid, 0, 0)
        yield from attempt(
            "may trace the runner", partial(in_a_child, trace)
        )  # the child ends at once, and so does its trace
        room = ctypes.create_string_buffer(16)
        yield from attempt("may limit the runner", partial(call, "prlimit", pid, 7, None, room))
        yield from attempt("may watch the runner", partial(os.pidfd_open, pid))


def group(_: Targets) -> Found:
    yield from attempt("left its group", lambda: in_a_child(lambda: os.setpgid(0, 0)))
    yield from attempt("left its session", lambda: in_a_child(os.setsid))


def kernel(_: Targets) -> Found:
    namespace = "made a user namespace"
    yield from attempt(namespace, lambda: in_a_child(lambda: call("unshare", CLONE_NEWUSER)))
    try:
        call("mount", b"none", b"/", b"no-such-thing", 0, None)
    except PermissionError:
        pass
    except OSError:  # the kernel permitted the attempt
        yield "may mount"
    room = ctypes.create_string_buffer(256)
    yield from attempt("made an io_uring", lambda: call("syscall", IO_URING_SETUP, 1, room))


def channels(targets: Targets) -> Found:
    lock = fcntl.LOCK_SH | fcntl.LOCK_NB
    with Path(sys.executable).open("rb") as shared:
        yield from attempt("locked a shared file", lambda: fcntl.flock(shared, lock))
        yield from attempt("locked a part of a shared file", lambda: fcntl.lockf(shared, lock))
    yield from attempt("watched files", lambda: call("inotify_init1", 0))
    yield from attempt("used a keyring", lambda: call("syscall", KEYCTL, 0, -3, 1))
    yield from attempt("shared memory", lambda: call("shmctl", call("shmget", 0, 4096, 0o1600), 0, None))

    yield from page_cache(Path(os.__file__))
    room = ctypes.create_string_buffer(8)
    yield from attempt(
        "counted the requests of all processes (io_setup)", lambda: call("syscall", IO_SETUP, 1, room)
    )
    for pid in (1, *runner_in(targets)):
        clock = ~pid << 3 | 2
        yield from attempt(f"read the CPU clock of process {pid}", partial(time.clock_gettime, clock))
    yield from attempt("read the free space of a disk", lambda: os.statvfs("/"))


def page_cache(path: Path) -> Found:
    """Try to read or change which pages of a file are in memory.  One page is, because it was just read."""
    with path.open("rb") as shared:
        fd = shared.fileno()
        shared.read(1)
        pages, room = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
        page = ctypes.c_void_p(libc.mmap(None, PAGE, 1, MAP_SHARED, fd, 0))
        if hasattr(os, "RWF_NOWAIT"):
            without_waiting = partial(os.preadv, fd, [bytearray(1)], 0, os.RWF_NOWAIT)
            yield from attempt("read from the page cache only", without_waiting)
        yield from attempt("listed the page cache", lambda: call("mincore", page, PAGE, pages))
        cachestat = partial(call, "syscall", CACHESTAT, fd, room, pages, 0)
        yield from attempt("counted the page cache", cachestat)
        yield from attempt("filled the page cache", lambda: call("readahead", fd, 0, PAGE))
        yield from attempt("evicted a page", lambda: call("madvise", page, PAGE, MADV_PAGEOUT))
        out_of_cache = partial(os.posix_fadvise, fd, 0, 0, os.POSIX_FADV_DONTNEED)
        yield from attempt("emptied the page cache", out_of_cache)


def counters(_: Targets) -> Found:
    for name in COUNTERS:
        with contextlib.suppress(OSError):
            if Path("/proc", name).read_bytes():
                yield f"read /proc/{name}"
    with contextlib.suppress(OSError):
        if any(map(int, Path("/proc/stat").read_text().splitlines()[0].split()[1:])):
            yield "read the load of the machine in /proc/stat"
    with contextlib.suppress(OSError):
        total, free = (int(line.split()[1]) for line in Path("/proc/meminfo").read_text().splitlines()[:2])
        if free < total:
            yield "read the memory use of the machine in /proc/meminfo"


def memory(targets: Targets) -> Found:
    yield from attempt("took more than its limit", lambda: bytearray(targets["memory_mb"] * 2**20))
    yield from attempt("took memory that no limit counts", map_shared)
    yield from attempt("kept memory in an anonymous file", lambda: os.memfd_create("x"))


def map_shared() -> None:
    if libc.mmap(None, 2**20, 3, SHARED_ANONYMOUS, -1, 0) == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "mmap")


def storm(targets: Targets) -> Found:
    gate = _thread.allocate_lock()
    gate.acquire()

    def wait() -> None:
        with gate:
            pass

    _thread.stack_size(65536)
    try:
        for _ in range(targets["threads"]):
            _thread.start_new_thread(wait, ())
        yield f"started {targets['threads']} threads"
    except RuntimeError:
        pass
    finally:
        gate.release()


def python(_: Targets) -> Found:
    for name in ("engines", "protocol.client"):
        with contextlib.suppress(ImportError):
            if find_spec(name):
                continue
        yield f"cannot import {name}"


def call(name: str, *arguments: Any) -> int:
    """Call a function of the C library.  Raises OSError if it fails."""
    result = int(getattr(libc, name)(*arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def in_a_child(how: Callable[[], object]) -> None:
    """Call *how* in a child process.  Raises OSError if it fails."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(OSError):
            how()
            os._exit(0)
        os._exit(1)
    if os.waitpid(child, 0)[1]:
        raise OSError


def attempt(what: str, how: Callable[[], object]) -> Found:
    """Yield *what* if *how* succeeds."""
    with contextlib.suppress(OSError, MemoryError):
        how()
        yield what


def leave_a_daemon() -> None:
    if os.fork() == 0:
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            for fd in range(3):
                os.close(fd)
            while True:
                signal.pause()
        os._exit(0)
    os.wait()


ATTEMPTS = (
    *(files, writing, runner, network, processes, group),
    *(kernel, channels, counters, memory, storm, python),
)

if __name__ == "__main__":
    targets = json.loads(sys.stdin.readline())
    leave_a_daemon()
    answer = {attempts.__name__: list(attempts(targets)) for attempts in ATTEMPTS}
    print(json.dumps(answer), flush=True)
    sys.stdin.read()
