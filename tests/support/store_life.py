"""A short life of a store, for tests that end it in mid-life: two runs, two seasons, blocks and seals."""

from typing import TypeAlias

from results.record import encode_block
from results.storage.store import Store
from support.records import a_block, a_run

BLOCKS = 6

Fact: TypeAlias = tuple[str | int, ...]


def facts(store: Store) -> set[Fact]:
    """Return what a process with the lock considers safe: seasons, runs, finished runs, blocks."""
    found: set[Fact] = {("season", season.name) for season in store.seasons()}
    for run in store.runs():
        found.add(("run", run.run))
        if run.finished:
            found.add(("finished", run.run))
        found |= {("block", run.run, number) for number in store.contents().committed_blocks(run.run)}
    return found


def play(store: Store, safe: set[Fact], blocks: int = BLOCKS) -> None:
    """Continue run 1 to its end, begin a season and run 2; add to *safe* what the store reports as safe.

    Stop after *blocks* blocks as if killed: what was appended last is not committed.
    """
    with store.lock():
        safe |= facts(store)
        if not store.runs():
            store.begin(a_run())
            safe.add(("run", 1))
        if not store.runs()[0].finished:
            waiting: set[Fact] = set()
            for number in (1, 0, 3, 5, 2, 4):
                if ("block", 1, number) in safe:
                    continue
                if not blocks:
                    return
                blocks -= 1
                assert store.append(number, encode_block(a_block(number)))
                waiting.add(("block", 1, number))
                if number in (0, 2):
                    store.commit()
                    safe |= waiting
                if number == 5:
                    store.seal()
                    safe |= waiting
            store.finish(1, BLOCKS)
            safe |= waiting | {("finished", 1)}
        if len(store.runs()) == 1:
            if "spring" != store.seasons()[-1].name:
                store.begin_season("spring")
                safe.add(("season", "spring"))
            store.begin(a_run(2))
            safe.add(("run", 2))
