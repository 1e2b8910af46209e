"""What takes the meaning from the ratings of a whole board: nothing but draws, a cycle, few matches."""

from collections.abc import Iterable
from itertools import combinations
from math import sqrt

from results.rating.outcomes import Bot
from results.reports.leaderboard import GameBoard

REAL = 0.8
"""Where less than this share of the differences is real, they are not told as they stand."""


def are_on_board(board: GameBoard, bots: Iterable[Bot]) -> bool:
    """Return whether all *bots* are shown: what is about others has no place below a table."""
    return {*bots} <= {board.fit.bots[i] for i in board.by_rating}


def is_all_drawn(board: GameBoard) -> bool:
    """Return whether every match ended in a draw."""
    standings = [board.rated.standings[bot] for bot in board.fit.bots]
    return all(not each.wins + each.losses and each.rank_sum == each.ranked for each in standings)


def bots_without_order(board: GameBoard) -> frozenset[Bot]:
    """Return the bots among which none is better: those of a cycle on the board; all, where all was drawn."""
    if is_all_drawn(board):
        return frozenset(board.fit.bots)
    misfit = board.rated.misfit
    cycle = misfit.cycle.bots if misfit and misfit.cycle else ()
    return frozenset(cycle if are_on_board(board, cycle) else ())


def share_real(board: GameBoard) -> float:
    """Return how much of a difference between two ranked bots is real, on average.

    It is the factor by which all differences come nearest to what the spread of the skills expects, by least
    squares.
    """
    fit, ranked = board.fit, board.ranked
    scale = max([1.0, *(lean.scale for lean in fit.leans if lean)])
    widest = 2 * scale * sqrt(max([0.0, *(fit.covariance[i][i] for i in ranked)]))
    if fit.spread.share_kept(widest) >= REAL:
        return 1.0  # no difference has less, so the pairs need not be looked at
    real = printed = 0.0
    for i, j in combinations(ranked, 2):
        difference, se = fit.difference(i, j)
        if board.are_compared(i, j) and round(difference, 1):  # else it is told as 0.0
            real += difference * difference * fit.spread.share_kept(se)
            printed += difference * difference
    return real / printed if printed else 1.0


def say_few_matches(board: GameBoard) -> str:
    """Say how much of the differences is real; empty where most of each is."""
    share, ranked = share_real(board), board.ranked
    if share >= REAL:
        return ""
    matches = sum(board.fit.matches[i] for i in ranked) / len(ranked)
    real = f"{10 * share:.0f}" if share >= 0.05 else "less than 1"
    return f"few matches ({matches:,.0f} a bot): differences are exaggerated; read 10 points as about {real}"
