"""Wait for what threads and processes do."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def until(true: Callable[[], Found], seconds: float = 300.0) -> Found:
    """Wait until *true* returns something true, and return it; the machine may be busy."""
    deadline = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < deadline, "waited for too long"
        time.sleep(0.01)
    return found
