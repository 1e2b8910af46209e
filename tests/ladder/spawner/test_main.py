"""The spawner ends quietly, however its worker ends."""

import signal
import socket

import pytest

from ladder.spawner import main


@pytest.mark.parametrize("how", ["the worker is gone", "a signal"])
def test_a_signal_that_comes_while_bots_are_ended_tells_nothing(monkeypatch, how):
    ending = []

    class Spawner:
        def __init__(self, worker):
            self.worker = worker

        def serve(self):
            if how == "a signal":
                signal.raise_signal(signal.SIGTERM)
            raise EOFError

        def end(self):
            self.worker.close()
            ending.append(signal.getsignal(signal.SIGTERM))

    monkeypatch.setattr(main, "Spawner", Spawner)
    monkeypatch.setattr(main.restrict, "adopt_orphans", lambda: None)
    monkeypatch.setattr(main.restrict, "keep_nice", lambda: None)
    before = signal.getsignal(signal.SIGTERM)
    ours, theirs = socket.socketpair()
    try:
        with ours:
            main.main(theirs.detach())
    finally:
        signal.signal(signal.SIGTERM, before)
    assert [signal.SIG_IGN] == ending
