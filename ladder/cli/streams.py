"""The program's own stdin, stdout and stderr: there, and nobody's death."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO

__all__ = ["outlive_readers", "silence"]


def outlive_readers() -> None:
    """Have all three streams, and an stderr that goes on when its terminal or its reader is gone.

    Where one is closed, the next file that is opened would take its number, and what a child process says
    there would land in it: in the journal, perhaps.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115  # for as long as the program
    sys.stderr = _Lasting(sys.stderr)


def silence(stream: TextIO | None, number: int) -> None:
    """Let what is said on *stream*, whose file descriptor is *number*, go nowhere from now on."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno() if stream else number)
    os.close(null)


class _Lasting:
    """A stream that says what it can: a run does not end because nobody reads how it goes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError:
            silence(self._stream, 2)
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            silence(self._stream, 2)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
