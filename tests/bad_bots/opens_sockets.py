"""Tries to reach anybody by any kind of socket; being refused by the other end is being let out, too."""

import errno
import socket
import sys

from manners import confess, second_act

ATTEMPTS = {
    "tcp": ("AF_INET", "SOCK_STREAM", ("127.0.0.1", 9)),
    "tcp 6": ("AF_INET6", "SOCK_STREAM", ("::1", 9)),
    "udp, as for names": ("AF_INET", "SOCK_DGRAM", ("127.0.0.1", 53)),
    "unix": ("AF_UNIX", "SOCK_STREAM", f"\0{sys.argv[-1]}"),
    "vsock": ("AF_VSOCK", "SOCK_STREAM", (2, 9)),
}


def reaches(family, kind, address):
    if not hasattr(socket, family):
        return False
    try:
        with socket.socket(getattr(socket, family), getattr(socket, kind)) as out:
            out.settimeout(0.2)
            out.connect(address)
            out.send(b"?")
    except OSError as error:
        return error.errno == errno.ECONNREFUSED
    return True


confess(second_act(), [name for name, attempt in ATTEMPTS.items() if reaches(*attempt)])
