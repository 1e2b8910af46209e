"""The rows of duels, unrated runs and played matches: what each was, and what it found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from results.rating.duel_question import judge
from results.record import Json, Run
from results.reports.document import Column, Row
from results.reports.duel_report import ContestResult, told_in_wins
from results.reports.labels import Numbers, labels

MOST_NAMES = 2
"""The most bots that a row names."""

WITHOUT = tuple(f"{key}_without_faults" for key in ("verdict", "mean", "low", "high"))

WINS = ("estimate", *(f"{unit}{end}" for unit in ("wins", "elo") for end in ("", "_low", "_high")))

DUELS = tuple(
    Column(key, key)
    for key in (
        *("duel", "kind", "game", "seats", "bots", "finished", "matches"),
        *("verdict", "mean", "low", "high", "started"),
        *("faulted", "verdict_with_faults", *WITHOUT),
        *WINS,
    )
)
"""What programs get: scores from -1 to 1, wins of 100, and Elo at two seats.  Those of unrated runs are null.

So are those without faults where a verdict does not depend on them.
"""

SHOWN_DUELS = (
    Column("duel", "duel"),
    Column("kind", "what"),
    Column("bots", "bots"),
    Column("game", "game"),
    Column("matches", "matches", "{:,}".format, right=True),
    Column("verdict", "result"),
    Column("difference", "wins", right=True),
    Column("interval", "(sure)", right=True),
    Column("started", "started (UTC)", extra=True),
)
"""What people get."""


def duel_rows(name: str, run: Run, results: Sequence[ContestResult]) -> list[Row]:
    """Return a row for each contest of the duel *run*, which is called *name*."""
    return [
        {
            **unrated_row(name, run, sum(each.tally.matches), "duel"),
            "game": each.game,
            "seats": each.tally.seats,
            "bots": run.bots[:2],
            "verdict": str(each.verdict),
            "mean": each.tally.mean,
            "low": each.interval.low,
            "high": each.interval.high,
            "faulted": each.faulted,
            "verdict_with_faults": str(judge(each.interval, each.question)),
            **_without_faults(each),
            **told_in_wins(each),
        }
        for each in results
    ]


def _without_faults(each: ContestResult) -> Row:
    if each.without is None:
        return dict.fromkeys(WITHOUT)
    tally, interval = each.without
    return dict(zip(WITHOUT, (str(judge(interval, each.question)), tally.mean, *interval), strict=True))


def unrated_row(name: str, run: Run, matches: int, kind: str) -> Row:
    """Return the row of *run*, called *name*, with *matches*, that has no verdict."""
    games = sorted({contest.game for contest in run.settings.contests})
    sizes = {contest.seats for contest in run.settings.contests}
    return {
        "duel": name,
        "kind": kind,
        "game": games[0] if len(games) == 1 else None,
        "seats": min(sizes) if len(sizes) == 1 else None,
        "bots": run.bots,
        "finished": run.finished is not None,
        "matches": matches,
        **dict.fromkeys(
            ("verdict", "mean", "low", "high", "faulted", "verdict_with_faults", *WITHOUT, *WINS)
        ),
        "started": datetime.fromtimestamp(run.started / 1e6, UTC).isoformat(timespec="seconds"),
    }


def shown_duels(rows: Sequence[Row], numbers: Numbers) -> list[Row]:
    """Return *rows* as people read them: bots by their labels, scores in wins of 100."""
    return [
        {
            **row,
            "bots": _bots(row, numbers),
            "game": _where(row),
            "verdict": _verdict(row),
            "difference": None if row["wins"] is None else f"{row['wins']:.1f}",
            "interval": None if row["wins"] is None else f"{row['wins_low']:.1f} {row['wins_high']:.1f}",
            "started": row["started"][:16].replace("T", " "),
        }
        for row in rows
    ]


def _bots(row: Row, numbers: Numbers) -> str:
    bots: list[Json] = row["bots"]
    keys = [(bot["name"], bot["version"]) for bot in bots]
    label = labels(keys, numbers)
    if row["kind"] == "duel":
        return " - ".join(label[key] for key in keys)
    more = f" and {len(keys) - MOST_NAMES} more" if len(keys) > MOST_NAMES else ""
    return ", ".join(label[key] for key in keys[:MOST_NAMES]) + more


def _where(row: Row) -> str:
    game = row["game"] or "several games"
    return game if row["seats"] in (None, 2) else f"{game} for {row['seats']}"


def _verdict(row: Row) -> str | None:
    if not row["finished"]:
        return "unfinished"
    verdict: str | None = row["verdict"]
    if row["verdict_without_faults"] not in (None, row["verdict_with_faults"]):
        return "undecided: faults"
    return verdict
