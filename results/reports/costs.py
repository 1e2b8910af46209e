"""What bots said that their matches cost; means are over the matches of which a bot said something."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from results.record import Json, Usage
from results.reports.document import Cell, Column, Row, digits
from results.reports.labels import Key
from results.reports.seats import SEATS_NEED, SeatRows, group_rows, seat_rows
from results.storage.arrow import pa, pc
from results.storage.contents import Contents
from results.words import money

NAMED = 3
"""How many bots a sentence names."""
PARTS = Usage.__struct_fields__
"""What a bot may say, by the names of the protocol."""


class Said(NamedTuple):
    """The sum of what a bot said of one kind, and in how many matches it said something."""

    total: float = 0
    matches: int = 0

    @property
    def mean(self) -> float | None:
        """The mean of the matches of which it said something; None if there are none."""
        return self.total / self.matches if self.matches else None


class Costs(NamedTuple):
    """What a bot's version said of its matches of one game."""

    matches: int = 0
    """All its standing matches."""
    matches_said: int = 0
    """Of how many of them it said anything."""
    said: Mapping[str, Said] = {}
    """By the names of PARTS."""

    def part(self, name: str) -> Said:
        return self.said.get(name, Said())

    def where(self, said: Said) -> str:
        """Return of how many of its matches it *said* that, such as "2 of 100"; empty if of all or none."""
        return f"{said.matches:,} of {self.matches:,}" if 0 < said.matches < self.matches else ""


def costs_of(
    contents: Contents, seats: int | None = None, run: int | None = None
) -> dict[tuple[str, Key], Costs]:
    """Return what each bot said in each game over standing matches, those of *seats* or *run* if given."""
    found: dict[tuple[str, Key], Costs] = {}
    for part in contents.match_parts((*SEATS_NEED, "seats.usage"), run):
        if len(part):
            _add(found, seat_rows(part, (), ("usage",)), seats)
    return found


def _add(found: dict[tuple[str, Key], Costs], seats: SeatRows, size: int | None) -> None:
    rows = seats.rows
    if size is not None:
        rows = rows.filter(pc.equal(rows.column("size"), size))
    usage = rows.column("usage").combine_chunks()
    parts = {name: pc.struct_field(usage, name) for name in PARTS}
    whole = {"game": rows.column("game"), "bot": rows.column("bot"), "any": usage.is_valid().cast("int64")}
    table = pa.table(whole | parts)
    sums = [("any", "count"), ("any", "sum"), *((name, how) for name in PARTS for how in ("sum", "count"))]
    for game, bot, matches, matches_said, *numbers in group_rows(table, ["game", "bot"], sums):
        key = (seats.games[game], seats.bots[bot])
        before = found.get(key, Costs())
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        said = {
            name: Said(before.part(name).total + (total or 0), before.part(name).matches + count)
            for name, (total, count) in zip(PARTS, pairs, strict=True)
        }
        found[key] = Costs(before.matches + matches, before.matches_said + matches_said, said)


# --- as columns


def _mean(key: str, title: str, cell: Cell) -> Column:
    """Return a column of means, each beside the matches of which it was said where that is not all."""

    def tell(row: Row) -> str | None:
        said = row["costs"].part(key)
        where = row["costs"].where(said)
        return None if said.mean is None else f"{cell(said.mean)}{f' ({where})' if where else ''}"

    return Column(key, title, cell, right=True, always=False, kind=tell)


COSTS = (
    _mean("input_tokens", "tokens in", digits(0)),
    _mean("output_tokens", "tokens out", digits(0)),
    _mean("requests", "requests", digits(1)),
    _mean("cost_usd", "$/match", partial(money, least=4)),
    Column("total_cost_usd", "$ in all", money, right=True, always=False),
    Column("matches_with_usage", "matches said", right=True, always=False),
    _mean("fallbacks", "fallbacks", digits(1)),
)
"""The columns of a leaderboard about costs; the parts of a usage are means a match."""


def add_costs(rows: Iterable[Row], costs: Mapping[tuple[str, Key], Costs]) -> list[Row]:
    """Return *rows* of a game, a bot and a version, each with what *costs* says of it as COSTS."""
    keys = (((row["game"], (row["bot"], row["version"])), row) for row in rows)
    found = [(row, costs.get(key, Costs())) for key, row in keys]
    return [{**row, **costs_row(said), "costs": said} for row, said in found]


def costs_row(costs: Costs) -> Row:
    """Return the values of COSTS."""
    dollars = costs.part("cost_usd")
    return {
        **{name: costs.part(name).mean for name in PARTS},
        "total_cost_usd": dollars.total if dollars.matches else None,
        "matches_with_usage": costs.matches_said or None,
    }


def say_costs(costs: Costs) -> str:
    """Return in a sentence what a match cost on average, and in which; empty if nothing was said."""
    total = costs.part("cost_usd")
    spelled = {
        "input_tokens": "{:,.0f} tokens in",
        "output_tokens": "{:,.0f} out",
        "requests": "{:,.1f} requests",
        "cost_usd": f"${money(total.mean or 0, 4)}",
        "fallbacks": "{:,.1f} fallback moves",
    }
    means: dict[str, list[str]] = {}
    for name, text in spelled.items():
        if (said := costs.part(name)).mean is not None:
            means.setdefault(costs.where(said), []).append(text.format(said.mean))
    told = [
        f"{', '.join(words)} a match{f' in the {where} of which it said so' if where else ''}"
        for where, words in means.items()
    ]
    return "; ".join([*told, *([f"${money(total.total)} in all"] if total.matches else [])])


def say_run_costs(costs: Mapping[tuple[str, Key], Costs]) -> str:
    """Return in a sentence what a run cost, the dearest bots first; empty if nothing was said."""
    dollars: Counter[str] = Counter()
    tokens = 0.0
    for (_, (bot, _)), of in costs.items():
        if (said := of.part("cost_usd")).matches:
            dollars[bot] += said.total  # type: ignore[assignment]  # a Counter takes any numbers
        tokens += of.part("input_tokens").total + of.part("output_tokens").total
    parts = [f"{tokens:,.0f} tokens"] if tokens else []
    if dollars:
        named = [f"{bot} ${money(total)}" for bot, total in dollars.most_common(NAMED)]
        more = f" and {len(dollars) - NAMED:,} more" if len(dollars) > NAMED else ""
        parts.append(f"${money(sum(dollars.values()))} ({', '.join(named)}{more})")
    return f"this run cost, as bots report: {', '.join(parts)}" if parts else ""


MATCH_COSTS = (
    Column("tokens", "tokens", digits(0), right=True, always=False),
    Column("cost_usd", "cost ($)", partial(money, least=4), right=True, always=False),
)
"""The columns of a list of matches: sums over the seats that said something."""


def match_costs(usages: Sequence[Usage | Mapping[str, Json] | None]) -> Row:
    """Return the values of MATCH_COSTS for the seats of a match with these *usages*."""
    said = [msgspec.to_builtins(usage) for usage in usages if usage is not None]
    tokens = [each[name] for each in said for name in ("input_tokens", "output_tokens")]
    return {"tokens": _sum(tokens), "cost_usd": _sum([each["cost_usd"] for each in said])}


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
