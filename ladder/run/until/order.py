"""`--until order`: the order of the bots is known."""

from __future__ import annotations

from collections.abc import Collection
from math import fsum
from typing import TYPE_CHECKING, ClassVar

from ladder.run.option import points
from ladder.run.until.rule import EndedRun, StoppingRule, Words
from results.rating.lead_risk import lead_risk
from results.words import count

if TYPE_CHECKING:
    from ladder.run.belief import Belief

MOST_RISK = 0.05
"""The largest risk of a false order that ends a run: all neighbours of all games share it.

It is not divided among them beforehand.  Most neighbours are surer than any share of their own would ask, and
what they leave over is for those that are close.
"""


def false_order_risk(belief: Belief, held: Collection[int] = (), within: float = 0.0) -> float:
    """Return the risk that the order of all neighbours, as it stands, is false in some place.

    It holds however often a run looks: see results.rating.lead_risk.  Neighbours that are less than *within*
    points apart need no order: that they are is a claim with a risk of its own.  Bots that are *held* have no
    place in the order: they play no longer.
    """
    # the smaller one of the risks that two stand in a false order, and that they are apart
    return fsum(
        min(lead_risk(pair.lead, pair.error), lead_risk(within - pair.lead, pair.error))
        for pair in belief.neighbours(held)
    )


class Order(StoppingRule):
    """End the run once the order of all neighbours in each game is known."""

    name: ClassVar[str] = "order"
    form: ClassVar[str] = "order[=P]"
    example: ClassVar[str] = "order=2"
    help: ClassVar[str] = (
        "once the order of the bots is known; with P, neighbours closer than P need not be separated"
    )
    takes = points
    judges_epochs: ClassVar[bool] = True

    def __init__(self, within: float = 0.0) -> None:
        """Ask for no order of neighbours that are sure to be less than *within* points of rating apart."""
        self._within = within

    @classmethod
    def read(cls, value: str) -> StoppingRule:
        return super().read(value) if value else cls()

    def is_settled(self, belief: Belief, held: Collection[int]) -> bool:
        return false_order_risk(belief, held, self._within) <= MOST_RISK

    def sum_up(self, ended: EndedRun) -> Words | None:
        """Say whether the order is known, unless another rule has ended the run."""
        apart = f", or they are less than {self._within:g} apart" if self._within else ""
        if ended.by is self:
            what = f"any two neighbours are in order{apart}" if apart else "the order of the bots is known"
            return Words(f"{what}: run {ended.name} ends after {count(ended.status.done, 'match')}")
        if ended.by is None:
            within = "" if self._within else "ladder run --until order=2; or "
            return Words(
                f"run {ended.name} has ended, but the order of its bots is not known yet",
                f"run the same command again to go on; or compare two bots: {within}ladder duel BOT BOT",
            )
        return None
