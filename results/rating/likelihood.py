"""The log-likelihood of all outcomes of a game, by the skills of its bots.

Where ties of three bots or more are frequent, pairs stand for the tables.  The chain takes tied bots in the
order of their names, each next to two others, though any of them may have performed best.  With 40 % of
draws at four seats, 95 % intervals then held 88 % at most, and 93 to 95 % by pairs.

Equal outcomes count once.  They are visited in the order of their bots, so that the sums are the same to the
last bit in whatever order the matches came.
"""

from array import array
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

from results.rating.chain import differentiate, pass_messages
from results.rating.outcomes import Bot, FinishOrder
from results.rating.pairs import PairLikelihood, count_pairs

MOST_TIED = 0.2
"""A table size goes by pairs if more than this share of its matches has a tie of three bots or more."""


class Likelihood(PairLikelihood):
    """The log-likelihood of whole tables, and of pairs: at tables of two, and at sizes that go by pairs."""

    def __init__(
        self,
        outcomes: Mapping[FinishOrder, int],
        bots: Sequence[Bot],
        beta: float,
        margins: Mapping[int, float],
    ) -> None:
        """Take the numbers of equal *outcomes* of *bots*; *margins* are the draw margins by table size."""
        self._by_pairs = by_pairs = {2, *_often_tied(outcomes)}
        twos = {outcome: count for outcome, count in outcomes.items() if len(outcome.bots) in by_pairs}
        super().__init__(count_pairs(twos), bots, beta, margins)
        self._beta = beta
        self._noise = beta * beta
        self._whole_margins = dict(margins)
        tables = sorted(outcome for outcome in outcomes if len(outcome.bots) not in by_pairs)
        self._tables = [(outcome, outcomes[outcome]) for outcome in tables]
        """At other tables: how often an outcome came."""
        # One flat array, because a home can have hundreds of thousands of distinct outcomes of larger tables.
        # They are kept from step to step: the skills move less and less, and so do the messages.
        self._messages = array("d")
        """The messages along the chains of all tables, one after the other."""
        self._starts: dict[FinishOrder, int] = {}
        """Where those of an outcome start."""
        for outcome in tables:
            self._starts[outcome] = len(self._messages)
            self._messages.extend([0.0] * (2 * len(outcome.ties)))

    def add(
        self, skills: list[float], gradient: list[float], curvature: list[list[float]], rest: float
    ) -> None:
        super().add(skills, gradient, curvature, rest)
        start = 0
        for outcome, count in self._tables:
            table = [self._places[bot] for bot in outcome.bots]
            here = [skills[bot] for bot in table]
            end = start + 2 * len(outcome.ties)
            messages: list[float] = self._messages[start:end].tolist()
            pass_messages(here, outcome.ties, self._noise, self._whole_margins[len(table)], messages, rest)
            self._messages[start:end] = array("d", messages)
            start = end
            slopes, bends = differentiate(here, self._noise, messages)
            for a, i in enumerate(table):
                gradient[i] += count * slopes[a]
                row, into = bends[a], curvature[i]
                for b, j in enumerate(table):
                    if i <= j:
                        into[j] += count * row[b]

    def ranked_before(self) -> list[int]:
        """Return the same as for pairs; of a table, those next in rank: the others follow from them."""
        found = super().ranked_before()
        for outcome, _ in self._tables:
            table = [self._places[bot] for bot in outcome.bots]
            for a, tied in enumerate(outcome.ties):
                found[table[a]] |= 1 << table[a + 1]
                if tied:
                    found[table[a + 1]] |= 1 << table[a]
        return found

    def meetings(self) -> dict[tuple[int, int], int]:
        found = super().meetings()
        for outcome, count in self._tables:
            table = sorted([self._places[bot] for bot in outcome.bots])
            for pair in combinations(table, 2):
                found[pair] = found.get(pair, 0) + count
        return found

    def crossings(self, members: int, skills: list[float]) -> list[tuple[float, float, float]]:
        """Return the same as for pairs, to which whole tables add theirs, with their weight."""
        crossing: dict[FinishOrder, int] = {}
        for outcome, count in self._tables:
            inside = [members >> self._places[bot] & 1 for bot in outcome.bots]
            if len(set(inside)) > 1:
                crossing[outcome] = count
        pairs = PairLikelihood(count_pairs(crossing), list(self._places), self._beta, self._whole_margins)
        return [*super().crossings(members, skills), *pairs.crossings(members, skills)]

    def gradient_of(self, outcome: FinishOrder, skills: list[float]) -> list[float]:
        """Return the gradient of one outcome by the skills at its table, by rank.

        It is one of those given at the start; *skills* are those of the last call of `differentiate`.
        """
        if len(outcome.bots) in self._by_pairs:
            return super().gradient_of(outcome, skills)
        here = [skills[self._places[bot]] for bot in outcome.bots]
        start = self._starts[outcome]
        messages: list[float] = self._messages[start : start + 2 * len(outcome.ties)].tolist()
        return differentiate(here, self._noise, messages)[0]


def _often_tied(outcomes: Mapping[FinishOrder, int]) -> list[int]:
    """Return the table sizes of which more than MOST_TIED of the matches tie three bots or more."""
    matches: dict[int, int] = {}
    tied: dict[int, int] = {}
    for outcome, count in outcomes.items():
        seats, ties = len(outcome.bots), outcome.ties
        matches[seats] = matches.get(seats, 0) + count
        if any(one and next_ for one, next_ in pairwise(ties)):
            tied[seats] = tied.get(seats, 0) + count
    return [seats for seats, count in tied.items() if count > MOST_TIED * matches[seats]]
