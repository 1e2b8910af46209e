"""Ctrl-C and other signals: they end a command before its first match, and stop a run after those in hand.

A run that is stopped has not ended: no rule has ended it, and the same command continues it.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from ladder.run.run_events import OperatorNote, Tell
from ladder.run.status import Stop


@contextmanager
def leaving() -> Iterator[None]:
    """Let SIGTERM and SIGHUP raise SystemExit."""
    with _on_signals(_leave, signal.SIGTERM, signal.SIGHUP):
        yield


@contextmanager
def _on_signals(handler: Callable[[int, object], None], *numbers: signal.Signals) -> Iterator[None]:
    """Call *handler* for these signals, except those that were ignored when we started, as by nohup.

    Only the main thread of a program can do that: elsewhere signals stay as they are.
    """
    before = {}
    with suppress(ValueError):  # not the main thread
        for number in numbers:
            if (handled := signal.getsignal(number)) != signal.SIG_IGN:
                signal.signal(number, handler)
                before[number] = handled
    try:
        yield
    finally:
        for number, handled in before.items():
            signal.signal(number, handled)


def _leave(number: int, _: object) -> None:
    """End the program; not by a LadderError, which could be taken for that of a house bot, and skipped."""
    raise SystemExit(128 + signal.SIGTERM)


@contextmanager
def stopping(tell: Tell) -> Iterator[Stop]:
    """Turn signals that end programs into a Stop, which the run looks at between two blocks."""
    stop = Stop()

    def ask(number: int, _: object) -> None:
        stop.asked += 1
        stop.exit_code = 130 if number == signal.SIGINT else 143
        if stop.asked == 1:
            with suppress(RuntimeError):  # the signal came in the middle of another print
                tell(OperatorNote("stopping: matches in hand may finish; once more to stop at once"))

    with _on_signals(ask, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        yield stop
