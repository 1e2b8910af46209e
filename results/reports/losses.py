"""Find the matches that bots lost most clearly."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from results.reports.labels import Key
from results.reports.seats import SEATS_NEED, SeatRows, seat_rows
from results.reports.survey import MatchId
from results.storage.arrow import Table, pa, pc
from results.storage.contents import Contents

OF_MATCH = ("number", "block")
OF_SEAT = ("rank", "score", "fault")


class LostMatch(NamedTuple):
    """A match that a bot lost, without a fault of its own.  The larger one is the worse."""

    depth: float
    """0 for the best place at the table, 1 for the last."""
    behind: int
    """The points between it and the winner: of a seat that ranks first, the one with the most."""
    match: MatchId
    seat: int
    rank: int
    block: tuple[int, int]
    """Its run and its block, whose matches have the same deal."""


def worst_losses(
    contents: Contents, wanted: Collection[Key], most: int
) -> dict[tuple[str, Key], list[LostMatch]]:
    """Return by game and bot the worst losses of the *wanted* bots, at most this many, the worst first.

    Of losses that are as bad, the newer one is the worse.  A block has one of them: its other matches are of
    the same deal.
    """
    found: dict[tuple[str, Key], list[LostMatch]] = {}
    columns = ("run", *OF_MATCH, *SEATS_NEED, *(f"seats.{name}" for name in OF_SEAT))
    for part in contents.match_parts(columns):
        if len(part):
            run = part.column("run")[0].as_py()
            for key, losses in _losses(run, seat_rows(part, OF_MATCH, OF_SEAT), wanted).items():
                by_block = {loss.block: loss for loss in sorted([*found.get(key, []), *losses])}
                found[key] = sorted(by_block.values(), reverse=True)[:most]
    return found


def _losses(run: int, seats: SeatRows, wanted: Collection[Key]) -> dict[tuple[str, Key], list[LostMatch]]:
    rows = seats.rows.append_column("best", _best_scores(seats.rows))
    lost = pc.and_(pc.greater(rows.column("rank"), 1), pc.is_null(rows.column("fault")))
    scored = pc.and_(pc.is_valid(rows.column("score")), pc.is_valid(rows.column("best")))
    mine = seats._replace(rows=rows.filter(pc.and_(lost, scored))).of(wanted)
    found: dict[tuple[str, Key], list[LostMatch]] = {}
    for row in mine.rows.to_pylist():
        loss = LostMatch(
            (row["rank"] - 1) / (row["size"] - 1),
            row["best"] - row["score"],
            (run, row["number"]),
            row["seat"],
            row["rank"],
            (run, row["block"]),
        )
        found.setdefault((mine.games[row["game"]], mine.bots[row["bot"]]), []).append(loss)
    return found


def _best_scores(rows: Table) -> Table:
    """Return for each row the most points of a seat of its match that ranks first."""
    winners = pc.if_else(pc.equal(rows.column("rank"), 1), rows.column("score"), pa.scalar(None, pa.int64()))
    by_match = pa.table({"match": rows.column("match"), "best": winners})
    best = by_match.group_by("match", use_threads=False).aggregate([("best", "max")])
    places = pc.index_in(rows.column("match"), value_set=best.column("match").combine_chunks())
    return best.column("best_max").combine_chunks().take(places)
