"""How much work a review is worth."""

from typing import Any, Final, NamedTuple

from engines.judge import Judge

REDRAWS: Final = 24
"""In how many redraws accounts are made, unless a judge says it."""


class Effort(NamedTuple):
    """How many worlds are tried."""

    share: float
    """In this share of the judge's own number of worlds all options are tried; each half has at least two."""
    most: int
    """The most worlds of each half for a decision whose verdict is open: this many times the first ones."""
    line: int
    """In how many worlds a chance is estimated, at least; 0: chances and ledger are left out."""
    sample: int = 1
    """One decision in this many is judged; which ones, follows from what their seats saw."""

    def line_for(self, judge: Judge[Any]) -> int:
        """Return in how many worlds *judge* estimates a chance: noise makes chances look surer than they are.

        A judge that needs more worlds to tell options apart needs more for this.
        """
        return max(self.line, round(2 * judge.worlds * self.share)) if self.line else 0

    def redraws_for(self, judge: Judge[Any]) -> int:
        """Return in how many redraws *judge* makes the account of a match."""
        return max(2, round(getattr(judge, "redraws", REDRAWS) * self.share))


FULL: Final = Effort(share=1.0, most=32, line=8)
"""To look at a match."""
COARSE: Final = Effort(share=0.25, most=0, line=0, sample=3)
"""For the error rate of a bot over many matches."""


def scale_effort(share: float) -> Effort:
    """Return FULL with *share* times as many worlds."""
    return Effort(share, FULL.most, max(1, round(FULL.line * share)))
