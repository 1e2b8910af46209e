"""The results of pairs of bots: what a schedule learns from, at tables of any size.

There are at most three for each two bots and table size, however many matches were played.  Distinct outcomes
of larger tables are almost as many as the matches, so a fit to them takes longer and longer.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import TypeAlias

from results.rating.chain import REST, weigh_tie, weigh_win
from results.rating.outcomes import Bot, FinishOrder

Pairs: TypeAlias = dict[int, dict[tuple[Bot, Bot, bool], int]]
"""By table size: how often the first of two bots ranked before the second; True: how often the two tied.  Of
two that tied, the first is the first by name."""


def count_pairs(outcomes: Mapping[FinishOrder, int]) -> Pairs:
    """Return the results of all pairs of bots in these numbers of equal *outcomes*.

    All pairs of a table count.  Those next to each other in rank alone are the ones that performed most
    alike, so they tie more often, and are decided by less, than equals are.
    """
    found: Pairs = {}
    for outcome, count in outcomes.items():
        bots, ties = outcome.bots, outcome.ties
        same_size = found.setdefault(len(bots), {})
        # ties[i] joins ranks i and i + 1, so two bots tied if all ties between them hold
        some_tie = any(ties)
        for first, second in combinations(range(len(bots)), 2):
            key = (bots[first], bots[second], some_tie and all(ties[first:second]))
            same_size[key] = same_size.get(key, 0) + count
    return found


def weight_of_pair(seats: int) -> float:
    """Return how much one pair at a table of *seats* says, beside a match of two alone.

    The pairs of a table share their luck.  At equal skills a bot's sum of wins and losses is n + 1 - 2 rank,
    with variance (n^2 - 1) / 3, and n - 1 independent pairs would give it n - 1: its variance is (n + 1) / 3
    times theirs.  With this weight the inverse of the curvature is then the covariance of the skills that
    are likeliest by pairs (Godambe's information).  Where skills differ, the pairs share less, and errors
    are somewhat smaller than it claims.
    """
    return 3.0 / (seats + 1)


class PairLikelihood:
    """The log-likelihood of the results of pairs by the skills of the bots, each pair taken by itself.

    At tables of two it is that of the matches.  Larger tables count with `weight_of_pair`.
    """

    def __init__(self, pairs: Pairs, bots: Sequence[Bot], beta: float, margins: Mapping[int, float]) -> None:
        """Take the results of *pairs* of *bots*; *margins* are the draw margins by table size."""
        self._root = sqrt(2.0) * beta
        """The standard deviation of a difference in performance, with the skills given."""
        self._margins = {seats: margin / self._root for seats, margin in margins.items()}
        """The draw margins, in such deviations."""
        self._places = {bot: i for i, bot in enumerate(bots)}
        self._sizes = [(seats, self._results(pairs[seats])) for seats in sorted(pairs)]

    def _results(self, pairs: Mapping[tuple[Bot, Bot, bool], int]) -> list[tuple[int, int, list[int]]]:
        """Return how often the first of two bots, by place, beat the second, was beaten, and tied with it.

        The order is that of the bots: the sums are the same to the last bit in whatever order matches came.
        """
        found: dict[tuple[int, int], list[int]] = {}
        for (one, other, tied), count in pairs.items():
            i, j = self._places[one], self._places[other]
            results = found.setdefault((min(i, j), max(i, j)), [0, 0, 0])
            # `one` won: a win for the lower place, or its loss if the order is turned
            results[2 if tied else int(i > j)] += count
        return [(i, j, results) for (i, j), results in sorted(found.items())]

    def differentiate(self, skills: list[float], rest: float = REST) -> tuple[list[float], list[list[float]]]:
        """Return gradient and curvature (minus the second derivative) at *skills*.

        *rest* says how exactly tables are differentiated; see results.rating.chain.pass_messages.
        """
        size = len(skills)
        gradient = [0.0] * size
        curvature = [[0.0] * size for _ in range(size)]
        self.add(skills, gradient, curvature, rest)
        # The matrices are symmetric; adding to one triangle alone halves the work of `add`.
        for i, row in enumerate(curvature):
            for j in range(i):
                row[j] = curvature[j][i]
        return gradient, curvature

    def add(
        self, skills: list[float], gradient: list[float], curvature: list[list[float]], rest: float
    ) -> None:
        """Add what the results say; of the curvature, the upper triangle."""
        root = self._root
        for seats, pairs in self._sizes:
            margin, weight = self._margins[seats], weight_of_pair(seats)
            for i, j, (wins, losses, ties) in pairs:
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
                # by the skills, not by their difference in deviations: the chain rule, once and twice
                slope *= weight / root
                bend *= weight / (root * root)
                gradient[i] += slope
                gradient[j] -= slope
                curvature[i][i] += bend
                curvature[j][j] += bend
                curvature[i][j] -= bend

    def ranked_before(self) -> list[int]:
        """Return for each bot the set of those that it ever ranked before or level with, as bits by place."""
        found = [0] * len(self._places)
        for _, pairs in self._sizes:
            for i, j, (wins, losses, ties) in pairs:
                if wins or ties:
                    found[i] |= 1 << j
                if losses or ties:
                    found[j] |= 1 << i
        return found

    def meetings(self) -> dict[tuple[int, int], int]:
        """Return how many matches each two bots, by place, played."""
        found: dict[tuple[int, int], int] = {}
        for _, pairs in self._sizes:
            for i, j, results in pairs:
                found[i, j] = found.get((i, j), 0) + sum(results)
        return found

    def crossings(self, members: int, skills: list[float]) -> list[tuple[float, float, float]]:
        """Return the results between the set *members* and other bots; see results.rating.one_sided.

        None may be a tie, and all for the same side.
        """
        found = []
        for seats, pairs in self._sizes:
            margin, weight = self._margins[seats] * self._root, weight_of_pair(seats)
            for i, j, (wins, losses, _) in pairs:
                if (members >> i & 1) != (members >> j & 1):
                    difference = skills[i] - skills[j] if wins else skills[j] - skills[i]
                    found.append((difference, margin, weight * (wins + losses)))
        return found

    def gradient_of(self, outcome: FinishOrder, skills: list[float]) -> list[float]:
        """Return the gradient of one outcome by the skills at its table, by rank."""
        bots, ties = outcome.bots, outcome.ties
        here = [skills[self._places[bot]] for bot in bots]
        gradient = [0.0] * len(here)
        margin, weight = self._margins[len(here)], weight_of_pair(len(here)) / self._root
        for a in range(len(here) - 1):
            tied = True
            for b in range(a + 1, len(here)):
                tied = tied and ties[b - 1]
                mean = (here[a] - here[b]) / self._root
                v = weigh_tie(mean, margin)[0] if tied else weigh_win(mean - margin)[0]
                gradient[a] += weight * v
                gradient[b] -= weight * v
        return gradient
