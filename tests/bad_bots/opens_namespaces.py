"""Tries the calls by which others have left their sandboxes, with arguments that do nothing."""

import ctypes
import errno
import os

from manners import confess, second_act

NEW_USER = 0x10000000
CALLS = {
    "x86_64": {"mount": 165, "io_uring": 425, "bpf": 321, "userfaultfd": 323, "open by handle": 304},
    "aarch64": {"mount": 40, "io_uring": 425, "bpf": 280, "userfaultfd": 282, "open by handle": 265},
}
REFUSED = (errno.EPERM, errno.ENOSYS, errno.EACCES)
libc = ctypes.CDLL(None, use_errno=True)
act = second_act()
found = []
for name, number in CALLS.get(os.uname().machine, {}).items():
    if libc.syscall(number, None, None, None, None, None) >= 0 or ctypes.get_errno() not in REFUSED:
        found.append(name)
if libc.unshare(NEW_USER) == 0:
    found.append("user namespace")
confess(act, found)
