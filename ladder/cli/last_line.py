"""The last line on stderr: what `ladder` in the messages stands for, or an error for programs."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from ladder.cli.streams import GLUE
from ladder.errors import printable

_NAMED: list[str] = []
"""The first text with a command that this process has printed."""


def remember_commands(text: str) -> str:
    """Return *text*, a next step or an example, and remember it if it names a command."""
    if "ladder " in text and not _NAMED:  # a chain of runs names them for months
        _NAMED.append(text)
    return text


def keep_commands(text: str, marks: Sequence[str] = (", ", ": ", "; ")) -> str:
    """Return *text* with GLUE in each part that is a command, between *marks*, or a line for the shell."""
    if text.startswith("(") or (not marks and text.startswith("ladder ")):
        return text.replace(" ", GLUE)
    return marks[0].join(keep_commands(part, marks[1:]) for part in text.split(marks[0])) if marks else text


def say_what_ladder_is(words: Sequence[str]) -> None:
    """If commands were named, and `ladder` alone is not what *words* were typed behind, say what is."""
    if not _NAMED or wants_json(words):
        return
    home, program = _home_of(words), _find_program_name()
    if home or program != "ladder":
        at = f" --home {shlex.quote(home)}" if home else ""
        print(printable(f"ladder is {program}{at} here"), file=sys.stderr)


def _find_program_name() -> str:
    """Return `ladder` if a shell finds this program by it, else the words by which it was called."""
    by_name = Path(sys.argv[0]).name == "ladder"
    script = Path(sys.argv[0]) if by_name else Path(sys.executable).with_name("ladder")
    found = shutil.which("ladder")
    if found and script.exists() and script.samefile(found):
        return "ladder"
    return shlex.quote(sys.argv[0]) if by_name else shlex.join([sys.orig_argv[0], "-m", "ladder"])


def _home_of(words: Sequence[str]) -> str:
    """Return the home as *words* of a command line name it; empty if they name none."""
    for word, after in pairwise([*words, ""]):
        if word == "--home":
            return after
        if word.startswith("--home="):
            return word.removeprefix("--home=")
    return ""


def wants_json(words: Sequence[str]) -> bool:
    """Return whether *words* of a command line ask for JSON, also where they are wrong otherwise."""
    own = words[: words.index("--")] if "--" in words else words
    pairs = pairwise(own)
    return not {"--json", "--format=json", "-fjson"}.isdisjoint(own) or any(
        flag in ("--format", "-f") and value == "json" for flag, value in pairs
    )


def error_line(message: str, hint: str, code: int) -> str:
    """Return an error as one line of JSON."""
    import json  # not every command needs it

    return json.dumps({"error": message, "next": hint, "exit": code})
