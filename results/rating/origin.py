"""What stored ratings were made from, and whether that still holds.

An origin is the method, the last run and block, and the runs with their parameters.  `ratings.parquet` has
one, and is written last; `ratings.cache` is good only if it has the same.
"""

import logging
from collections.abc import Mapping
from itertools import combinations

from msgspec.structs import asdict

from results.rating.rated import Rated
from results.record import Json
from results.storage.arrow import Table, pa
from results.storage.contents import Contents
from results.storage.store import Store
from results.storage.stored_ratings import read_origin


def ratings_table(rated: Mapping[str, Rated]) -> Table:
    """Return the standings as a table of the schema RATINGS, in the order of game, bot and version."""
    from results.storage.schema import RATINGS

    rows = [asdict(standing) for each in rated.values() for standing in each.standings.values()]
    for row in rows:
        row["faults"] = sorted(row["faults"].items())
    return pa.Table.from_pylist(rows, schema=RATINGS)


def save_pairs(store: Store, rated: Mapping[str, Rated]) -> None:
    """Store `pairs.parquet`: the difference of every two bots of a game that matches connect."""
    from results.storage.schema import PAIRS

    columns: list[list[Json]] = [[] for _ in PAIRS.names]
    for game, each in rated.items():
        for group in each.fit.groups():
            for a, b in combinations([each.fit.bots.index(bot) for bot in group], 2):
                fit, ends = each.fit, each.fit.interval_of_difference(a, b)
                difference, se = fit.difference(a, b)
                values = (difference, None if None in ends else se, fit.p_above(a, b), *ends)
                row = (game, *fit.bots[a], *fit.bots[b], *values)
                for column, value in zip(columns, row, strict=True):
                    column.append(value)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, PAIRS, strict=True)]
    store.save_pairs(pa.Table.from_arrays(arrays, schema=PAIRS))


logger = logging.getLogger(__name__)

METHOD = "trueskill, all at once, 6"
"""The method of rating.  Ratings of another method are computed again."""


def stored_origin(contents: Contents) -> Json:
    """Return the origin of the stored ratings if METHOD made them from matches of *contents*; else None.

    A writer may have stored newer ones meanwhile: they are none of these.
    """
    origin = read_origin(contents.folder)
    if not isinstance(origin, dict):
        return None
    if origin.get("method") != METHOD:
        # `ladder leaderboard` says what moved and why: a warning of each command would say it twice.
        logger.info("the stored ratings are of another method, %r: computed again", origin.get("method"))
        return None
    run, block = origin.get("run"), origin.get("block")
    if not (isinstance(run, int) and isinstance(block, int)):
        return None
    return origin if origin == origin_of(contents, run, block) and (run, block) <= end_of(contents) else None


def origin_of(contents: Contents, run: int, block: int) -> Json:
    """Return the origin of ratings over the matches up to *block* (exclusive) of *run*, which is stored.

    The first of the runs says which season they are of.  Where bots were renamed, it holds their names.
    """
    runs = contents.runs[contents.first_rated - 1 : run - (block == 0)]
    return {
        "method": METHOD,
        "run": run,
        "block": block,
        "runs": [[each.run, each.started, each.ratings] for each in runs],
        **({"names": dict(contents.names)} if contents.names else {}),
    }


def end_of(contents: Contents) -> tuple[int, int]:
    """Return the run and the block after the matches of *contents* that can be rated."""
    run = contents.unfinished_run
    if run is None:
        return len(contents.runs) + 1, 0
    missing = contents.first_missing(run.run)
    return run.run, missing if missing > run.first_block else 0


def newer_matches(contents: Contents, origin: Json) -> int:
    """Return how many matches, at most, *contents* holds beyond those of *origin* that can be rated."""
    newer, start = 0, origin["block"]
    for run in contents.runs[origin["run"] - 1 :]:
        end = None if run.finished is not None else contents.first_missing(run.run)
        for segment in contents.segments(run.run):
            if segment.last_block >= start:
                newer += segment.matches.rows
        if end is not None:
            blocks = [block for block in contents.journal_blocks if start <= block.number < end]
            newer += sum(len(block.matches) for block in blocks)
        start = 0
    return newer
