"""Write the program's log records to stderr."""

import logging
import sys
from typing import TextIO

from ladder.cli.last_line import remember_commands
from ladder.cli.streams import fit_lines


class _ToStderr(logging.StreamHandler[TextIO]):
    """Writes to what is stderr at that moment: a live bar moves down for what is said above it."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)

    def format(self, record: logging.LogRecord) -> str:
        return fit_lines(remember_commands(super().format(record)))


def log_to_stderr(verbose: bool) -> logging.Handler:
    """Write log records to stderr: warnings and worse, or all of them; return the handler that does."""
    from ladder.machine.unexpected import OneLine

    handler = _ToStderr()
    form = "%(levelname)s %(name)s[%(process)d]: %(message)s"
    handler.setFormatter(logging.Formatter(form) if verbose else OneLine(form))
    logging.basicConfig(level=logging.DEBUG if verbose else logging.WARNING, handlers=[handler])
    return handler
