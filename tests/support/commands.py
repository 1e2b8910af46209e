"""Commands in processes of their own, for tests that signal them or look at them while they run."""

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


@contextmanager
def process_group(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start *command* in a process group of its own; kill the whole group when the test leaves the block.

    *options* are those of subprocess.Popen.  Its own context manager waits for the process instead, so that
    a test that fails, or runs out of time, would wait for all that the command still has to do.
    """
    process = subprocess.Popen(command, start_new_session=True, **options)
    try:
        yield process
    finally:
        kill_group(process.pid)
        with process:  # close the pipes, and wait
            pass


def kill_group(leader: int) -> None:
    """Kill all processes in the group of *leader* that are left."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def read_until(process: subprocess.Popen[str], text: str) -> str:
    """Read lines from the stderr of *process* up to one that contains *text*; return that line."""
    assert process.stderr
    for line in process.stderr:
        if text in line:
            return line
    raise AssertionError(f"expected {text!r} on stderr before its end")
