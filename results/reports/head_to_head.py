"""Count the results of each pair of bots against each other."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from results.storage.schema import Table


__all__ = ["HEAD_TO_HEAD", "Meetings", "head_to_head"]

HEAD_TO_HEAD = ("game", "seats.bot", "seats.version", "seats.rank", "seats.score")
"""The columns of matches that head_to_head needs."""


class Meetings(NamedTuple):
    """The results of a bot's version against another in one game, over all matches that had both."""

    bot: str
    version: str
    rival: str
    rival_version: str
    matches: int
    wins: int
    """Matches in which the bot's rank was better than the rival's, whatever the others' ranks."""
    draws: int
    losses: int
    score_difference: float | None
    """The bot's score minus the rival's, on average; None if no match has both scores."""


def head_to_head(matches: Table, game: str) -> list[Meetings]:
    """Return the meetings of each pair of versions in *game*, from both sides, in the order of names.

    *matches* has the columns HEAD_TO_HEAD.  A match of n seats counts as n (n - 1) / 2 meetings.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    matches = matches.filter(pc.equal(matches.column("game"), game))
    sizes = pc.list_value_length(matches.column("seats"))
    parts = []
    for size in pc.unique(sizes).to_pylist():
        seats = _seats(matches.filter(pc.equal(sizes, size)).column("seats").combine_chunks(), size)
        parts += [_pairs(seat, rival) for seat, rival in permutations(seats, 2)]
    if not parts:
        return []
    sums = (
        pa.concat_tables(parts)
        .group_by(list(Meetings._fields[:4]))
        .aggregate(
            [("wins", "count"), ("wins", "sum"), ("draws", "sum"), ("losses", "sum"), ("difference", "mean")]
        )
    )
    columns = [*Meetings._fields[:4], "wins_count", "wins_sum", "draws_sum", "losses_sum", "difference_mean"]
    return sorted(
        Meetings(*row) for row in zip(*(sums.column(name).to_pylist() for name in columns), strict=True)
    )


def _seats(lists: Table, size: int) -> list[Table]:
    """Return for each seat a table with one row per match; the *lists* of seats all have this *size*."""
    import pyarrow as pa

    flat = lists.flatten()
    by_field = pa.Table.from_arrays(flat.flatten(), names=[field.name for field in flat.type])
    return [by_field.take(pa.array(range(seat, len(by_field), size))) for seat in range(size)]


def _pairs(seat: Table, rival: Table) -> Table:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pa.table(
        {
            "bot": seat.column("bot"),
            "version": seat.column("version"),
            "rival": rival.column("bot"),
            "rival_version": rival.column("version"),
            "wins": pc.less(seat.column("rank"), rival.column("rank")),
            "draws": pc.equal(seat.column("rank"), rival.column("rank")),
            "losses": pc.greater(seat.column("rank"), rival.column("rank")),
            "difference": pc.subtract(seat.column("score"), rival.column("score")),
        }
    )
