"""What stored reviews say of the bots of a leaderboard: its columns about errors and luck."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from engines import GAMES
from ladder.machine.plugged_in import go_on_without
from ladder.replay.review.account import ACCOUNT, whole_result
from ladder.replay.review.bot_review import FEW
from ladder.replay.review.summary import Mean, mean_by_blocks
from results.reports.board_marks import REVIEWED
from results.reports.document import Note, Row
from results.reports.labels import Key
from results.storage.reviews import Reviews
from results.words import count

if TYPE_CHECKING:
    from results.storage.contents import Contents

_COLUMNS: Final = ("run", "number", "seat", "bot", "version", "game", "seats")
_MOVES: Final = ("own", "others", "hidden")
"""The terms of an account that are neither the deal nor drawn."""


def reviews_of(contents: "Contents", seats: int | None) -> dict[tuple[str, Key], Row]:
    """Return the values of REVIEWED, by game and bot, over the standing matches of *contents*.

    Luck is what was dealt and drawn, in a match: from whole reviews with an account alone.  With *seats*,
    only tables of that size count.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    reviews = Reviews(contents.folder)
    if not reviews.files():
        return {}
    table = reviews.read(columns=[*_COLUMNS, "loss", "chance_open", "luck", "account", *_MOVES])
    if seats is not None:
        table = table.filter(pc.equal(table.column("seats"), seats))
    # the terms stand in the last row of a seat, beside its result; reviews of older ladders have other ones
    ends = pc.and_(pc.equal(table.column("account"), ACCOUNT), pc.is_valid(table.column("luck")))
    result = pc.if_else(ends, table.column("chance_open"), pa.scalar(None, pa.float32()))
    table = table.append_column("result", result)
    lines = table.group_by([*_COLUMNS], use_threads=False).aggregate(
        [("loss", "sum"), ("loss", "count"), *((term, "sum") for term in ("result", *_MOVES))]
    )
    block_of = _blocks(contents, {*lines.column("run").to_pylist()})
    errors: _Sums = defaultdict(lambda: defaultdict(list))
    lucks: _Sums = defaultdict(lambda: defaultdict(list))
    matches: defaultdict[tuple[str, Key], set[tuple[int, int]]] = defaultdict(set)
    whole: defaultdict[tuple[str, Key], set[tuple[int, int]]] = defaultdict(set)
    for line in lines.to_pylist():
        match = line["run"], line["number"]
        if match not in block_of:  # of another season, or gone
            continue
        who, block = (line["game"], (line["bot"], line["version"])), block_of[match]
        if line["loss_count"]:
            matches[who].add(match)
            errors[who][block].append((line["loss_sum"], line["loss_count"]))
        if line["result_sum"] is not None:  # null without an account
            whole[who].add(match)
            moves = sum([line[f"{term}_sum"] or 0.0 for term in _MOVES])
            luck = whole_result(line["result_sum"], line["seats"]) - moves - 0.5  # the deal is luck, too
            lucks[who][block].append((luck, 1))
    return {
        who: _row(_mean(errors[who]), _mean(lucks[who]), len(matches[who]), len(whole[who]))
        for who in {**errors, **lucks}
    }


_Sums = defaultdict[tuple[str, Key], defaultdict[tuple[int, int], list[tuple[float, int]]]]


def _blocks(contents: "Contents", runs: Iterable[int]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the block of each standing match of *runs*, both with the number of the run."""
    found = {}
    for run in runs:
        table = contents.matches(["number", "block"], run)
        numbers, blocks = table.column("number").to_pylist(), table.column("block").to_pylist()
        found.update({(run, number): (run, block) for number, block in zip(numbers, blocks, strict=True)})
    return found


def _mean(blocks: Mapping[tuple[int, int], Sequence[tuple[float, int]]]) -> Mean:
    return mean_by_blocks(
        [(sum([value for value, _ in each]), sum([count for _, count in each])) for each in blocks.values()]
    )


def add_reviews(rows: Iterable[Row], found: Mapping[tuple[str, Key], Row]) -> list[Row]:
    """Return *rows*, each with a game, a bot and a version, with the values of REVIEWED that are known."""
    return [{**row, **found.get((row["game"], (row["bot"], row["version"])), {})} for row in rows]


def _row(error: Mean, luck: Mean, matches: int, matches_with_luck: int) -> Row:
    """Return the values of REVIEWED: the loss of a decision and the luck of a match in %."""
    return {
        "error": _percent(error.value),
        "error_margin": _percent(error.margin),
        "luck": _percent(luck.value),
        "luck_margin": _percent(luck.margin),
        "reviewed_matches": matches or None,
        "matches_with_luck": matches_with_luck or None,
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 4)  # values are stored with fewer digits


def say_reviews(
    game: str, rows: Sequence[Row], columns: Iterable[str], sizes: Iterable[int]
) -> Iterator[Note]:
    """Yield what a table of *game*, with these *rows*, *columns* and *sizes*, does not say of reviews."""
    wanted = {column.key for column in REVIEWED}.intersection(columns)
    if not rows:
        return
    if not _is_judged(game, sizes):
        yield Note(f"{game} has no judge at these tables, so no decision is reviewed")
        return
    counts = {
        name: [row[key] or 0 for row in rows]
        for name, key in (("error", "reviewed_matches"), ("luck", "matches_with_luck"))
        if name == "error" or wanted & {name, f"{name}_margin", key}
    }
    if not any(counts["error"]):
        yield Note("no match is reviewed yet", f"ladder review --bot {rows[0]['bot']}")
        return
    of = ", ".join(f"{name} is of {_say_counts(each)}" for name, each in counts.items() if any(each))
    few = min(number for each in counts.values() for number in each if number) < FEW
    rough = f": with fewer than {FEW}, +- is a rough one" if few else ""
    yield Note(f"reviews explain, they do not rate; {of}{rough}")
    missing = [row["bot"] for row, number in zip(rows, counts["error"], strict=True) if not number]
    if not any(counts.get("luck", (1,))):
        yield Note("luck needs whole reviews", f"ladder review --bot {rows[0]['bot']} --full")
    elif missing:
        without = f"without a review: {count(len(missing), 'bot', len(rows))}"
        yield Note(without, f"ladder review --bot {missing[0]}")


def _say_counts(counts: Sequence[int]) -> str:
    """Return in words how many matches the reviews of each bot are of, where there are any."""
    least, most = min(filter(None, counts)), max(counts)
    of = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    return f"{of} match{'' if most == 1 else 'es'} a bot"


def _is_judged(game: str, sizes: Iterable[int]) -> bool:
    """Return whether decisions of *game* can be reviewed here, as far as is known."""
    if game not in GAMES:
        return True
    what = f"the game {game!r} does not say whether it has a judge"
    return go_on_without(what, lambda: any(GAMES[game].judge(size) is not None for size in sizes), True, game)
