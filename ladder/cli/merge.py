"""`ladder home merge`: join the shards of a run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from ladder.cli.options import HomeOption, home_for_writing, note, store_of
from ladder.run.option import Argument
from results.words import count


def merge(
    homes: Annotated[Sequence[Path], Argument("The homes of all the shards.", metavar="HOME")],
    home: HomeOption = None,
) -> None:
    """Join the shards of a run.

    The joined run becomes the next run of --home, as if it had been played there. The command takes the last
    run of each HOME, with all shards of that run that were played there. It changes no HOME.

    Example: ladder home merge shard-1 shard-2 --home joined
    """
    from ladder.cli.print_boards import print_leaderboards
    from ladder.run.merge import gather_shards, join_shards

    shards = gather_shards(homes)
    with home_for_writing(home, with_house_bots=False) as target:
        run, rated = join_shards(shards, target)
    chosen = [rated[game] for game in sorted(run.ratings) if game in rated]
    print_leaderboards(chosen, "table", target, store_of(target).contents(), hidden=target.hidden_versions())
    blocks, by = count(run.blocks or 0, "block"), count(len(shards), "shard")
    note(f"\nrun {run.run} of {target.path}: {blocks}, played in {by}")
