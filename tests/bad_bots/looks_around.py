"""Notes digests of all that it finds around it, in every match.  No sin."""

import binascii
import contextlib
import os
import resource
import sys

from manners import answer, hear_until, say, shake_hands

LIMITS = sorted((name, number) for name, number in vars(resource).items() if name.startswith("RLIMIT_"))


def stat(path):
    with contextlib.suppress(OSError):
        found = os.stat(path)
        return found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns
    return None


def names(path):
    with contextlib.suppress(OSError):
        return sorted(os.listdir(path))
    return None


shake_hands()
around = {
    "environment": sorted(os.environ.items()),
    "arguments": sys.argv,
    "folder": os.getcwd(),
    "files": [(name, stat(name)) for name in names(".")],
    "host": os.uname(),
    "umask": os.umask(0o077),
    "limits": [(name, resource.getrlimit(number)) for name, number in LIMITS],
    "descriptors": names("/dev/fd"),
    "root": names("/"),
    "priority": os.getpriority(os.PRIO_PROCESS, 0),
}
note = " ".join(f"{name}={binascii.crc32(repr(value).encode()):x}" for name, value in around.items())
while True:
    say(answer(hear_until("act"), note=note))
