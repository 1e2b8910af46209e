"""Build the leaderboard of one game: its rows for people and for programs, and the notes below it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import ceil, sqrt
from typing import TYPE_CHECKING, NamedTuple

from results.reports.bars import draw_intervals
from results.reports.document import GAME, BotRef, Column, Interval, Number, Row, Share, Used, Warned, digits
from results.reports.intervals import (
    doubt_of,
    ends_of,
    interval_of_mean,
    interval_of_share,
    rating_of,
    span_of,
)
from results.reports.labels import Key, Numbers, hint_on, labels
from results.reports.picture_notes import picture_notes
from results.words import count

if TYPE_CHECKING:
    from results.rating.fit import Fit
    from results.rating.rated import Rated
    from results.rating.standings import Standing
    from results.storage.schema import Table

RANKED_FROM = 50
"""A bot with fewer matches is ranked only where the others have few as well."""
NEIGHBOURS_NAMED = 8
"""The most neighbours that are not told apart whose places a note names."""
SURE_DRAWS = 4.0
"""A set draw probability is contradicted from this many standard errors on..."""
STEP_OF_DRAWS = 0.2
"""...if it is off by this share of itself as well."""
BLOCKS_FOR_NOTE = 200
"""With at least this many blocks, a note says what a block is worth..."""
STEP_OF_WORTH = 0.05
"""...if it is not worth its matches by this share..."""
SURE_OF_WORTH = 2.6
"""...and by this many standard errors: chance alone brings the note in 1 % of all games."""


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
        """The indices of the ranked bots, the best first; if fewer than two have enough matches, of all."""
        found = [i for i in self.by_rating if self.fit.matches[i] >= self.floor]
        return found if len(found) > 1 else self.by_rating

    @cached_property
    def unranked(self) -> list[int]:
        """The indices of the other bots, the best first."""
        ranked = set(self.ranked)
        return [i for i in self.by_rating if i not in ranked]

    @cached_property
    def places(self) -> dict[int, tuple[int, int]]:
        """The best and the worst place that each ranked bot may have, by index: 95 % intervals.

        A bot of another group may stand above or below.
        """
        found = {}
        for group in self.groups:
            here = [i for i in self.ranked if self._group_of[i] == self._group_of[group[0]]]
            for i, (low, high) in zip(here, self.fit.places(here), strict=True):
                found[i] = (low, high + len(self.ranked) - len(here))
        return found

    @cached_property
    def groups(self) -> list[list[int]]:
        """The indices of bots that are compared with each other, group by group, the largest first.

        Hidden bots may connect the others.
        """
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
        """Return whether bots *i* and *j*, the better one first, are not told apart.

        This is the one rule of all tables: see Fit.surely_above.
        """
        return not (self.are_compared(i, j) and self.fit.surely_above(i, j))

    @property
    def tells_apart(self) -> bool:
        """Whether any two of its ranked bots are told apart."""
        return any(not self.is_open(i, j) for i, j in combinations(self.ranked, 2))


class BoardNote(NamedTuple):
    """A sentence below a leaderboard."""

    text: str
    hint: str = ""
    """What to type next."""


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
    Column("wins", "wins", right=True),
    Column("draws", "draws", right=True),
    Column("losses", "losses", right=True),
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
"""The columns of JSON and CSV; GAME goes before them.  New ones come last: scripts may count columns."""


def leaderboard(board: GameBoard) -> list[Row]:
    """Return the rows of GAME and LEADERBOARD: the ranked bots by rating, then the others.

    Values that are not known are None: the ranks of a bot with too few matches, the margin of one that
    is compared with no other, what belongs to table sizes that it did not play.
    """
    rows = [_row(board, i, rank) for rank, i in enumerate(board.ranked, 1)]
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
    """Return *rows* of `leaderboard` as a pyarrow table."""
    import pyarrow as pa

    kinds = {column.key: pa.float64() for column in (GAME, *LEADERBOARD)}
    kinds |= dict.fromkeys(("game", "bot", "version"), pa.string())
    whole = ("rank", "rank_low", "rank_high", "matches", "wins", "draws", "losses", "faults", "turned_pairs")
    kinds |= dict.fromkeys(whole, pa.int64())
    kinds["faults_by_kind"] = pa.map_(pa.string(), pa.int64())
    return pa.Table.from_pylist(list(rows), schema=pa.schema(kinds.items()))


def _row(board: GameBoard, i: int, rank: int | None) -> Row:
    fit = board.fit
    bot, rating = fit.bots[i], rating_of(fit, i)
    sigma = rating["sigma"]
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
        **rating,
        "score": None if sigma is None else fit.mu[i] - 3 * sigma,
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
        **ends_of(fit, i),
        **_wrong_picture(board.rated),
    }


def _wrong_picture(rated: Rated) -> Row:
    """Return what is known of the game as a whole; None where one rating a bot describes it."""
    misfit, gaps = rated.misfit, rated.size_gaps
    return {
        "misfit": misfit.misfit if misfit and misfit.is_wrong else None,
        "turned_pairs": gaps.pairs if gaps else None,
    }


def _win_rate(standing: Standing, played: int, deviation: float) -> Row:
    """Return the share of *played* matches of two seats that a bot won, with its interval."""
    if not played:
        return {"win_rate": None, "win_rate_low": None, "win_rate_high": None}
    rate = (standing.wins + standing.draws / 2) / played
    low, high = interval_of_share(rate, played / deviation)
    return {"win_rate": rate, "win_rate_low": low, "win_rate_high": high}


def _mean_rank(standing: Standing, seats: int, deviation: float) -> Row:
    """Return the mean rank in matches of more than two and at most *seats* seats, with its interval."""
    if not standing.ranked:
        return {"mean_rank": None, "mean_rank_low": None, "mean_rank_high": None}
    total, squares, matches = standing.rank_sum, standing.rank_squares, standing.ranked
    low, high = interval_of_mean(total, squares, matches, seats, deviation)
    return {"mean_rank": total / matches, "mean_rank_low": low, "mean_rank_high": high}


def _ratio(total: float, count: int) -> float | None:
    return total / count if count else None


# --- for people


def place_of(row: Row) -> str:
    """Return the place of a row: an interval, or one number."""
    low, high = row["rank_low"], row["rank_high"]
    return "-" if low is None else str(low) if low == high else f"{low}-{high}"


def bot_of(row: Row) -> BotRef:
    """Return the bot of a row."""
    return BotRef(row["bot"], row["version"])


def record_of(row: Row) -> str | None:
    """Return the matches of two seats of a row that were won, drawn and lost."""
    return None if row["wins"] is None else f"{row['wins']}-{row['draws']}-{row['losses']}"


def share_of_wins(row: Row) -> Share | None:
    """Return the share of matches that a row says were won."""
    if row["win_rate"] is None:
        return None
    return Share(row["win_rate"], row["win_rate_low"], row["win_rate_high"])


def _mean_rank_of(row: Row) -> Interval | None:
    if row["mean_rank"] is None:
        return None
    return Interval(row["mean_rank"], row["mean_rank_low"], row["mean_rank_high"], 2, low_is_best=True)


def _faults_of(row: Row) -> Warned | None:
    return Warned(f"{row['faults']}") if row["faults"] else None


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
    Column("mu", "rating", digits(1), right=True),
    Column("doubt", "+-", right=True, kind=doubt_of),
    Column("span", "95 % interval", draw=draw_intervals, extra=True, kind=span_of),
    Column("matches", "matches", right=True),
    Column("win_rate", "win % (95 %)", right=True, always=False, kind=share_of_wins),
    Column("mean_rank", "mean place (95 %)", right=True, always=False, kind=_mean_rank_of),
    Column("mean_score", "points", digits(1), right=True, always=False),
    Column(
        "faults",
        "faults",
        right=True,
        always=False,
        kind=lambda row: Warned(str(row["faults"])) if row["faults"] else None,
    ),
    Column("ms_per_move", "ms/move", right=True, always=False, kind=_thinking),
    Column("record", "won-drawn-lost", right=True, always=False, extra=True, kind=record_of),
)
"""The columns of tables, for rows of `leaderboard`."""


def title(board: GameBoard) -> str:
    """Return the line above the leaderboard: what was played, and what the numbers mean."""
    sizes = sorted(board.rated.tables)
    seats = f"{sizes[0]} seats" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} seats"
    matches, bots = count(sum(board.rated.tables.values()), "match"), count(len(board.by_rating), "bot")
    return f"{board.game}  {seats}, {matches}, {bots}; +- and places are 95 % intervals"


def notes(
    board: GameBoard, numbers: Numbers, past_season: str = "", *, commands: bool = True
) -> list[BoardNote]:
    """Return what the table does not say, if there is anything.

    In a *past_season*, by its name, nothing can be played: hints that would add matches are left out.
    Without *commands* the notes are for visitors of a page, who cannot type any.
    """
    label = labels((board.fit.bots[i] for i in board.by_rating), numbers)
    names = [label.get(bot, "") for bot in board.fit.bots]
    season = f" --season {past_season}" if past_season else ""
    picture = picture_notes(board.rated, numbers, season, commands=commands)
    of_board = [
        *_nothing_told(board),
        *map(BoardNote, picture),
        *_behind(board),
        *_few_matches(board),
        *_set_draws(board),
        *_worth(board, commands=commands),
    ]
    found = [
        *_groups(board, names, numbers),
        *_thin_joins(board, names, numbers),
        *_open_neighbours(board, names, numbers),
        *of_board,
    ]
    return found if commands and not past_season else [each._replace(hint="") for each in found]


def _behind(board: GameBoard) -> list[BoardNote]:
    """Say that the ratings are not those of all matches."""
    if not (newer := board.rated.behind):
        return []
    return [BoardNote(f"not rated yet: {count(newer, 'newer match')} of all games", "ladder home rate")]


def _nothing_told(board: GameBoard) -> list[BoardNote]:
    """Say where the matches cannot tell who is better, or hardly anything."""
    standings = [board.rated.standings[bot] for bot in board.fit.bots]
    faults = sum(sum(each.faults.values()) for each in standings)
    found = []
    # A game of one's own may have no points, so that none were scored says nothing alone.
    if not any(each.scored for each in standings) and faults >= sum(board.rated.tables.values()):
        what = "every match ended by a fault: the ratings say which bots fail, not which play better"
        found.append(BoardNote(what, "ladder faults"))
    elif all(not each.wins + each.losses and each.rank_sum == each.ranked for each in standings):
        found.append(BoardNote("every match ended in a draw, so nothing tells the bots apart"))
    if len(standings) == 2:
        what = "only two bots have met: the ratings say how one does against the other, and nothing else"
        found.append(BoardNote(what))
    return found


def _few_matches(board: GameBoard) -> list[BoardNote]:
    enough = [i for i in board.ranked if board.fit.matches[i] >= board.floor]
    if len(enough) > 1 or len(board.by_rating) < 2:
        return []
    most = max(board.fit.matches[i] for i in board.by_rating)
    return [
        BoardNote(
            f"few matches so far: {count(most, 'match')} at most, so the places mean little", "ladder run"
        )
    ]


def _hint(verb: str, board: GameBoard, pair: Sequence[int], names: Sequence[str], numbers: Numbers) -> str:
    """Return the command that lets a *pair* of bots play; empty if one of them is not here."""
    first, second = (names[i] for i in pair)
    command = f"ladder {verb} {first} {second} --game {board.game}"
    return hint_on(command, [board.fit.bots[i] for i in pair], numbers)


def _groups(board: GameBoard, names: Sequence[str], numbers: Numbers) -> list[BoardNote]:
    """Say which bots were never compared, directly or by way of others."""
    if len(board.groups) < 2:
        return []
    told = [sorted(group, key=lambda i: names[i]) for group in board.groups]
    listed = " / ".join(_shorten(group, names) for group in told[:3]) + (" / ..." if told[3:] else "")
    return [
        BoardNote(
            f"{len(told)} groups of bots never met each other, so the difference between them is not known:"
            f" {listed}",
            _hint("run", board, [told[0][0], told[1][0]], names, numbers),
        )
    ]


def _thin_joins(board: GameBoard, names: Sequence[str], numbers: Numbers) -> list[BoardNote]:
    """Say which parts of the field met in few blocks only."""
    found = []
    for join in board.fit.thin_joins:
        sides = ([i for i in part if names[i]] for part in (join.one, join.other))
        one, other = (sorted(side, key=lambda i: names[i]) for side in sides)
        if one and other:
            found.append(
                BoardNote(
                    f"these {len(one)} and these {len(other)} met in {count(join.blocks, 'block')} only, so"
                    " the difference between them is hardly known:"
                    f" {_shorten(one, names)} / {_shorten(other, names)}",
                    _hint("run", board, [one[0], other[0]], names, numbers),
                )
            )
    return found


def _shorten(group: Sequence[int], names: Sequence[str]) -> str:
    more = f" and {len(group) - 4:,} more" if len(group) > 4 else ""
    return ", ".join(names[i] for i in group[:4]) + more


def _open_neighbours(board: GameBoard, names: Sequence[str], numbers: Numbers) -> list[BoardNote]:
    """Say between which places neighbours may stand the other way round."""
    places: list[list[int]] = []
    unsure = []
    for place, pair in enumerate(pairwise(board.ranked), 1):
        if board.are_compared(*pair) and board.is_open(*pair):
            unsure.append(pair)
            if places and places[-1][1] == place:
                places[-1][1] += 1
            else:
                places.append([place, place + 1])
    if not unsure:
        return []
    *most, last = (f"{first}-{last}" for first, last in places)
    which = f"places {' and '.join([', '.join(most), last] if most else [last])} are"
    if len(unsure) > NEIGHBOURS_NAMED:
        which = f"{len(unsure):,} pairs of neighbours are"
    return [BoardNote(f"{which} not separated yet", _hint("duel", board, unsure[0], names, numbers))]


def _set_draws(board: GameBoard) -> list[BoardNote]:
    """Say where `ladder.toml` sets a draw probability that the matches contradict."""
    rated = board.rated
    told, fixed = rated.parameters.draw_probability, rated.parameters.fixed
    found = []
    for seats, measured in sorted(rated.measured.items()):
        chance = told[seats]
        error = SURE_DRAWS * sqrt(chance * (1 - chance) / rated.tables[seats]) if seats in rated.tables else 1
        if fixed & {0, seats} and abs(measured - chance) > max(error, STEP_OF_DRAWS * chance):
            found.append(f"{100 * chance:.3g} % at {seats} seats (measured: {100 * measured:.3g} %)")
    if not found:
        return []
    return [
        BoardNote(
            f"the ratings rest on the draw_probability in ladder.toml, and the matches show another:"
            f" {', '.join(found)}"
        )
    ]


def _worth(board: GameBoard, *, commands: bool) -> list[BoardNote]:
    """Say what a block is worth where it is surely not worth its matches.

    Where a bot changes, the matches of a block are alike because they are played at one time, and nothing is
    said: the deal is not the reason.
    """
    if board.rated.changes:
        return []
    said = "a block of {} is worth {:.1f} matches"
    if not commands:
        said = "{} matches of the same deal tell as much as {:.1f} of different deals"
    found = [
        said.format(each.seats, each.seats / each.factor)
        for each in board.fit.block_factors
        if each.blocks >= BLOCKS_FOR_NOTE
        # The factor is 1 plus a correlation, whose standard error is 1 / sqrt(n) at most.
        and abs(each.factor - 1) > max(STEP_OF_WORTH, SURE_OF_WORTH / sqrt(each.blocks))
    ]
    return [BoardNote(f"{', '.join(found)} here")] if found else []
