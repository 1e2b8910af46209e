"""`--until order`: the order of the bots is known."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, ClassVar

from ladder.run.until.rule import EndedRun, StoppingRule, Words

if TYPE_CHECKING:
    from ladder.run.belief import Belief, Neighbours

__all__ = ["Order", "open_orders"]

ERROR = 0.025
"""The most that the probabilities of a wrong order, over all checks of a pair of neighbours, add up to."""


def open_orders(belief: Belief, held: Collection[int] = ()) -> list[Neighbours]:
    """Return the neighbours whose order is not known well enough to end a run.

    A run looks again and again, and would stop at the first lucky look.  So the bound rises: at check j it is
    1 - 0.025 / (j (j + 1)), and these errors add up to 0.025 over all checks.
    """
    bound = 1 - ERROR / (belief.check * (belief.check + 1))
    return [pair for pair in belief.neighbours(held) if pair.p_above < bound]


class Order(StoppingRule):
    """End the run once the order of all neighbours in each game is known."""

    name: ClassVar[str] = "order"
    help: ClassVar[str] = "once the order of the bots is known"
    judges_epochs: ClassVar[bool] = True

    def is_settled(self, belief: Belief, held: Collection[int]) -> bool:
        """Return whether no order is open.  Bots that are *held* have no place in it: they play no longer."""
        return not open_orders(belief, held)

    def sum_up(self, ended: EndedRun) -> Words | None:
        """Say whether the order is known, unless another rule has ended the run."""
        if ended.by is self:
            return Words(
                f"the order of the bots is known: run {ended.name} ends after {ended.status.done:,} matches"
            )
        if ended.by is None:
            return Words(
                f"run {ended.name} has ended, but the order of its bots is not known yet",
                "run the same command again to go on; or compare two bots: ladder duel BOT BOT",
            )
        return None
