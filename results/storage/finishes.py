"""The results of matches that ratings need, in columns, because there are millions of matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from results.record import Block, Match, Usage
from results.storage.arrow import Array, Table, pa, pc

COLUMNS = (
    *("number", "block", "game", "void", "paired", "luck", "machine"),
    *("seats.bot", "seats.version", "seats.rank", "seats.score", "seats.fault"),
    *("seats.decisions", "seats.think_us", "seats.cpu_us"),
)
"""The columns of matches that finishes_from needs."""

SEAT_ORDER = ("block", "number", "rank", "bot", "version")
"""The order of the seats.  The ratings after a tie of three or more depend on it."""

ReportedUsage: TypeAlias = tuple[int, tuple[str, str], Usage | None]
"""A block, a bot and version, and what it said that a match of the block cost."""
Ending: TypeAlias = tuple[tuple[str, str], str | None]
"""A bot and version, and the kind of the fault that ended the match for it, if any."""


class Finish(NamedTuple):
    """How a standing match ended for one of its seats."""

    block: int
    number: int
    game: str
    bot: tuple[str, str]
    """Name and version."""
    rank: int
    fault: str | None
    """The kind of the fault that ended the match for it, if any."""
    luck: int = 0
    """Its luck against the other seat of a table of two, as in results.record.Match; 0 if unknown."""
    score: int | None = None
    """Its points; None if a fault ended the match for it."""


class Finishes(NamedTuple):
    """The results of the standing matches of at least one block."""

    blocks: range
    """The numbers of the blocks, from the first to the last."""
    seats: Table
    """One row per seat, in SEAT_ORDER: those columns and `game`, `paired`, `size` (the number of seats),
    `score`, `fault`, `decisions` (those that the bot itself answered), `think_us` (their time in all),
    `cpu_us`, `luck` (that of this seat; null if unknown), `machine` (null if unknown)."""

    @property
    def matches(self) -> int:
        """The number of matches."""
        return int(pc.count_distinct(self.seats.column("number")).as_py())

    def endings(self) -> Iterator[Ending]:
        """Iterate over the ending of each match for each of its bots, in number order."""
        from results.storage.schema import read_texts

        bots, versions, faults = (read_texts(self.seats.column(name)) for name in ("bot", "version", "fault"))
        return zip(zip(bots, versions, strict=True), faults, strict=True)

    def rows(self) -> Iterator[Finish]:
        """Iterate over all seats, in number order."""
        from results.storage.schema import read_texts, read_values

        numbers = (read_values(self.seats.column(name)) for name in ("block", "number"))
        texts = (read_texts(self.seats.column(name)) for name in ("game", "bot", "version", "fault"))
        ends = (read_values(self.seats.column(name)) for name in ("rank", "luck", "score"))
        for block, number, game, bot, version, fault, rank, luck, score in zip(
            *numbers, *texts, *ends, strict=True
        ):
            yield Finish(block, number, game, (bot, version), rank, fault, luck or 0, score)

    def usages(self) -> Iterator[ReportedUsage]:
        """Iterate over what each bot said that each match cost, in number order; `usage` must be a column."""
        from results.storage.schema import read_texts, read_values

        texts = (read_texts(self.seats.column(name)) for name in ("bot", "version"))
        blocks, said = (read_values(self.seats.column(name)) for name in ("block", "usage"))
        for block, bot, version, usage in zip(blocks, *texts, said, strict=True):
            yield block, (bot, version), Usage(**usage) if usage else None

    def split(self, block: int) -> tuple[Finishes, Finishes]:
        """Return the finishes of the blocks before number *block*, and of the rest.  Either may be empty."""
        # seats are in the order of blocks, so a slice is enough, and it copies nothing
        before = pc.sum(pc.less(self.seats.column("block"), block)).as_py() or 0
        blocks = self.blocks
        return (
            Finishes(range(blocks.start, min(block, blocks.stop)), self.seats.slice(0, before)),
            Finishes(range(max(block, blocks.start), blocks.stop), self.seats.slice(before)),
        )

    def at_tables_of(self, size: int) -> Finishes:
        """Return the finishes of the matches with *size* seats."""
        return Finishes(self.blocks, self.seats.filter(pc.equal(self.seats.column("size"), size)))


def standing_matches(block: Block) -> list[Match]:
    """Return the standing matches of *block*, in number order."""
    return sorted((match for match in block.matches if not match.void), key=attrgetter("number"))


def rows_of(block: Block) -> Iterator[Finish]:
    """Iterate over all seats of the standing matches of *block*, in number order."""
    for match in standing_matches(block):
        for index, seat in enumerate(match.seats):
            assert seat.rank is not None  # only void matches have none
            bot = (seat.bot, seat.version)
            luck = (-1 if index else 1) * (match.luck or 0)
            yield Finish(block.number, match.number, match.game, bot, seat.rank, seat.fault, luck, seat.score)


def usages_of(block: Block) -> Iterator[ReportedUsage]:
    """Iterate over what each bot said that each standing match of *block* cost, in number order."""
    for match in standing_matches(block):
        for seat in match.seats:
            yield block.number, (seat.bot, seat.version), seat.usage


def finishes_of(blocks: Sequence[Block]) -> Finishes:
    """Return the finishes of *blocks*, at least one."""
    from results.storage.schema import matches_table, select_columns

    matches = [match for block in blocks for match in block.matches]
    return finishes_from(matches_table(matches, select_columns(COLUMNS)))


def finishes_from(matches: Table) -> Finishes:
    """Return the finishes of *matches*, a table of at least one row with the columns COLUMNS."""
    blocks = pc.min_max(matches.column("block")).as_py()
    tables = matches.column("seats").combine_chunks()
    seats, match = tables.flatten(), pc.list_parent_indices(tables)
    columns = {
        name: matches.column(name).take(match)
        for name in ("block", "number", "game", "void", "paired", "machine")
    }
    columns["size"] = pc.list_value_length(tables).take(match)
    columns |= {part.name: seats.field(part.name) for part in seats.type}
    columns["think_us"] = _sums(seats.field("think_us"))
    columns["luck"] = _luck_of_seats(matches.column("luck").take(match), match)
    # A seat is a row from here on: counting by bot is then one group_by, with no Python value for each match.
    rows = pa.table(columns).filter(pc.invert(columns["void"])).drop_columns("void")
    return Finishes(
        range(blocks["min"], blocks["max"] + 1), rows.sort_by([(name, "ascending") for name in SEAT_ORDER])
    )


def _luck_of_seats(luck: Array, match: Array) -> Array:
    """Return the luck of each seat, given that of seat 0 of its match, and the index of its match."""
    if luck.null_count == len(luck):
        return luck
    # a seat is the first of its match where the index of the match changes; the other has the opposite luck
    first = pc.not_equal(match, pa.concat_arrays([pa.array([-1], match.type), match[:-1]]))
    return pc.if_else(first, luck, pc.negate(luck))


def _sums(lists: Array) -> Array:
    # pyarrow has no sum by list: the sum up to its end less that up to its beginning
    running = pa.concat_arrays([pa.array([0]), pc.cumulative_sum(lists.values)])
    return pc.subtract(running.take(lists.offsets[1:]), running.take(lists.offsets[:-1]))
