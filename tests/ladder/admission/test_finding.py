"""What an author is told to do about a fault, by what the bot wrote as it ended."""

import pytest

from ladder.admission.finding import advice_on
from protocol.faults import FAULTS
from results.record import Fault


def ended(stderr):
    return Fault(1, 0, 0, 0, "rat", "1", "start", 0, True, "", "", "", "", 0, 0, 1, stderr)


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
        ("ZeroDivisionError: division by zero", FAULTS["start"].advice),
        ("", FAULTS["start"].advice),
    ],
)
def test_what_the_bot_wrote_says_what_to_do(stderr, told):
    assert advice_on(ended(stderr)).startswith(told)
