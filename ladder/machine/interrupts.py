"""Start processes that Ctrl-C, which reaches every process of the terminal, does not disturb."""

import contextlib
import signal
from collections.abc import Iterator
from multiprocessing import resource_tracker


@contextlib.contextmanager
def undisturbed_starts() -> Iterator[None]:
    """Block interrupts in processes that are started here; they keep that until they unblock them.

    A Ctrl-C that comes meanwhile is delivered to this process, in its main thread, afterwards.
    """
    resource_tracker.ensure_running()  # else the first start runs it, and it unblocks interrupts
    heard: list[int] = []
    handler = None
    with contextlib.suppress(ValueError):  # only the main thread hears interrupts
        handler = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the new processes inherit it
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
    if heard and callable(handler):
        handler(signal.SIGINT, None)


@contextlib.contextmanager
def kept_handler(number: signal.Signals) -> Iterator[None]:
    """Keep the handler of signal *number*, whatever sets another one meanwhile."""
    handler = signal.getsignal(number)
    try:
        yield
    finally:
        signal.signal(number, handler)
