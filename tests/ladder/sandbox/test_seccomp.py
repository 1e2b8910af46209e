"""The filter of calls, by itself."""

import errno
import re
import struct
from pathlib import Path

import pytest

from ladder.sandbox.seccomp import ABSENT, BY_ARGUMENTS, MACHINES, NEWEST, REFUSED, filter_of

ALLOWED = "allowed"
KILLED = "killed"
X86_64, AARCH64 = MACHINES.values()


def verdict(program, number, *arguments, machine=X86_64):
    """Return what the kernel would do with a call: the filter, interpreted."""
    data = struct.pack("=iIQ6Q", number, machine, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    at = accumulator = 0
    while True:
        code, if_true, if_false, value = struct.unpack_from("=HBBI", program, 8 * at)
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, value)
            case 0x54:
                accumulator &= value
            case 0x15:
                at += if_true if accumulator == value else if_false
            case 0x35:
                at += if_true if accumulator >= value else if_false
            case 0x45:
                at += if_true if accumulator & value else if_false
            case 0x06 if value == 0x80000000:
                return KILLED
            case 0x06:
                return ALLOWED if value == 0x7FFF0000 else errno.errorcode[value & 0xFFFF]
            case _:
                raise AssertionError(code)


def strict(machine="x86_64", **spared):
    return filter_of(**{"modes": False, "owners": False, "network": False} | spared, machine=machine)


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_on_the_list_are_refused(machine):
    column = list(MACHINES).index(machine)
    numbers = [pair[column] for pair in REFUSED.values() if pair[column] is not None]
    assert 90 < len(numbers)
    assert {"EPERM"} == {verdict(strict(machine), n, machine=MACHINES[machine]) for n in numbers}
    absent = [pair[column] for pair in ABSENT.values() if pair[column] is not None]
    assert {"ENOSYS"} == {verdict(strict(machine), n, machine=MACHINES[machine]) for n in absent}


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_that_are_not_on_the_list_are_allowed(machine):
    column = list(MACHINES).index(machine)
    known = {pair[column] for pair in (REFUSED | ABSENT | BY_ARGUMENTS).values()}
    others = [n for n in range(NEWEST + 1) if n not in known]
    assert {ALLOWED} == {verdict(strict(machine), n, machine=MACHINES[machine]) for n in others}


@pytest.mark.parametrize("number", [NEWEST + 1, NEWEST + 100, 0x40000000, 0x40000000 + 41])
def test_calls_newer_than_the_list_and_those_of_x32_do_not_exist(number):
    assert "ENOSYS" == verdict(strict(), number)


def test_calls_of_another_machine_kill():
    assert KILLED == verdict(strict(), 1, machine=0x40000003)  # i386
    assert KILLED == verdict(strict("aarch64"), 1, machine=X86_64)


@pytest.mark.parametrize(
    ("expected", "name", "arguments"),
    [
        (ALLOWED, "clone", (0x01200011,)),  # a fork
        (ALLOWED, "clone", (0x003D0F00,)),  # a thread
        ("EPERM", "clone", (0x10000000,)),
        ("EPERM", "clone", (0x20000011,)),
        (ALLOWED, "clock_gettime", (1,)),
        (ALLOWED, "clock_gettime", (~4321 << 3 & 2**32 - 1 | 6,)),  # a thread, which must be one's own
        (ALLOWED, "clock_gettime", (0xFFFFFFFA,)),  # oneself
        ("EINVAL", "clock_gettime", (~4321 << 3 & 2**32 - 1 | 2,)),
        ("EINVAL", "clock_nanosleep", (~4321 << 3 & 2**64 - 1 | 2,)),
        ("EINVAL", "timer_create", (~1 << 3 & 2**32 - 1 | 1,)),
        (ALLOWED, "fadvise64", (3, 0, 0, 2)),
        ("EINVAL", "fadvise64", (3, 0, 0, 4)),
        (ALLOWED, "ioctl", (0, 0x5401)),
        ("EPERM", "ioctl", (0, 0x5412)),
        ("EPERM", "ioctl", (0, 0xFFFFFFFF00005412)),  # the kernel looks at the lower half
        (ALLOWED, "fcntl", (0, 3)),
        ("EPERM", "fcntl", (0, 6)),
        ("EPERM", "fcntl", (0, 1031, 2**20)),
        ("EPERM", "fcntl", (0, 38)),
        (ALLOWED, "prctl", (15,)),
        ("EPERM", "prctl", (1,)),
        ("EPERM", "prctl", (67,)),
        (ALLOWED, "madvise", (0, 4096, 4)),
        ("EINVAL", "madvise", (0, 4096, 12)),
        ("EINVAL", "madvise", (0, 4096, 21)),
        (ALLOWED, "preadv2", (3, 0, 1, 0, 0, 0)),
        ("ENOTSUP", "preadv2", (3, 0, 1, 0, 0, 8)),
        ("ENOTSUP", "pwritev2", (3, 0, 1, 0, 0, 0x80)),
        (ALLOWED, "mmap", (0, 4096, 3, 0x22)),
        (ALLOWED, "mmap", (0, 4096, 1, 0x01, 5)),
        ("ENOMEM", "mmap", (0, 4096, 3, 0x21)),
        ("ENOMEM", "mmap", (0, 4096, 3, 0x23)),
        (ALLOWED, "prlimit64", (0, 7)),
        ("EPERM", "prlimit64", (1, 7)),
        (ALLOWED, "setsockopt", (3, 6, 7)),  # of TCP
        (ALLOWED, "setsockopt", (3, 1, 2)),
        ("EPERM", "setsockopt", (3, 1, 7)),
        ("EPERM", "setsockopt", (3, 1, 33)),
        ("EPERM", "setsockopt", (3, 1, 26)),
        ("EPERM", "socket", (1, 1)),
        ("EPERM", "socket", (2, 1)),
        (ALLOWED, "socketpair", (1, 1)),
        (ALLOWED, "socketpair", (1, 0x80801)),
        (ALLOWED, "socketpair", (1, 5)),
        ("EPERM", "socketpair", (1, 2)),
        ("EPERM", "socketpair", (1, 3)),
        ("EPERM", "socketpair", (30, 1)),
    ],
)
@pytest.mark.parametrize("machine", MACHINES)
def test_some_calls_depend_on_their_arguments(machine, expected, name, arguments):
    number = BY_ARGUMENTS[name][list(MACHINES).index(machine)]
    assert number is not None
    assert expected == verdict(strict(machine), number, *arguments, machine=MACHINES[machine])


def test_with_the_network_internet_sockets_are_allowed_and_no_others():
    program = strict(network=True)
    socket, connect, bind = BY_ARGUMENTS["socket"][0], REFUSED["connect"][0], REFUSED["bind"][0]
    assert [ALLOWED, ALLOWED, "EPERM", "EPERM"] == [verdict(program, socket, f, 1) for f in (2, 10, 1, 40)]
    assert [ALLOWED, "EPERM"] == [verdict(program, connect), verdict(program, bind)]


def test_builds_may_change_modes_but_not_owners():
    names = ("fchmod", "utimensat", "fchown", "setxattr")
    found = [verdict(strict(modes=True), REFUSED[name][0]) for name in names]
    assert [ALLOWED, ALLOWED, "EPERM", "EPERM"] == found


def test_a_machine_whose_numbers_are_not_known_gets_no_filter():
    with pytest.raises(ValueError, match=r"expected one of the machines x86_64, aarch64, got: 'riscv64'"):
        strict("riscv64")


@pytest.mark.tools
@pytest.mark.parametrize(
    ("column", "header"),
    [(0, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), (1, "/usr/include/asm-generic/unistd.h")],
)
def test_numbers_are_those_of_the_kernels_headers(column, header):
    if not Path(header).exists():
        pytest.skip(f"{header} is not on this machine: apt install linux-libc-dev")
    text = Path(header).read_text()
    official = {m[1]: int(m[2]) for m in re.finditer(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    official.pop("syscalls", None)  # how many there are
    for name, pair in (REFUSED | ABSENT | BY_ARGUMENTS).items():
        if name in official:
            assert official[name] == pair[column], name
        elif pair[column] is not None:
            assert max(official.values()) < pair[column], name  # newer than these headers
