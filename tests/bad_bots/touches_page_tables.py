"""Maps 64 GiB that it never writes, and touches so much of it that the page tables fill 128 MiB.

It plays on only if it could not have them.
"""

import mmap

from manners import answer, play_on, say, second_act, wait

FLAGS = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE, linux/mman.h
WANTED = 64 * 2**30
MAPPED = 2**21  # by one page of page tables

act = second_act()
size = WANTED
while size > 2**30:
    try:
        memory = mmap.mmap(-1, size, flags=FLAGS, prot=mmap.PROT_READ)
    except (OSError, ValueError):
        size //= 2
        continue
    for at in range(0, size, MAPPED):
        memory[at]
    if size == WANTED:
        wait()
    break
say(answer(act))
play_on()
