"""Build the seccomp filter of system calls that a bot may not make, as bytes for the kernel.

It is a deny-list, because runtimes differ too much in the calls that they need.  Calls newer than the list do
not exist for a bot.  Refused are calls that reach other processes, open channels between bots, take memory
that no limit counts, leave the process group, or use parts of the kernel that no bot needs.
Numbers: <asm/unistd_64.h> and <asm-generic/unistd.h>; instructions: <linux/bpf_common.h>.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The machines with known call numbers, and the kernel's codes for them (AUDIT_ARCH_...)."""

NEWEST = 462
"""The newest call that was reviewed (mseal).  Later ones, x32 included, get ENOSYS."""

Numbers: TypeAlias = dict[str, tuple[int | None, int | None]]
"""Calls and their numbers on x86_64 and aarch64."""


def _read(*lines: str) -> Numbers:
    """Return the calls in *lines*, each as its name and its two numbers; - stands for none."""
    calls = (call.split() for line in lines for call in line.split(", "))
    return {name: (int(x86), None if arm == "-" else int(arm)) for name, x86, arm in calls}


BY_ARGUMENTS: Numbers = _read(  # on the arguments, see _check_arguments
    "clock_getres 229 114, clock_gettime 228 113, clock_nanosleep 230 115, clone 56 220, fadvise64 221 223",
    "fcntl 72 25, ioctl 16 29, madvise 28 233, mmap 9 222, prctl 157 167, preadv2 327 286, prlimit64 302 261",
    "pwritev2 328 287, setsockopt 54 208, socket 41 198, socketpair 53 199, timer_create 222 107",
)
ABSENT: Numbers = _read(  # these get ENOSYS, so that programs use another way
    "clone3 435 435",  # its flags are in memory, which a filter cannot read
    "memfd_create 319 279",  # memory that belongs to no process
    # reveals the page cache, which all bots share
    "cachestat 451 451, mincore 27 232, readahead 187 213",
    # reveals counters of the whole machine
    "fstatfs 138 44, io_cancel 210 3, io_destroy 207 1, io_getevents 208 4, io_pgetevents 333 292",
    "io_setup 206 0, io_submit 209 2, statfs 137 43, ustat 136 -",
)
REFUSED: Numbers = _read(
    # other processes
    "kcmp 312 272, pidfd_getfd 438 438, pidfd_open 434 434, process_madvise 440 440",
    "process_mrelease 448 448, process_vm_readv 310 270, process_vm_writev 311 271, ptrace 101 117",
    # leaves the process group, which the ladder stops and kills as a whole
    "setpgid 109 154, setsid 112 157",
    # channels: sockets, locks, notifications, keys, System V, queues
    "bind 49 200, connect 42 203, listen 50 201, flock 73 32, fanotify_init 300 262, fanotify_mark 301 263",
    "inotify_add_watch 254 27, inotify_init 253 -, inotify_init1 294 26, inotify_rm_watch 255 28",
    "add_key 248 217, keyctl 250 219, request_key 249 218, mq_open 240 180, mq_unlink 241 181, msgctl 71 187",
    "msgget 68 186, msgrcv 70 188, msgsnd 69 189, semctl 66 191, semget 64 190, semop 65 193",
    "semtimedop 220 192, shmat 30 196, shmctl 31 195, shmdt 67 197, shmget 29 194, vmsplice 278 75",
    # descriptors in transit, which no limit of a process counts
    "sendmmsg 307 269, sendmsg 46 211",
    # mounts, namespaces and files by other ways than their paths
    "chroot 161 51, fsconfig 431 431, fsmount 432 432, fsopen 430 430, fspick 433 433, mount 165 40",
    "mount_setattr 442 442, move_mount 429 429, name_to_handle_at 303 264, open_by_handle_at 304 265",
    "open_tree 428 428, pivot_root 155 41, setns 308 268, umount2 166 39, unshare 272 97, mknod 133 -",
    "mknodat 259 33",
    # a larger share of the machine
    "ioprio_set 251 30, mbind 237 235, migrate_pages 256 238, move_pages 279 239, sched_setaffinity 203 122",
    "sched_setattr 314 274, sched_setparam 142 118, sched_setscheduler 144 119, set_mempolicy 238 237",
    "set_mempolicy_home_node 450 450, setpriority 141 140",
    # the machine itself, and parts of the kernel with a history of security bugs
    "acct 163 89, adjtimex 159 171, bpf 321 280, clock_adjtime 305 266, clock_settime 227 112",
    "delete_module 176 106, finit_module 313 273, init_module 175 105, io_uring_enter 426 426",
    "io_uring_register 427 427, io_uring_setup 425 425, ioperm 173 -, iopl 172 -, kexec_file_load 320 294",
    "kexec_load 246 104, lookup_dcookie 212 18, memfd_secret 447 447, modify_ldt 154 -",
    "perf_event_open 298 241, personality 135 92, quotactl 179 60, quotactl_fd 443 443, reboot 169 142",
    "setdomainname 171 162, sethostname 170 161, settimeofday 164 170, swapoff 168 225, swapon 167 224",
    "syslog 103 116, uselib 134 -, userfaultfd 323 282, vhangup 153 58",
    # changes to files that Landlock does not control
    "chmod 90 -, chown 92 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, fchown 93 55, fchownat 260 54",
    "fremovexattr 199 16, fsetxattr 190 7, futimesat 261 -, lchown 94 -, lremovexattr 198 15",
    "lsetxattr 189 6, removexattr 197 14, setxattr 188 5, utime 132 -, utimensat 280 88, utimes 235 -",
)
_MODES = {"chmod", "fchmod", "fchmodat", "fchmodat2", "futimesat", "utime", "utimensat", "utimes"}
"""Calls that change the modes and times of files.  Builds need them."""
_OWNERS = {name for name in REFUSED if "chown" in name or "xattr" in name}
_LOCKS = {"fcntl", "flock"}
_NETWORK = {"connect", "sendmmsg", "sendmsg"}
_ALL = BY_ARGUMENTS | ABSENT | REFUSED

CLONE_NEW = 0x7E020000
"""Any new namespace (CLONE_NEW...)."""
TERMINAL = (0x5412, 0x541C)
"""ioctl: put characters into a terminal's input (TIOCSTI, TIOCLINUX)."""
LOCKS = (6, 7, 37, 38, 1024, 1026)
"""fcntl: locks of both kinds, leases, directory notices (F_SETLK ... F_NOTIFY)."""
F_SETPIPE_SZ = 1031
EVICTING = (4,)
"""fadvise64: evict pages of a file from the page cache (POSIX_FADV_DONTNEED)."""
TELLING = (12, 20, 21)
"""madvise: share equal pages, evict pages (MADV_MERGEABLE, MADV_COLD, MADV_PAGEOUT)."""
OF_OTHERS, OWN = 0x80000004, 0xFFFFFFFA
"""CPU clocks: the bits that distinguish a process's clock from a thread's, and the clock of the caller."""
SOL_SOCKET = 1
BUFFERS = (7, 8, 32, 33)
"""setsockopt: sizes of buffers (SO_SNDBUF ... SO_RCVBUFFORCE)."""
PROGRAMS = (26, 50, 51, 52)
"""setsockopt: programs for the kernel (SO_ATTACH_FILTER ... SO_ATTACH_REUSEPORT_EBPF)."""
SHARED_ANONYMOUS = 0x21
"""mmap: MAP_SHARED with MAP_ANONYMOUS, memory that RLIMIT_DATA does not count."""
PR_SET_PDEATHSIG, PR_SET_MEMORY_MERGE = 1, 67
AF_UNIX, INTERNET = 1, (2, 10)
STREAM, SEQPACKET = 1, 5
"""The allowed kinds of socket pairs.  A datagram socket could send to any address."""

ALLOW = 0x7FFF0000
KILL = 0x80000000


class Instruction(NamedTuple):
    """One instruction for the kernel's packet filter (struct sock_filter)."""

    code: int
    if_true: int
    if_false: int
    value: int


LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NUMBER, MACHINE = 0, 4
"""The offsets of the call's number and the machine's code in struct seccomp_data."""


@cache
def filter_of(*, modes: bool, owners: bool, network: bool, locks: bool = False, machine: str = "") -> bytes:
    """Return the filter for *machine* (by default this one) as bytes for the kernel.

    *modes* allows changes of modes and times of files, *owners* of owners and attributes (Landlock controls
    neither).  *network* allows internet sockets.  *locks* allows locks on files, which compilers and package
    managers use.  Raises ValueError for a machine with unknown call numbers.
    """
    spared = (_MODES if modes else set()) | (_OWNERS if owners else set())
    spared |= (_NETWORK if network else set()) | (_LOCKS if locks else set())
    return _assemble(_program(machine or platform.machine(), frozenset(spared), network))


def _assemble(program: list[Instruction]) -> bytes:
    """Return *program* as an array of struct sock_filter."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _program(machine: str, spared: frozenset[str], network: bool) -> list[Instruction]:
    if machine not in MACHINES:
        raise ValueError(f"expected one of the machines {', '.join(MACHINES)}, got: {machine!r}")
    column = list(MACHINES).index(machine)
    numbers = {name: pair[column] for name, pair in _ALL.items() if name not in spared}
    program = [
        Instruction(LOAD, 0, 0, MACHINE),
        Instruction(EQUAL, 1, 0, MACHINES[machine]),
        Instruction(RETURN, 0, 0, KILL),
        Instruction(LOAD, 0, 0, NUMBER),
        Instruction(AT_LEAST, 0, 1, NEWEST + 1),
        _refuse(errno.ENOSYS),
    ]
    for name, number in numbers.items():
        if number is not None:
            verdict = _verdict(name, network)
            program += [Instruction(EQUAL, 0, len(verdict), number), *verdict]
    return [*program, Instruction(RETURN, 0, 0, ALLOW)]


def _verdict(name: str, network: bool) -> list[Instruction]:
    if name in BY_ARGUMENTS:
        return list(_check_arguments(name, network))
    return [_refuse(errno.ENOSYS if name in ABSENT else errno.EPERM)]


def _check_arguments(name: str, network: bool) -> Iterator[Instruction]:
    """Yield the instructions that decide on a call of *name* by its arguments."""
    match name:
        case "clone":
            yield from (_argument(0), Instruction(ANY_BIT, 0, 1, CLONE_NEW), _refuse(errno.EPERM))
        case "clock_getres" | "clock_gettime" | "clock_nanosleep" | "timer_create":
            yield from (_argument(0), Instruction(EQUAL, 3, 0, OWN))
            yield from (Instruction(AND, 0, 0, OF_OTHERS), Instruction(EQUAL, 0, 1, 0x80000000))
            yield _refuse(errno.EINVAL)
        case "fadvise64":
            yield from _refuse_values(3, EVICTING, errno.EINVAL)
        case "ioctl":
            yield from _refuse_values(1, TERMINAL)
        case "fcntl":
            yield from _refuse_values(1, (*LOCKS, F_SETPIPE_SZ))
        case "madvise":
            yield from _refuse_values(2, TELLING, errno.EINVAL)
        case "prctl":
            yield from _refuse_values(0, (PR_SET_PDEATHSIG, PR_SET_MEMORY_MERGE))
        case "preadv2" | "pwritev2":  # with flags they reveal the page cache (RWF_NOWAIT), or evict pages
            yield from _allow_values(5, (0,), errno.EOPNOTSUPP)
        case "mmap":
            yield from (_argument(3), Instruction(AND, 0, 0, SHARED_ANONYMOUS))
            yield from (Instruction(EQUAL, 0, 1, SHARED_ANONYMOUS), _refuse(errno.ENOMEM))
        case "prlimit64":  # of the caller only: a bot of the same user could stop the referee with it
            yield from _allow_values(0, (0,))
        case "setsockopt":
            refused = list(_refuse_values(2, (*BUFFERS, *PROGRAMS)))
            yield from (_argument(1), Instruction(EQUAL, 0, len(refused), SOL_SOCKET), *refused)
        case "socket":
            yield from _allow_values(0, INTERNET if network else ())
        case "socketpair":
            yield from _allow_values(0, (AF_UNIX,))
            yield from (_argument(1), Instruction(AND, 0, 0, 0xF))
            yield from _one_of((STREAM, SEQPACKET))
    yield Instruction(RETURN, 0, 0, ALLOW)


def _argument(position: int) -> Instruction:
    """Load the lower half of an argument, which is all that the kernel uses in these calls."""
    return Instruction(LOAD, 0, 0, 16 + 8 * position)


def _refuse(error: int) -> Instruction:
    return Instruction(RETURN, 0, 0, 0x00050000 | error)


def _refuse_values(
    position: int, refused: tuple[int, ...], error: int = errno.EPERM
) -> Iterator[Instruction]:
    yield _argument(position)
    for value in refused:
        yield from (Instruction(EQUAL, 0, 1, value), _refuse(error))


def _allow_values(position: int, allowed: tuple[int, ...], error: int = errno.EPERM) -> Iterator[Instruction]:
    yield _argument(position)
    yield from _one_of(allowed, error)


def _one_of(allowed: tuple[int, ...], error: int = errno.EPERM) -> Iterator[Instruction]:
    """Continue with the values *allowed*, refuse all others."""
    for left, value in zip(range(len(allowed), 0, -1), allowed, strict=True):
        yield Instruction(EQUAL, left, 0, value)
    yield _refuse(error)
