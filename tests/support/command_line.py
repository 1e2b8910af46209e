"""Run the command line for tests: in this process if it only reads, else in its own process."""

import fcntl
import hashlib
import io
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from contextvars import copy_context
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import pytest

from ladder.cli import run_command_line
from support.commands import process_group
from support.places import ROOT, TESTS

ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name not in ("LADDER_HOME", "FORCE_COLOR")
} | {"PYTHONPATH": str(ROOT), "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
PLAYED = TESTS / "data" / "played"
"""A home in which a run was played, as tests/programs/played_home.py writes it."""
HOME = "HOME-OF-THE-RUN"
"""What stands for the path of that home in what its run said."""


class Said(NamedTuple):
    """The exit code and output of a command."""

    code: int
    out: str
    err: str


class PlayedHome(NamedTuple):
    """A home in which a run was played, and what `ladder run` said."""

    home: Path
    run: Said


def run_here(*arguments: str | Path) -> Said:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = _run(arguments)
    return Said(code, out.getvalue(), err.getvalue())


def _run(arguments: Iterable[str | Path]) -> int:
    """Run a command in a context of its own: after one with --wait, others do not wait."""
    return copy_context().run(run_command_line, [str(argument) for argument in arguments])


def run_apart(*arguments: str | Path, cwd: Path, env: Mapping[str, str] = ENVIRONMENT) -> Said:
    """Run a command in its own process in the folder *cwd*, with stdout and stderr piped."""
    command = [sys.executable, "-m", "ladder", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=dict(env), capture_output=True, text=True)
    return Said(done.returncode, done.stdout, done.stderr)


def check_refused(said: Said, code: int, *texts: str) -> None:
    """Assert that a command ended with *code*, printed nothing, and said *texts* on stderr."""
    assert (code, "") == (said.code, said.out), said.err
    for text in texts:
        assert text in said.err


def on_a_terminal(
    *arguments: str | Path, columns: int = 80, code: int = 0, answers: str = "", **variables: str
) -> str:
    """Return the output of a command in this process on a terminal, where *answers* are typed.

    How wide it is, this process's own terminal would say: COLUMNS says it here.  There is no pager.
    """
    env = {"COLUMNS": str(columns), "LINES": "40", "TERM": "xterm-256color", "PAGER": " "} | variables
    with _terminal(columns, answers) as (child, said), pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value) if value else patch.delenv(name, raising=False)
        for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            patch.setattr(sys, stream, os.fdopen(child, mode, encoding="utf-8", closefd=False))
        assert code == _run(arguments)
        sys.stdout.close()
        sys.stderr.close()
    return b"".join(said).decode()


def on_a_terminal_apart(*arguments: str, columns: int = 80, **variables: str) -> str:
    """Return the output of a command in its own process on a terminal of *columns* columns."""
    env = ENVIRONMENT | {"TERM": "xterm-256color", "PAGER": " "} | variables
    env = {name: value for name, value in env.items() if value and name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-m", "ladder", *arguments]
    with (
        _terminal(columns) as (child, said),
        process_group(command, stdin=child, stdout=child, stderr=child, env=env) as process,
    ):
        assert 0 == process.wait(60)
    return b"".join(said).decode()


@contextmanager
def _terminal(columns: int, answers: str = "") -> Iterator[tuple[int, list[bytes]]]:
    """Open a terminal; yield it, and a list that has all its output at the end."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    os.write(parent, answers.encode())
    said: list[bytes] = []
    closed = Event()
    reader = Thread(target=_read_all, args=(parent, said, closed))
    reader.start()
    try:
        yield child, said
    finally:
        os.close(child)
        closed.set()
        reader.join()
        os.close(parent)


def _read_all(parent: int, said: list[bytes], closed: Event) -> None:
    """Read all that was written until *closed*: a process that was started meanwhile may keep it open.

    On a busy machine the kernel hands on what was written some time after the other end is closed.
    """
    with suppress(OSError):  # the other end is closed, and all is read
        while True:
            is_last = closed.is_set()
            ready = select.select([parent], [], [], 1.0 if is_last else 0.02)[0]
            if is_last and not ready:
                break
            if ready:
                said.append(os.read(parent, 65_536))


def without_colour(text: str) -> list[str]:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "").splitlines()


def unpack_played(home: Path) -> PlayedHome:
    """Make the home that was played once and for all, with 202 matches of three bots, one of which faults."""
    shutil.unpack_archive(PLAYED / "home.zip", home)
    out, err = (
        (PLAYED / f"{name}.txt").read_text("utf-8").replace(HOME, str(home)) for name in ("stdout", "stderr")
    )
    return PlayedHome(home, Said(0, out, err))


def listing(folder: Path) -> dict[str, str]:
    """Return every file and folder below *folder*, with the hash of its content."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts
    }
