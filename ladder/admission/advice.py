"""What the author of a bot can do about its failure: one set of advice, for all who ask for it."""

import json
import re
import sys
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from ladder.registry.file_kinds import HERE, POINTER, POINTER_HEAD
from protocol.faults import FAULTS, FLUSH
from results.record import Fault

Heard: TypeAlias = Literal["", "late", "cut off", "at its end"]
"""What a second process says that has all its time and more: nothing, a line, a part of one without its end,
or something only when its stdin has ended."""

STDERR = "write only protocol messages to stdout; log to stderr, as in print(..., file=sys.stderr)"
NEWLINE = f"end every line with a newline, and {FLUSH}"
FASTER = "start faster: load large files after ready"
READY = 'the only line before the first match is {"type":"ready","protocol":1}'
BUFFERED = f"it writes its answer only when its stdin ends: read line by line, and {FLUSH}"
LOOKED_AT = 10_000
"""The most files of a bot that are looked at, for pointers of git-lfs..."""
LONGEST_POINTER = 1024
"""...which have fewer bytes than this."""


class Symptoms(NamedTuple):
    """What is known of a bot's failure."""

    kind: str
    """The kind of its fault."""
    reason: str
    stderr: str = ""
    answer: str = ""
    request: str = ""
    """The whole request; else empty."""
    seat: int = 0
    heard: Heard = ""
    took_ms: int = 0
    """How long the second process took, if it was late, in tenths of a second."""
    bot: str = ""
    folder: Path | None = None
    """The files of the bot."""
    limits: Mapping[str, int] = MappingProxyType({})
    """What it may use."""
    has_network: bool = False
    scratch_mb: int = 0

    @classmethod
    def of(cls, fault: Fault) -> "Symptoms":
        """Return what *fault* says."""
        request = fault.request if fault.request.endswith("\n") else ""  # only the head of a long one is kept
        return cls(fault.kind, fault.reason, fault.stderr, fault.answer, request, fault.seat)


def advise(symptoms: Symptoms) -> str:
    """Return what the author can do."""
    found = "" if symptoms.kind in ("illegal", "protocol") else _on_stderr(symptoms)
    return (
        found
        or _on_lines(symptoms)
        or _on_time(symptoms)
        or _on_end(symptoms)
        or FAULTS[symptoms.kind].advice
    )


def more(bot: str, limit: str, now: int, needed: float = 0) -> str:
    """Return how the operator gives *bot* more of a *limit*: twice *now*, or half above what it *needed*."""
    table = f"[limits.bots.{bot if re.fullmatch('[A-Za-z0-9_-]+', bot) else json.dumps(bot)}]"
    most = max(2 * now, int(1.5 * needed))
    return f"; who runs the ladder can give it more: {limit} = {most}, below {table} in ladder.toml"


def _more(symptoms: Symptoms, limit: str, needed: float = 0) -> str:
    now = symptoms.limits.get(limit)
    return "" if now is None else more(symptoms.bot, limit, now, needed)


OF_LADDER = ("engines", "protocol")
"""The packages that bots in Python may import."""
NETWORK = (
    "who runs the ladder can give it to a bot whose bot.toml has network = true: network = [NAME], below"
    " [allow] in ladder.toml"
)
SOCKETS = (
    r"gaierror|name resolution|[Nn]etwork is unreachable|ENETUNREACH|EAI_AGAIN|getaddrinfo|connect EPERM"
    r"|(?:socket|connect|urlopen)(?s:.*)\[Errno 1\] Operation not permitted"
)
"""What sockets say where there is no network, or none of a kind that is wanted."""
WRITING = (
    r"Read-only file system|EROFS|No usable temporary directory|EACCES: permission denied, (?:open|mkdir)"
    r"|OperationalError: (?:unable to open database file|attempt to write a readonly database)"
    r"|PermissionError: \[Errno 13\] Permission denied: '(?:/tmp/|[^/])"
)
PYTHON_2 = (
    r"Missing parentheses in call to '(?:print|exec)'|python2(?:\.\d)?\b.*(?:not found|No such file)"
    r"|NameError: name '(?:raw_input|unicode|xrange|unichr|basestring)' is not defined"
)
OWN_MODULE = re.compile(
    r"No module named '(\w+)[\w.]*'; '\w+' is not a package"
    r"|(?:Error:|from)(?: partially initialized)? (?:module )?'(\w+)'"
    rf"|No module named '({'|'.join(OF_LADDER)})[\w.]*'"
    r'|/(\w+)\.py", line \d+, in <module>(?=(?s:.*)partially initialized module)'
)
"""How Python says that a module lacks something, or came back to itself by way of a file of that name."""
NO_FILE = (
    "{0} is not there when the bot runs: submit it in the bot's folder, and open it beside the program:"
    ' open(Path(__file__).parent / "weights.json"); if it is too large for that, who runs the ladder can let'
    ' bots read its folder: readable = ["/opt/models"], below [sandbox] in ladder.toml'
)
KNOWN = {
    PYTHON_2: "this is Python 2, and bots run on Python {python}: write print(...), input() and range()",
    rf"No module named '({'|'.join(OF_LADDER)})\b": "{0} is there for the ladder's own Python: in bot.toml,"
    ' run = ["{{python}}", "bot.py"]',
    r"No module named '(msvcrt|winreg|winsound|_winapi|nt)'": "{0} is there on Windows only, and bots run on"
    " Linux here: do without it",
    rf"No module named '((?:{'|'.join(sys.stdlib_module_names)})\b.*?)'": "{0} is not in Python {python} any"
    " more",
    r"No module named '(\w+)": "{0} is not on this machine: if it is a file of yours, submit the folder that"
    " holds it; if it is a package, name it in requirements.txt beside the bot, or do without it",
    r"Cannot find module '([./][^']*)'": "{0} is not there: submit the folder that holds it",
    r"Cannot find (?:module|package) '([^']*)'": "{0} is not on this machine: name it in package.json beside"
    " the bot, or do without it",
    SOCKETS: f"a bot has no network here; {NETWORK}",
    r"no display name and no \$DISPLAY|cannot (?:open|connect to) display": "a bot has no screen and no"
    " keyboard here: leave its windows out",
    r": (?:\d+: )?MZ\S*: not found": f"it is a program for Windows; {HERE}",
    r"Exec format error": f"it is a program for another system or processor; {HERE}",
    r"SyntaxError: .*(?:Non-UTF-8 code|codec can't decode)": "save the program as UTF-8 (editors have it"
    " below Save as, Encoding), and submit again",
    r"can't open file '(?:/bot/|[^']*/files/)?(?:\./)?([^']+)'": "`run` names {0}, which is not there: upper"
    " and lower case count in names of files",
    r"line (\d+)\n(?:.*\n)*?((?:Indentation|Tab|Syntax)Error: .*)": "Python cannot read line {0}: {1}",
    r"(?m)^MemoryError|Cannot allocate memory|std::bad_alloc|heap out of memory|OutOfMemoryError": (
        f"{FAULTS['memory'].advice}{{memory_mb}}"
    ),
    r"can't start new thread|Resource temporarily unavailable|unable to create (?:new )?native thread": (
        "start fewer processes and threads{processes}"
    ),
    r"_multiprocessing\.SemLock|/dev/shm": "bots have at most 1 MB of /dev/shm, and none without bubblewrap:"
    " let processes talk over pipes",
    WRITING: "a bot may not write files here: keep what it learns in memory; who runs the ladder can give it"
    " room in /tmp: scratch_mb = 16, below [sandbox] in ladder.toml",
    r"(?:\[Errno 2\] No such file or directory|Permission denied): ('[^']+')": NO_FILE,
    r"ENOENT: no such file or directory, \w+ ('[^']+')": NO_FILE,
}
"""What to do, by what the bot wrote; the first that fits counts."""


def _on_stderr(symptoms: Symptoms) -> str:
    """Return the advice on what a bot wrote as it ended; empty if it says nothing known."""
    text = symptoms.stderr
    if not text.strip():
        return ""
    folder = symptoms.folder
    files = islice(folder.rglob("*"), LOOKED_AT) if folder else ()
    small = (file for file in files if file.is_file() and file.stat().st_size < LONGEST_POINTER)
    pointers = [file.name for file in small if file.read_bytes().startswith(POINTER_HEAD)]
    if name := next((name for name in pointers if name in text), ""):
        return f"{name} is {POINTER.what}: {POINTER.advice}"
    if found := _on_hidden(symptoms):
        return found
    if symptoms.has_network and re.search(SOCKETS, text):
        return "the bot may use the network, and the other machine did not answer: check its address"
    if symptoms.scratch_mb and re.search(WRITING, text):
        return "a bot may write files only in /tmp, where they are gone when its process ends"
    for pattern, advice in KNOWN.items():
        if match := re.search(pattern, text):
            python = f"{sys.version_info.major}.{sys.version_info.minor}"
            given = {limit: _more(symptoms, limit) for limit in ("memory_mb", "processes")}
            return advice.format(*match.groups(), python=python, **given)
    return f"{pointers[0]} is {POINTER.what}: {POINTER.advice}" if pointers else ""


def _on_hidden(symptoms: Symptoms) -> str:
    """Return what to do about a file of the bot in whose place it needs a module of Python or the ladder."""
    for found in OWN_MODULE.finditer(symptoms.stderr):
        name = next(filter(None, found.groups()))
        of = "of the ladder" if name in OF_LADDER else "of Python" if name in sys.stdlib_module_names else ""
        for own in (f"{name}.py", name):
            if (of or found[1]) and symptoms.folder and (symptoms.folder / own).exists():
                return f"{own} hides the module {name} {of or 'that the bot wants'}: give it another name"
    return ""


QUOTED = re.compile(r""".*: (['"])(.*?)\1$""", re.DOTALL)
"""How the reason of a start that failed ends in the line that was not understood."""


def _on_lines(symptoms: Symptoms) -> str:
    """Return what to do about a line that is not the message which was expected."""
    text, reason = symptoms.answer.strip(), symptoms.reason
    if symptoms.kind == "start" and (found := QUOTED.match(reason)):
        text = found[2]
    if (text and not text.startswith("{")) or "(log to stderr" in reason:
        prompt = "; input() takes no prompt here" if symptoms.heard == "cut off" else ""
        return f"{READY}; {STDERR}{prompt}" if symptoms.kind == "start" else STDERR
    if text.startswith("{'"):
        return "write JSON, whose texts have double quotes: in Python, print(json.dumps(...), flush=True)"
    if text == "{":
        return "write each answer on one line: in Python, json.dumps(...) without indent"
    if "got: 'absent'" in reason or ("got no move" in reason and '"fail"' in text):
        return f"only a bot that has the network reports failures; {NETWORK}"
    if symptoms.kind == "start" and reason.startswith("expected "):
        return f"{READY}; {STDERR}"
    if symptoms.kind == "protocol" and "in move" in reason:
        return f"a move is the text of an option, not its number; {FAULTS['protocol'].advice}"
    return ""


def _on_time(symptoms: Symptoms) -> str:
    """Return what to do about an answer that has not come in time."""
    is_start = symptoms.reason.startswith("no ready within")
    if not is_start and symptoms.kind != "timeout":
        return ""
    if symptoms.answer or symptoms.heard == "cut off":
        return NEWLINE
    if symptoms.heard == "at its end":
        return BUFFERED
    if is_start:
        told = _more(symptoms, "start_ms", symptoms.took_ms)
        return FASTER + told if symptoms.heard == "late" else ""
    limits = symptoms.limits
    if "its start and its decisions" in symptoms.reason:
        return f"answer sooner: {symptoms.reason.partition(', ')[2]} (match_s){_more(symptoms, 'match_s')}"
    if not limits:
        return ""
    had = f"a decision has {limits['move_ms']:,} ms (move_ms)"
    had += f", and all of a match together {limits['bank_ms']:,} ms more (bank_ms)"
    took = f"; asked again, it took {symptoms.took_ms / 1000:.1f} s" if symptoms.heard == "late" else ""
    return f"answer sooner: {had}{took}{_more(symptoms, 'move_ms', symptoms.took_ms)}"


# -- how it ended


def _on_end(symptoms: Symptoms) -> str:
    """Return what to do about a program that ended, or was ended for what it used."""
    if symptoms.reason.startswith(("the process ended", "the process closed its stdout")):
        if symptoms.stderr.strip() and "exit status 0" not in symptoms.reason:
            return FAULTS["crash"].advice
        if symptoms.kind == "crash":
            return "it ended by itself while a match went on, and says no error: read lines until bye"
        return "it ended at once, and says no error: does it call serve(choose), or read lines until bye?"
    not_ready = symptoms.reason.startswith("before it was ready")
    if not_ready and "memory" not in symptoms.reason:
        return FAULTS["limit"].advice
    is_memory = not_ready or symptoms.kind == "memory"
    return FAULTS["memory"].advice + _more(symptoms, "memory_mb") if is_memory else ""
