"""Read TOML files, which may be hostile, within bounds on size, depth and time."""

import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from ladder.errors import short

LARGEST_FILE = 2**20
"""The most bytes of a manifest or a settings file."""
DEEPEST = 32
"""The deepest nesting of tables and lists; no key of the ladder needs as much."""

_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_MANY_PARTS = re.compile(rf"""(?<![\w-]){_PART}(?:\.[ \t]*+{_PART}){{{2 * DEEPEST}}}""")
"""A dotted key with too many parts: tomllib's memory and time grow with the square of their number."""


def read_toml(file: Path, largest: int = LARGEST_FILE) -> dict[str, Any]:
    """Read *file*, regular and of at most *largest* bytes.  Raises ValueError for bad TOML, and OSError."""
    try:
        text = _read(file, largest).decode("utf-8-sig")  # Windows puts a byte order mark first
        if _MANY_PARTS.search(text):
            raise ValueError(f"expected keys of at most {2 * DEEPEST} parts, got more")
        data = tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except ValueError as error:  # from tomllib, decoding, or whole numbers with thousands of digits
        raise ValueError(short(str(error), 200)) from None
    if depth(data) > DEEPEST:
        raise ValueError(_TOO_DEEP)
    return data


_TOO_DEEP = f"expected tables and lists nested at most {DEEPEST} deep, got more"


def _read(file: Path, largest: int) -> bytes:
    """Read *file*, without waiting for a FIFO and without reading an endless file."""
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as opened:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("it is not a regular file")
        data = opened.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"expected at most {largest:,} bytes, got more")
    return data


def depth(value: Any) -> int:
    """Return how deep tables and lists nest in *value*: 1 for an empty one, 0 for other values."""
    found = 0
    level = [value]
    while level := [each for each in level if isinstance(each, (dict, list))]:
        found += 1
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    return found
