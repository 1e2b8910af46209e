"""What the author of a bot is told to do about its failure: the right thing, and the same everywhere."""

import re

import pytest
from support import ladders
from support.records import a_fault
from support.submitting import submit

from ladder.admission import second_look
from ladder.admission.advice import FASTER, NEWLINE, READY, STDERR, Symptoms, advise
from ladder.admission.check import check
from ladder.admission.submit import FailedMatch
from ladder.registry.file_kinds import POINTER_HEAD
from protocol.faults import FAULTS, FLUSH

SERVE = "from protocol.client import serve\nserve(lambda act: act.choice.options[0])\n"
HEAR = """\
import json, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
def hear(kind):
    for line in sys.stdin:
        if (message := json.loads(line))["type"] in (kind, "bye"):
            return message if message["type"] == kind else sys.exit()
    sys.exit()
hear("hello")
"""
READIES = HEAR + 'say(type="ready", protocol=1)\n'
"""The beginning of a bot that is ready in time."""
ACTS = READIES + 'while True:\n    act = hear("act")\n    move = act["choice"]["options"][0]\n'
"""The beginning of a bot that is asked; what it answers follows, indented."""
AT_ONCE = "it ended at once, and says no error: does it call serve(choose)"

READY_LINE = '{"type":"ready","protocol":1}'
BYE = 'hear("bye")\n'

IN_A_THREAD = {
    # at the start
    "prints a banner": ("print('Bot 3000', flush=True)\n" + SERVE, f"{READY}; {STDERR}"),
    "never flushes": (f"print('{READY_LINE}')\nimport sys\nsys.stdin.read()\n", FLUSH),
    "reads to the end": ("import sys\nsys.stdin.read()\nprint('{}', flush=True)\n", "read line by line"),
    "forgets the newline": (HEAR + f"print('{READY_LINE}', end='', flush=True)\n" + BYE, NEWLINE),
    "starts slowly": (f"import time\ntime.sleep(0.6)\n{SERVE}", f"{FASTER}; who runs the ladder can"),
    "says nothing": (HEAR + BYE, "answer the hello line at once with the line"),
    "ends at once": ("def choose(act):\n    return act.choice.options[0]\n", AT_ONCE),
    "ends with a status": ("import sys\nsys.exit(3)\n", AT_ONCE),
    "raises at its start": ("1 / 0\n", "its stderr says why"),
    "speaks version 2": (HEAR + 'say(type="ready", protocol=2)\n' + BYE, READY),
    "says something else": (HEAR + 'say(type="hello")\n' + BYE, READY),
    "writes Python": (HEAR + 'print({"type": "ready"}, flush=True)\n' + BYE, "write JSON, whose texts"),
    "writes several lines": (HEAR + 'print("{", flush=True)\n' + BYE, "write each answer on one line"),
    "is ready twice": (HEAR + f"print('{READY_LINE}\\n' * 2, flush=True)\n" + BYE, READY),
    "opens what is not there": ("open('w.json')\n", "'w.json' is not there when the bot runs"),
    "opens what its author has": ("open('/home/ann/w.bin')\n", 'readable = ["/opt/models"]'),
    "wants a package": ("import nampy\n", "name it in requirements.txt"),
    "wants Windows": ("import msvcrt\n", "msvcrt is there on Windows only"),
    "is Python 2": ("name = raw_input()\n", "this is Python 2"),
    "needs much memory": ("raise MemoryError\n", "use less memory, all processes of the bot together; who"),
    # in a match
    "plays what is not offered": (ACTS + "    say(id=act['id'], move='x')\n", FAULTS["illegal"].advice),
    "plays a number": (ACTS + "    say(id=act['id'], move=0)\n", "a move is the text of an option, not"),
    "prints a thought": (ACTS + "    print('thinking', flush=True)\n", STDERR),
    "answers in Python": (ACTS + "    print({'id': act['id']}, flush=True)\n", "write JSON, whose texts"),
    "answers another": (ACTS + "    say(id='1', move=move)\n", FAULTS["protocol"].advice),
    "raises": (ACTS + "    raise SystemError\n", "its stderr says why"),
    "ends after a match": (READIES + 'hear("act")\n', "it ended by itself while a match went on"),
    "ends with an error": (READIES + 'hear("act")\nsys.exit(3)\n', "it ended by itself while a match"),
    "answers late": (ACTS + "    time.sleep(0.35)\n    say(id=act['id'], move=move)\n", "it took 0."),
    "never answers": (
        ACTS,
        "answer sooner: a decision has 100 ms (move_ms), and all of a match together 100",
    ),
    "keeps answers": (ACTS + "    print(json.dumps({'id': act['id'], 'move': move}))\n", "read line by line"),
    "answers without end": (ACTS + "    print('{\"id\":', end='', flush=True)\n", NEWLINE),
}
"""Bots that fail: what each does, its program, and a part of the advice."""

SOCKETS = "import socket\nsocket."
IN_A_PROCESS = {
    "asks with a prompt": ("bot.py", "name = input('Name: ')\n" + SERVE, "; input() takes no prompt here"),
    "hides the client": ("protocol.py", SERVE, "protocol.py hides the module protocol of the ladder"),
    "hides a module": (
        "random.py",
        "import random\nrandom.choice\n",
        "random.py hides the module random of Python",
    ),
    "hides a module from others": (
        "types.py",
        "import json\njson.loads\n",
        "types.py hides the module types of Python",
    ),
    "opens a socket": ("bot.py", SOCKETS + "create_connection(('1.1.1.1', 80))\n", "no network here"),
    "asks for a name": ("bot.py", SOCKETS + "getaddrinfo('example.org', 80)\n", "no network here"),
    "writes a file": ("bot.py", "open('log.txt', 'w')\n", "a bot may not write files here"),
    "is a song": ("bot.py", "la la la\n", "Python cannot read line 1: SyntaxError"),
    "reads a pointer": ("bot.py", "import json\njson.load(open('weights.json'))\n", "git lfs pull"),
}
"""Those of which an interpreter or the sandbox says what is wrong; the first is the name of the program."""


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(second_look, "LATER_SECONDS", 0.7)
    limits = "[limits]\nmove_ms = 100\nbank_ms = 100\nstart_ms = 400\n"
    return ladders.a_home(tmp_path / "home", {}, limits)


def advice_of_both(home, folder, script, text):
    """Return what `check` and `submit` advise about the bot with this script."""
    folder.mkdir()
    (folder / script).write_text(text)
    (folder / "bot.toml").write_text(f'name = "x"\nrun = ["{{python}}", "{script}"]\ngames = ["stellar"]\n')
    if "weights.json" in text:
        (folder / "weights.json").write_bytes(POINTER_HEAD + b"github.com/spec/v1\noid sha256:0\n")
    failed = next(finding for finding in check(home, str(folder)) if finding.verdict == "failure")
    with pytest.raises(FailedMatch) as caught:
        submit(home, folder)
    # how long a late bot took differs from one time to the other
    return {re.sub(r"took [\d.]+|_ms = \d+", "took 0.", said.advice) for said in (failed, caught.value)}


@pytest.mark.process
@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("bot", IN_A_THREAD)
def test_check_and_submit_give_the_same_advice(home, tmp_path, bot):
    text, told = IN_A_THREAD[bot]
    (advice,) = advice_of_both(home, tmp_path / "bot", "bot.py", text)
    assert told in advice
    assert "by hand" not in advice


@pytest.mark.process
@pytest.mark.parametrize("bot", IN_A_PROCESS)
def test_advice_on_what_an_interpreter_and_the_sandbox_say_is_the_same(tmp_path, bot):
    home = ladders.a_home(tmp_path / "home", {}, "[limits]\nstart_ms = 1000\n")
    script, text, told = IN_A_PROCESS[bot]
    (advice,) = advice_of_both(home, tmp_path / "bot", script, text)
    assert told in advice
    assert "requirements.txt" not in advice


@pytest.mark.parametrize(
    ("stderr", "told"),
    [
        ("SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?", "this is Python 2"),
        ("NameError: name 'raw_input' is not defined", "this is Python 2"),
        ("ModuleNotFoundError: No module named 'numpy.linalg'", "numpy is not on this machine"),
        ("ModuleNotFoundError: No module named 'protocol'", "protocol is there for the ladder's own Python"),
        ("Error: Cannot find module 'seedrandom'", "seedrandom is not on this machine: name it in package"),
        ("Error: Cannot find module './cards'", "./cards is not there: submit the folder"),
        ("OSError: [Errno 30] Read-only file system: 'log.txt'", "a bot may not write files here"),
        ("PermissionError: [Errno 13] Permission denied: 'log.txt'", "a bot may not write files here"),
        ("Error: EROFS: read-only file system, open 'log.txt'", "a bot may not write files here"),
        (
            "FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp']",
            "a bot may not write",
        ),
        ("sqlite3.OperationalError: unable to open database file", "a bot may not write files here"),
        ("sl = self._semlock = _multiprocessing.SemLock(\nPermissionError: [Errno 13]", "bots have at most"),
        ("ModuleNotFoundError: No module named 'msvcrt'", "msvcrt is there on Windows only"),
        ("(python)/bin/python3: can't open file '/bot/./src/bot.py': [Errno 2]", "`run` names src/bot.py"),
        ("can't open file '/home/x/bots/.staging-1/files/bot.py': [Errno 2]", "`run` names bot.py"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'w.json'", "'w.json' is not there"),
        ("PermissionError: [Errno 13] Permission denied: '/data/w.json'", "'/data/w.json' is not there"),
        ("Error: ENOENT: no such file or directory, open 'w.json'", "'w.json' is not there"),
        ("./bot.exe: 1: MZ: not found", "it is a program for Windows"),
        ("_tkinter.TclError: no display name and no $DISPLAY environment variable", "a bot has no screen"),
        (
            "SyntaxError: Non-UTF-8 code starting with '\\xfc' in file /bot/a.py on line 2",
            "save the program as",
        ),
        (
            '  File "/bot/a.py", line 8\n    elif x:\nIndentationError: unindent does not match',
            "Python cannot read line 8: IndentationError: unindent",
        ),
        ("socket.gaierror: [Errno -3] Temporary failure in name resolution", "a bot has no network here"),
        ("urllib.error.URLError: <urlopen error [Errno 1] Operation not permitted>", "a bot has no network"),
        ("TypeError: fetch failed\n [cause]: Error: connect EPERM 1.1.1.1:80", "a bot has no network here"),
        ("RuntimeError: can't start new thread", "start fewer processes and threads; who runs the ladder"),
        ("terminate called after throwing an instance of 'std::bad_alloc'", "use less memory"),
        ("ZeroDivisionError: division by zero", FAULTS["start"].advice),
        ("", FAULTS["start"].advice),
    ],
)
def test_what_the_bot_wrote_says_what_to_do(stderr, told):
    limits = {"processes": 64, "memory_mb": 512}
    symptoms = Symptoms("start", "expected it", stderr, bot="x", limits=limits)._replace(reason="")
    assert advise(symptoms).startswith(told)


def test_what_a_home_allows_is_not_said_to_be_missing():
    symptoms = Symptoms("crash", "", "socket.gaierror: [Errno -3]", has_network=True)
    assert advise(symptoms).startswith("the bot may use the network, and")
    symptoms = Symptoms("crash", "", "OSError: [Errno 30] Read-only file system: 'x'", scratch_mb=16)
    assert advise(symptoms).startswith("a bot may write files only in /tmp")


@pytest.mark.parametrize(
    ("kind", "reason", "answer", "told"),
    [
        ("protocol", "no JSON", "Hello from my bot!", STDERR),
        ("start", "no ready (log to stderr)", "", f"{READY}; {STDERR}"),
        ("protocol", "no JSON", "{'id': '0'}", "write JSON, whose texts have double quotes"),
        ("protocol", "no JSON", "{\n", "write each answer on one line"),
        (
            "protocol",
            "got no move: ['id', 'fail']",
            '{"fail":"transport"}',
            "only a bot that has the network",
        ),
        (
            "start",
            """expected a message of type ready, got: 'absent': '{"type":"absent"}'""",
            "",
            "only a bot that has the network",
        ),
        ("protocol", "got 0 in move", '{"move":0}', "a move is the text of an option, not its number"),
        ("protocol", "got 0 in id", '{"id":0}', FAULTS["protocol"].advice),
        ("timeout", "no answer", '{"id":"0","move":"take 1"}', NEWLINE),
        ("timeout", "no answer", "", FAULTS["timeout"].advice),
    ],
)
def test_what_the_bot_answered_says_what_to_do(kind, reason, answer, told):
    fault = a_fault(kind=kind, reason=reason, answer=answer, stderr="")
    assert advise(Symptoms.of(fault)).startswith(told)


def test_a_slow_bot_reads_which_limit_it_is_how_much_it_has_and_who_can_change_it():
    limits = {"move_ms": 1_000, "bank_ms": 10_000, "match_s": 60}
    slow = Symptoms(
        "timeout", "no answer within 1250 ms", bot="a.b", limits=limits, heard="late", took_ms=3000
    )
    assert (
        "answer sooner: a decision has 1,000 ms (move_ms), and all of a match together 10,000 ms more"
        " (bank_ms); asked again, it took 3.0 s; who runs the ladder can give it more: move_ms = 4500, below"
        ' [limits.bots."a.b"] in ladder.toml'
    ) == advise(slow)
    long = slow._replace(reason="no answer within 3 ms, the rest of 60 s for its start and its decisions")
    told = "answer sooner: the rest of 60 s for its start and its decisions (match_s); who runs"
    assert advise(long).startswith(told)
