"""Say how a process ended."""

import signal
from contextlib import suppress


def describe_exit(code: int | None) -> str:
    """Return in words how a process ended: *code* is its exit status, or minus the signal that killed it."""
    if code is None:
        return "its exit status is unknown"
    if code >= 0:
        return f"exit status {code}"
    with suppress(ValueError):  # of real-time signals
        return f"killed by signal {-code} ({signal.Signals(-code).name})"
    return f"killed by signal {-code}"
