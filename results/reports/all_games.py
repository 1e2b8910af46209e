"""Compare bots over all games: how much of the field of those that play all of them each bot beats.

Ratings of two games do not add up: one game may spread its bots over twice as many points as another.  So of
each game the mean chance to rank before each other bot is taken, and the plain mean over the games.  A half
is then the mean of the field, opponents weigh the same, and it does not matter who played whom how often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, sqrt
from typing import TYPE_CHECKING, NamedTuple

from results.rating.calibration import MeetingModel
from results.rating.fit import find_places
from results.rating.linear import add_up, sandwich
from results.rating.one_sided import Z_95
from results.reports.document import Column, Note, Number, Row, Section, Share, Table, name_columns
from results.reports.labels import Key
from results.reports.leaderboard import bot_of, place_of
from results.words import count

if TYPE_CHECKING:
    from results.reports.leaderboard import GameBoard

FEWEST = 3
"""The least number of bots that play all games: of two, it would be the chance of a single pair."""
NEAR, FAR = 1e-12, 700.0
"""Shares are taken for no nearer to 0 or 1, and logarithms of odds for no farther, than floats can say."""
ALL_GAMES = name_columns(
    *("rank", "rank_low", "rank_high", "bot", "version"),
    *("beats", "beats_low", "beats_high", "by_game"),
)
"""The columns of JSON and CSV."""


class _Field(NamedTuple):
    """What one game, or the mean of all, says of the bots that play all games, by their places."""

    beats: list[float]
    """The mean chance of each to rank before another."""
    covariance: list[list[float]]
    """That of `beats`, as far as differences have limits."""
    missing: list[tuple[float, float]]
    """How much lower, and higher, each may be beyond that: by its differences that have no limit."""


def all_games(boards: Sequence[GameBoard]) -> list[Row]:
    """Return the rows of ALL_GAMES, the best bot first: one for each version that is on all *boards*.

    Without two games, or with less than FEWEST such bots, there are none.
    """
    bots = _who_plays_all(boards)
    if len(boards) < 2 or len(bots) < FEWEST:
        return []
    games = {board.game: _field(board, bots) for board in boards}
    beats, of, missing = _average([*games.values()])
    order = sorted(range(len(bots)), key=lambda i: (-beats[i], bots[i]))

    def surely_above(i: int, j: int) -> bool:
        # at worst the one is as low, and the other as high, as differences without an end allow
        lead = beats[i] - missing[i][0] - beats[j] - missing[j][1]
        return lead > Z_95 * sqrt(max(0.0, of[i][i] + of[j][j] - 2.0 * of[i][j]))

    places = find_places(order, surely_above)
    rows = []
    for rank, i in enumerate(order, 1):
        low, high = _ends(beats[i], sqrt(of[i][i]))
        rows.append(
            {
                "rank": rank,
                "rank_low": places[i][0],
                "rank_high": places[i][1],
                "bot": bots[i][0],
                "version": bots[i][1],
                "beats": beats[i],
                "beats_low": max(0.0, low - missing[i][0]),
                "beats_high": min(1.0, high + missing[i][1]),
                "by_game": {game: field.beats[i] for game, field in games.items()},
            }
        )
    return rows


def _ends(share: float, error: float) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a *share* of which the standard *error* is known.

    They are taken on the scale of the logarithm of the odds, where the interval of a share near 0 or 1 is
    as wide on one side as on the other.
    """
    share = min(max(share, NEAR), 1.0 - NEAR)
    odds, half = share / (1.0 - share), min(Z_95 * error / (share * (1.0 - share)), FAR)
    return odds / (odds + exp(half)), odds / (odds + exp(-half))


def say_too_few(boards: Sequence[GameBoard]) -> str:
    """Return why there are no rows of `all_games`, as a sentence."""
    if len(boards) < 2:
        return f"only {boards[0].game} is rated: there is nothing to compare over games"
    names = ", ".join(board.game for board in boards)
    playing = count(len(_who_plays_all(boards)), "bot")
    return f"{playing} on the leaderboards of {names}: to compare over games needs {FEWEST} that play all"


def all_games_section(boards: Sequence[GameBoard], rows: Sequence[Row]) -> Section:
    """Return *rows* of `all_games`, of these *boards*, as people see them."""
    games = [board.game for board in boards]
    columns = [
        Column("place", "#", right=True, kind=place_of),
        Column("bot", "bot", kind=bot_of),
        Column("version", "version", extra=True, on_pages=False),
        Column("beats", "beats % (95 %)", right=True, kind=_share_of),
        *(Column(game, game, right=True, kind=_chance_at(game)) for game in games),
    ]
    others = len({board.fit.bots[i] for board in boards for i in board.by_rating}) - len(rows)
    left_out = (
        f"{count(others, 'bot')} not in it: {'it does' if others == 1 else 'they do'} not play all games"
    )
    said = f"{len(rows)} bots that play all {len(games)} games: how often one ranks before another of them"
    notes = [Note(left_out)] if others else []
    return Section(f"all games  {said}", [Table(columns, rows, "All games"), *notes])


def _share_of(row: Row) -> Share:
    return Share(row["beats"], row["beats_low"], row["beats_high"], digits=0)


def _chance_at(game: str) -> Callable[[Row], Number]:
    return lambda row: Number(100 * row["by_game"][game], 0)


def _who_plays_all(boards: Sequence[GameBoard]) -> list[Key]:
    """Return the bots that are on all *boards*, sorted."""
    on_each = [{board.fit.bots[i] for i in board.by_rating} for board in boards]
    return sorted(set.intersection(*on_each)) if on_each else []


def _field(board: GameBoard, bots: Sequence[Key]) -> _Field:
    """Return what *board* says of *bots*, which are all on it."""
    fit, many = board.fit, len(bots)
    at = [fit.bots.index(bot) for bot in bots]
    model, tables = MeetingModel(board.rated.parameters), board.rated.tables
    matches = sum(tables.values())

    def before(difference: float) -> tuple[float, float]:
        """Return the expected score of a meeting and its slope, over the table sizes as they were played."""
        score = slope = 0.0
        for seats, played in tables.items():
            win, draw, _ = model.chances(difference, 0.0, seats)
            score += played / matches * (win + draw / 2)
            slope += played / matches * model.slope(difference, seats)
        return score, slope

    beats, missing = [], []
    gradients = [[0.0] * many for _ in bots]
    for i in range(many):
        scores, below, above = 0.0, 0.0, 0.0
        for j in range(many):
            if i == j:
                continue
            score, slope = before(fit.mu[at[i]] - fit.mu[at[j]])
            low, high = fit.interval_of_difference(at[i], at[j])
            scores += score
            # The error of a difference with one end only is no error: its chance may go all the way.
            if low is not None and high is not None:
                gradients[i][i] += slope / (many - 1)
                gradients[i][j] -= slope / (many - 1)
            else:
                below += score if low is None else 0.0
                above += 1.0 - score if high is None else 0.0
        beats.append(scores / (many - 1))
        missing.append((below / (many - 1), above / (many - 1)))
    covariance = [[fit.covariance[i][j] for j in at] for i in at]
    return _Field(beats, sandwich(gradients, covariance), missing)


def _average(fields: Sequence[_Field]) -> _Field:
    """Return the mean of *fields*, which are independent of each other: no game knows another's matches."""
    many, bots = len(fields), range(len(fields[0].beats))
    return _Field(
        [add_up(field.beats[i] for field in fields) / many for i in bots],
        [[add_up(field.covariance[i][j] for field in fields) / many**2 for j in bots] for i in bots],
        [
            (
                add_up(field.missing[i][0] for field in fields) / many,
                add_up(field.missing[i][1] for field in fields) / many,
            )
            for i in bots
        ],
    )
