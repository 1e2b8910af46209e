"""Fills twice the memory it may have before it is ready, with eight children that have a share each."""

import os

from manners import hear, wait

limit = hear()["limits"]["memory_mb"]
for _ in range(8):
    if not os.fork():
        held = b"x" * (2**20 * limit // 4)
        wait()
wait()
