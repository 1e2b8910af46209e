"""Tries every way to leave a sign for a bot in another seat: locks, watches, keys, System V, queues."""

import contextlib
import ctypes
import fcntl
import os

from manners import confess, second_act

ADD_KEY = {"x86_64": 248, "aarch64": 217}.get(os.uname().machine)
PRIVATE = 0
libc = ctypes.CDLL(None)
act = second_act()
found = []
with contextlib.suppress(OSError), open(__file__, "rb") as file:
    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    found.append("flock")
with contextlib.suppress(OSError), open(__file__, "rb") as file:
    fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    found.append("lockf")
if libc.inotify_init() >= 0:
    found.append("inotify")
if ADD_KEY and libc.syscall(ADD_KEY, b"user", b"sign", b"x", 1, -1) >= 0:  # -1: the thread's own keyring
    found.append("keyring")
segment = libc.shmget(PRIVATE, 4096, 0o600)
if segment >= 0:
    libc.shmctl(segment, 0, None)  # 0: remove it
    found.append("shared memory")
queue = libc.msgget(PRIVATE, 0o600)
if queue >= 0:
    libc.msgctl(queue, 0, None)
    found.append("message queue")
confess(act, found)
