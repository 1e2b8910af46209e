"""How matches ended: the little of them that ratings follow from, quick to read by the million."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from results.record import Block, Match

if TYPE_CHECKING:
    from results.schema import Table

__all__ = ["COLUMNS", "Finish", "Place", "finishes_from", "finishes_of"]


class Place(NamedTuple):
    """How a match ended for one seat.  In order, places stand as ratings need them: by rank, bot, version."""

    rank: int
    bot: str
    version: str
    score: int | None
    fault: str | None
    decisions: int
    """Those that the bot itself answered."""
    think_us: int
    """The time of all of them."""
    cpu_us: int | None


class Finish(NamedTuple):
    """How a standing match ended."""

    run: int
    number: int
    game: str
    seats: list[Place]


COLUMNS = (
    *("run", "number", "block", "game", "void"),
    *("seats.bot", "seats.version", "seats.rank", "seats.score", "seats.fault"),
    *("seats.decisions", "seats.think_us", "seats.cpu_us"),
)
"""The columns of matches that finishes_from needs."""


def finishes_of(block: Block) -> list[Finish]:
    """Return how the standing matches of *block* ended, in number order."""
    return sorted((_finish(match) for match in block.matches if not match.void), key=attrgetter("number"))


def _finish(match: Match) -> Finish:
    places = [
        Place(
            seat.rank or 0,
            seat.bot,
            seat.version,
            seat.score,
            seat.fault,
            len(seat.think_us),
            sum(seat.think_us),
            seat.cpu_us,
        )
        for seat in match.seats
    ]
    return Finish(match.run, match.number, match.game, places)


def finishes_from(table: Table) -> Iterator[tuple[int, list[Finish]]]:
    """Yield the number of each block in *table*, whose columns are COLUMNS, and what finishes_of says of it.

    The rows of a block stand together, as they do in a segment.
    """
    from results.schema import lists, sums, values, words

    reads = {"bot": words, "version": words, "fault": words, "think_us": sums}
    seats = table.column("seats").combine_chunks()
    flat = seats.flatten()
    fields = [reads.get(name, values)(flat.field(name)) for name in Place._fields]
    places = lists(seats, [*map(Place._make, zip(*fields, strict=True))])
    runs, numbers, blocks, voids = (values(table.column(name)) for name in ("run", "number", "block", "void"))
    games = words(table.column("game"))
    rows = zip(blocks, voids, map(Finish._make, zip(runs, numbers, games, places, strict=True)), strict=True)
    for block, of_block in groupby(rows, itemgetter(0)):
        standing = [finish for _, void, finish in of_block if not void]
        yield block, sorted(standing, key=attrgetter("number"))
