"""A row for each seat of many matches, as a table of numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from results.record import Json
from results.reports.labels import Key
from results.storage.arrow import Table, pa, pc

SEATS_NEED = ("game", "seats.bot", "seats.version")
"""The columns of matches that seat_rows always needs."""


class SeatRows(NamedTuple):
    """The seats of some matches, in their order."""

    games: list[str]
    bots: list[Key]
    rows: Table
    """`game` and `bot`, which are indices in these lists; `size`, the number of seats at the table; `seat`;
    `match`, the index of the match; and the columns that were asked for.
    """

    def of(self, wanted: Collection[Key]) -> SeatRows:
        """Return the seats of the *wanted* bots."""
        codes = [code for code, bot in enumerate(self.bots) if bot in wanted]
        chosen = pc.is_in(self.rows.column("bot"), value_set=pa.array(codes, pa.int32()))
        return self._replace(rows=self.rows.filter(chosen))


def seat_rows(matches: Table, of_match: Sequence[str], of_seat: Sequence[str]) -> SeatRows:
    """Return a row for each seat of *matches*, with columns of its match and its own.

    *matches* has SEATS_NEED and those columns; times of matches become microseconds.
    """
    lists = matches.column("seats").combine_chunks()
    flat, parent = lists.flatten(), pc.list_parent_indices(lists)
    coded_games = matches.column("game").combine_chunks().dictionary_encode()
    names = pc.binary_join_element_wise(flat.field("bot"), flat.field("version"), "\0").dictionary_encode()
    starts = pc.subtract(lists.offsets[:-1], lists.offsets[0])
    columns = {
        "game": coded_games.indices.take(parent),
        "bot": names.indices,
        "size": pc.list_value_length(lists).take(parent),
        "seat": pc.subtract(pa.array(range(len(flat)), pa.int32()), starts.take(parent)),
        "match": parent,
        **{name: _plain(matches.column(name).combine_chunks()).take(parent) for name in of_match},
        **{name: flat.field(name) for name in of_seat},
    }
    bots = [(name.split("\0")[0], name.split("\0")[1]) for name in names.dictionary.to_pylist()]
    return SeatRows(coded_games.dictionary.to_pylist(), bots, pa.table(columns))


def _plain(column: Json) -> Json:
    return column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column


def group_rows(table: Table, keys: list[str], sums: list[tuple[str, str]]) -> Iterator[tuple[Json, ...]]:
    """Yield the *keys* and the *sums* of each group of rows."""
    grouped = table.group_by(keys).aggregate(sums)
    names = [*keys, *(f"{name}_{how}" for name, how in sums)]
    return zip(*(grouped.column(name).to_pylist() for name in names), strict=True)
