"""`ladder merge` and `ladder compact`: the shards of a run joined, the segments of a run joined."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.options import HomeOption, existing_home, home_for_writing, note, nothing_yet, store_of

__all__ = ["compact", "merge"]


def merge(
    homes: Annotated[list[Path], typer.Argument(metavar="HOME", help="The homes of all the shards.")],
    home: HomeOption = None,
) -> None:
    """Join a run that was played in shards: it becomes the next run of --home, as if it was played there.

    Of each HOME the last run counts, with other shards of it that were played there. A HOME is only read.

    Example: ladder merge shard-1 shard-2 --home joined
    """
    from ladder.cli.leaderboard import print_leaderboards
    from ladder.run.merge import gather_shards, join_shards

    shards = gather_shards(homes)
    with home_for_writing(home, with_house_bots=False) as target:
        run, fold = join_shards(shards, target)
    print_leaderboards(fold.standings.values(), sorted(run.ratings), "table", target)
    note(f"\nrun {run.run} of {target.path}: {run.blocks:,} blocks, played in {len(shards)} shards")


def compact(home: HomeOption = None) -> None:
    """Make few large files of the many small ones that long runs leave; no row is changed.

    Example: ladder compact
    """
    store = store_of(existing_home(home))
    before = len(store.contents().segments())
    if not before:
        nothing_yet("matches")
        return
    with store.lock():
        store.compact()
    after = len(store.contents().segments())
    print(f"{before:,} segment{'s are' if before > 1 else ' is'} {after:,} now")
