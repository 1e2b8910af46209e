"""Fills socket pairs and waits: config["mb"] of the kernel's memory, in config["processes"] processes."""

import contextlib
import os
import socket

from manners import config, second_act, wait

MB = 2**20


def fill(most):
    """Hold *most* bytes in buffers, or what the kernel gives; return what holds them."""
    held, kept = 0, []
    with contextlib.suppress(OSError):
        while held < most:
            ends = socket.socketpair()
            kept.append(ends)
            for end in ends:
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        held += end.send(bytes(65536))
    return kept


second_act()
share = config["mb"] * MB // config["processes"]
for _ in range(config["processes"] - 1):
    if not os.fork():
        kept = fill(share)
        wait()
kept = fill(share)
wait()
