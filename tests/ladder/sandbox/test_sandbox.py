"""Confinement: real bots under each tier."""

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest
from support import processes
from support.commands import process_group
from support.need import need_program
from support.places import ROOT
from support.seating import has_ended

from ladder.process import spawn, tiers
from ladder.process.bot import BotProcess
from ladder.process.command import build
from ladder.process.probe import probe_bot as probe
from ladder.process.procfs import children
from ladder.process.spawn import SpawnerEnded
from ladder.sandbox import ENVIRONMENT, Bounds, CannotConfine, confine, plan_of, runtimes
from ladder.sandbox.plan import tasks
from ladder.sandbox.users import USERS, Lease
from ladder.spawner.restrict import landlock_abi
from ladder.worker.goodbyes import Goodbyes

SHELLS = {"PWD", "OLDPWD", "SHLVL", "_"}
"""What a shell adds to the environment."""
Start = Callable[..., BotProcess]

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="confinement needs Linux"),
]


@pytest.fixture
def folder(tmp_path):
    """Return an empty folder for a bot."""
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o755)
    return folder


# --- users


@pytest.fixture
def root():
    if os.geteuid():
        pytest.skip("only root can become others: run the tests as root")


@pytest.mark.tools
@pytest.mark.usefixtures("root")
def test_nobody_else_has_a_leased_user():
    first, other = Lease(), Lease()
    assert first.user != other.user
    assert {first.user, other.user} <= set(USERS)
    first.release()
    other.release()


@pytest.mark.tools
@pytest.mark.usefixtures("root")
def test_a_user_with_processes_is_not_leased(monkeypatch):
    with process_group(["/bin/sleep", "600"], user=USERS[7]):
        monkeypatch.setattr("ladder.sandbox.users.USERS", range(USERS[7], USERS[7] + 1))
        with pytest.raises(CannotConfine, match="none of the users"):
            Lease()


# --- real bots under each tier


@cache
def missing(tier):
    """Return why *tier* is not to be had on this machine."""
    try:
        bot = BotProcess.start(confine(tier, ["/bin/cat"], ROOT / "tests", {}), 100)
    except CannotConfine as error:
        return f"{error}: {error.hint}"
    bot.kill()
    return ""


def need(tier):
    """Skip a test where *tier* is not to be had."""
    if why := missing(tier):
        pytest.skip(why)


@pytest.fixture(params=["bwrap", "landlock"])
def tier(request):
    need(request.param)
    return str(request.param)


@pytest.fixture
def start(tier, folder):
    """Start Python programs that lie in *folder*; afterwards none of them is left."""
    runtimes.programs.cache_clear()
    started = []

    def start(program, *command, passed=None, **changes):
        (folder / "bot.py").write_text(dedent(program))
        command = command or (sys.executable, "-S", "bot.py")
        started.append(BotProcess.start(confine(tier, command, folder, passed or {}, **changes), 2**20))
        return started[-1]

    yield start
    for process in started:
        process.kill()


def lines(process, count=1):
    """Return the next *count* lines."""
    return [line.decode() for line in processes.lines(process, count)]


def outcome(program):
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


@pytest.mark.parametrize("name", ["bwrap", "landlock"])
def test_a_bot_that_means_harm_achieves_nothing(name):
    need(name)
    if name == "landlock" and os.geteuid() and landlock_abi() < 6:
        pytest.skip("before Landlock 6 a bot may send signals to processes of the same user")
    findings = tiers.try_tier(name)
    assert [] == [finding for finding in findings if not finding.protected]
    assert len(tiers.AGAINST) + 2 == len(findings)


def test_where_nothing_confines_it_the_self_test_finds_all_ways_to_use_the_page_cache():
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


@pytest.mark.tools
def test_bubblewrap_is_told_everything_through_descriptors(folder):
    need("bwrap")
    plan = plan_of(confine("bwrap", ["./bot"], folder, {"KEY": "secret"}), 61000)
    assert {} == plan["environment"]
    assert not any("KEY" in word or "secret" in word for word in plan["arguments"] if isinstance(word, str))
    assert b"KEY\0secret\0" in plan["attached"][0]


@pytest.mark.tools
def test_under_bubblewrap_a_bot_sees_how_many_cores_there_are_and_not_what_they_do(folder):
    need("bwrap")
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


@pytest.mark.tools
@pytest.mark.parametrize("name", RUNTIMES)
def test_runtimes_start_though_much_is_refused(name, start):
    process = start("", need_program(name), *RUNTIMES[name])
    assert 0 == process.exit_status(patience=300), process.stderr_text()


def test_a_bot_talks_as_if_nothing_were_between(start):
    process = start("", "/bin/cat")
    for _ in range(100):
        process.send(b"hello\n")
        assert ["hello"] == lines(process)
    assert 0 < (process.cpu_us() or 0)


def test_a_bots_process_id_is_its_own(start):
    process = start("import sys; print('begun', flush=True); sys.stdin.read()")
    lines(process)
    assert b"bot.py" in Path(f"/proc/{process.pid}/cmdline").read_bytes().split(b"\0")
    assert process.pid in process.tree.pids()
    assert os.getpgid(process.pid) == process.tree.group


def test_the_processes_of_a_bot_are_counted_once(start):
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


def test_a_bot_finds_a_fixed_environment_and_three_descriptors(start, monkeypatch):
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


def test_a_bot_is_never_root(start):
    process = start("import os; print(os.getuid(), os.geteuid(), os.getgid(), os.getgroups()); input()")
    uid, euid, gid, *_ = lines(process)[0].split()
    assert uid == euid
    assert "0" not in (uid, gid)


def test_a_bot_sees_neither_the_home_nor_another_bots_folder(start, tmp_path):
    other = tmp_path / "other"
    other.mkdir(mode=0o755)
    (other / "bot.py").write_text("secret")
    for path in (other / "bot.py", ROOT / "pyproject.toml", Path("/etc/shadow"), Path("/etc/passwd")):
        assert lines(start(outcome(f"open({str(path)!r}).read()")))[0] in (
            "FileNotFoundError",
            "PermissionError",
        )


def test_a_bot_has_no_network_unless_it_is_allowed(start):
    assert ["PermissionError"] == lines(start(outcome("socket.socket()")))
    assert ["ok"] == lines(start(outcome("socket.socket()"), network=True))
    assert ["PermissionError"] == lines(start(outcome("socket.socket(socket.AF_UNIX)"), network=True))
    assert ["ok"] == lines(start(outcome("socket.socketpair()")))


def test_limits_hold_for_each_process(start):
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


def test_buffers_of_pipes_and_sockets_have_a_fixed_size_and_are_counted(start):
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


def test_scratch_space_is_private_and_small(tier, start):
    if tier == "landlock":
        pytest.skip("this tier has no scratch space")
    bounds = Bounds(scratch_mb=4)
    assert ["ok"] == lines(
        start(outcome("open('/tmp/ladder-test', 'wb').write(bytes(2**20))"), bounds=bounds)
    )
    assert not Path("/tmp/ladder-test").exists()
    assert ["OSError"] == lines(start(outcome("open('/tmp/x', 'wb').write(bytes(5 * 2**20))"), bounds=bounds))


def test_processes_of_a_bot_share_a_pool_under_bubblewrap_in_1_mb_that_counts_as_memory(tier, start):
    pool = start(
        """
        import multiprocessing, sys
        if __name__ == "__main__":
            try:
                print(sum(multiprocessing.Pool(2).map(abs, [-1, 2])), flush=True)
            except OSError as error:
                print(type(error).__name__, flush=True)
        """
    )
    assert ["3" if tier == "bwrap" else "PermissionError"] == lines(pool)
    if tier == "bwrap":
        much = start("print(open('/dev/shm/x', 'wb', 0).write(bytes(2**21)), flush=True)\ninput()")
        assert [str(2**20)] == lines(much)
        assert 2**20 <= getattr(much.use(), "buffer_bytes", 0) < 2**21


def test_what_the_operator_names_can_be_read_and_nothing_beside_it(start, tmp_path):
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


def test_an_interpreter_of_a_virtual_environment_works(start, tmp_path, monkeypatch):
    environment = tmp_path / "elsewhere" / "env"
    venv.create(environment, symlinks=True)
    monkeypatch.setenv("PATH", f"{environment}/bin", prepend=":")
    process = start("import json, sys; print(sys.prefix); input()", f"{environment}/bin/python", "bot.py")
    assert [str(environment)] == lines(process)


@pytest.mark.parametrize("folder_too", [False, True])
def test_a_program_on_a_path_of_links_starts(folder_too, start, tmp_path, monkeypatch):
    if not (cat := shutil.which("cat", path=ENVIRONMENT["PATH"])):
        pytest.skip("the system has no cat")
    links = tmp_path / "links"
    if folder_too:
        links.symlink_to(Path(cat).parent)
    else:
        links.mkdir()
        (links / "cat").symlink_to(cat)
    monkeypatch.setenv("PATH", str(links), prepend=":")
    process = start("", f"{links}/cat")
    process.send(b"here\n")
    assert ["here"] == lines(process)


def test_a_bot_in_python_finds_what_it_may_import(start):
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


def test_a_confined_bot_finds_no_game_outside_of_the_ladders_environment(start, tmp_path, monkeypatch):
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

PRELUDE = """
import fcntl, os, pty, random, signal, sys, time
from pathlib import Path
from ladder.errors import LadderError
from ladder.process.bot import BotProcess
from ladder.process.tree import Tree
from ladder.sandbox import confine
"""


def run(program, *arguments, python=sys.executable, **more):
    """Let *program*, which starts bots, do its work; return how it ended."""
    command = [python, "-B", "-c", PRELUDE + program, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, **more)


def as_user(number):
    """Return how `run` lets somebody else start a program, by the system's Python."""
    return {"python": "/usr/bin/python3", "user": number, "group": number, "extra_groups": []}


AUTOGROUPS = Path("/proc/sys/kernel/sched_autogroup_enabled")
NICE = """
tier, folder = sys.argv[1:]
print(os.nice(7))  # as much more as the suite itself is, at most 19
bots = [BotProcess.start(confine(tier, ["/bin/cat"], Path(folder), {}), 100) for _ in range(3)]
for pid in (bots[0].tree.spawned.spawner_pid, *(pid for bot in bots for pid in bot.tree.pids())):
    print(Path(f"/proc/{pid}/autogroup").read_text().split()[-1], os.getpriority(os.PRIO_PROCESS, pid))
for bot in bots:
    bot.kill()
"""


@pytest.mark.parametrize("user", [None, USERS[6]], ids=["oneself", "somebody"])
@pytest.mark.parametrize("tier", ["bwrap", "landlock", "none"])
def test_the_bots_of_a_nice_run_are_as_nice(tier, user, folder):
    if not AUTOGROUPS.exists() or AUTOGROUPS.read_text() != "1\n":
        pytest.skip("this kernel has no autogroups")
    need(tier)
    if user and os.geteuid():
        pytest.skip("only root can become others")
    done = run(NICE, tier, "/usr/lib", **as_user(user)) if user else run(NICE, tier, folder)
    if user and done.returncode:
        pytest.skip(f"not here: {done.stderr.strip()[-200:]}")
    assert 0 == done.returncode, done.stderr
    nice, *found = done.stdout.splitlines()
    assert 4 <= len(found)
    assert {f"{nice} {nice}"} == set(found)
    assert min(19, os.getpriority(os.PRIO_PROCESS, 0) + 7) == int(nice)


TERMINAL = """
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


def test_a_bot_can_put_nothing_into_the_terminal_of_the_run(tier, folder):
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
    done = run(TERMINAL, tier, folder, sys.executable)
    if done.returncode == 3:
        pytest.skip(done.stdout.strip())
    assert (0, "refused refused refused") == (done.returncode, done.stdout.strip()), done.stderr


# --- ends


@pytest.mark.parametrize(
    ("expected", "program"),
    [(0, ""), (3, "raise SystemExit(3)"), (-signal.SIGSEGV, "import os; os.kill(os.getpid(), 11)")],
)
def test_an_exit_status_comes_through_or_minus_the_signal(start, expected, program):
    assert expected == start(program).exit_status(patience=300)


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


@pytest.mark.parametrize("way", ["killed", "polite"])
def test_daemons_end_with_their_bot(start, way):
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


def test_a_stopped_group_can_be_killed(start):
    process = start("import sys; sys.stdin.read()")
    os.killpg(process.tree.group, signal.SIGSTOP)
    process.kill()
    assert has_ended(process.pid)


RUNNER = """
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


def left(mark):
    """Return the command lines that bear *mark* and are still there after minutes."""
    deadline = time.monotonic() + 3000
    while (found := list(_marked(mark))) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def _marked(mark):
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (folder / "cmdline").read_text().replace("\0", " ")
            if f"sleep {mark}" in command:
                status = (folder / "status").read_text()
                yield command + " ".join(re.findall(r"(?:State|PPid|NSpid|Uid):.*", status))


@pytest.mark.parametrize("tier", ["bwrap", "landlock", "none"])
def test_nothing_is_left_when_the_runner_is_killed_at_any_instant(tier, folder):
    need(tier)
    mark = f"600.{random.randrange(10**9)}"
    run(RUNNER, tier, folder, mark, check=True)
    assert [] == left(mark)


BOTH = """
folder, mark = sys.argv[1:]
command = ["/bin/sh", "-c", f"sleep {mark} & sleep {mark}"]
bots = [BotProcess.start(confine("bwrap", command, Path(folder), {}), 100) for _ in range(3)]
os.kill(bots[0].tree.spawned.spawner_pid, signal.SIGKILL)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.tools
def test_under_bubblewrap_nothing_is_left_when_runner_and_keeper_are_killed_together(folder):
    need("bwrap")
    mark = f"600.{random.randrange(10**9)}"
    assert -signal.SIGKILL == run(BOTH, folder, mark).returncode
    assert [] == left(mark)


def test_when_the_spawner_is_killed_its_bots_end_and_there_is_a_new_one(start):
    process = start("import sys; sys.stdin.read()")
    os.kill(process.tree.spawned.spawner_pid, signal.SIGKILL)
    with pytest.raises(SpawnerEnded):
        process.exit_status(patience=300)
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


def test_those_who_die_slowly_take_nobody_else_along_into_freedom(folder, monkeypatch):
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
    left = [pid for pid in pids if not has_ended(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert [] == left


# --- builds


def test_a_build_writes_to_its_folder_and_nowhere_else(tier, folder):
    command = """
        echo made > made && mkdir sub && ln -s /etc sub/link && chmod +x made && mktemp > /dev/null || exit 1
        cat /etc/shadow && exit 2
        touch ../beside && exit 3
        echo done
    """
    assert (0, "done\n") == build(
        confine(tier, ["/bin/sh", "-c", f"({command}) 2>/dev/null"], folder, {}), 300
    )
    assert "made\n" == (folder / "made").read_text()
    assert os.access(folder / "made", os.X_OK)
    assert not (folder.parent / "beside").exists()
    owners = {path.lstat().st_uid for path in (folder, *folder.rglob("*"))}
    assert {os.geteuid()} == owners


def test_a_build_may_read_settings_of_the_machine_and_no_secrets(tier, folder, monkeypatch):
    public = next(path for path in runtimes.settings() if path.is_file())
    reads = f"cat {public} > /dev/null && echo read; cat /etc/shadow /etc/passwd || echo refused"
    command = ["/bin/sh", "-c", f"({reads}) 2>/dev/null"]
    assert (0, "read\nrefused\n") == build(confine(tier, command, folder, {}), 300)


def test_a_build_has_no_network(tier, folder):
    program = "import socket\ntry: socket.socket()\nexcept PermissionError: print('refused')"
    assert (0, "refused\n") == build(confine(tier, [sys.executable, "-S", "-c", program], folder, {}), 300)


def test_what_a_build_leaves_running_is_ended(tier, folder):
    mark = f"600.{random.randrange(10**9)}"
    command = confine(tier, ["/bin/sh", "-c", f"sleep {mark} & echo begun"], folder, {})
    assert (0, "begun\n") == build(command, 300)
    assert [] == left(mark)


# --- an ordinary user, where root runs the tests

ORDINARY = """
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


@pytest.mark.tools
@pytest.mark.usefixtures("root")
def test_bubblewrap_confines_for_an_ordinary_user_too():
    need("bwrap")
    done = run(ORDINARY, **as_user(USERS[5]))
    if done.returncode:
        pytest.skip(f"not here: {done.stderr.strip()[-200:]}")
    places = {"bin", "bot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "tmp", "usr"}
    found, left = eval(done.stdout.replace("] [", "], ["))
    assert ["1000", "0", "128"] == found[:3]
    assert set(found[3:]) <= {*places, ROOT.parts[1]}
    assert [] == left
