"""The log-likelihood of all outcomes of a game, by the skills of its bots.

Equal outcomes count once.  They are visited in the order of their bots, so that the sums are the same to the
last bit in whatever order the matches came.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import sqrt

from results.rating.chain import REST, differentiate, pass_messages, weigh_tie, weigh_win
from results.rating.outcomes import Bot, Outcome

__all__ = ["Likelihood"]


class Likelihood:
    """The outcomes of a game in the form in which they are differentiated."""

    def __init__(
        self, outcomes: Mapping[Outcome, int], bots: Sequence[Bot], beta: float, margins: Mapping[int, float]
    ) -> None:
        """Take the numbers of equal *outcomes* of *bots*; *margins* are the draw margins by table size."""
        self._noise = beta * beta
        self._margins = dict(margins)
        places = {bot: i for i, bot in enumerate(bots)}
        pairs: dict[tuple[int, int], list[int]] = {}
        tables: list[Outcome] = []
        for outcome, count in outcomes.items():
            if len(outcome.bots) > 2:
                tables.append(outcome)
                continue
            i, j = places[outcome.bots[0]], places[outcome.bots[1]]
            pair = pairs.setdefault((min(i, j), max(i, j)), [0, 0, 0])
            pair[2 if outcome.ties[0] else int(i > j)] += count
        tables.sort()
        self._pairs = sorted(pairs.items())
        """At tables of two: how often the first beat the second, was beaten, and tied with it."""
        self._places = places
        self._tables = [(outcome, outcomes[outcome]) for outcome in tables]
        """At larger tables: how often an outcome came."""
        self._messages = array("d")
        """The messages along the chains of all tables, one after the other."""
        self._starts: dict[Outcome, int] = {}
        """Where those of an outcome start."""
        for outcome in tables:
            self._starts[outcome] = len(self._messages)
            self._messages.extend([0.0] * (2 * len(outcome.ties)))

    def differentiate(self, skills: list[float], rest: float = REST) -> tuple[list[float], list[list[float]]]:
        """Return gradient and curvature (minus the second derivative) at *skills*.

        *rest* says how exactly; see results.rating.chain.pass_messages.
        """
        size = len(skills)
        gradient = [0.0] * size
        curvature = [[0.0] * size for _ in range(size)]
        self._add_pairs(skills, gradient, curvature)
        self._add_tables(skills, rest, gradient, curvature)
        for i, row in enumerate(curvature):
            for j in range(i):
                row[j] = curvature[j][i]
        return gradient, curvature

    def _add_pairs(self, skills: list[float], gradient: list[float], curvature: list[list[float]]) -> None:
        """Add what the tables of two say; of the curvature, the upper triangle."""
        if not self._pairs:
            return
        root = sqrt(2.0 * self._noise)
        margin = self._margins[2] / root
        for (i, j), (wins, losses, ties) in self._pairs:
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

    def _add_tables(
        self, skills: list[float], rest: float, gradient: list[float], curvature: list[list[float]]
    ) -> None:
        """Add what the larger tables say; of the curvature, the upper triangle."""
        start = 0
        for outcome, count in self._tables:
            table = [self._places[bot] for bot in outcome.bots]
            here = [skills[bot] for bot in table]
            end = start + 2 * len(outcome.ties)
            messages: list[float] = self._messages[start:end].tolist()
            pass_messages(here, outcome.ties, self._noise, self._margins[len(table)], messages, rest)
            self._messages[start:end] = array("d", messages)
            start = end
            slopes, bends = differentiate(here, self._noise, messages)
            for a, i in enumerate(table):
                gradient[i] += count * slopes[a]
                row, into = bends[a], curvature[i]
                for b, j in enumerate(table):
                    if i <= j:
                        into[j] += count * row[b]

    def gradient_of(self, outcome: Outcome, skills: list[float]) -> list[float]:
        """Return the gradient of one outcome by the skills at its table, by rank.

        It is one of those given at the start; *skills* are those of the last call of `differentiate`.
        """
        here = [skills[self._places[bot]] for bot in outcome.bots]
        if len(here) > 2:
            start = self._starts[outcome]
            messages: list[float] = self._messages[start : start + 2 * len(outcome.ties)].tolist()
            return differentiate(here, self._noise, messages)[0]
        root = sqrt(2.0 * self._noise)
        mean, margin = (here[0] - here[1]) / root, self._margins[2] / root
        v, _, _ = weigh_tie(mean, margin) if outcome.ties[0] else weigh_win(mean - margin)
        return [v / root, -v / root]
