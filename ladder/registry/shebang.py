"""The first line of a script, which says what runs it: `#!`, an interpreter, one argument (execve(2))."""

from __future__ import annotations

import shlex
from pathlib import Path

from ladder.errors import UsageProblem

__all__ = ["interpreter_of"]

LONGEST = 4096
"""Bytes of a first line that are read."""
MARK = b"#!"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def interpreter_of(file: Path, shown: Path | None = None) -> tuple[str, ...]:
    """Return the interpreter that *file* names in its first line, and its arguments; () if there is none.

    One that `env` is to find is a name, any other a path.  *shown* is what messages call the file.
    Raises UsageProblem for a line that no system can run.
    """
    shown = shown or file
    with file.open("rb") as script:
        line = script.readline(LONGEST)
    if line.startswith(BYTE_ORDER_MARK + MARK):
        raise UsageProblem(
            f"{shown} begins with a byte order mark, so that its `#!` line does not count",
            f"sed -i '1s/^\\xef\\xbb\\xbf//' {shlex.quote(str(shown))}",
        )
    if not line.startswith(MARK):
        return ()
    if line.endswith((b"\r\n", b"\r")):
        raise UsageProblem(
            f"{shown}: the first line ends with a carriage return, as lines do on Windows: {line!r}",
            f"sed -i 's/\\r$//' {shlex.quote(str(shown))}",
        )
    words = line[len(MARK) :].decode("utf-8", "surrogateescape").strip().split(maxsplit=1)
    if not words:
        raise UsageProblem(f"{shown}: the first line names no program: {line!r}", "such as: #!/bin/bash")
    sought = _parse_env(*words[1:]) if Path(words[0]).name == "env" else ()
    return sought or tuple(words)


def _parse_env(argument: str = "") -> tuple[str, ...]:
    """Return what env(1) starts; () where it is asked for more than to find a program."""
    for option in ("-S", "--split-string="):
        argument = argument.removeprefix(option)
    try:
        words = shlex.split(argument)
    except ValueError:
        return ()
    plain = bool(words) and not words[0].startswith("-") and "=" not in words[0]
    return tuple(words) if plain else ()
