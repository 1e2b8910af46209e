"""Restrict a process before it becomes a bot: limits, another user, Landlock, the system call filter.

Each step holds for the process and everything that it starts, and cannot be undone.  One step acts on a
finished sandbox from outside: `hide_machine`.
Sources: landlock(7), seccomp(2), capabilities(7), prctl(2), proc(5), namespaces(7).
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import struct
import time
from collections.abc import Iterable, Sequence

PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 8, 22, 38
PR_SET_CHILD_SUBREAPER, PR_CAPBSET_DROP, PR_CAP_AMBIENT = 36, 24, 47
PR_CAP_AMBIENT_RAISE = 2
PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP = 28, 1 << 2
SECCOMP_MODE_FILTER = 2
CAP_DAC_READ_SEARCH = 2
SIGKILL = 9

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Landlock's calls have the same numbers on every machine."""
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
TRUNCATE = 1 << 14
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""The number of rights over files that each version of Landlock knows; later ones know as many as 5."""
ALLOWED = {
    "read": EXECUTE | READ_FILE | READ_DIR,
    "device": READ_FILE | WRITE_FILE,
    "write": (1 << 15) - 1 - (1 << 6) - (1 << 9) - (1 << 11),  # except to make devices and sockets
}
"""The rights that each kind of rule gives below its path."""

PATIENCE = 5.0
"""The time to try to set the nice value of a session, in seconds."""
FSPICK, FSCONFIG = 433, 431
SET_STRING, RECONFIGURE = 1, 7
"""Commands of fsconfig: set an option, apply it (FSCONFIG_SET_STRING, FSCONFIG_CMD_RECONFIGURE)."""
CLOSE_ON_EXEC, HERE = 1, -100
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
NS_GET_USERNS = 0xB701

_ONESELF = struct.pack("=Ii", 0x20080522, 0)
"""The header for capget and capset: version 3, this process."""
_libc = ctypes.CDLL(None, use_errno=True)


def keep_nice() -> None:
    """Give the new session of this process the nice value of the process itself.

    If the kernel groups processes by session (autogroups, sched(7)), a session has a nice value of its own,
    0 at first.  All users except root together may set one such value per 0.1 s, so this tries repeatedly.
    """
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    deadline = time.monotonic() + PATIENCE
    while nice and not _set_session(nice) and time.monotonic() < deadline:
        time.sleep(0.02)


def _set_session(nice: int) -> bool:
    """Give the session of this process a *nice* value; return False if it is worth another try."""
    try:
        group = os.open("/proc/self/autogroup", os.O_WRONLY | os.O_CLOEXEC)
    except OSError:  # another system, or a kernel without autogroups
        return True
    try:
        os.write(group, b"%d" % nice)
    except BlockingIOError:
        return False
    except OSError:  # the value is not permitted
        return True
    finally:
        os.close(group)
    return True


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends."""
    _prctl(PR_SET_PDEATHSIG, SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of all orphans among this process's descendants."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def set_limits(limits: Iterable[tuple[int, int]]) -> None:
    """Lower resource limits, soft and hard; a limit that is lower already stays."""
    for what, most in limits:
        _, hard = resource.getrlimit(what)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (least, least))


def become_user(user: int) -> None:
    """Become *user* and the group of the same number, with no capability except to find and read files.

    That one (CAP_DAC_READ_SEARCH, if root has it) lets a bot reach files that only root can, such as an
    interpreter below /root.  Landlock then decides which files it may read.
    """
    permitted = _read_permitted()
    kept = permitted & (1 << CAP_DAC_READ_SEARCH)
    with contextlib.suppress(OSError):  # root in a container may not be allowed to
        if kept:  # without this, access(2), which compilers use to find their parts, ignores it
            _prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP)
    with contextlib.suppress(OSError):  # an unknown capability, or root may not drop it
        for capability in range(64):
            if not kept >> capability & 1:
                _prctl(PR_CAPBSET_DROP, capability)
    os.setgroups([])
    _prctl(PR_SET_KEEPCAPS, 1)
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    _check(_libc.capset(_ONESELF, struct.pack("=6I", kept, kept, kept, 0, 0, 0)))
    if kept:
        _prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH)


def landlock_abi() -> int:
    """Return the kernel's version of Landlock, 0 if it has none."""
    return max(0, int(_libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def confine_files(rules: Sequence[tuple[str, str]], network: bool) -> None:
    """Allow this process only the files that *rules* name; a rule is a kind from ALLOWED and a path.

    As far as the kernel's Landlock supports it, also forbid TCP (unless *network*), signals to other
    processes, and abstract unix sockets.  Missing paths are skipped.  Raises OSError.
    """
    abi = landlock_abi()
    handled = (1 << RIGHTS[min(abi, 5)]) - 1
    attributes = struct.pack("=QQQ", handled, 0 if network else 3, 3)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = _check(_libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(size), 0))
    for what, path in rules:
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        allowed = ALLOWED[what] & handled
        if not os.path.isdir(path):  # noqa: PTH112 - pathlib takes long to load
            allowed &= OF_FILES
        rule = struct.pack("=Qi", allowed, fd)
        _check(_libc.syscall(ADD_RULE, ruleset, 1, rule, 0))
        os.close(fd)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _check(_libc.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def filter_calls(program: bytes) -> None:
    """Install a seccomp filter.  Raises OSError."""
    array = ctypes.create_string_buffer(program, len(program))
    fprog = struct.pack("@HP", len(program) // 8, ctypes.addressof(array))
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _check(_libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, fprog, 0, 0))


def hide_machine(pid: int) -> None:
    """Reduce /proc in the sandbox of process *pid* to its processes (subset=pid, Linux 5.8).

    The other files describe the whole machine, and so the activity of other bots.  Raises OSError.
    """
    place = f"/proc/{pid}/root/proc"
    if os.geteuid():  # without root this is possible from inside only
        mounts = os.open(f"/proc/{pid}/ns/mnt", os.O_RDONLY)
        _check(_libc.setns(fcntl.ioctl(mounts, NS_GET_USERNS), CLONE_NEWUSER))
        _check(_libc.setns(mounts, CLONE_NEWNS))
        place = "/proc"
    proc = _check(_libc.syscall(FSPICK, HERE, place.encode(), CLOSE_ON_EXEC))
    _check(_libc.syscall(FSCONFIG, proc, SET_STRING, b"subset", b"pid", 0))
    _check(_libc.syscall(FSCONFIG, proc, RECONFIGURE, None, None, 0))


def _read_permitted() -> int:
    data = ctypes.create_string_buffer(24)  # effective, permitted, inheritable: the lower halves, the upper
    _check(_libc.capget(_ONESELF, data))
    _, low, _, _, high, _ = struct.unpack("=6I", data.raw)
    return int(low | high << 32)


def _prctl(option: int, *arguments: int) -> None:
    padded = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    _check(_libc.prctl(option, *padded))


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
