"""Logging across processes: records of workers go to the parent's handlers, whole and in order.

Each worker has its own queue and receiving thread, from multiprocessing-logging's handler class, so a worker
that is killed while it logs can spoil only its own queue.  The package's install_mp_handler() works only
with fork, and the ladder spawns.
"""

import errno
import logging
import logging.handlers
import threading
from multiprocessing.context import BaseContext
from typing import Any

from multiprocessing_logging import MultiProcessingHandler

from ladder.errors import LadderError


class _LockedHandler(logging.Handler):
    """Passes records to the real handler through its lock and filters, which the package skips."""

    def __init__(self, real: logging.Handler) -> None:
        super().__init__(real.level)
        self.real = real
        self.formatter = real.formatter

    def emit(self, record: logging.LogRecord) -> None:
        self.real.handle(record)

    def setFormatter(self, fmt: logging.Formatter | None) -> None:  # noqa: N802 - logging's name
        """Keep the real handler's formatter."""

    def close(self) -> None:
        """Leave the real handler open: it is the parent's own."""


class WorkerLog(MultiProcessingHandler):  # type: ignore[misc]  # the package ships no types
    """Receives the log records of one worker in the parent and passes them to the handler *real*."""

    _is_closed = True  # as the package calls it; until there is a queue

    def __init__(self, real: logging.Handler, context: BaseContext) -> None:
        try:
            super().__init__("ladder-log", _LockedHandler(real))
            self.queue = context.Queue(-1)  # from the context in which the worker is started
        except OSError as error:  # where its semaphores find no place
            if error.errno in (errno.EMFILE, errno.ENFILE):
                raise
            raise LadderError(f"workers need /dev/shm: {error}", "mount -t tmpfs tmpfs /dev/shm") from None
        try:
            self.queue.qsize()
        except NotImplementedError:  # macOS; the receiving thread asks for it while closing
            queue = self.queue
            queue.qsize = lambda: 0 if queue.empty() else 1  # type: ignore[method-assign]

    def close_later(self) -> threading.Thread | None:
        """Close in a thread, and return it: the queue of a killed worker may never end.

        Where no thread can be started it stays open, with the last lines of the log, and None is returned.
        """
        closing = threading.Thread(target=self.close, daemon=True)
        try:
            closing.start()
        except RuntimeError:
            return None
        return closing


def log_to(queue: Any, level: int) -> None:
    """Send all log records of this process, at *level* and above, to *queue*."""
    root = logging.getLogger()
    root.handlers[:] = [logging.handlers.QueueHandler(queue)]
    root.setLevel(level)
