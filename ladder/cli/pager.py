"""Print a long answer, on a terminal through a pager."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable

from ladder.cli.show_document import fit_lines, text_width
from ladder.live.fitting import fit
from results.reports.values_as_text import escape

PAGER = "less -FRX"
"""What a long answer is read with on a terminal, unless PAGER says otherwise."""


def page_lines(lines: Iterable[str], *, paged: bool) -> None:
    """Print *lines* so that they fit; on a terminal through a pager, if it shall be *paged*."""
    fitted: list[str] = []
    for line in lines:
        # several lines are the text of a view, which is set for a width of its own
        told = "\n".join(map(escape, line.split("\n")))
        fitted += fit(told, text_width()) if "\n" in told else fit_lines(told)
    text = "\n".join(fitted) + "\n"
    usual = "" if os.environ.get("TERM") == "dumb" else PAGER
    try:
        command = shlex.split(os.environ.get("PAGER", usual)) if paged and sys.stdout.isatty() else []
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=sys.stdout) if command else None
    except (OSError, ValueError):  # it is missing, or not spelled as a command
        pager = None
    if not pager:
        print(text, end="")
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pager reads it in its own way
    pager.communicate(text.encode(sys.stdout.encoding, "plain"))
    signal.signal(signal.SIGINT, before)
