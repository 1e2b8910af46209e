"""Reading TOML that people wrote, or somebody who means harm: bounded in size, depth and time."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from ladder.errors import short

__all__ = ["LARGEST_FILE", "depth", "read_toml"]

LARGEST_FILE = 2**20
"""How many bytes manifests and settings may have."""
DEEPEST = 32
"""How deep tables and lists may nest: more than any key of ours takes."""

_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_MANY_PARTS = re.compile(rf"""(?<![\w-]){_PART}(?:\.[ \t]*+{_PART}){{{2 * DEEPEST}}}""")
"""A dotted key of so many parts: tomllib takes memory and time that grow with their square."""


def read_toml(file: Path, largest: int = LARGEST_FILE) -> dict[str, Any]:
    """Return what the TOML file *file*, a regular one of at most *largest* bytes, says.

    Raises ValueError, in few words, for what cannot be read as TOML, and OSError for what cannot be read.
    """
    try:
        text = _read(file, largest).decode()
        if _MANY_PARTS.search(text):
            raise ValueError(f"expected keys of at most {2 * DEEPEST} parts, got more")
        data = tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except ValueError as error:  # of tomllib, of decoding, and of whole numbers with thousands of digits
        raise ValueError(short(str(error), 200)) from None
    if depth(data) > DEEPEST:
        raise ValueError(_TOO_DEEP)
    return data


_TOO_DEEP = f"expected tables and lists nested at most {DEEPEST} deep, got more"


def _read(file: Path, largest: int) -> bytes:
    """Return what is in *file*: never wait for a FIFO, never read what has no end."""
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as opened:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("it is not a regular file")
        data = opened.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"expected at most {largest:,} bytes, got more")
    return data


def depth(value: Any) -> int:
    """Return how deep tables and lists are nested in *value*: 0 for what is neither, 1 for an empty one."""
    found = 0
    level = [value]
    while level := [each for each in level if isinstance(each, (dict, list))]:
        found += 1
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    return found
