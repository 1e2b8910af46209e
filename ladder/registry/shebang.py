"""Read the interpreter from the first line of a script: `#!`, a program, one argument (execve(2))."""

import shlex
from pathlib import Path

from ladder.errors import UsageProblem
from ladder.registry.file_kinds import open_regular

LONGEST = 4096
"""The most bytes that are read of a first line."""
MARK = b"#!"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def interpreter_of(file: Path, shown: Path | None = None, *, mends: bool = False) -> tuple[str, ...]:
    """Return the interpreter in the first line of *file* and its arguments; () if there is none.

    The interpreter is a name if `env` should find it, else a path.  Messages call the file *shown*.  What
    mending will change is read as it will be if it *mends*.  Raises UsageProblem for a line that no system
    can run.
    """
    shown = shown or file
    with open_regular(file, follow=True) as script:
        line = script.readline(LONGEST)
    if mends:  # the lines of old Macs end with a carriage return alone
        line, *_ = line.removeprefix(BYTE_ORDER_MARK).splitlines() or [b""]
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
    """Return the command that env(1) starts; () if *argument* has other options or sets variables."""
    for option in ("-S", "--split-string="):
        argument = argument.removeprefix(option)
    try:
        words = shlex.split(argument)
    except ValueError:
        return ()
    plain = bool(words) and not words[0].startswith("-") and "=" not in words[0]
    return tuple(words) if plain else ()
