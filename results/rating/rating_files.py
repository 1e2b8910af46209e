"""The ratings as Parquet files, for people and data tools: `ratings.parquet` and `pairs.parquet`."""

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from results.rating.rated import Rated
from results.record import Json
from results.storage.store import Store

if TYPE_CHECKING:
    from results.storage.schema import Table


def ratings_table(rated: Mapping[str, Rated]) -> "Table":
    """Return the standings as a table of the schema RATINGS, in the order of game, bot and version."""
    import pyarrow as pa

    from results.storage.schema import RATINGS

    rows = [asdict(standing) for each in rated.values() for standing in each.standings.values()]
    for row in rows:
        row["faults"] = sorted(row["faults"].items())
    return pa.Table.from_pylist(rows, schema=RATINGS)


def save_pairs(store: Store, rated: Mapping[str, Rated]) -> None:
    """Store `pairs.parquet`: the difference of every two bots of a game that matches connect."""
    import pyarrow as pa

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
