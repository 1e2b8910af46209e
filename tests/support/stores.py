"""Fill stores and read them."""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from results.record import Block, encode_block
from results.storage.store import Store
from support.records import a_block, a_run


@contextmanager
def begin_run(store, *numbers):
    """Begin run 1 with the lock of *store*, which is yielded, and put blocks *numbers* there."""
    with store.lock():
        store.begin(a_run())
        put(store, *numbers)
        yield store


def put(store, *numbers, run=1):
    put_blocks(store, (a_block(number, run=run) for number in numbers))


def put_blocks(store: Store, blocks: Iterable[Block]) -> None:
    for block in blocks:
        assert store.append(block.number, encode_block(block))


def keep_run(
    store: Store, blocks: Iterable[Block], run: int = 1, *, ends: bool = True, **fields: Any
) -> None:
    """Put a run of *blocks*, with these *fields*, into *store*, which is locked; end it unless it goes on."""
    store.begin(a_run(run, **fields))
    kept = [*blocks]
    put_blocks(store, kept)
    if ends:
        store.finish(run, len(kept))


def stored(path: Path, *blocks: Block, **options: Any) -> Store:
    """Put a run of *blocks* into the store at *path*, and return it; *options* are those of keep_run."""
    with Store(path).lock() as store:
        keep_run(store, blocks, **options)
    return Store(path)


@cache
def _files(fill: Callable[..., None], *how: object) -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        fill(Store(Path(folder, "results")), *how)
        found = [path for path in Path(folder).rglob("*") if path.is_file()]
        return {str(path.relative_to(Path(folder, "results"))): path.read_bytes() for path in found}


def filled(store: Store, fill: Callable[..., None], *how: object) -> Store:
    """Fill *store* as *fill* does, which is done once and copied: to write segments takes long."""
    for name, data in _files(fill, *how).items():
        path = store.folder.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return store


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
