"""Report unexpected errors: one line for the user, the details in a file."""

import logging
import os
import sys
import threading
from types import TracebackType

from ladder.errors import describe, short
from ladder.machine.installation import __version__

MOST_BYTES = 65_536
"""The most bytes of details; of a longer text, such as a deep recursion, the beginning and the end."""


def summarize(error: BaseException) -> str:
    """Write the traceback of *error* to a file; return the error and the file's name in one line."""
    what = describe(error)
    try:
        return f"{what}; the details are in {_write_details(error)}"
    except OSError as reason:
        return f"{what}; the details could not be written: {reason}"


def _write_details(error: BaseException) -> str:
    """Write the traceback of *error* to a new file that only its owner can read; return the file's name."""
    import platform  # these are rarely needed, and every command loads this module
    import tempfile
    import traceback

    system, _, release, _, machine = os.uname()  # platform.platform() would start a program
    head = f"ladder {__version__}, Python {platform.python_version()}, {system} {release} {machine}\n"
    told = "".join(traceback.format_exception(error))
    data = f"{head}{short(told, MOST_BYTES // 4)}\n".encode("utf-8", "backslashreplace")
    handle, name = tempfile.mkstemp(prefix="ladder-error-", suffix=".txt")
    with os.fdopen(handle, "wb") as file:
        file.write(data[:MOST_BYTES])
    return name


class OneLine(logging.Formatter):
    """Formats a log record with an exception as one line; the traceback goes to a file."""

    def formatException(  # noqa: N802 - logging's name
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """Return the exception in one line."""
        return f"  {summarize(ei[1])}" if ei[1] else ""


def say_one_line() -> None:
    """Make failing threads, and logging itself, write one line to stderr."""
    logging.raiseExceptions = False
    threading.excepthook = _say_thread


def _say_thread(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value and not isinstance(failed.exc_value, SystemExit):
        print(f"ladder: a thread failed: {summarize(failed.exc_value)}", file=sys.stderr)
