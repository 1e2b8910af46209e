"""The unit that people type and read: wins of 100 matches, a draw for half.  Inside, scores are -1 to 1."""

import math


def wins_of(score: float) -> float:
    """Return a mean *score* as wins of 100."""
    return 50 + 50 * score


def score_of_wins(wins: float) -> float:
    """Return the mean score of a bot with that many *wins* of 100."""
    return (wins - 50) / 50


def elo_of(score: float) -> float | None:
    """Return the difference in Elo at which a mean *score* is expected; None for one who wins or loses all.

    Source: Elo, "The Rating of Chessplayers" (1978), in the logistic form: 400 points are odds of 10 to 1.
    """
    return 400 * math.log10((1 + score) / (1 - score)) if -1 < score < 1 else None
