"""One bot process, its pipes and its end."""

import os
import select
import signal
import subprocess
import sys

import pytest
from support.command_line import ENVIRONMENT as OURS
from support.processes import lines, starting, wait_for
from support.seating import has_ended

from ladder.errors import LadderError
from ladder.process import command
from ladder.process.bot import BotProcess
from ladder.process.command import build
from ladder.process.spawn import CannotStart
from ladder.sandbox import ENVIRONMENT, confine
from protocol.lines import LineTooLong

pytestmark = pytest.mark.process

ECHO = """
    import sys
    for line in sys.stdin: print(line, end="", flush=True)
"""


@pytest.fixture
def start(tmp_path):
    with starting(tmp_path) as start:
        yield start


def ended(process):
    return process.exit_status(patience=300)


# --- talking


def test_what_is_sent_arrives_and_is_answered_line_by_line(start):
    process = start(ECHO)
    assert process.send(b"one\ntwo\n")
    assert [b"one", b"two"] == lines(process, 2)


def test_nothing_has_arrived_is_none_and_blocks_nobody(start):
    process = start(ECHO)
    assert process.receive() is None
    assert process.stdout_open


def test_an_unfinished_line_is_kept(start):
    process = start('import os, time; os.write(1, b"half"); time.sleep(600)')
    wait_for(process.stdout_fd)
    assert [] == process.receive()
    assert b"half" == process.unfinished_line


def test_the_end_of_stdout_is_told(start):
    process = start("import os; os.close(1); input()")
    wait_for(process.stdout_fd)
    assert process.receive() is None
    assert not process.stdout_open


def test_too_long_a_line_is_refused_before_its_end_has_come(start):
    process = start('import os; os.write(1, b"x" * 100); input()', line_bytes=100)
    wait_for(process.stdout_fd)
    with pytest.raises(LineTooLong):
        process.receive()


def test_what_does_not_fit_into_the_pipe_is_sent_in_parts(start):
    process = start("print(sum(map(len, iter(input, 'end'))))")
    megabyte = b"x" * 2**20 + b"\n"
    assert not process.send(megabyte)
    assert process.unsent
    assert not process.send(b"end\n"), "what follows waits behind the rest"
    while not process.send_rest():
        wait_for(process.stdin_fd, select.POLLOUT)
    assert not process.unsent
    assert [b"%d" % 2**20] == lines(process, 1)


@pytest.mark.parametrize(
    "then", ["time.sleep(600)", "os._exit(0)"], ids=["a closed stdin", "one that has ended"]
)
def test_sending_to_it_is_no_error(then, start):
    process = start(f'import os, time; os.close(0); os.write(1, b"closed\\n"); {then}')
    lines(process)
    if "exit" in then:
        ended(process)
    assert process.send(b"anybody there?\n")


# --- starting


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [
        (None, 0, "No such file"),
        ("#!/bin/sh\n", 0o644, "Permission denied"),
        ("#!/no/such/interpreter\n", 0o755, None),
        ("neither script nor program", 0o755, None),
    ],
)
def test_what_is_missing_or_no_program_cannot_start(tmp_path, content, mode, said):
    if content:
        (tmp_path / "bot").write_text(content)
        (tmp_path / "bot").chmod(mode)
    with pytest.raises(CannotStart, match=said):
        BotProcess.start(confine("none", ["./bot"], tmp_path, {}), 100)


def test_a_process_finds_a_fixed_environment_and_its_own_folder(start, tmp_path):
    process = start("import os; print(dict(os.environ)); print(os.getcwd(), flush=True); input()", KEY="x")
    environment, folder = lines(process, 2)
    found = {k: v for k, v in eval(environment).items() if k != "LC_CTYPE"}  # Python's own
    assert {**ENVIRONMENT, "KEY": "x"} == found
    assert str(tmp_path.resolve()) == folder.decode()


def test_a_process_leads_a_session_of_its_own(start):
    process = start("import os; print(os.getsid(0), os.getpgid(0), flush=True); input()")
    assert [b"%d %d" % (process.pid, process.pid)] == lines(process, 1)


# --- stderr


def test_stderr_that_is_not_utf_8_is_escaped(start):
    process = start('import os; os.write(2, b"caf\\xe9")')
    ended(process)
    assert r"caf\xe9" == process.stderr_text()


def test_the_last_words_of_a_process_that_is_killed_are_kept(start):
    process = start('import os; os.write(2, b"adieu"); os.write(1, b"x\\n"); input()')
    lines(process, 1)
    process.kill()
    assert "adieu" == process.stderr_text()


# --- ending


@pytest.mark.parametrize(
    ("expected", "program"),
    [
        (0, ""),
        (3, "raise SystemExit(3)"),
        (-signal.SIGSEGV, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"),
    ],
)
def test_an_exit_status_is_kept_or_minus_the_signal(start, expected, program):
    process = start(program)
    wait_for(process.exit_fd)
    assert expected == process.exit_status()


def test_a_process_that_runs_has_no_exit_status(start):
    assert start(ECHO).exit_status(patience=0.05) is None


def test_a_kill_reaches_what_the_process_started_in_its_group(start):
    process = start("""
        import os, time
        child = os.fork()
        if child: print(child, flush=True)
        time.sleep(600)
    """)
    child = int(lines(process, 1)[0])
    process.kill()
    assert -signal.SIGKILL == process.exit_status()
    assert has_ended(child)


def test_a_kill_reaches_a_process_that_has_stopped_itself(start):
    process = start("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)")
    process.kill()
    assert -signal.SIGKILL == process.exit_status()


def test_a_kill_closes_the_pipes(start):
    process = start(ECHO)
    fds = [process.stdin_fd, process.stdout_fd, process.stderr_fd, process.exit_fd]
    process.kill()
    for fd in filter(None, fds):
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(fd)


def test_after_a_kill_nothing_is_done_to_those_who_have_its_numbers_now(start, monkeypatch):
    process = start(ECHO)
    process.kill()
    signalled = []
    monkeypatch.setattr(os, "killpg", lambda *args: signalled.append(args))
    monkeypatch.setattr(os, "write", lambda *args: signalled.append(args))
    monkeypatch.setattr(os, "read", lambda *args: signalled.append(args))
    process.kill()
    process.say_bye(b"bye\n")
    process.stderr_text()
    assert [] == signalled


def test_cpu_time_is_what_the_process_itself_has_used(start):
    process = start("""
        for _ in range(2):
            input()
            print(sum(range(1_000_000)), flush=True)
    """)
    used = []
    for _ in range(2):
        process.send(b"\n")
        lines(process, 1)
        used.append(process.cpu_us())
    if None not in used:
        assert 0 < used[0] < used[1]


# --- building


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        (["/bin/sh", "-c", "echo out; echo err >&2; exit 4"], 4, "out\nerr\n"),
        (["./nothing"], 127, "No such file"),
    ],
)
def test_a_build_tells_its_status_and_what_it_wrote(tmp_path, command, status, said):
    found, output = build(confine("none", command, tmp_path, {}), 300)
    assert (status, True) == (found, said in output)


def test_a_build_that_takes_too_long_is_ended(tmp_path):
    command = confine("none", ["/bin/sh", "-c", "echo begun; sleep 600"], tmp_path, {})
    seconds = 0.3
    while (found := build(command, seconds)) == (None, ""):
        seconds *= 2  # a busy machine
    assert (None, "begun\n") == found


@pytest.mark.parametrize(
    "writes",
    [
        "dd if=/dev/zero of=big bs=1024 count=3000 2> dd; exec sleep 600",
        "dd if=/dev/zero of=big bs=1024 count=3000 2> dd",
        "mkdir -p a/b; for i in 1 2 3 4 5 6 7 8 9; do : > a/b/$i; done; exec sleep 600",
    ],
    ids=["and stays", "and ends", "many files"],
)
def test_a_build_that_writes_too_much_is_ended(tmp_path, monkeypatch, writes):
    monkeypatch.setattr(command, "BUILT_BYTES", 2 * 2**20)
    monkeypatch.setattr(command, "BUILT_FILES", 9)
    writing = confine("none", ["/bin/sh", "-c", writes], tmp_path, {})
    with pytest.raises(
        LadderError, match="the build was ended: it wrote more than 2 MB or 9 files"
    ) as caught:
        build(writing, 300)
    assert "submit again" in caught.value.hint


SPAWNING = """
import signal, sys
from ladder.process import spawn
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
spawner = spawn._get_spawner()
real = spawner._process.wait
def wait():
    print("closing", flush=True)
    sys.stdin.read()
    real()
spawner._process.wait = wait
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_at_the_end_of_a_program_prints_no_traceback(number):
    command = [sys.executable, "-c", SPAWNING]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=OURS
    ) as program:
        assert program.stdout
        assert b"closing\n" == program.stdout.readline()
        program.send_signal(number)
        _, err = program.communicate(timeout=60)
    assert b"" == err
