"""Logging across processes: what workers log comes out of the parent's handlers, whole and in order.

The receiving thread and queue are those of multiprocessing-logging's handler class, one per worker, never
shared: a worker that is killed while it logs can spoil its own queue only.  The package's own
install_mp_handler() works under fork alone, and we spawn.
"""

from __future__ import annotations

import logging
import logging.handlers
import threading
from multiprocessing.context import BaseContext
from typing import Any

from multiprocessing_logging import MultiProcessingHandler

__all__ = ["WorkerLog", "log_to"]


class _LockedHandler(logging.Handler):
    """Hands records to the real handler through its lock and its filters, which the package passes by."""

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
    """What one worker logs, received in the parent and given to the handler *real*."""

    def __init__(self, real: logging.Handler, context: BaseContext) -> None:
        super().__init__("ladder-log", _LockedHandler(real))
        self.queue = context.Queue(-1)  # of the context that the worker is started in
        try:
            self.queue.qsize()
        except NotImplementedError:  # macOS; the receiving thread asks for it while closing
            queue = self.queue
            queue.qsize = lambda: 0 if queue.empty() else 1  # type: ignore[method-assign]

    def close_later(self) -> threading.Thread:
        """Close in a thread, and return it: after a killed worker the queue's last words may never come."""
        closing = threading.Thread(target=self.close, daemon=True)
        closing.start()
        return closing


def log_to(queue: Any, level: int) -> None:
    """Send everything that this process logs at *level* and above to *queue*."""
    root = logging.getLogger()
    root.handlers[:] = [logging.handlers.QueueHandler(queue)]
    root.setLevel(level)
