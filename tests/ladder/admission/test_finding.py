"""What an author is told to do about a fault, by what the bot wrote as it ended."""

import pytest
from support.records import a_fault

from ladder.admission.finding import NEWLINE, STDERR, advice_on
from protocol.faults import FAULTS


@pytest.mark.parametrize(
    ("stderr", "told"),
    [
        ("SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?", "this is Python 2"),
        ("NameError: name 'raw_input' is not defined", "this is Python 2"),
        ("ModuleNotFoundError: No module named 'numpy.linalg'", "numpy is not on this machine"),
        ("OSError: [Errno 30] Read-only file system: 'log.txt'", "a bot may not write files here"),
        ("Error: EROFS: read-only file system, open 'log.txt'", "a bot may not write files here"),
        (
            "FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp']",
            "a bot may not write",
        ),
        ("sqlite3.OperationalError: unable to open database file", "a bot may not write files here"),
        ("ModuleNotFoundError: No module named 'msvcrt'", "msvcrt is there on Windows only"),
        ("(python)/bin/python3: can't open file '/bot/./src/bot.py': [Errno 2]", "`run` names src/bot.py"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'w.json'", "'w.json' is not there"),
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
        ("ZeroDivisionError: division by zero", FAULTS["start"].advice),
        ("", FAULTS["start"].advice),
    ],
)
def test_what_the_bot_wrote_says_what_to_do(stderr, told):
    assert advice_on(a_fault(kind="start", stderr=stderr)).startswith(told)


@pytest.mark.parametrize(
    ("kind", "reason", "answer", "told"),
    [
        ("protocol", "no JSON", "Hello from my bot!", STDERR),
        ("start", "no ready (log to stderr)", "", STDERR),
        ("protocol", "no JSON", "{'id': '0'}", "write JSON, whose texts have double quotes"),
        ("protocol", "no JSON", "{\n", "write each answer on one line"),
        ("protocol", "got 0 in move", '{"move":0}', "a move is the text of an option, not its number"),
        ("protocol", "got 0 in id", '{"id":0}', FAULTS["protocol"].advice),
        ("timeout", "no answer", '{"id":"0","move":"take 1"}', NEWLINE),
        ("timeout", "no answer", "", FAULTS["timeout"].advice),
    ],
)
def test_what_the_bot_answered_says_what_to_do(kind, reason, answer, told):
    assert advice_on(a_fault(kind=kind, reason=reason, answer=answer, stderr="")).startswith(told)
