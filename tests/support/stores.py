"""Fill stores and read them."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager

from results.record import encode_block
from support.records import a_block, a_run


@contextmanager
def begin_run(store, *numbers):
    """Begin run 1 with the lock of *store*, which is yielded, and put blocks *numbers* there."""
    with store.lock():
        store.begin(a_run())
        put(store, *numbers)
        yield store


def put(store, *numbers, run=1):
    for number in numbers:
        assert store.append(number, encode_block(a_block(number, run=run)))


def numbers(store, run=1, **options):
    return [block.number for block in store.contents().blocks(run, **options)]


def each_match_once(contents):
    return Counter(match.number for block in contents.blocks(1, gaps=True) for match in block.matches)


def flips(path, places=40):
    """Write *path* with one bit flipped at a time, in that many *places*; at the end as it was."""
    whole = path.read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // places)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        yield place
    path.write_bytes(whole)
