"""Turn `ladder COMMAND` in messages into what can be typed: as the program was called, with its home."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from itertools import pairwise
from pathlib import Path

from ladder.cli.commands import GROUPS

WITHOUT_HOME = frozenset(
    {
        "bench",
        "doctor",
        "games",
        "games files",
        "games new",
        "games rules",
        "home restore",
        "selftest",
        "tls",
        "worker",
        "--help",
    }
)
"""The commands that have no option --home."""

MAKING_HOMES = ("home init", "home merge")
"""The commands that make a home of their own."""
_BEFORE = r"(?:^|(?<=[:;,] )|(?<=\bor )|(?<=\bsee )|(?<=  )|(?<=`))"
"""What stands before a command in a message; prose such as `the ladder that wrote it` is left alone."""
_IN_GROUPS = "".join(rf"|{group} (?:{'|'.join(names)})\b" for group, names in GROUPS.items())
_COMMAND = re.compile(_BEFORE + rf"ladder (--help{_IN_GROUPS}|[a-z]+)((?:(?!: )[^,;`\n])*)", re.MULTILINE)
"""A command, and the rest of what is to be typed, perhaps with some prose behind."""
_SHELL = re.compile(r"\(umask .*\)")


def as_called(text: str, glue: str = " ") -> str:
    """Return *text* with its `ladder COMMAND` as they can be typed after the command that runs now.

    Their spaces become *glue*, and those of a line for the shell, such as shard.MAKE_SECRET.
    """
    text = _SHELL.sub(lambda match: match[0].replace(" ", glue), text)
    program, home = find_program_name(), _home()

    def name_of(match: re.Match[str]) -> str:
        return f"{program} {match[1]}{_at(home, match)}{match[2]}".replace(" ", glue)

    return _COMMAND.sub(name_of, text)


def find_program_name() -> str:
    """Return `ladder` if a shell finds this program by it, else the words by which it was called."""
    if not _is_program():
        return "ladder"
    by_name = Path(sys.argv[0]).name == "ladder"
    script = Path(sys.argv[0]) if by_name else Path(sys.executable).with_name("ladder")
    found = shutil.which("ladder")
    if found and script.exists() and script.samefile(found):
        return "ladder"
    return shlex.quote(sys.argv[0]) if by_name else shlex.join([sys.orig_argv[0], "-m", "ladder"])


def _is_program() -> bool:
    """Return whether this process is the program itself, not another one that calls a command."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)  # None: it is a script
    return (spec is not None and spec.name == "ladder.__main__") or Path(sys.argv[0]).name == "ladder"


def _home() -> str:
    """Return the home on the command line as it was typed, if there is one."""
    if _is_program():
        for word, after in pairwise([*sys.argv[1:], ""]):
            if word == "--home":
                return after
            if word.startswith("--home="):
                return word.removeprefix("--home=")
    return ""


def _at(home: str, command: re.Match[str]) -> str:
    """Return the option --home where *command* takes it and lacks it."""
    takes_none = command[1] in WITHOUT_HOME or command[1] in MAKING_HOMES
    if not home or takes_none or re.search("--home|--help", command[2]):
        return ""
    return f" --home {shlex.quote(home)}"
