"""Select matches, and build the rows of matches and faults, for people and programs; `render` prints them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from results.record import Json
from results.reports.costs import MATCH_COSTS, match_costs
from results.reports.document import Column, Row, digits
from results.reports.labels import Numbers, labels
from results.reports.story import tell_result
from results.reports.values_as_text import say
from results.storage.arrow import Table, pa, pc
from results.storage.contents import Contents

# --- matches


def _result(seats: Sequence[Mapping[str, Json]]) -> str:
    return say(tell_result(seats, [seat["bot"] for seat in seats]), {})


def _versions(seats: Sequence[Mapping[str, Json]]) -> str:
    """Return the same in seat order, with versions, which mean the same in all homes."""
    return ", ".join(_place({**seat, "bot": f"{seat['bot']}@{seat['version']}"}) for seat in seats)


def _place(seat: Mapping[str, Json]) -> str:
    score = "" if seat["score"] is None else f" {seat['score']}"
    fault = "" if seat["fault"] is None else f" ({seat['fault']})"
    return f"{seat['rank']}. {seat['bot']}{score}{fault}"


MATCHES = (
    Column("match", "match"),
    Column("game", "game"),
    Column("block", "block", right=True),
    Column("seats", "result", _result, flat=_versions),
    Column("decisions", "decisions", right=True),
    Column("ms", "ms", digits(0), right=True),
    *MATCH_COSTS,
)

PLACE = (Column("run", "run"), Column("number", "number", right=True))
"""What programs get behind MATCHES: the two parts of `match`, which a spreadsheet may take for a date."""

_SEAT_KEYS = ("bot", "version", "name", "rank", "score", "fault", "usage")

MATCHES_NEED = (
    *("run", "number", "game", "block", "duration_us", "seats.decisions"),
    *(f"seats.{key}" for key in _SEAT_KEYS),
)
"""The columns of matches that matches() needs."""


def matches(table: Table, unrated: str | None = None) -> list[Row]:
    """Return the rows of MATCHES and PLACE for a *table* with the columns MATCHES_NEED.

    `seats` is in seat order.  *unrated* is the name of their store if they do not count.
    """
    return [
        {
            "match": f"{unrated or row['run']}/{row['number']}",
            "game": row["game"],
            "block": row["block"],
            "seats": [{key: seat[key] for key in _SEAT_KEYS} for seat in row["seats"]],
            "decisions": sum(seat["decisions"] for seat in row["seats"]),
            "ms": row["duration_us"] / 1000,
            **match_costs([seat["usage"] for seat in row["seats"]]),
            "run": unrated or row["run"],
            "number": row["number"],
        }
        for row in table.to_pylist()
    ]


@dataclass(frozen=True)
class Selection:
    """A condition on matches: one seat must fulfil all parts of it."""

    bot: str | None = None
    version: str | None = None
    lost: bool = False
    """The seat's rank is worse than 1."""
    fault: bool = False
    game: str | None = None
    size: int | None = None
    """The number of seats of the match."""


def select_newest(
    contents: Contents, wanted: Selection, limit: int, run: int | None = None
) -> "tuple[Table, int]":
    """Return the newest *limit* of the *wanted* standing matches, newest first, and the number of all."""
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
    if wanted.size is not None:
        rows = rows.filter(pc.equal(pc.list_value_length(lists.take(rows)), wanted.size))
    return table.take(rows[-limit:][::-1]), len(rows)


def select_after(contents: Contents, run: int, number: int, limit: int) -> Table:
    """Return the first *limit* standing matches that come after match *number* of *run*, oldest first.

    They are rated together.  Those behind a missing block are left out: after the last match of an answer
    come all that the next answer has.
    """
    found, left = [*contents.match_parts(MATCHES_NEED, 0)], limit  # a part without rows
    for each in contents.rated_runs[max(0, run - contents.first_rated) :]:
        after = number if each.run == run else -1
        end = contents.first_missing(each.run) if each == contents.unfinished_run else None
        for part in contents.match_parts(MATCHES_NEED, each.run, after):
            here = part.filter(pc.greater(part.column("number"), after))
            here = here if end is None else here.filter(pc.less(here.column("block"), end))
            found.append(here.slice(0, left))
            left -= len(found[-1])
            if not left:
                return pa.concat_tables(found)
    return pa.concat_tables(found)


def label_matches(rows: Sequence[Row], numbers: Numbers) -> list[Row]:
    """Return *rows* of MATCHES for people: the bots at their seats are replaced by labels."""
    seats = [seat for row in rows for seat in row["seats"]]
    label = labels(((seat["bot"], seat["version"]) for seat in seats), numbers)
    return [
        {**row, "seats": [{**seat, "bot": label[seat["bot"], seat["version"]]} for seat in row["seats"]]}
        for row in rows
    ]


# --- faults

FAULTS = (
    Column("run", "run", right=True),
    Column("number", "match", right=True),
    Column("seat", "seat", right=True),
    *(Column(name, name) for name in ("bot", "version", "kind")),
    Column("step", "step", right=True),
    Column("charged", "charged", lambda charged: "yes" if charged else ""),
    Column("lapse", "lapse", always=False),
    Column("reason", "reason"),
    Column("choice", "offered"),
    Column("answer", "answer"),
    Column("request", "request"),
    Column("elapsed_us", "elapsed us", right=True),
    Column("limit_us", "limit us", right=True),
    Column("exit_status", "exit status", right=True),
    Column("stderr", "stderr"),
)
"""The columns of rows of results.storage.schema.FAULTS; GAME goes before them."""

FAULTS_NEED = ("run", "number", "game")
"""The columns of matches that faults() needs."""


def faults(rows: Iterable[Mapping[str, Json]], matches: Table) -> list[Row]:
    """Return the *rows* of faults with their games; None if *matches* does not have the match."""
    games = {(match["run"], match["number"]): match["game"] for match in matches.to_pylist()}
    return [{"game": games.get((row["run"], row["number"])), **row} for row in rows]
