"""Select matches by their bots and results."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from results.storage.contents import Contents
    from results.storage.schema import Table


@dataclass(frozen=True)
class Selection:
    """A condition on matches: one seat must fulfil all parts of it."""

    bot: str | None = None
    version: str | None = None
    lost: bool = False
    """The seat's rank is worse than 1."""
    fault: bool = False
    game: str | None = None


def select_newest(
    contents: "Contents", wanted: Selection, limit: int, run: int | None = None
) -> "tuple[Table, int]":
    """Return the newest *limit* of the *wanted* standing matches, newest first, and the number of all."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from results.reports.row_sets import MATCHES_NEED

    table = contents.matches(MATCHES_NEED, run)
    lists = table.column("seats").combine_chunks()
    seats, of = lists.flatten(), pc.list_parent_indices(lists)
    keep = pa.array([True] * len(seats), pa.bool_())
    if wanted.bot is not None:
        keep = pc.and_(keep, pc.equal(seats.field("bot"), wanted.bot))
    if wanted.version is not None:
        keep = pc.and_(keep, pc.equal(seats.field("version"), wanted.version))
    if wanted.lost:
        keep = pc.and_(keep, pc.greater(seats.field("rank"), 1))
    if wanted.fault:
        keep = pc.and_(keep, pc.is_valid(seats.field("fault")))
    rows = pc.unique(of.filter(keep))
    if wanted.game is not None:
        rows = rows.filter(pc.equal(table.column("game").take(rows), wanted.game))
    return table.take(rows[-limit:][::-1]), len(rows)
