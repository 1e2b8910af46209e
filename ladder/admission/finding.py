"""The result of one check of a bot, and its constants."""

from __future__ import annotations

import re
import sys
from typing import Literal, TypeAlias

import msgspec

from ladder.registry.file_kinds import HERE
from protocol.faults import FAULTS, FLUSH
from results.record import Fault

__all__ = [
    "ENDING_SECONDS",
    "FASTER",
    "LATER_SECONDS",
    "MARK",
    "NEAR",
    "NEWLINE",
    "SHOWN",
    "STDERR",
    "Finding",
    "Grade",
    "advice_on",
]

Grade: TypeAlias = Literal["ok", "warning", "failure"]

MARK = "LADDER_CHECK"
"""The environment variable that marks the processes of a bot, so that they can be found again."""
LATER_SECONDS = 1.0
"""How long to wait beyond the limit: a bot that is still silent then is not just slow."""
ENDING_SECONDS = 0.5
"""How long to wait for buffered output after stdin is closed."""
NEAR = 0.75
"""A bot that uses more than this share of a limit gets a warning."""
SHOWN = 600
"""The most characters of a process's output that are shown."""

STDERR = "write only protocol messages to stdout; log to stderr, as in print(..., file=sys.stderr)"
NEWLINE = f"end every line with a newline, and {FLUSH}"
FASTER = "start faster: load large files after ready"


class Finding(msgspec.Struct, frozen=True):
    """The result of one check."""

    check: str
    verdict: Grade
    what: str
    advice: str = ""
    """What to do about it; empty if all is well."""
    exchange: tuple[str, ...] = ()
    """The lines exchanged that show it."""
    not_the_bot: bool = False
    """Whether the ladder or this machine is to blame: the check could not be made."""


PYTHON_2 = re.compile(
    r"Missing parentheses in call to '(?:print|exec)'"
    r"|python2(?:\.\d)?\b.*(?:not found|No such file)"
    r"|NameError: name '(?:raw_input|unicode|xrange|unichr|basestring)' is not defined"
)
NOT_HERE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
READ_ONLY = re.compile(
    r"Read-only file system|EROFS|No usable temporary directory"
    r"|OperationalError: (?:unable to open database file|attempt to write a readonly database)"
)
FOR_WINDOWS = {"msvcrt", "winreg", "winsound", "_winapi", "nt"}
"""Modules of Python that are there on Windows only."""
WINDOWS_PROGRAM = re.compile(r": (?:\d+: )?MZ\S*: not found")
OTHER_PROCESSOR = re.compile(r"Exec format error")
NO_PROGRAM = re.compile(r"can't open file '/bot/(?:\./)?([^']+)'")
NO_FILE = re.compile(r"FileNotFoundError: \[Errno 2\] No such file or directory: ('[^']+')")
NO_SCREEN = re.compile(r"no display name and no \$DISPLAY|cannot (?:open|connect to) display")
NOT_UTF_8 = re.compile(r"SyntaxError: .*(?:Non-UTF-8 code|codec can't decode)")
NO_NETWORK = re.compile(r"name resolution|Network is unreachable|EAI_AGAIN|ENETUNREACH|getaddrinfo")
NOT_PYTHON = re.compile(r"line (\d+)\n(?:.*\n)*?((?:Indentation|Tab|Syntax)Error: .*)")


ADVICE = (
    (NO_SCREEN, "a bot has no screen and no keyboard here: leave its windows out"),
    (WINDOWS_PROGRAM, f"it is a program for Windows; {HERE}"),
    (OTHER_PROCESSOR, f"it is a program for another system or processor; {HERE}"),
)
"""What to do, by what the bot wrote."""


def advice_on(fault: Fault) -> str:
    """Return what the author of a bot can do about *fault*."""
    if found := _advice_on_stderr(fault.stderr):
        return found
    text = fault.answer.strip()
    if (text and not text.startswith("{")) or "(log to stderr" in fault.reason:
        return STDERR
    if text.startswith("{'"):
        return "write JSON, whose texts have double quotes: in Python, print(json.dumps(...), flush=True)"
    if text == "{":
        return "write each answer on one line: in Python, json.dumps(...) without indent"
    if fault.kind == "protocol" and "in move" in fault.reason:
        return f"a move is the text of an option, not its number; {FAULTS['protocol'].advice}"
    return NEWLINE if fault.kind == "timeout" and text else FAULTS[fault.kind].advice


def _advice_on_stderr(text: str) -> str:
    """Return the advice on what a bot wrote to stderr as it ended; empty if it says nothing known."""
    if PYTHON_2.search(text):
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return f"this is Python 2, and bots run on Python {version}: write print(...), input() and range()"
    if found := NOT_HERE.search(text):
        name = found[1].partition(".")[0]
        if name in FOR_WINDOWS:
            return f"{name} is there on Windows only, and bots run on Linux here: do without it"
        if name in sys.stdlib_module_names:
            return f"{found[1]} is not in Python {sys.version_info.major}.{sys.version_info.minor} any more"
        return (
            f"{name} is not on this machine: if it is a file of yours, submit the folder that holds it; if it"
            " is a package, name it in requirements.txt beside the bot, or do without it"
        )
    if NO_NETWORK.search(text):
        return (
            "a bot has no network here; who runs the ladder can give it to a bot whose bot.toml has"
            " network = true: network = [NAME], below [allow] in ladder.toml"
        )
    if NOT_UTF_8.search(text):
        return "save the program as UTF-8 (editors have it below Save as, Encoding), and submit again"
    if found := NO_PROGRAM.search(text):
        return f"`run` names {found[1]}, which is not there: upper and lower case count in names of files"
    if found := NOT_PYTHON.search(text):
        return f"Python cannot read line {found[1]}: {found[2]}"
    if READ_ONLY.search(text):
        return (
            "a bot may not write files here: keep what it learns in memory; who runs the ladder can give it"
            " room in /tmp: scratch_mb = 16, below [sandbox] in ladder.toml"
        )
    return next((advice for pattern, advice in ADVICE if pattern.search(text)), "") or _advice_on_file(text)


def _advice_on_file(text: str) -> str:
    found = NO_FILE.search(text)
    return (
        f"{found[1]} is not there when the bot runs: submit it in the bot's folder, and open it beside the"
        ' program: open(Path(__file__).parent / "weights.json")'
        if found
        else ""
    )
