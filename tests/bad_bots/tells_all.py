"""Notes all that it finds around itself, in every match, as JSON: a piece with every answer.  No sin.

Left out is what every process has of its own and what tells nothing: process ids, pipe numbers, memory.
"""

import contextlib
import json
import os
import re
import resource
import sys

from manners import answer, hear, hear_until, say

PIECE = 1000
OWN = re.compile(r"Pid|Tgid|Ngid|NS|State|SigQ|Vm|Rss|Hugetlb|\w*ctxt_switches")
"""Lines of /proc/self/status about this process alone; its parent is not among them."""
LIMITS = sorted((name, number) for name, number in vars(resource).items() if name.startswith("RLIMIT_"))


def text(path):
    with contextlib.suppress(OSError), open(path) as content:
        return content.read()
    return None


def names(path):
    with contextlib.suppress(OSError):
        return sorted(os.listdir(path))
    return []


def file(name):
    found = os.stat(name)
    dates = found.st_mtime_ns, found.st_ctime_ns
    return {"dates": dates, "is": (found.st_mode, found.st_uid, found.st_gid, found.st_size)}


def descriptors():
    found = {}
    for name in names("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the one that listed them is closed by now
            found[name] = re.sub(r"\[\d+\]", "[]", os.readlink(f"/proc/self/fd/{name}"))
    return found


def umask():
    found = os.umask(0)
    os.umask(found)
    return found


def surroundings():
    return {
        "arguments": [sys.executable, *sys.argv],
        "command": text("/proc/self/cmdline"),
        "environment": dict(os.environ),
        "first environment": text("/proc/self/environ"),
        "folder": os.getcwd(),
        "files": {name: file(name) for name in [".", *names(".")]},
        "users": [os.getresuid(), os.getresgid(), os.getgroups()],
        "host": [*os.uname()],
        "descriptors": descriptors(),
        "mounts": text("/proc/self/mountinfo"),
        "status": [line for line in (text("/proc/self/status") or "").splitlines() if not OWN.match(line)],
        "leads": [os.getsid(0) == os.getpid(), os.getpgrp() == os.getpid()],
        "control groups": text("/proc/self/cgroup"),
        "umask": umask(),
        "limits": {name: resource.getrlimit(number) for name, number in LIMITS},
        "priority": [os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)],
        "cores": sorted(os.sched_getaffinity(0)),
        "root": names("/"),
    }


def tell():
    hello = hear()
    say({"type": "ready", "protocol": 1})
    match = None
    while True:
        act = hear_until("act")
        if act["match"] != match:
            found = {"hello": hello, **surroundings()}
            match, told = act["match"], json.dumps(found, separators=(",", ":"))
        say(answer(act, note=told[:PIECE]))
        told = told[PIECE:]


if __name__ == "__main__":
    tell()
