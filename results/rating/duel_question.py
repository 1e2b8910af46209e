"""The verdict of a duel: what follows from the interval of its mean score, by the question that was asked."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from results.rating.betting import Interval
from results.rating.duel_tally import Guess
from results.record import DuelRule, DuelTerms

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
