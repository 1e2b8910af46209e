"""Build the leaderboard of one game: its order, its rows, and its columns for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby
from math import ceil
from typing import TYPE_CHECKING, Any, get_origin

from results.reports.anchors import draw_intervals
from results.reports.document import GAME, BotRef, Column, Interval, Number, Row, Share, Used, Warned, digits
from results.reports.intervals import (
    half_of,
    interval_of_beaten,
    interval_of_mean,
    interval_of_share,
    rating_of,
    span_of,
    value_of,
    with_ends,
)
from results.reports.labels import Key
from results.storage.arrow import Table, pa
from results.words import count

if TYPE_CHECKING:
    from results.rating.fit import Fit
    from results.rating.rated import Rated
    from results.rating.standings import Standing

RANKED_FROM = 50
"""A bot with fewer matches is ranked only where the others have few as well."""


@dataclass(frozen=True)
class GameBoard:
    """The bots of one game in their order, and what is known of it."""

    rated: Rated
    hidden: Collection[Key] = frozenset()
    """Versions that are not on it.  Their matches count in the ratings of the others."""

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.rated.game

    @property
    def fit(self) -> Fit:
        """The fit of the ratings.  Bots are named by their indices in it."""
        return self.rated.fit

    @cached_property
    def floor(self) -> int:
        """The number of matches from which on a bot is ranked: half the mean number, at most 50."""
        played = [self.fit.matches[i] for i in self.by_rating]
        return min(RANKED_FROM, ceil(sum(played) / (2 * len(played)))) if played else 0

    @cached_property
    def by_rating(self) -> list[int]:
        """The indices of all bots that are on it, the best first; equal ones by name."""
        return [i for i in self._by_rating if self.fit.bots[i] not in self.hidden]

    @cached_property
    def resting(self) -> list[int]:
        """The indices of the hidden bots, the best first."""
        return [i for i in self._by_rating if self.fit.bots[i] in self.hidden]

    @cached_property
    def _by_rating(self) -> list[int]:
        return sorted(range(len(self.fit.bots)), key=lambda i: (-self.fit.mu[i], self.fit.bots[i]))

    @cached_property
    def ranked(self) -> list[int]:
        """The indices of the ranked bots by group, best first; all, if fewer than two have enough matches."""
        found = [i for i in self.by_rating if self.fit.matches[i] >= self.floor]
        return sorted(found if len(found) > 1 else self.by_rating, key=lambda i: self._group_of[i])

    @cached_property
    def ranked_groups(self) -> list[list[int]]:
        """The same, with a list for each group."""
        return [[*group] for _, group in groupby(self.ranked, key=lambda i: self._group_of[i])]

    @cached_property
    def unranked(self) -> list[int]:
        """The indices of the other bots, the best first."""
        ranked = set(self.ranked)
        return [i for i in self.by_rating if i not in ranked]

    @cached_property
    def places(self) -> dict[int, tuple[int, int]]:
        """The best and the worst place in its group that each ranked bot may have: 95 % intervals."""
        return {
            i: ends
            for group in self.ranked_groups
            for i, ends in zip(group, self.fit.places(group), strict=True)
        }

    @cached_property
    def groups(self) -> list[list[int]]:
        """The indices of bots compared with each other, largest group first; hidden bots may join others."""
        index = {self.fit.bots[i]: i for i in self.by_rating}
        found = [sorted(index[bot] for bot in group if bot in index) for group in self.fit.groups()]
        return sorted(filter(None, found), key=lambda group: (-len(group), group))

    @cached_property
    def _group_of(self) -> dict[int, int]:
        return {i: number for number, group in enumerate(self.groups) for i in group}

    def are_compared(self, i: int, j: int) -> bool:
        """Return whether bots *i* and *j* have met, directly or by way of others."""
        return self._group_of[i] == self._group_of[j]

    def is_open(self, i: int, j: int) -> bool:
        """Return whether *i* and *j*, better first, are not told apart: the one rule, Fit.surely_above."""
        return not (self.are_compared(i, j) and self.fit.surely_above(i, j))

    @property
    def tells_apart(self) -> bool:
        """Whether any two of its ranked bots are told apart."""
        return any(not self.is_open(i, j) for i, j in combinations(self.ranked, 2))


# --- for programs

LEADERBOARD = (
    Column("rank", "#", right=True),
    Column("rank_low", "best place", right=True),
    Column("rank_high", "worst place", right=True),
    Column("bot", "bot"),
    Column("version", "version"),
    Column("mu", "rating", digits(1), right=True),
    Column("margin", "+-", digits(1), right=True),
    Column("sigma", "sigma", digits(2), right=True),
    Column("score", "score", digits(2), right=True),
    Column("matches", "matches", right=True),
    Column("matches_worth", "worth", digits(0), right=True),
    *(Column(name, name, right=True) for name in ("wins", "draws", "losses")),
    Column("win_rate", "win rate", digits(3), right=True),
    Column("win_rate_low", "from", digits(3), right=True),
    Column("win_rate_high", "to", digits(3), right=True),
    Column("mean_rank", "mean place", digits(2), right=True),
    Column("mean_rank_low", "from", digits(2), right=True),
    Column("mean_rank_high", "to", digits(2), right=True),
    Column("mean_score", "points", digits(1), right=True),
    Column("faults", "faults", right=True),
    Column("faults_by_kind", "by kind"),
    Column("ms_per_move", "ms/move", digits(2), right=True),
    Column("mu_low", "from", digits(1), right=True),
    Column("mu_high", "to", digits(1), right=True),
    Column("misfit", "misfit", digits(3), right=True),
    Column("turned_pairs", "turned by size", right=True),
)
"""The columns of JSON and CSV; GAME goes before them, and what a command adds behind them.  Scripts may count
columns: a new one stands behind all that a command prints today, in LATER."""
LATER = (
    Column("beaten", "beaten", digits(3), right=True),
    Column("beaten_low", "from", digits(3), right=True),
    Column("beaten_high", "to", digits(3), right=True),
)
"""The columns of JSON and CSV that came later: they stand behind those that a command adds."""
_WHOLE = ("rank", "rank_low", "rank_high", "matches", "wins", "draws", "losses", "faults", "turned_pairs")
VALUES: Mapping[str, Any] = {
    **dict.fromkeys((column.key for column in (GAME, *LEADERBOARD, *LATER)), float),
    **dict.fromkeys(("game", "bot", "version"), str),
    **dict.fromkeys(_WHOLE, int),
    "faults_by_kind": dict[str, int],
}
"""The types of the values of GAME, LEADERBOARD and LATER, in this order; all but texts may be None."""


def leaderboard(board: GameBoard) -> list[Row]:
    """Return the rows of GAME, LEADERBOARD and LATER: the ranked bots by rating, then the others.

    Groups that never met follow each other, and each has its own ranks.  Values that are not known are None:
    the ranks of a bot with too few matches, the margin of one whose rating has one end at most, what belongs
    to table sizes that it did not play.
    """
    rows = [_row(board, i, rank) for group in board.ranked_groups for rank, i in enumerate(group, 1)]
    return rows + [_row(board, i, None) for i in board.unranked]


def not_shown(boards: Iterable[GameBoard]) -> str:
    """Return how many versions are hidden on *boards*, as a sentence; empty if all are shown."""
    hidden = len({board.fit.bots[i] for board in boards for i in board.resting})
    what = "1 version that does not play" if hidden == 1 else f"{hidden:,} versions that do not play"
    return f"not shown: {what}" if hidden else ""


def resting(board: GameBoard) -> list[Row]:
    """Return the rows of the bots that are hidden on *board*, as those of bots that are not ranked."""
    return [_row(board, i, None) for i in board.resting]


def leaderboard_table(rows: Sequence[Row]) -> Table:
    arrow = {float: pa.float64(), str: pa.string(), int: pa.int64(), dict: pa.map_(pa.string(), pa.int64())}
    fields = [(key, arrow[get_origin(kind) or kind]) for key, kind in VALUES.items()]
    return pa.Table.from_pylist(list(rows), schema=pa.schema(fields))


def _row(board: GameBoard, i: int, rank: int | None) -> Row:
    fit = board.fit
    bot, rating = fit.bots[i], rating_of(fit, i)
    standing = board.rated.standings[bot]
    low, high = board.places[i] if rank else (None, None)
    played = standing.wins + standing.draws + standing.losses
    return {
        "game": board.game,
        "rank": rank,
        "rank_low": low,
        "rank_high": high,
        "bot": bot[0],
        "version": bot[1],
        **{key: rating[key] for key in ("mu", "margin", "sigma")},
        "score": None if rating["mu_low"] is None else fit.mu[i] - 3 * rating["sigma"],
        "matches": standing.matches,
        "matches_worth": standing.matches / fit.deviation,
        "wins": standing.wins if played else None,
        "draws": standing.draws if played else None,
        "losses": standing.losses if played else None,
        **_win_rate(standing, played, fit.deviation),
        **_mean_rank(standing, max(board.rated.tables), fit.deviation),
        "mean_score": _ratio(standing.score_sum, standing.scored),
        "faults": sum(standing.faults.values()),
        "faults_by_kind": dict(sorted(standing.faults.items())),
        "ms_per_move": _ratio(standing.think_us / 1000, standing.decisions),
        "mu_low": rating["mu_low"],
        "mu_high": rating["mu_high"],
        # None where one rating a bot describes the game
        "misfit": misfit.misfit if (misfit := board.rated.misfit) and misfit.is_wrong else None,
        "turned_pairs": len(board.rated.size_gaps) or None,
        **_beaten(standing, max(board.rated.tables), fit.deviation),
    }


def _win_rate(standing: Standing, played: int, deviation: float) -> Row:
    """Return the share of *played* matches of two seats that a bot won, with its interval."""
    if not played:
        return with_ends("win_rate", None)
    rate = (standing.wins + standing.draws / 2) / played
    return with_ends("win_rate", rate, interval_of_share(rate, played / deviation))


def _mean_rank(standing: Standing, seats: int, deviation: float) -> Row:
    """Return the mean rank in matches of more than two and at most *seats* seats, with its interval."""
    if not standing.ranked:
        return with_ends("mean_rank", None)
    total, squares, matches = standing.rank_sum, standing.rank_squares, standing.ranked
    ends = interval_of_mean(total, squares, matches, seats, deviation)
    return with_ends("mean_rank", total / matches, ends)


def _beaten(standing: Standing, seats: int, deviation: float) -> Row:
    """Return the share of seats that a bot beat, ties half, with its interval: at two seats, that of wins."""
    share = standing.beaten / (2 * standing.rivals)
    if standing.ranked:
        crossed = share * (standing.beaten_rivals / 2)
        residual = standing.beaten_squares / 4 - 2 * crossed + share * share * standing.rival_squares
        ends = interval_of_beaten(share, residual, standing.rivals, seats, deviation)
    else:
        ends = interval_of_share(share, standing.matches / deviation)
    return with_ends("beaten", share, ends)


def _ratio(total: float, count: int) -> float | None:
    return total / count if count else None


# --- for people


def place_of(row: Row) -> str:
    """Return the place of a row: an interval, or one number."""
    low, high = row["rank_low"], row["rank_high"]
    return "-" if low is None else str(low) if low == high else f"{low}-{high}"


def bot_of(row: Row) -> BotRef:
    return BotRef(row["bot"], row["version"])


def record_of(row: Row) -> str | None:
    """Return the matches of two seats of a row that were won, drawn and lost."""
    return None if row["wins"] is None else f"{row['wins']}-{row['draws']}-{row['losses']}"


def share_of(key: str, bot: str = "", *, half: bool = False) -> Callable[[Row], Share | None]:
    """Return what makes a share of the value *key* of a row and of its ends.

    The name under *bot*, if the row has one, is that whose mark stands where it is drawn.
    """

    def tell(row: Row) -> Share | None:
        share, low, high = (row[key + end] for end in ("", "_low", "_high"))
        return None if share is None else Share(share, low, high, row.get(bot, ""), half=half)

    return tell


def _mean_rank_of(row: Row) -> Interval | None:
    if row["mean_rank"] is None:
        return None
    return Interval(row["mean_rank"], row["mean_rank_low"], row["mean_rank_high"], 2, low_is_best=True)


def _thinking(row: Row) -> Used | Number | None:
    """Return the mean time of a decision, beside what is free of `clock_ms` where the row has that."""
    ms, clock = row["ms_per_move"], row.get("clock_ms")
    if ms is None:
        return None
    return Used(ms / clock, f"{ms:.2f}") if clock else Number(ms, 2, low_is_best=True)


SHOWN = (
    Column("place", "#", right=True, kind=place_of),
    Column("bot", "bot", kind=bot_of),
    Column("version", "version", extra=True, on_pages=False),
    Column("mu", "rating", right=True, kind=value_of("mu", "mu_")),
    Column("margin", "+-", right=True, kind=half_of("mu_")),
    Column("span", "95 % interval", draw=draw_intervals, extra=True, kind=span_of("mu", "mu_")),
    Column("matches", "matches", right=True),
    Column("beaten", "beaten % (95 %)", right=True, kind=share_of("beaten")),
    Column("mean_score", "points", digits(1), right=True, always=False),
    Column(
        "faults",
        "faults",
        right=True,
        always=False,
        kind=lambda row: Warned(str(row["faults"]), row["bot"]) if row["faults"] else None,
    ),
    Column("ms_per_move", "ms/move", right=True, always=False, kind=_thinking),
)
"""The columns of tables, for rows of `leaderboard`."""
ASKED_FOR = (
    Column("win_rate", "win % (95 %)", right=True, kind=share_of("win_rate")),
    Column("mean_rank", "mean place (95 %)", right=True, kind=_mean_rank_of),
    Column("record", "won-drawn-lost", right=True, kind=record_of),
)
"""Columns of tables that are shown only where they are asked for."""


def title(board: GameBoard, top: int | None = None) -> str:
    """Return the line above the leaderboard, or its *top*: what was played, and what the numbers mean."""
    sizes = sorted(board.rated.tables)
    seats = f"{sizes[0]} seats" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} seats"
    matches, bots = count(sum(board.rated.tables.values()), "match"), count(len(board.by_rating), "bot")
    if top is not None and top < len(board.by_rating):
        bots = f"the first {count(top, 'bot', len(board.by_rating))}"
    return f"{board.game}  {seats}, {matches}, {bots}"


def legend(rows: Iterable[Row]) -> str:
    """Return what places and ratings of *rows* of `leaderboard` mean, once for all their tables."""
    known = [row for row in rows if row["sigma"] is not None]
    what = "+- and places (#) are" if any(row["margin"] for row in known) else "places (#) are"
    bounds = "; >= and <= are the only end of one" if any(row["margin"] is None for row in known) else ""
    return f"{what} 95 % intervals{bounds}"
