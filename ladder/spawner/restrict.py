"""What a process does to itself before it becomes a bot: limits, another user, Landlock, the filter.

Each step holds for the process and all that it will ever start, and none can be taken back.  One step is
done from outside, to a sandbox that stands already: `hide_machine`.
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

__all__ = [
    "adopt_orphans",
    "become_user",
    "confine_files",
    "die_with_parent",
    "filter_calls",
    "hide_machine",
    "keep_nice",
    "landlock_abi",
    "set_limits",
]

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
"""How many rights over files each version of Landlock knows; later ones know as many as the fifth."""
ALLOWED = {
    "read": EXECUTE | READ_FILE | READ_DIR,
    "device": READ_FILE | WRITE_FILE,
    "write": (1 << 15) - 1 - (1 << 6) - (1 << 9) - (1 << 11),  # but devices and sockets
}
"""What a rule allows below its path."""

PATIENCE = 5.0
"""How long to try to set the nice value of a session, in seconds."""
FSPICK, FSCONFIG = 433, 431
SET_STRING, RECONFIGURE = 1, 7
"""fsconfig: set an option, make it hold (FSCONFIG_SET_STRING, FSCONFIG_CMD_RECONFIGURE)."""
CLOSE_ON_EXEC, HERE = 1, -100
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
NS_GET_USERNS = 0xB701

_ONESELF = struct.pack("=Ii", 0x20080522, 0)
"""What capget and capset are told: version 3, this process."""
_libc = ctypes.CDLL(None, use_errno=True)


def keep_nice() -> None:
    """Make the session of this process, which has just begun, as nice as the process itself.

    Where the kernel groups processes by session (autogroups, sched(7)), a session has a nice value of its
    own, which begins with 0.  All who are not root may set one of them each 0.1 s, and have to try again.
    """
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    deadline = time.monotonic() + PATIENCE
    while nice and not _set_session(nice) and time.monotonic() < deadline:
        time.sleep(0.02)


def _set_session(nice: int) -> bool:
    """Give the session of this process a *nice* value; return whether there is nothing more to try."""
    try:
        group = os.open("/proc/self/autogroup", os.O_WRONLY | os.O_CLOEXEC)
    except OSError:  # another system, or a kernel without
        return True
    try:
        os.write(group, b"%d" % nice)
    except BlockingIOError:
        return False
    except OSError:  # nicer than it may be
        return True
    finally:
        os.close(group)
    return True


def die_with_parent() -> None:
    """Have this process killed when its parent ends."""
    _prctl(PR_SET_PDEATHSIG, SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of whatever a child of this process leaves behind."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def set_limits(limits: Iterable[tuple[int, int]]) -> None:
    """Set resource limits, soft and hard, where they are lower than what holds already."""
    for what, most in limits:
        _, hard = resource.getrlimit(what)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (least, least))


def become_user(user: int) -> None:
    """Go on as *user* and the group of the same number, with no capability but to find and read files.

    That one, if root has it to give, is what lets a bot reach what is made for root alone, such as an
    interpreter below /root; what it may read is then decided by Landlock.
    """
    permitted = _permitted()
    kept = permitted & (1 << CAP_DAC_READ_SEARCH)
    with contextlib.suppress(OSError):  # this root may not
        if kept:  # else access(2), by which compilers look for their parts, takes no notice of it
            _prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP)
    with contextlib.suppress(OSError):  # the kernel knows no more, or this root may not
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
    """Return which version of Landlock the kernel has; 0 if it has none."""
    return max(0, int(_libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def confine_files(rules: Sequence[tuple[str, str]], network: bool) -> None:
    """Allow this process the files that *rules* name and no others: (what, path), see ALLOWED.

    As far as the kernel's Landlock goes, neither TCP (unless *network*), nor signals to others, nor
    abstract unix sockets.  A path that is not there is passed over.  Raises OSError.
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
    """Leave nothing but processes in /proc, as the sandbox of process *pid* sees it (subset=pid, Linux 5.8).

    All else there tells of the whole machine, and so of what other bots do.  Raises OSError.
    """
    place = f"/proc/{pid}/root/proc"
    if os.geteuid():  # who is not root may do it from inside only
        mounts = os.open(f"/proc/{pid}/ns/mnt", os.O_RDONLY)
        _check(_libc.setns(fcntl.ioctl(mounts, NS_GET_USERNS), CLONE_NEWUSER))
        _check(_libc.setns(mounts, CLONE_NEWNS))
        place = "/proc"
    proc = _check(_libc.syscall(FSPICK, HERE, place.encode(), CLOSE_ON_EXEC))
    _check(_libc.syscall(FSCONFIG, proc, SET_STRING, b"subset", b"pid", 0))
    _check(_libc.syscall(FSCONFIG, proc, RECONFIGURE, None, None, 0))


def _permitted() -> int:
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
