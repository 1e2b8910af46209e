"""Reads in /proc the variables that it was not given, and the arguments of whoever is there."""

import contextlib
import os

from manners import confess, second_act


def words(path):
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return set(file.read().split(b"\0")) - {b""}
    return set()


act = second_act()
own = words("/proc/self/environ")
found = []
with contextlib.suppress(OSError):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        arguments = words(f"/proc/{pid}/cmdline")
        if words(f"/proc/{pid}/environ") - own:
            found.append(f"environment of {pid}")
        if int(pid) != os.getpid() and not any(word.endswith(b"bwrap") for word in arguments):
            found.append(f"arguments of {pid}")
confess(act, found[:5])
