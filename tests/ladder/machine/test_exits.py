"""How a process ended, in words."""

import pytest

from ladder.machine.exits import describe_exit


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("exit status 0", 0),
        ("exit status 3", 3),
        ("killed by signal 9 (SIGKILL)", -9),
        ("killed by signal 11 (SIGSEGV)", -11),
        ("killed by signal 40", -40),
        ("its exit status is unknown", None),
    ],
)
def test_an_exit_status_or_a_signal_is_named(said, code):
    assert said == describe_exit(code)
