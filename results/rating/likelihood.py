"""The log-likelihood of all outcomes of a game, by the skills of its bots.

Equal outcomes count once.  They are visited in the order of their bots, so that the sums are the same to the
last bit in whatever order the matches came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from results.rating.chain import differentiate, pass_messages, weigh_tie, weigh_win
from results.rating.outcomes import Bot, Outcome

__all__ = ["Likelihood"]


class Likelihood:
    """The outcomes of a game in the form in which they are differentiated."""

    def __init__(
        self, outcomes: Mapping[Outcome, int], bots: Sequence[Bot], beta: float, margins: Mapping[int, float]
    ) -> None:
        """Take the numbers of equal *outcomes* of *bots*; *margins* are the draw margins by table size."""
        places = {bot: i for i, bot in enumerate(bots)}
        self._noise = beta * beta
        self._margins = dict(margins)
        self._size = len(bots)
        self._pairs: dict[tuple[int, int], list[int]] = {}
        """How often the first of two beat the other, was beaten, and tied with it, at tables of two."""
        self._tables: list[tuple[tuple[int, ...], tuple[bool, ...], int]] = []
        """Larger tables: the bots by rank, the ties, the count."""
        for outcome, count in outcomes.items():
            table = tuple([places[bot] for bot in outcome.bots])
            if len(table) > 2:
                self._tables.append((table, outcome.ties, count))
                continue
            i, j = table
            pair = self._pairs.setdefault((min(i, j), max(i, j)), [0, 0, 0])
            pair[2 if outcome.ties[0] else int(i > j)] += count
        self._tables.sort()
        self._order = sorted(self._pairs)
        self._messages = [[0.0] * (2 * len(ties)) for _, ties, _ in self._tables]

    def differentiate(self, skills: list[float]) -> tuple[list[float], list[list[float]]]:
        """Return gradient and curvature (minus the second derivative) at *skills*."""
        gradient = [0.0] * self._size
        curvature = [[0.0] * self._size for _ in range(self._size)]
        self._add_pairs(skills, gradient, curvature)
        self._add_tables(skills, gradient, curvature)
        for i in range(self._size):
            for j in range(i):
                curvature[i][j] = curvature[j][i]
        return gradient, curvature

    def _add_pairs(self, skills: list[float], gradient: list[float], curvature: list[list[float]]) -> None:
        """Add what the tables of two say; of the curvature, the upper triangle."""
        if not self._order:
            return
        root = sqrt(2.0 * self._noise)
        margin = self._margins[2] / root
        for i, j in self._order:
            wins, losses, ties = self._pairs[i, j]
            mean = (skills[i] - skills[j]) / root
            slope = bend = 0.0
            if wins:
                v, w, _ = weigh_win(mean - margin)
                slope += wins * v
                bend += wins * w
            if losses:
                v, w, _ = weigh_win(-mean - margin)
                slope -= losses * v
                bend += losses * w
            if ties:
                v, w, _ = weigh_tie(mean, margin)
                slope += ties * v
                bend += ties * w
            slope /= root
            bend /= root * root
            gradient[i] += slope
            gradient[j] -= slope
            curvature[i][i] += bend
            curvature[j][j] += bend
            curvature[i][j] -= bend

    def _add_tables(self, skills: list[float], gradient: list[float], curvature: list[list[float]]) -> None:
        """Add what the larger tables say; of the curvature, the upper triangle."""
        for (table, ties, count), messages in zip(self._tables, self._messages, strict=True):
            here = [skills[bot] for bot in table]
            pass_messages(here, ties, self._noise, self._margins[len(table)], messages)
            slopes, bends = differentiate(here, self._noise, messages)
            end = len(slopes)
            for a in range(end + 1):
                slope = (slopes[a] if a < end else 0.0) - (slopes[a - 1] if a else 0.0)
                i = table[a]
                gradient[i] += count * slope
                for b in range(end + 1):
                    j = table[b]
                    if j < i:
                        continue
                    bend = 0.0
                    if a < end:
                        bend += (bends[a][b] if b < end else 0.0) - (bends[a][b - 1] if b else 0.0)
                    if a:
                        bend -= (bends[a - 1][b] if b < end else 0.0) - (bends[a - 1][b - 1] if b else 0.0)
                    curvature[i][j] += count * bend


def gradient_of(skills: list[float], ties: tuple[bool, ...], beta: float, margin: float) -> list[float]:
    """Return the gradient of the log-likelihood of one outcome by the *skills* at its table, by rank."""
    noise = beta * beta
    if len(skills) == 2:
        root = sqrt(2.0 * noise)
        mean = (skills[0] - skills[1]) / root
        v, _, _ = weigh_tie(mean, margin / root) if ties[0] else weigh_win(mean - margin / root)
        return [v / root, -v / root]
    messages = [0.0] * (2 * len(ties))
    pass_messages(skills, ties, noise, margin, messages)
    slopes, _ = differentiate(skills, noise, messages)
    return [below - above for below, above in zip([*slopes, 0.0], [0.0, *slopes], strict=True)]
