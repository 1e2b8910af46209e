"""Measure how far bots stayed from their limits on time and memory."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from results.record import Json, RunSettings
from results.reports.document import Column, Row, Used
from results.reports.labels import Key
from results.reports.seats import SEATS_NEED, SeatRows, group_rows, seat_rows
from results.storage.arrow import Table, pa, pc
from results.storage.contents import Contents

BINS = 32
"""Times are counted in bins, this many for a factor of ten: a percentile is too high by at most 7 %."""
GRACE_US = 50_000
"""What decisions may take beyond the free time before the bank is used (protocol/SPEC.md, Clocks)."""
OF_SEAT = ("think_us", "memory_bytes")


class Headroom(NamedTuple):
    """What a bot's version used in its matches of one game, and the limits of its newest run."""

    decisions: int
    p50_us: int
    """Half of its decisions took no longer; 0 without a decision."""
    p99_us: int
    most_us: int
    move_ms: int | None
    """The free time of a decision; None if the limits of the run are unknown."""
    banked: int
    """The decisions that took longer than the free time, so that the rest came from the bank."""
    most_bank_us: int
    """The most of its bank that it used in one match."""
    bank_ms: int | None
    memory_bytes: int | None
    """The most memory in which it was seen; None if that is unknown."""
    memory_mb: int | None


@dataclass
class _Used:
    """What was seen of one bot so far."""

    bins: Counter[int] = field(default_factory=Counter)
    most_us: int = 0
    banked: int = 0
    most_bank_us: int = 0
    memory_bytes: int | None = None
    limits: Mapping[str, int] = field(default_factory=dict)


def headroom(contents: Contents, wanted: Collection[Key]) -> dict[tuple[str, Key], Headroom]:
    """Return what each of the *wanted* bots used in each game, over all standing matches of *contents*.

    What counts as a use of the bank follows from the limits of the run that a match belongs to.
    """
    found: dict[tuple[str, Key], _Used] = {}
    settings = {run.run: run.settings for run in contents.runs}
    columns = ("run", *SEATS_NEED, *(f"seats.{name}" for name in OF_SEAT))
    for part in contents.match_parts(columns):
        if len(part):
            of_run = settings.get(part.column("run")[0].as_py(), RunSettings())
            _add(found, seat_rows(part, (), OF_SEAT).of(wanted), of_run)
    return {key: _headroom(used) for key, used in found.items()}


def _add(found: dict[tuple[str, Key], _Used], seats: SeatRows, settings: RunSettings) -> None:
    def usage_of(game: int, bot: int) -> _Used:
        return found.setdefault((seats.games[game], seats.bots[bot]), _Used())

    keys = ["game", "bot"]
    for game, bot, most in group_rows(seats.rows, keys, [("memory_bytes", "max")]):
        each = usage_of(game, bot)
        each.limits = settings.limits_at(seats.bots[bot][0], seats.games[game])
        each.memory_bytes = max(filter(None, (each.memory_bytes, most)), default=None)
    decisions = _decisions(seats, settings)
    for game, bot, most, banked in group_rows(decisions, keys, [("us", "max"), ("banked", "sum")]):
        each = usage_of(game, bot)
        each.most_us = max(each.most_us, most)
        each.banked += banked
    for game, bot, number, count in group_rows(decisions, [*keys, "bin"], [("us", "count")]):
        usage_of(game, bot).bins[number] += count
    slow = decisions.filter(pc.greater(decisions.column("bank_us"), 0))
    for game, bot, _, bank_us in group_rows(slow, [*keys, "row"], [("bank_us", "sum")]):
        each = usage_of(game, bot)
        each.most_bank_us = max(each.most_bank_us, bank_us)


def _decisions(seats: SeatRows, settings: RunSettings) -> Table:
    """Return a row for each decision: `game`, `bot`, the `row` of its seat in *seats*, its time, its bin."""
    lists = seats.rows.column("think_us").combine_chunks()
    us, row = lists.flatten(), pc.list_parent_indices(lists)
    game, bot = (seats.rows.column(name).combine_chunks().take(row) for name in ("game", "bot"))
    # A game and a bot are numbers here: together they are the place of their limit in a list.
    limits = [_free_us(settings, name, key[0]) for name in seats.games for key in seats.bots]
    free_us = pa.array(limits, pa.int64()).take(pc.add(pc.multiply(game.cast("int64"), len(seats.bots)), bot))
    bank_us = pc.max_element_wise(pc.subtract(us, free_us), 0)
    # Percentiles of millions of times without sorting or keeping them: counts of logarithmic bins can be
    # added up part by part.
    bins = pc.floor(pc.multiply(pc.log10(pc.max_element_wise(us, 1).cast("float64")), BINS))
    return pa.table(
        {
            "game": game,
            "bot": bot,
            "row": row,
            "us": us,
            "bin": bins.cast(pa.int64()),
            "bank_us": bank_us,
            "banked": pc.greater(bank_us, 0).cast(pa.int64()),
        }
    )


def _free_us(settings: RunSettings, game: str, bot: str) -> int:
    """Return after how many microseconds a decision uses the bank; where limits are lost, none does."""
    limits = settings.limits_at(bot, game)
    return 1000 * limits["move_ms"] + GRACE_US if "move_ms" in limits else 2**62


def _headroom(used: _Used) -> Headroom:
    return Headroom(
        decisions=used.bins.total(),
        p50_us=_percentile(used, 0.5),
        p99_us=_percentile(used, 0.99),
        most_us=used.most_us,
        move_ms=used.limits.get("move_ms"),
        banked=used.banked,
        most_bank_us=used.most_bank_us,
        bank_ms=used.limits.get("bank_ms"),
        memory_bytes=used.memory_bytes,
        memory_mb=used.limits.get("memory_mb"),
    )


def _percentile(used: _Used, share: float) -> int:
    """Return the upper end of the bin up to which *share* of all times lie, at most the longest time."""
    wanted: Json = share * used.bins.total()
    for number, count in sorted(used.bins.items()):
        wanted -= count
        if wanted <= 0:
            return min(used.most_us, round(10 ** ((number + 1) / BINS)))
    return 0


def _share_of(row: Row) -> Used | None:
    return None if row["share"] is None else Used(row["share"])


HEADROOM = (
    Column("what", "what"),
    Column("used", "used"),
    Column("limit", "limit", always=False),
    Column("share", "share", right=True, always=False, kind=_share_of),
)
"""The columns of tables; `share` is the part of the limit that was used."""


def headroom_rows(seen: Headroom) -> list[Row]:
    """Return what was used of each limit, for people: rows of HEADROOM."""
    rows = []
    if seen.decisions:
        times = f"median {_ms(seen.p50_us)}, 99 % {_ms(seen.p99_us)}, most {_ms(seen.most_us)} ms"
        rows.append(_row("time of a decision", times, "ms", seen.most_us / 1000, seen.move_ms))
        bank = f"most {_ms(seen.most_bank_us)} ms" if seen.banked else "never"
        rows.append(_row("bank of a match", bank, "ms", seen.most_bank_us / 1000, seen.bank_ms))
    if seen.memory_bytes is not None:
        used_mb = seen.memory_bytes / 2**20
        rows.append(_row("memory", f"most {used_mb:,.0f} MB", "MB", used_mb, seen.memory_mb))
    return rows


def _row(what: str, told: str, unit: str, used: float, limit: int | None) -> Row:
    return {
        "what": what,
        "used": told,
        "limit": None if limit is None else f"{limit:,} {unit}",
        "share": used / limit if limit else None,
    }


def _ms(us: int) -> str:
    return f"{us / 1000:,.1f}" if us < 10_000 else f"{us / 1000:,.0f}"
