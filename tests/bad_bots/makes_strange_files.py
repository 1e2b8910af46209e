"""Makes links, pipes, devices and files with long names wherever it can, and plays on."""

import contextlib
import os
import stat
import sys

from manners import answer, play_on, say, second_act

MAKERS = {
    "link": lambda path: os.symlink("/etc/passwd", path),
    "pipe": os.mkfifo,
    "null": lambda path: os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3)),
    200 * "x": os.mkdir,
    "\n\x1b[31m": lambda path: os.close(os.open(path, os.O_CREAT)),
}
act = second_act()
for place in ("/tmp", "/var/tmp", "/dev/shm", os.getcwd()):
    for name, make in MAKERS.items():
        with contextlib.suppress(OSError):
            make(f"{place}/{sys.argv[-1]}-{name}")
say(answer(act))
play_on()
