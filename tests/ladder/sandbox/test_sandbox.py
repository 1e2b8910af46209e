"""Confinement: the filter by itself, what bubblewrap and Landlock are asked, real bots under each tier."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from support.commands import process_group
from support.places import ROOT
from support.seating import has_ended

from ladder.dev import doctor
from ladder.errors import LadderError, UsageProblem
from ladder.process import spawn, tiers
from ladder.process.bot import BotProcess
from ladder.process.command import build
from ladder.process.probe import probe_bot as probe
from ladder.process.procfs import children
from ladder.process.spawn import SpawnerEnded
from ladder.sandbox import ENVIRONMENT, Bounds, CannotConfine, bwrap, confine, landlock, plan_of, runtimes
from ladder.sandbox.plan import tasks
from ladder.sandbox.seccomp import ABSENT, BY_ARGUMENTS, MACHINES, NEWEST, REFUSED, filter_of
from ladder.sandbox.users import USERS, Lease
from ladder.spawner.restrict import landlock_abi
from ladder.worker.goodbyes import Goodbyes

MACHINE = os.uname().machine
SHELLS = {"PWD", "OLDPWD", "SHLVL", "_"}
"""What a shell adds to the environment."""
Start = Callable[..., BotProcess]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="confinement needs Linux")


# --- the filter, by itself

ALLOWED = "allowed"
KILLED = "killed"
X86_64, AARCH64 = MACHINES.values()


def verdict(program: bytes, number: int, *arguments: int, machine: int = X86_64) -> str:
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


def strict(machine: str = "x86_64", **spared: bool) -> bytes:
    return filter_of(**{"modes": False, "owners": False, "network": False} | spared, machine=machine)


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_on_the_list_are_refused(machine: str) -> None:
    column = list(MACHINES).index(machine)
    numbers = [pair[column] for pair in REFUSED.values() if pair[column] is not None]
    assert 90 < len(numbers)
    assert {"EPERM"} == {verdict(strict(machine), n, machine=MACHINES[machine]) for n in numbers}
    absent = [pair[column] for pair in ABSENT.values() if pair[column] is not None]
    assert {"ENOSYS"} == {verdict(strict(machine), n, machine=MACHINES[machine]) for n in absent}


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_that_are_not_on_the_list_are_allowed(machine: str) -> None:
    column = list(MACHINES).index(machine)
    known = {pair[column] for pair in (REFUSED | ABSENT | BY_ARGUMENTS).values()}
    others = [n for n in range(NEWEST + 1) if n not in known]
    assert {ALLOWED} == {verdict(strict(machine), n, machine=MACHINES[machine]) for n in others}


@pytest.mark.parametrize("number", [NEWEST + 1, NEWEST + 100, 0x40000000, 0x40000000 + 41])
def test_calls_newer_than_the_list_and_those_of_x32_do_not_exist(number: int) -> None:
    assert "ENOSYS" == verdict(strict(), number)


def test_calls_of_another_machine_kill() -> None:
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
def test_some_calls_depend_on_their_arguments(
    machine: str, expected: str, name: str, arguments: tuple[int, ...]
) -> None:
    number = BY_ARGUMENTS[name][list(MACHINES).index(machine)]
    assert number is not None
    assert expected == verdict(strict(machine), number, *arguments, machine=MACHINES[machine])


def test_with_the_network_internet_sockets_are_allowed_and_no_others() -> None:
    program = strict(network=True)
    socket, connect, bind = BY_ARGUMENTS["socket"][0], REFUSED["connect"][0], REFUSED["bind"][0]
    assert [ALLOWED, ALLOWED, "EPERM", "EPERM"] == [verdict(program, socket, f, 1) for f in (2, 10, 1, 40)]
    assert [ALLOWED, "EPERM"] == [verdict(program, connect), verdict(program, bind)]


def test_builds_may_change_modes_but_not_owners() -> None:
    names = ("fchmod", "utimensat", "fchown", "setxattr")
    found = [verdict(strict(modes=True), REFUSED[name][0]) for name in names]
    assert [ALLOWED, ALLOWED, "EPERM", "EPERM"] == found


def test_a_machine_whose_numbers_are_not_known_gets_no_filter() -> None:
    with pytest.raises(ValueError, match=r"expected one of the machines x86_64, aarch64, got: 'riscv64'"):
        strict("riscv64")


@pytest.mark.parametrize(
    ("column", "header"),
    [(0, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), (1, "/usr/include/asm-generic/unistd.h")],
)
def test_numbers_are_those_of_the_kernels_headers(column: int, header: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"{header} is not on this machine")
    text = Path(header).read_text()
    official = {m[1]: int(m[2]) for m in re.finditer(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    official.pop("syscalls", None)  # how many there are
    for name, pair in (REFUSED | ABSENT | BY_ARGUMENTS).items():
        if name in official:
            assert official[name] == pair[column], name
        elif pair[column] is not None:
            assert max(official.values()) < pair[column], name  # newer than these headers


# --- what is shown


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder for a bot."""
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o755)
    return folder


def options(tmp_path: Path, root: bool = False, **changes: Any) -> list[str]:
    confined = confine("bwrap", [sys.executable, "bot.py"], tmp_path, {"KEY": "x y"}, **changes)
    return list(bwrap.options(confined, root))


def pairs(words: list[str], option: str) -> list[str]:
    """Return what follows *option*, wherever it stands."""
    return [words[i + 1] for i, word in enumerate(words) if word == option]


def test_an_ordinary_users_sandbox_has_its_own_users_and_roots_has_not(tmp_path: Path) -> None:
    user, root = options(tmp_path), options(tmp_path, root=True)
    assert {"--unshare-user", "--disable-userns"} <= set(user)
    assert {"--unshare-user", "--disable-userns"}.isdisjoint(root)
    assert ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"] == pairs(root, "--cap-add")
    assert [] == pairs(user, "--cap-add")
    assert ["ALL"] == pairs(user, "--cap-drop") == pairs(root, "--cap-drop")


def test_every_sandbox_has_nothing_of_the_machine_but_files(tmp_path: Path) -> None:
    words = options(tmp_path)
    assert {"--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-net"} <= set(words)
    assert {"--die-with-parent", "--clearenv"} <= set(words)
    assert "--new-session" not in words  # the spawner has begun one
    assert [*ENVIRONMENT, "KEY"] == pairs(words, "--setenv")
    assert ["/proc", "/tmp", "/dev/shm", "/dev", "/"] == pairs(words, "--remount-ro")
    assert [] == pairs(words, "--bind")
    assert "--unshare-net" not in options(tmp_path, network=True)


def test_scratch_space_has_its_size_and_can_be_written(tmp_path: Path) -> None:
    words = options(tmp_path, bounds=Bounds(scratch_mb=64))
    assert ["16777216", "67108864"] == pairs(words, "--size")
    assert ["/proc", "/dev", "/"] == pairs(words, "--remount-ro")


@pytest.mark.process
def test_bubblewrap_is_told_everything_through_descriptors(folder: Path) -> None:
    if why := missing("bwrap"):
        pytest.skip(why)
    plan = plan_of(confine("bwrap", ["./bot"], folder, {"KEY": "secret"}), 61000)
    assert {} == plan["environment"]
    assert not any("KEY" in word or "secret" in word for word in plan["arguments"] if isinstance(word, str))
    assert b"KEY\0secret\0" in plan["attached"][0]


def test_interpreters_are_shown_where_they_are(tmp_path: Path) -> None:
    shown = runtimes.programs(sys.executable, tmp_path, ())
    system = runtimes.system()
    assert all(runtimes.is_within(Path(path), [*system, *shown]) for path in (sys.prefix, sys.base_prefix))
    for package in ("engines", "protocol"):
        assert runtimes.is_within(ROOT / package, [*system, *shown])
    assert not runtimes.is_within(ROOT / "results", [*system, *shown])


def test_the_machine_code_of_a_compiled_ladder_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "botladder__mypyc.so"
    library.touch()
    monkeypatch.setattr(runtimes, "libraries", lambda: [str(library)])
    assert [ROOT / "engines", ROOT / "protocol", library.resolve()] == runtimes.ladder_paths()


def test_two_source_trees_of_one_environment_have_links_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a bot of one tree would be led to the other, which it may not read."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    folders = []
    for tree in ("one", "other"):
        packages = [tmp_path / tree / name for name in ("engines", "protocol")]
        monkeypatch.setattr(runtimes, "ladder_paths", lambda packages=packages: packages)
        folders.append((landlock._link_packages.__wrapped__(), packages))
    for folder, packages in folders:
        assert folder
        assert packages == [(folder / package.name).readlink() for package in packages]


def installation(tmp_path: Path) -> Path:
    """Make something like an interpreter's installation; return its program."""
    for name in ("bin", "lib"):
        (tmp_path / "tool" / name).mkdir(parents=True)
    program = tmp_path / "tool" / "bin" / "program"
    program.write_text("")
    return program


def test_an_installation_is_shown_if_the_runners_path_leads_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = installation(tmp_path)
    folder = tmp_path / "bot"
    runtimes.programs.cache_clear()
    assert program.parents[1] not in runtimes.programs(str(program), folder, ())
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    runtimes.programs.cache_clear()
    assert program.parents[1] in runtimes.programs(str(program), folder, ())
    runtimes.programs.cache_clear()


def test_a_program_that_lies_in_no_folder_of_its_own_is_shown_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = installation(tmp_path)
    place = tmp_path / "user" / ".local"
    for name in ("bin", "lib"):
        (place / name).mkdir(parents=True)
    (place / "bin" / "program").symlink_to(program)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    assert [place / "bin" / "program", program.parents[1]] == [
        *runtimes.installations(place / "bin" / "program")
    ]


def test_no_path_is_placed_at_a_link_in_a_folder_that_is_shown(tmp_path: Path) -> None:
    shown, other = tmp_path / "shown", tmp_path / "other"
    shown.mkdir()
    other.mkdir()
    (shown / "link").symlink_to(other)
    (tmp_path / "alias").symlink_to(shown)
    readable = (shown, shown / "link", tmp_path / "alias")
    found = runtimes.programs("./bot", tmp_path / "bot", readable)
    assert {tmp_path / "alias", other, shown} == {path for path in found if path.is_relative_to(tmp_path)}


def test_what_holds_the_bots_folder_or_the_users_things_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = installation(tmp_path)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    runtimes.programs.cache_clear()
    assert program.parents[1] not in runtimes.programs(str(program), program.parents[1] / "home" / "bot", ())
    monkeypatch.setenv("HOME", str(program.parents[1]))
    runtimes.programs.cache_clear()
    assert program.parents[1] not in runtimes.programs(str(program), tmp_path / "bot", ())
    runtimes.programs.cache_clear()


def test_a_home_among_the_systems_own_files_is_covered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "src" / "home"
    folder = home / "bots" / "one" / "1" / "files"
    folder.mkdir(parents=True)
    (home / "ladder.toml").write_text("")
    monkeypatch.setattr(runtimes, "system", lambda: (tmp_path,))
    confined = confine("bwrap", ["./bot"], folder, {})
    words = list(bwrap.options(confined, False))
    assert str(home) in pairs(words, "--tmpfs")
    assert str(home) in pairs(words, "--remount-ro")
    with pytest.raises(CannotConfine, match="lies among what bots may read"):
        list(landlock.rules(confined, None))


def test_a_tier_has_one_of_three_names(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected one of the tiers bwrap, landlock, none, got: 'iron'"):
        confine("iron", ["./bot"], tmp_path, {})


# --- users


@pytest.fixture
def root() -> None:
    if os.geteuid():
        pytest.skip("only root can become others")


@pytest.mark.usefixtures("root")
def test_nobody_else_has_a_leased_user() -> None:
    first, other = Lease(), Lease()
    assert first.user != other.user
    assert {first.user, other.user} <= set(USERS)
    first.release()
    other.release()


@pytest.mark.process
@pytest.mark.usefixtures("root")
def test_a_user_with_processes_is_not_leased(monkeypatch: pytest.MonkeyPatch) -> None:
    with process_group(["/bin/sleep", "600"], user=USERS[7]):
        monkeypatch.setattr("ladder.sandbox.users.USERS", range(USERS[7], USERS[7] + 1))
        with pytest.raises(CannotConfine, match="none of the users"):
            Lease()


# --- real bots under each tier


@cache
def missing(tier: str) -> str:
    """Return why *tier* is not to be had on this machine."""
    try:
        bot = BotProcess.start(confine(tier, ["/bin/cat"], ROOT / "tests", {}), 100)
    except CannotConfine as error:
        return str(error)
    bot.kill()
    return ""


@pytest.fixture(params=["bwrap", "landlock"])
def tier(request: pytest.FixtureRequest) -> str:
    if why := missing(request.param):
        pytest.skip(why)
    return str(request.param)


@pytest.fixture
def start(tier: str, folder: Path) -> Iterator[Start]:
    """Start Python programs that lie in *folder*; afterwards none of them is left."""
    started = []

    def start(
        program: str, *command: str, passed: dict[str, str] | None = None, **changes: Any
    ) -> BotProcess:
        (folder / "bot.py").write_text(dedent(program))
        command = command or (sys.executable, "-S", "bot.py")
        started.append(BotProcess.start(confine(tier, command, folder, passed or {}, **changes), 2**20))
        return started[-1]

    yield start
    for process in started:
        process.kill()


def lines(process: BotProcess, count: int = 1) -> list[str]:
    """Return the next *count* lines."""
    heard: list[bytes] = []
    while len(heard) < count:
        assert select.select([process.stdout_fd, process.exit_fd], [], [], 20)[0], "expected a line"
        heard += process.receive() or []
        assert len(heard) >= count or process.exit_status() is None, process.stderr_text()
    return [line.decode() for line in heard]


def outcome(program: str) -> str:
    """Return a program that prints what *program*, an expression, comes to: ok, or the error."""
    return f"""
        import fcntl, os, resource, socket, sys, threading
        try:
            {program}
            print("ok", flush=True)
        except (OSError, MemoryError, RuntimeError) as error:
            print(type(error).__name__, flush=True)
        sys.stdin.read()
    """


@pytest.mark.process
@pytest.mark.parametrize("name", ["bwrap", "landlock"])
def test_a_bot_that_means_harm_achieves_nothing(name: str) -> None:
    if why := missing(name):
        pytest.skip(why)
    if name == "landlock" and os.geteuid() and landlock_abi() < 6:
        pytest.skip("before Landlock 6 a bot may send signals to processes of the same user")
    findings = tiers.try_tier(name)
    assert [] == [finding for finding in findings if not finding.protected]
    assert len(tiers.AGAINST) + 2 == len(findings)


def test_where_nothing_confines_it_the_self_test_finds_all_ways_to_use_the_page_cache() -> None:
    with Path(os.__file__).open("rb") as file:
        if not hasattr(os, "RWF_NOWAIT"):
            pytest.skip("this Python cannot ask to read without waiting")
        file.read()
    found = set(probe.page_cache(Path(os.__file__)))
    assert {
        "read from the page cache only",
        "listed the page cache",
        "filled the page cache",
        "emptied the page cache",
    } <= found
    assert found - {"counted the page cache", "evicted a page"}  # younger kernels


@pytest.mark.process
def test_a_bot_reads_nothing_of_the_machine_in_proc(start: Start) -> None:
    there = [name for name in probe.COUNTERS if Path("/proc", name).exists()]
    assert 10 < len(there)
    process = start(
        f"""
        import contextlib
        for name in {there}:
            with contextlib.suppress(OSError):
                print(name, len(open(f"/proc/{{name}}").read()))
        print("end", flush=True)
        input()
        """
    )
    assert ["end"] == lines(process)


@pytest.mark.process
def test_under_bubblewrap_a_bot_sees_how_many_cores_there_are_and_not_what_they_do(folder: Path) -> None:
    if why := missing("bwrap"):
        pytest.skip(why)
    process = BotProcess.start(
        confine("bwrap", ["/bin/cat", "/proc/stat", "/proc/self/stat"], folder, {}), 2**20
    )
    try:
        cores = os.cpu_count() or 1
        *busy, own = lines(process, cores + 2)
    finally:
        process.kill()
    assert ["cpu", *(f"cpu{core}" for core in range(cores))] == [line.split()[0] for line in busy]
    assert {"0"} == {count for line in busy for count in line.split()[1:]}
    assert "(cat)" in own


RUNTIMES = {
    "java": ["-version"],
    "node": ["-e", "console.log(require('os').cpus().length)"],
    "perl": ["-e", "print `echo 2`"],
    "python3": ["-c", "import asyncio; asyncio.run(asyncio.sleep(0))"],
    "ruby": ["-e", "puts Thread.new { `echo 2` }.value"],
    "go": ["version"],
}
"""Programs of several runtimes, each of which ends well if its runtime starts."""


@pytest.mark.process
@pytest.mark.parametrize("name", RUNTIMES)
def test_runtimes_start_though_much_is_refused(name: str, start: Start) -> None:
    program = shutil.which(name)
    if not program:
        pytest.skip(f"{name} is not installed")
    process = start("", program, *RUNTIMES[name])
    assert 0 == process.exit_status(patience=60), process.stderr_text()


@pytest.mark.process
def test_a_bot_talks_as_if_nothing_were_between(start: Start) -> None:
    process = start("", "/bin/cat")
    for _ in range(100):
        process.send(b"hello\n")
        assert ["hello"] == lines(process)
    assert 0 < (process.cpu_us() or 0)


@pytest.mark.process
def test_a_bots_process_id_is_its_own(start: Start) -> None:
    process = start("import sys; print('begun', flush=True); sys.stdin.read()")
    lines(process)
    assert b"bot.py" in Path(f"/proc/{process.pid}/cmdline").read_bytes().split(b"\0")
    assert process.pid in process.tree.pids()
    assert os.getpgid(process.pid) == process.tree.group


@pytest.mark.process
def test_the_processes_of_a_bot_are_counted_once(start: Start) -> None:
    process = start(
        """
        import os
        for _ in range(2):
            if os.fork() == 0: break
        print("begun", flush=True)
        input()
        """
    )
    lines(process, 3)
    pids = process.tree.pids()
    assert len(pids) == len(set(pids))
    assert 3 == getattr(process.use(), "threads", None)


@pytest.mark.process
def test_a_bot_finds_a_fixed_environment_and_three_descriptors(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "of the runner")
    read, write = os.pipe()
    os.set_inheritable(read, True)
    process = start(
        """
        import os
        def there(fd):
            try: return bool(os.fstat(fd))
            except OSError: return False
        print(list(filter(there, range(256))))
        print(dict(os.environ), flush=True)
        input()
        """,
        passed={"KEY": "of the bot"},
    )
    fds, environment = lines(process, 2)
    os.close(read)
    os.close(write)
    assert "[0, 1, 2]" == fds
    own = {k: v for k, v in eval(environment).items() if k not in SHELLS | {"LC_CTYPE", "PYTHONPATH"}}
    assert {**ENVIRONMENT, "KEY": "of the bot"} == own


@pytest.mark.process
def test_a_bot_is_never_root(start: Start) -> None:
    process = start("import os; print(os.getuid(), os.geteuid(), os.getgid(), os.getgroups()); input()")
    uid, euid, gid, *_ = lines(process)[0].split()
    assert uid == euid
    assert "0" not in (uid, gid)


@pytest.mark.process
def test_a_bot_reads_its_own_folder_and_changes_nothing_there(start: Start) -> None:
    assert ["ok"] == lines(start(outcome("open('bot.py').read(); os.listdir('.')")))
    assert lines(start(outcome("open('new', 'w')")))[0] in ("OSError", "PermissionError")
    assert lines(start(outcome("open('bot.py', 'a')")))[0] in ("OSError", "PermissionError")


@pytest.mark.process
def test_a_bot_sees_neither_the_home_nor_another_bots_folder(start: Start, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir(mode=0o755)
    (other / "bot.py").write_text("secret")
    for path in (other / "bot.py", ROOT / "pyproject.toml", Path("/etc/shadow"), Path("/etc/passwd")):
        assert lines(start(outcome(f"open({str(path)!r}).read()")))[0] in (
            "FileNotFoundError",
            "PermissionError",
        )


@pytest.mark.process
@pytest.mark.parametrize("place", ["/tmp", "/dev/shm", "/var/tmp", "/usr/lib"])
def test_a_bot_can_write_nowhere(start: Start, place: str) -> None:
    assert "ok" != lines(start(outcome(f"open('{place}/ladder-test', 'w')")))[0]
    assert not Path(place, "ladder-test").exists()


@pytest.mark.process
def test_a_bot_has_no_network_unless_it_is_allowed(start: Start) -> None:
    assert ["PermissionError"] == lines(start(outcome("socket.socket()")))
    assert ["ok"] == lines(start(outcome("socket.socket()"), network=True))
    assert ["PermissionError"] == lines(start(outcome("socket.socket(socket.AF_UNIX)"), network=True))
    assert ["ok"] == lines(start(outcome("socket.socketpair()")))


@pytest.mark.process
def test_limits_hold_for_each_process(start: Start) -> None:
    process = start(
        """
        import resource
        for what in "DATA", "NPROC", "NOFILE", "FSIZE", "CORE":
            print(*resource.getrlimit(getattr(resource, f"RLIMIT_{what}")))
        input()
        """,
        bounds=Bounds(memory_mb=100, processes=9, files=50, file_mb=3),
    )
    data, processes, *rest = [tuple(map(int, line.split())) for line in lines(process, 5)]
    assert (100 * 2**20,) * 2 == data
    assert processes[0] == processes[1]
    assert 9 <= processes[0] <= 9 + 2 * tasks()
    assert [(50, 50), (3 * 2**20,) * 2, (0, 0)] == rest


@pytest.mark.process
def test_memory_and_processes_end_at_their_limits(start: Start) -> None:
    bounds = Bounds(memory_mb=100, processes=9)
    assert ["MemoryError"] == lines(start(outcome("bytearray(200 * 2**20)"), bounds=bounds))
    threads = f"[threading.Thread(target=input, daemon=True).start() for _ in range({2 * tasks() + 100})]"
    assert ["RuntimeError"] == lines(start(outcome(threads), bounds=bounds))


@pytest.mark.process
def test_buffers_of_pipes_and_sockets_have_a_fixed_size_and_are_counted(start: Start) -> None:
    process = start(
        """
        import fcntl, os, socket
        def attempt(what):
            try: what()
            except OSError as error: return type(error).__name__
        ends = [socket.socketpair() for _ in range(20)]
        pipes = [os.pipe() for _ in range(10)]
        print(attempt(lambda: ends[0][0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**22)))
        print(attempt(lambda: fcntl.fcntl(pipes[0][1], 1031, 2**20)))
        print(attempt(lambda: socket.send_fds(ends[0][0], [b"x"], [0])), flush=True)
        if os.fork() == 0:  # who has the same ones
            input()
        print("begun", flush=True)
        input()
        """
    )
    assert ["PermissionError"] * 3 + ["begun"] == lines(process, 4)
    held = getattr(process.use(), "buffer_bytes", 0)
    assert 40 * (400 << 10) + 10 * (68 << 10) <= held < 48 * (400 << 10)


@pytest.mark.process
def test_scratch_space_is_private_and_small(tier: str, start: Start) -> None:
    if tier == "landlock":
        pytest.skip("this tier has no scratch space")
    bounds = Bounds(scratch_mb=4)
    assert ["ok"] == lines(
        start(outcome("open('/tmp/ladder-test', 'wb').write(bytes(2**20))"), bounds=bounds)
    )
    assert not Path("/tmp/ladder-test").exists()
    assert ["OSError"] == lines(start(outcome("open('/tmp/x', 'wb').write(bytes(5 * 2**20))"), bounds=bounds))


@pytest.mark.process
def test_what_the_operator_names_can_be_read_and_nothing_beside_it(start: Start, tmp_path: Path) -> None:
    for name in ("named", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model").write_text("words")
        tmp_path.chmod(0o755)
    found = [
        lines(start(outcome(f"open('{tmp_path}/{name}/model').read()"), readable=[tmp_path / "named"]))
        for name in ("named", "other")
    ]
    assert ["ok"] == found[0]
    assert found[1] in (["FileNotFoundError"], ["PermissionError"])


@pytest.mark.process
def test_an_interpreter_of_a_virtual_environment_works(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = tmp_path / "elsewhere" / "env"
    venv.create(environment, symlinks=True)
    monkeypatch.setenv("PATH", f"{environment}/bin", prepend=":")
    runtimes.programs.cache_clear()
    process = start("import json, sys; print(sys.prefix); input()", f"{environment}/bin/python", "bot.py")
    assert [str(environment)] == lines(process)
    runtimes.programs.cache_clear()


@pytest.mark.process
@pytest.mark.parametrize("folder_too", [False, True])
def test_a_program_on_a_path_of_links_starts(
    folder_too: bool, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (cat := shutil.which("cat", path=ENVIRONMENT["PATH"])):
        pytest.skip("the system has no cat")
    links = tmp_path / "links"
    if folder_too:
        links.symlink_to(Path(cat).parent)
    else:
        links.mkdir()
        (links / "cat").symlink_to(cat)
    monkeypatch.setenv("PATH", str(links), prepend=":")
    runtimes.programs.cache_clear()
    process = start("", f"{links}/cat")
    process.send(b"here\n")
    assert ["here"] == lines(process)
    runtimes.programs.cache_clear()


@pytest.mark.process
def test_a_bot_in_python_finds_what_it_may_import(start: Start) -> None:
    program = """
        import importlib.util
        print([bool(importlib.util.find_spec(name)) for name in ("engines", "protocol", "ladder", "results")])
        import protocol.client, engines
        print(*engines.GAMES, engines.GAMES["stellar"].name, flush=True)
        input()
    """
    found = lines(start(program, sys.executable, "bot.py"), 2)
    assert "[True, True" == found[0][:11]
    assert "stella-quest starry-sky stellar stella stellar" == found[1]


@pytest.mark.process
def test_a_confined_bot_finds_no_game_outside_of_the_ladders_environment(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One inside is found: tests/ladder/games/test_new_game.py lets such a bot play."""
    information = tmp_path / "elsewhere" / "duelling-1.2.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: duelling\nVersion: 1.2\n")
    (information / "entry_points.txt").write_text("[ladder.games]\nduel = duelling:Duel\n")
    (tmp_path / "elsewhere" / "duelling.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "elsewhere"))
    program = """
        import importlib.util, engines
        print("duel" in engines.GAMES, importlib.util.find_spec("duelling"), flush=True)
        input()
    """
    assert ["False None"] == lines(start(program, sys.executable, "bot.py"))


# --- the session

AUTOGROUPS = Path("/proc/sys/kernel/sched_autogroup_enabled")
NICE = """
import os, sys
from pathlib import Path
from ladder.process.bot import BotProcess
from ladder.sandbox import confine

tier, folder = sys.argv[1:]
print(os.nice(7))  # as much more as the suite itself is, at most 19
bots = [BotProcess.start(confine(tier, ["/bin/cat"], Path(folder), {}), 100) for _ in range(3)]
for pid in (bots[0].tree.spawned.spawner_pid, *(pid for bot in bots for pid in bot.tree.pids())):
    print(Path(f"/proc/{pid}/autogroup").read_text().split()[-1], os.getpriority(os.PRIO_PROCESS, pid))
for bot in bots:
    bot.kill()
"""


@pytest.mark.process
@pytest.mark.parametrize("user", [None, USERS[6]], ids=["oneself", "somebody"])
@pytest.mark.parametrize("tier", ["bwrap", "landlock", "none"])
def test_the_bots_of_a_nice_run_are_as_nice(tier: str, user: int | None, folder: Path) -> None:
    if not AUTOGROUPS.exists() or AUTOGROUPS.read_text() != "1\n":
        pytest.skip("this kernel has no autogroups")
    if why := missing(tier):
        pytest.skip(why)
    if user and os.geteuid():
        pytest.skip("only root can become others")
    python = "/usr/bin/python3" if user else sys.executable
    command = [python, "-B", "-c", NICE, tier, "/usr/lib" if user else folder]
    groups: list[int] | None = [] if user else None
    run = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        user=user,
        group=user,
        extra_groups=groups,
    )
    if user and run.returncode:
        pytest.skip(f"not here: {run.stderr.strip()[-200:]}")
    assert 0 == run.returncode, run.stderr
    nice, *found = run.stdout.splitlines()
    assert 4 <= len(found)
    assert {f"{nice} {nice}"} == set(found)
    assert min(19, os.getpriority(os.PRIO_PROCESS, 0) + 7) == int(nice)


TERMINAL = """
import fcntl, os, pty, sys
from pathlib import Path
from ladder.process.bot import BotProcess
from ladder.sandbox import confine

tier, folder, python = sys.argv[1:]
TIOCSTI, TIOCSCTTY = 0x5412, 0x540E
pid, terminal = pty.fork()
if pid:
    said = b""
    try:
        while more := os.read(terminal, 4096):
            said += more
    except OSError:
        pass
    os.write(1, said)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
try:
    fcntl.ioctl(0, TIOCSTI, b" ")
except OSError as error:
    print("nobody may put characters into a terminal's input here", flush=True)
    sys.exit(3)
bot = BotProcess.start(confine(tier, [python, "-S", "bot.py"], Path(folder), {}), 100)
while not (said := bot.receive()):
    pass
print(said[0].decode(), flush=True)
bot.kill()
"""


@pytest.mark.process
def test_a_bot_can_put_nothing_into_the_terminal_of_the_run(tier: str, folder: Path) -> None:
    (folder / "bot.py").write_text(
        dedent(
            """
            import fcntl, os
            def attempt(what):
                try: return what() or "done"
                except OSError: return "refused"
            terminal = lambda: fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), 0x5412, b"x") and None
            own = lambda: fcntl.ioctl(0, 0x5412, b"x") and None
            print(attempt(terminal), attempt(own), attempt(lambda: os.tcgetpgrp(2)), flush=True)
            """
        )
    )
    command = [sys.executable, "-c", TERMINAL, tier, folder, sys.executable]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    if run.returncode == 3:
        pytest.skip(run.stdout.strip())
    assert (0, "refused refused refused") == (run.returncode, run.stdout.strip()), run.stderr


# --- ends


@pytest.mark.process
@pytest.mark.parametrize(
    ("expected", "program"),
    [(0, ""), (3, "raise SystemExit(3)"), (-signal.SIGSEGV, "import os; os.kill(os.getpid(), 11)")],
)
def test_an_exit_status_comes_through_or_minus_the_signal(start: Start, expected: int, program: str) -> None:
    assert expected == start(program).exit_status(patience=20)


DAEMON = """
    import os, signal, sys
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if os.fork() == 0:
        if os.fork() == 0:
            for fd in range(3): os.close(fd)
            while True: signal.pause()
        os._exit(0)
    os.wait()
    print("left", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.process
@pytest.mark.parametrize("way", ["killed", "polite"])
def test_daemons_end_with_their_bot(start: Start, way: str) -> None:
    process = start(DAEMON)
    lines(process)
    pids = process.tree.pids()
    assert 2 <= len(pids)
    if way == "killed":
        process.kill()
    else:
        leaving = Goodbyes()
        leaving.add("it", process)
        leaving.wait()
    assert [] == [pid for pid in pids if not has_ended(pid)]


@pytest.mark.process
def test_a_stopped_group_can_be_killed(start: Start) -> None:
    process = start("import sys; sys.stdin.read()")
    os.killpg(process.tree.group, signal.SIGSTOP)
    process.kill()
    assert has_ended(process.pid)


RUNNER = """
import os, random, signal, sys, time
from pathlib import Path
from ladder.process.bot import BotProcess
from ladder.sandbox import confine

tier, folder, mark = sys.argv[1:]
command = ["/bin/sh", "-c", f"sleep {mark} & sleep {mark}"]
for _ in range(10):
    child = os.fork()
    if child == 0:
        while True:
            BotProcess.start(confine(tier, command, Path(folder), {}), 100)
    time.sleep(random.uniform(0.0, 0.3))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
"""


def left(mark: str) -> list[str]:
    """Return the command lines that bear *mark* and are still there after ten seconds."""
    deadline = time.monotonic() + 10
    while (found := list(_marked(mark))) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def _marked(mark: str) -> Iterator[str]:
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (folder / "cmdline").read_text().replace("\0", " ")
            if f"sleep {mark}" in command:
                status = (folder / "status").read_text()
                yield command + " ".join(re.findall(r"(?:State|PPid|NSpid|Uid):.*", status))


@pytest.mark.process
@pytest.mark.parametrize("tier", ["bwrap", "landlock", "none"])
def test_nothing_is_left_when_the_runner_is_killed_at_any_instant(tier: str, folder: Path) -> None:
    if why := missing(tier):
        pytest.skip(why)
    mark = f"600.{random.randrange(10**9)}"
    subprocess.run([sys.executable, "-c", RUNNER, tier, folder, mark], check=True, cwd=ROOT, timeout=300)
    assert [] == left(mark)


BOTH = """
import os, signal, sys
from pathlib import Path
from ladder.process.bot import BotProcess
from ladder.sandbox import confine

folder, mark = sys.argv[1:]
command = ["/bin/sh", "-c", f"sleep {mark} & sleep {mark}"]
bots = [BotProcess.start(confine("bwrap", command, Path(folder), {}), 100) for _ in range(3)]
os.kill(bots[0].tree.spawned.spawner_pid, signal.SIGKILL)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.process
def test_under_bubblewrap_nothing_is_left_when_runner_and_keeper_are_killed_together(folder: Path) -> None:
    if why := missing("bwrap"):
        pytest.skip(why)
    mark = f"600.{random.randrange(10**9)}"
    ended = subprocess.run([sys.executable, "-c", BOTH, folder, mark], cwd=ROOT, timeout=300)
    assert -signal.SIGKILL == ended.returncode
    assert [] == left(mark)


@pytest.mark.process
def test_when_the_spawner_is_killed_its_bots_end_and_there_is_a_new_one(start: Start) -> None:
    process = start("import sys; sys.stdin.read()")
    os.kill(process.tree.spawned.spawner_pid, signal.SIGKILL)
    with pytest.raises(SpawnerEnded):
        process.exit_status(patience=20)
    assert has_ended(process.pid)
    process.kill()
    assert ["ok"] == lines(start(outcome("os.getpid()")))


CHAIN = """
    import os, signal, sys
    for _ in range(6):
        if os.fork():
            break
        os.setsid()
    else:
        print("begun", flush=True)
    signal.pause()
"""


@pytest.mark.process
def test_those_who_die_slowly_take_nobody_else_along_into_freedom(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them loses its parent when the one before it is gone: a spawner without patience sees one."""
    hurry = "import ladder.spawner.main as program; program.PATIENCE = 0; main(int"
    impatient = spawn.PROGRAM.replace("main(int", hurry)
    monkeypatch.setattr(spawn, "PROGRAM", impatient)
    monkeypatch.setattr(spawn, "_spawner", None)
    (folder / "bot.py").write_text(dedent(CHAIN))
    process = BotProcess.start(confine("none", [sys.executable, "-S", "bot.py"], folder, {}), 100)
    lines(process)
    pids = process.tree.pids()
    for pid in pids:
        pids += [child for child in children(pid) if child not in pids]
    assert 7 == len(pids)
    process.kill()
    deadline = time.monotonic() + 30
    while not all(map(has_ended, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    left = [pid for pid in pids if not has_ended(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert [] == left


# --- builds


@pytest.mark.process
def test_a_build_writes_to_its_folder_and_nowhere_else(tier: str, folder: Path) -> None:
    command = """
        echo made > made && mkdir sub && ln -s /etc sub/link && chmod +x made && mktemp > /dev/null || exit 1
        cat /etc/shadow && exit 2
        touch ../beside && exit 3
        echo done
    """
    assert (0, "done\n") == build(
        confine(tier, ["/bin/sh", "-c", f"({command}) 2>/dev/null"], folder, {}), 60
    )
    assert "made\n" == (folder / "made").read_text()
    assert os.access(folder / "made", os.X_OK)
    assert not (folder.parent / "beside").exists()
    owners = {
        path.lstat().st_uid for path in (folder, folder / "made", folder / "sub", folder / "sub" / "link")
    }
    assert {os.geteuid()} == owners


@pytest.mark.process
def test_a_build_has_no_network(tier: str, folder: Path) -> None:
    program = "import socket\ntry: socket.socket()\nexcept PermissionError: print('refused')"
    assert (0, "refused\n") == build(confine(tier, [sys.executable, "-S", "-c", program], folder, {}), 60)


@pytest.mark.process
def test_what_a_build_leaves_running_is_ended(tier: str, folder: Path) -> None:
    mark = f"600.{random.randrange(10**9)}"
    command = confine(tier, ["/bin/sh", "-c", f"sleep {mark} & echo begun"], folder, {})
    assert (0, "begun\n") == build(command, 60)
    assert [] == left(mark)


# --- an ordinary user, where root runs the tests

ORDINARY = """
import os, sys, time
from pathlib import Path
from ladder.errors import LadderError
from ladder.sandbox import confine
from ladder.process.tree import Tree

command = ["/bin/sh", "-c", "id -u; wc -c < /proc/1/environ; ulimit -n; ls /; read line"]
try:
    tree = Tree(confine("bwrap", command, Path("tests"), {}))
except LadderError as error:
    sys.exit(f"{error}")
os.set_blocking(tree.spawned.stdout_fd, True)
found = b""
while found.count(b"usr") == 0:
    found += os.read(tree.spawned.stdout_fd, 4096)
pids = tree.pids()
tree.kill()
print(found.decode().split(), [pid for pid in pids if os.path.exists(f"/proc/{pid}/exe")])
"""


@pytest.mark.process
@pytest.mark.usefixtures("root")
def test_bubblewrap_confines_for_an_ordinary_user_too() -> None:
    if why := missing("bwrap"):
        pytest.skip(why)
    user = {"user": USERS[5], "group": USERS[5], "extra_groups": []}
    command = ["/usr/bin/python3", "-B", "-c", ORDINARY]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, **user)
    if run.returncode:
        pytest.skip(f"not here: {run.stderr.strip()[-200:]}")
    places = {"bin", "bot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "tmp", "usr"}
    found, left = eval(run.stdout.replace("] [", "], ["))
    assert ["1000", "0", "128"] == found[:3]
    assert set(found[3:]) <= {*places, ROOT.parts[1]}
    assert [] == left


# --- choosing


def failing(*broken: str) -> Callable[[str], list[tiers.Weakness]]:
    def attempts(tier: str) -> list[tiers.Weakness]:
        return [tiers.Weakness("start", tier not in broken, "no such luck" if tier in broken else "ok")]

    return attempts


@pytest.mark.parametrize(
    ("expected", "broken"), [("bwrap", ()), ("landlock", ("bwrap",)), ("none", ("bwrap", "landlock"))]
)
def test_auto_takes_the_first_tier_that_holds(
    expected: str, broken: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiers, "_attempts", failing(*broken))
    choice = tiers.choose("auto")
    assert expected == choice.tier
    passed_over = "the sandbox is landlock, because a stronger one fails here: bwrap: no such luck"
    said = {"bwrap": "", "landlock": passed_over, "none": tiers.WARNING}
    assert said[expected] == choice.warning[: len(tiers.WARNING)].rstrip()


def test_doctor_says_which_tier_a_run_takes_and_why_not_a_stronger_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tiers, "_attempts", failing("bwrap"))
    monkeypatch.setattr(doctor, "try_tier", failing("bwrap"))
    found = {row.what: row.found for row in doctor.examine()}
    assert "a run uses the tier landlock; " == found["sandbox"][:30]
    assert "a stronger one fails here: bwrap: no such luck" in found["sandbox"]
    assert "under every tier by the time that things take" in found["signs"]


def test_what_a_busy_machine_may_have_spoiled_is_tried_a_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    late = tiers.Weakness(tiers.LEFT, False, "1 left")
    found = [[late], [late._replace(protected=True)]]
    monkeypatch.setattr(tiers, "_attempts", lambda _: found.pop(0))
    assert ("bwrap", "") == tiers.choose("auto")
    assert [] == found


def test_what_no_busy_machine_spoils_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read = tiers.Weakness(tiers.AGAINST["files"], False, "a bot read /etc/shadow")
    found = {"bwrap": [[read]], "landlock": [[read._replace(protected=True)]]}
    monkeypatch.setattr(tiers, "_attempts", lambda tier: found[tier].pop())
    choice = tiers.choose("auto")
    assert "landlock" == choice.tier
    assert "bwrap: a bot read /etc/shadow" in choice.warning


@pytest.mark.parametrize(("expected", "looks"), [(0, 3), (1, 10**9)])
def test_a_process_that_dies_slowly_is_waited_for(
    expected: int, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiers, "PATIENCE", 0.2)
    answers = itertools.chain(itertools.repeat(True, looks), itertools.repeat(False))
    monkeypatch.setattr(tiers, "is_alive", lambda _: next(answers))
    assert expected == tiers._count_left([os.getpid()])


def test_a_tier_under_which_python_bots_lack_something_is_taken_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lacking = [tiers.Weakness(tiers.IMPORTS, False, "a bot cannot import engines")]
    monkeypatch.setattr(tiers, "_attempts", lambda _: lacking)
    assert ("bwrap", "under bwrap a bot cannot import engines") == tiers.choose("auto")


def test_a_tier_that_does_not_hold_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "_attempts", failing("bwrap", "landlock"))
    with pytest.raises(LadderError, match=r"bots cannot be confined here \(bwrap: no such luck\)") as caught:
        tiers.choose("bwrap")
    assert tiers.HINT in caught.value.hint
    with pytest.raises(LadderError, match="landlock: no such luck"):
        tiers.choose("auto").require()


@pytest.mark.parametrize("installed", [False, True])
def test_bubblewrap_that_is_there_and_fails_need_not_be_installed(
    installed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if installed:
        (tmp_path / "bwrap").write_text("#!/bin/sh\n")
        (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setattr(tiers, "PLACES", str(tmp_path))
    monkeypatch.setattr(tiers, "_attempts", failing("bwrap", "landlock"))
    warning = tiers.choose("auto").warning
    assert "(bwrap: no such luck; landlock: no such luck)" in warning
    assert installed == ("install bubblewrap" not in warning)


def test_none_is_taken_at_its_word_with_a_warning() -> None:
    choice = tiers.choose("none")
    assert "none" == choice.tier
    assert "bots are not confined" in choice.warning
    with pytest.raises(UsageProblem):
        choice.require()


def test_an_unknown_tier_gets_a_suggestion() -> None:
    with pytest.raises(UsageProblem, match=r"no sandbox tier 'bwarp' \(did you mean 'bwrap'\?\)"):
        tiers.choose("bwarp")
