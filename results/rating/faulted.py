"""Judge a duel by all of its blocks, and by those without faults of the two bots where there are many.

A fault is a loss, whatever caused it: the bot, its network or a machine that is too busy.  Where faults ended
many matches, they may be all that a duel shows, so a verdict must then hold without them as well.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from results.rating.betting import Interval, find_interval
from results.rating.duel_question import BEFORE, DuelQuestion, Verdict, judge
from results.rating.duel_tally import Guess, Tally
from results.record import DuelFaults

MOST_FAULTED = 5
"""A verdict must hold without faults, too, if they ended more than this percentage of the matches.

Those that are fewer move the mean score by 0.1 at most: a win that becomes a loss counts two less.
"""

End: TypeAlias = tuple[int, str | None]
"""A bot's rank in a match, 1 is the best, and the kind of the fault that ended the match for it, if any."""


class Intervals(NamedTuple):
    """The bounds of the mean score of a contest."""

    every: Interval
    """From all blocks."""
    clean: Interval | None = None
    """From the blocks without a fault of the two; None where it does not matter."""

    def judge(self, question: DuelQuestion = BEFORE) -> Verdict:
        """Return the verdict that both intervals give; undecided if they give two.

        With the rule `margin`, what is worse is not better either.

        Blocks with faults are not left out at random: a bot may fail when it is losing, so `clean` alone
        could be wrong more often than alpha.  `every` is right at all looks together with probability
        1 - alpha, and no look has a verdict that `every` does not give.  So false verdicts are at most as
        likely as with `every` alone, whatever `clean` is and at whichever looks it is asked.
        """
        verdict = judge(self.every, question)
        if self.clean is None or verdict is (clean := judge(self.clean, question)):
            return verdict
        if question.rule == "margin" and {verdict, clean} == {Verdict.WORSE, Verdict.NOT_BETTER}:
            return Verdict.NOT_BETTER
        return Verdict.UNDECIDED


UNKNOWN = Intervals(Interval(-1.0, 1.0))
"""What is known before the first block."""


class FaultyTally:
    """The blocks of a contest of a duel and the faults of the two bots in them."""

    def __init__(
        self,
        seats: int,
        most_luck: int | None = None,
        rule: DuelFaults = "agree",
        *,
        learns: bool = False,
        guess: Guess | None = None,
    ) -> None:
        """Start without blocks; *rule* says what faults do, the rest is as for a Tally."""
        self.every = Tally(seats, most_luck=most_luck, learns=learns, guess=guess)
        self.clean = Tally(seats, most_luck=most_luck, learns=learns, guess=guess)
        """The blocks without a fault of the two."""
        self.faulted = 0
        """The number of matches that ended by a fault of one of the two, or of both."""
        self.faults: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        """Those of the first and of the second bot, by kind."""
        self._rule = rule

    def add(self, ends: Sequence[tuple[End, End]], luck: int = 0) -> None:
        """Count a block, given how each match ended for both bots; *luck* as for a Tally."""
        ranks = [(first, second) for (first, _), (second, _) in ends]
        faulted = len([1 for pair in ends if any(fault for _, fault in pair)])
        self.faulted += faulted
        for tally in (self.every,) if faulted else (self.every, self.clean):
            tally.add(ranks, luck)
        for pair in ends:
            for (_, fault), faults in zip(pair, self.faults, strict=True):
                faults.update([fault] if fault else [])

    def learn(self) -> None:
        """Let the blocks so far say how the next ones count.  Call it at looks only: see Tally.next_terms."""
        self.every.terms = self.clean.terms = self.every.next_terms()

    @property
    def must_agree(self) -> bool:
        """Whether a verdict must hold without the blocks with faults as well."""
        return self._rule == "agree" and 100 * self.faulted > MOST_FAULTED * sum(self.every.matches)

    def find_intervals(self, alpha: float) -> Intervals:
        """Return the bounds of the mean score, each right at all looks with probability 1 - *alpha*."""
        clean = find_interval(self.clean, alpha) if self.must_agree else None
        return Intervals(find_interval(self.every, alpha), clean)
