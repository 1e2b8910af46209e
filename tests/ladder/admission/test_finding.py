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
        ("ZeroDivisionError: division by zero", FAULTS["start"].advice),
        ("", FAULTS["start"].advice),
    ],
)
def test_what_the_bot_wrote_says_what_to_do(stderr, told):
    assert advice_on(ended(stderr)).startswith(told)
