"""End a command by SIGTERM or SIGHUP as by Ctrl-C: what is half-written is removed, its bots are ended."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

SIGNALS = (signal.SIGTERM, signal.SIGHUP)
CODE = 128 + signal.SIGTERM
"""The exit code."""
CLEAN_UP_SECONDS = 2.0
"""Further signals end the program at once only this long after the first: `timeout` sends two."""


class EndedBySignal(SystemExit):
    """A signal has asked the program to end."""


@contextmanager
def ending_at_signals() -> Iterator[None]:
    """Make SIGTERM and SIGHUP raise EndedBySignal, except where they are ignored or handled otherwise."""
    asked: list[float] = []

    def end(*_: object) -> None:
        asked.append(time.monotonic())
        if len(asked) == 1:
            raise EndedBySignal(CODE)
        if asked[-1] - asked[0] > CLEAN_UP_SECONDS:
            os._exit(CODE)

    taken = []
    with suppress(ValueError):  # only the main thread may do this
        for number in SIGNALS:
            if signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, end)
                taken.append(number)
    try:
        yield
    finally:
        if not asked:
            for number in taken:
                signal.signal(number, signal.SIG_DFL)
