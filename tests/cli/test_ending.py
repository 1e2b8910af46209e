"""SIGTERM and SIGHUP end a command as Ctrl-C does: nothing half-written stays, and no traceback is told."""

import os
import signal

import pytest
from support.command_line import run_here

from ladder.cli.ending import SIGNALS, EndedBySignal, ending_at_signals
from ladder.home.home import create_home


@pytest.fixture(autouse=True)
def handlers():
    before = {number: signal.signal(number, signal.SIG_DFL) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def end_and_clean_up(number, cleaned):
    with ending_at_signals():
        try:
            os.kill(os.getpid(), number)
        finally:
            os.kill(os.getpid(), number)
            cleaned.append(True)


@pytest.mark.parametrize("number", SIGNALS)
def test_the_second_of_two_signals_does_not_disturb_the_end(number):
    cleaned: list[bool] = []
    with pytest.raises(EndedBySignal):
        end_and_clean_up(number, cleaned)
    assert [True] == cleaned


def test_a_signal_that_is_ignored_stays_so():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with ending_at_signals():
        os.kill(os.getpid(), signal.SIGHUP)
        assert signal.SIG_IGN == signal.getsignal(signal.SIGHUP)
        assert signal.SIG_DFL != signal.getsignal(signal.SIGTERM)
    assert signal.SIG_DFL == signal.getsignal(signal.SIGTERM)


@pytest.mark.parametrize("number", SIGNALS)
def test_an_archive_that_is_stopped_leaves_nothing_behind(number, tmp_path, monkeypatch):
    home = create_home(tmp_path / "home")
    (tmp_path / "out").mkdir()
    seen = []

    def stop(*_):
        seen.extend((tmp_path / "out").iterdir())
        os.kill(os.getpid(), number)

    monkeypatch.setattr("ladder.home.archive._describe", stop)
    answer = run_here("home", "archive", tmp_path / "out" / "a.tar", "--home", home.path)
    assert (143, "") == (answer.code, answer.out)
    assert "ladder: stopped\n  next: run the same command again\n" == answer.err
    assert seen
    assert [] == [*(tmp_path / "out").iterdir()]
