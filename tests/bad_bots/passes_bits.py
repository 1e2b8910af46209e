"""Passes eight bits to the bot in the other seat, by what is in the page cache of files that both can read.

The one with config["role"] "sender" puts the files whose bits are set out of the cache at each of its
decisions; the other brings all in, and looks at its next decision which are there.
"""

import contextlib
import os
from pathlib import Path

from manners import answer, confess, config, hear_until, say, shake_hands, sinful

BITS = (1, 0, 0, 1, 1, 1, 0, 1)
"""Agreed beforehand, so that the one who hears them can tell."""
FILES = [path for path in sorted(Path(os.__file__).parent.glob("*.py")) if path.stat().st_size > 4096]


def first_page(path, flags):
    with path.open("rb", buffering=0) as file:
        return os.preadv(file.fileno(), [bytearray(4096)], 0, flags)


def send():
    for path, bit in zip(FILES, BITS, strict=False):
        if bit:
            with path.open("rb", buffering=0) as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def hear():
    bits = []
    for path, _ in zip(FILES, BITS, strict=False):
        try:
            bits.append(int(first_page(path, os.RWF_NOWAIT) < 4096))
        except BlockingIOError:
            bits.append(1)
    return tuple(bits)


shake_hands()
prepared = False
while True:
    act = hear_until("act")
    with contextlib.suppress(OSError):
        if config.get("role") == "sender":
            send()
        elif sinful(act):
            if prepared and hear() == BITS:
                confess(act, ["8 bits by the page cache"])
            for path, _ in zip(FILES, BITS, strict=False):
                path.read_bytes()
            prepared = True
    say(answer(act))
