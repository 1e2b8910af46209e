"""The program's own stdin, stdout and stderr; a missing or closed one, or its encoding, ends nothing."""

import codecs
import io
import os
import sys
import textwrap
from typing import Any, TextIO

GLUE = "\0"
"""Stands for a space at which no line is broken."""
PLAIN = str.maketrans(
    "\u2500\u2502\u251c\u2524\u2510\u2518\u25cf\u2588\u00b7\u2591\u2026\u2192", "-|++++##...>"
)
"""What stands for the characters of drawings where a stream cannot say them: lines, dots, blocks, arrows."""


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
    codecs.register_error("plain", _say_plainly)
    for stream, errors in ((sys.stdin, "backslashreplace"), (sys.stdout, "plain"), (sys.stderr, "plain")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
    sys.stderr = _Lasting(sys.stderr)


def _say_plainly(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII for what a stream cannot say, and where it goes on."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end].translate(PLAIN)
    return missing.encode("ascii", "backslashreplace").decode(), error.end


def use_utf8() -> None:
    """Print what programs read in UTF-8 from now on, whatever the encoding of the terminal."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="plain")


def silence(stream: TextIO | None, number: int) -> None:
    """Discard what is written to *stream*, whose file descriptor is *number*, from now on."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno() if stream else number)
    os.close(null)


def paint(text: str, code: str, stream: TextIO | None = None) -> str:
    """Return *text* for *stream* with the SGR *code* (ECMA-48, 8.3.117); plain if colours are not wanted."""
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return text if plain or not (stream or sys.stdout).isatty() else f"\x1b[{code}m{text}\x1b[0m"


def fit_lines(text: str, piped: int = 0) -> str:
    """Return *text*, for stderr, in lines that fit its terminal, broken between words.

    Without a terminal it stays as it is, or has lines of at most *piped* characters.  A word that is longer
    than a line, such as a path, stays whole: the terminal goes on with it.
    """
    if width := _columns() or piped:
        text = text.replace(" %", f"{GLUE}%")  # a number and its unit stay together
        text = "\n".join(_wrap(line, width) for line in text.split("\n"))
    return text.replace(GLUE, " ")


def _columns() -> int:
    """Return how wide the terminal of stderr is; 0 if it is not a terminal or has no width."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns if sys.stderr.isatty() else 0
    except OSError:
        return 0


def _wrap(line: str, width: int) -> str:
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.fill(
        line,
        width,
        subsequent_indent=indent,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )


class _Lasting:
    """A stream whose writes never fail: a run goes on when the reader of its output has ended."""

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
