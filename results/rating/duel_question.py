"""The verdict of a duel: what follows from the interval of its mean score, by the question that was asked."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from results.rating.betting import Interval, find_interval
from results.rating.duel_tally import Guess, Tally
from results.record import DuelFaults, DuelRule, DuelTerms

# people type and read wins of 100 matches, where a draw is half a win; inside, scores run from -1 to 1


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


TOLD = 0.02
"""What a duel without a margin should tell from nothing: a mean score, of 51 wins of 100."""


class Verdict(StrEnum):
    """What is known of the first bot of a duel."""

    BETTER = "better"
    """With the rule `margin`: by more than that."""
    WORSE = "worse"
    """With the rule `not much worse`: by more than the margin."""
    NOT_BETTER = "not better"
    """Better by no more than the margin, if at all."""
    NO_WORSE = "no worse"
    """Worse by no more than the margin, if at all."""
    NOT_APART = "not apart"
    """Neither better nor worse by more than the margin."""
    UNDECIDED = "undecided"


class DuelQuestion(NamedTuple):
    """What a duel asks, and so where it ends.  Means are scores, from -1 to 1.

    The three means below tell where an interval ends it: all of it above, all of it below, or within.  They
    are fixed when the duel begins, so a false verdict needs an interval that does not hold the true mean.
    """

    rule: DuelRule = "before"
    margin: float | None = None
    least: float | None = None
    """With the rule `margin`: better is what is better by more than this; None: than the margin."""

    @classmethod
    def of(cls, terms: DuelTerms) -> "DuelQuestion":
        return cls(terms.rule, terms.margin, terms.least)

    @property
    def passes_above(self) -> float:
        """The mean above which the bot is better, or no worse."""
        margin = self.margin or 0.0
        if self.rule == "margin":
            return margin if self.least is None else self.least
        return -margin if self.asks_if_worse else 0.0

    @property
    def fails_below(self) -> float:
        """The mean below which the bot is worse, or not better."""
        if self.rule == "not much worse":
            return self.passes_above
        return (self.margin or 0.0) if self.rule in ("before", "margin") else 0.0

    @property
    def asks_if_worse(self) -> bool:
        """Whether it asks if the bot is worse by no more than the margin."""
        return self.rule in ("no worse", "not much worse")

    @property
    def apart(self) -> float | None:
        """The mean below which, on either side, the two are not apart; None if that ends no duel."""
        return self.margin if self.rule == "apart" else None

    @property
    def bounds(self) -> list[float]:
        """The means that an end of the interval may exclude, so that something follows."""
        apart = self.apart
        return [0.0, self.passes_above, self.fails_below, *([] if apart is None else (-apart, apart))]

    @property
    def means_to_tell(self) -> tuple[float, float]:
        """A mean that it asks about, and a higher one that deals should tell from it."""
        effect = TOLD if self.rule == "margin" else self.margin or TOLD
        return self.passes_above, self.passes_above + effect

    def guess(self, mean: float | None) -> Guess | None:
        """Return the verdict on which one bets who expects *mean*; None if none follows, or of None."""
        if mean is None:
            return None
        if mean > self.passes_above:
            return Guess(mean, above=self.passes_above)
        if mean < self.fails_below:
            return Guess(mean, below=self.fails_below)
        if self.apart is not None:
            return Guess(mean, above=-self.apart, below=self.apart)
        return None


BEFORE = DuelQuestion()
"""Is the bot better, or worse?  It ends with nothing else."""


def judge(interval: Interval, question: DuelQuestion = BEFORE) -> Verdict:
    if interval.low > question.passes_above:
        return Verdict.NO_WORSE if question.asks_if_worse else Verdict.BETTER
    if interval.high < min(0.0, question.fails_below):
        return Verdict.WORSE
    if interval.high < question.fails_below:
        return Verdict.NOT_BETTER
    if question.apart is not None and -question.apart < interval.low <= interval.high < question.apart:
        return Verdict.NOT_APART
    return Verdict.UNDECIDED


def judge_together(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict over several games or table sizes, each judged with its share of alpha.

    Worse if the bot is worse in one of them; better if it is better in one and worse in none.  What is said
    of a margin must hold in all the others.
    """
    found = {*verdicts}
    for verdict in (Verdict.WORSE, Verdict.BETTER, Verdict.UNDECIDED):
        if verdict in found:
            return verdict
    return found.pop() if found else Verdict.UNDECIDED


MOST_FAULTED = 5
"""A verdict must hold without faults, too, if they ended more than this percentage of the matches.  Those
that are fewer move the mean score by 0.1 at most: a win that becomes a loss counts two less."""

End: TypeAlias = tuple[int, str | None]
"""A bot's rank in a match, 1 is the best, and the kind of the fault that ended the match for it, if any."""


class Intervals(NamedTuple):
    """The bounds of the mean score of a contest.

    A fault is a loss, whatever caused it: the bot, its network or a machine that is too busy.  Where faults
    ended many matches, they may be all that a duel shows, so a verdict must then hold without them as well.
    """

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
