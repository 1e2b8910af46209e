"""Programs that tests write, and start by their path."""

import shlex
import sys
from pathlib import Path

HEAD = """\
#!/bin/sh
'''exec' {python} "$0" "$@"
' '''
"""
"""The first lines, as pip writes them: a `#!` line can hold no path with a blank, and no long one."""


def write_program(path: Path, text: str) -> Path:
    """Write a program in Python that this Python runs, in a folder that may be new; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD.format(python=shlex.quote(sys.executable)) + text, "utf-8")
    path.chmod(0o755)
    return path
