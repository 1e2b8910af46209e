"""Tries to signal, trace and read every other process that it can name, the referee among them."""

import ctypes
import os

from manners import confess, config, second_act

PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
libc = ctypes.CDLL(None, use_errno=True)


def works(attempt):
    try:
        return attempt() not in (-1, b"")
    except OSError:
        return False


def read(path):
    with open(path, "rb") as file:
        return file.read(1) if path.endswith("environ") else 0


def traced(pid):
    done = libc.ptrace(PTRACE_SEIZE, pid, None, None)
    if done == 0:
        libc.ptrace(PTRACE_DETACH, pid, None, None)
    return done


act = second_act()
try:
    seen = {int(name) for name in os.listdir("/proc") if name.isdigit()}
except OSError:
    seen = set()
found = []
for pid in sorted(seen | {config["referee"], os.getppid()} - {0}):
    if pid == os.getpid() or (pid == 1 and os.getppid() == 1):  # the first process of its own namespace
        continue
    attempts = {
        "kill": lambda pid=pid: os.kill(pid, 0),
        "trace": lambda pid=pid: traced(pid),
        "memory": lambda pid=pid: read(f"/proc/{pid}/mem"),
        "environment": lambda pid=pid: read(f"/proc/{pid}/environ"),
    }
    found += [f"{name} of {pid}" for name, attempt in attempts.items() if works(attempt)]
confess(act, found[:5])
