"""`ladder serve` as a program, for tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ladder.home.home import Home
from support.command_line import ENVIRONMENT
from support.commands import process_group

__all__ = ["served"]


@contextmanager
def served(home: Home, *arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run `ladder serve`; yield its URL and the process."""
    command = [sys.executable, "-m", "ladder", "serve", "--port", "0", "--home", str(home.path), *arguments]
    with process_group(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as process:
        assert process.stdout
        yield process.stdout.readline().strip(), process
