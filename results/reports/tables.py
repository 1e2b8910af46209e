"""Build the rows of the leaderboard, matches, faults and matrix, for people and for programs.

`render` prints them as a table, JSON, CSV or Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from results.record import Json
from results.reports.head_to_head import Meetings
from results.reports.labels import Key, Numbers, labels

if TYPE_CHECKING:
    from results.rating.standings import Standing
    from results.storage.schema import Table

from results.reports.render import Cell, Column, Row

__all__ = [
    "FAULTS",
    "FAULTS_NEED",
    "GAME",
    "LEADERBOARD",
    "MATCHES",
    "MATCHES_NEED",
    "MATRIX",
    "faults",
    "grid",
    "label_matches",
    "label_rows",
    "leaderboard",
    "leaderboard_table",
    "matches",
    "matrix",
]


def _digits(count: int) -> Cell:
    return lambda value: f"{value:.{count}f}"


def _counts(faults: Mapping[str, int]) -> str:
    """Return the kinds of *faults* with their counts, the most frequent first."""
    ordered = sorted(faults.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} {kind}" for kind, count in ordered) or "-"


# --- leaderboard

GAME = Column("game", "game")
"""The first column of each list for programs, where every row names its game."""

LEADERBOARD = (
    Column("rank", "#", right=True),
    Column("bot", "bot"),
    Column("version", "version"),
    Column("score", "score", _digits(2), right=True),
    Column("mu", "mu", _digits(2), right=True),
    Column("sigma", "sigma", _digits(2), right=True),
    Column("matches", "matches", right=True),
    Column("wins", "wins", right=True, always=False),
    Column("draws", "draws", right=True, always=False),
    Column("losses", "losses", right=True, always=False),
    Column("mean_rank", "mean rank", _digits(2), right=True, always=False),
    Column("mean_score", "mean score", _digits(1), right=True, always=False),
    Column("faults", "faults", _counts),
    Column("ms_per_move", "ms/move", _digits(2), right=True, always=False),
)


def leaderboard(standings: Iterable[Standing], game: str) -> list[Row]:
    """Return the rows of GAME and LEADERBOARD for *game*, by score (mu - 3 sigma), then by name.

    Wins, draws and losses count matches of two seats, the mean rank those of more.  Each is None for a bot
    without such a match.
    """
    here = [standing for standing in standings if standing.game == game]
    here.sort(key=lambda standing: (-standing.rating.score, standing.bot, standing.version))
    return [_leaderboard_row(rank, standing) for rank, standing in enumerate(here, 1)]


def leaderboard_table(standings: Iterable[Standing], game: str) -> Table:
    """Return the rows of `leaderboard` as a pyarrow table; `faults` maps kinds to counts."""
    import pyarrow as pa

    kinds = {
        "game": pa.string(),
        "rank": pa.int64(),
        "bot": pa.string(),
        "version": pa.string(),
        "score": pa.float64(),
        "mu": pa.float64(),
        "sigma": pa.float64(),
        "matches": pa.int64(),
        "wins": pa.int64(),
        "draws": pa.int64(),
        "losses": pa.int64(),
        "mean_rank": pa.float64(),
        "mean_score": pa.float64(),
        "faults": pa.map_(pa.string(), pa.int64()),
        "ms_per_move": pa.float64(),
    }
    return pa.Table.from_pylist(leaderboard(standings, game), schema=pa.schema(kinds.items()))


def label_rows(rows: Iterable[Row], numbers: Numbers) -> list[Row]:
    """Return *rows* for people: each `bot`, of the `version` beside it, becomes its label."""
    listed = list(rows)
    label = labels(((row["bot"], row["version"]) for row in listed), numbers)
    return [{**row, "bot": label[row["bot"], row["version"]]} for row in listed]


def _leaderboard_row(rank: int, standing: Standing) -> Row:
    duels = standing.matches - standing.ranked
    return {
        "game": standing.game,
        "rank": rank,
        "bot": standing.bot,
        "version": standing.version,
        "score": standing.rating.score,
        "mu": standing.mu,
        "sigma": standing.sigma,
        "matches": standing.matches,
        "wins": standing.wins if duels else None,
        "draws": standing.draws if duels else None,
        "losses": standing.losses if duels else None,
        "mean_rank": _ratio(standing.rank_sum, standing.ranked),
        "mean_score": _ratio(standing.score_sum, standing.scored),
        "faults": dict(standing.faults),
        "ms_per_move": _ratio(standing.think_us / 1000, standing.decisions),
    }


def _ratio(total: float, count: int) -> float | None:
    return total / count if count else None


# --- matches


def _result(seats: Sequence[Mapping[str, Json]]) -> str:
    return ", ".join(map(_place, sorted(seats, key=lambda seat: seat["rank"])))


def _place(seat: Mapping[str, Json]) -> str:
    score = "" if seat["score"] is None else f" {seat['score']}"
    fault = "" if seat["fault"] is None else f" ({seat['fault']})"
    return f"{seat['rank']}. {seat['bot']}{score}{fault}"


MATCHES = (
    Column("match", "match"),
    Column("game", "game"),
    Column("block", "block", right=True),
    Column("seats", "result", _result),
    Column("decisions", "decisions", right=True),
    Column("ms", "ms", _digits(0), right=True),
)

_SEAT_KEYS = ("bot", "version", "name", "rank", "score", "fault")

MATCHES_NEED = (
    *("run", "number", "game", "block", "duration_us", "seats.decisions"),
    *(f"seats.{key}" for key in _SEAT_KEYS),
)
"""The columns of matches that matches() needs."""


def matches(table: Table, unrated: str | None = None) -> list[Row]:
    """Return the rows of MATCHES for a *table* with the columns MATCHES_NEED; `seats` is in seat order.

    *unrated* is the name of their store if they do not count.
    """
    return [
        {
            "match": f"{unrated or row['run']}/{row['number']}",
            "game": row["game"],
            "block": row["block"],
            "seats": [{key: seat[key] for key in _SEAT_KEYS} for seat in row["seats"]],
            "decisions": sum(seat["decisions"] for seat in row["seats"]),
            "ms": row["duration_us"] / 1000,
        }
        for row in table.to_pylist()
    ]


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
    Column("bot", "bot"),
    Column("version", "version"),
    Column("kind", "kind"),
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


# --- matrix

MATRIX = (
    Column("bot", "bot"),
    Column("version", "version"),
    Column("rival", "rival"),
    Column("rival_version", "rival version"),
    Column("matches", "matches", right=True),
    Column("wins", "wins", right=True),
    Column("draws", "draws", right=True),
    Column("losses", "losses", right=True),
    Column("score_difference", "score difference", _digits(2), right=True, always=False),
)


def matrix(meetings: Iterable[Meetings], game: str) -> list[Row]:
    """Return the rows of GAME and MATRIX for *game*: two for each pair of versions, one from each side."""
    return [{"game": game, **each._asdict()} for each in meetings]


def grid(meetings: Sequence[Meetings], numbers: Numbers) -> tuple[list[Row], list[Column]]:
    """Return the meetings as a square: a row and a column per bot, wins-draws-losses of the row's bot.

    Bots have their labels as names: see labels().
    """
    versions = sorted(
        {(each.bot, each.version) for each in meetings}, key=lambda key: _sort_key(key, numbers)
    )
    label = labels(versions, numbers)
    rows: dict[str, Row] = {
        label[key]: {"": label[key], **dict.fromkeys(label[other] for other in versions)} for key in versions
    }
    for each in meetings:
        row = rows[label[each.bot, each.version]]
        row[label[each.rival, each.rival_version]] = f"{each.wins}-{each.draws}-{each.losses}"
    return list(rows.values()), [
        Column("", ""),
        *(Column(label[key], label[key], right=True) for key in versions),
    ]


def _sort_key(key: Key, numbers: Numbers) -> tuple[str, int, str]:
    """Return a key that sorts versions by name, then by number."""
    return key[0], numbers.get(key, 0), key[1]
