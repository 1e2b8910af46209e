"""The judge of Stellar: both seats play on to the end by greedy's moves, and a lead counts as a chance."""

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import Final, final

from engines.dice import shuffled
from engines.judge import Prospects, beaten_by, expect_results
from engines.stellar.greedy import POLICIES, promising
from engines.stellar.state import State
from engines.stellar.turns import TURNS

_GREEDY: Final = POLICIES["greedy-1"]
_EVER: Final = 99
"""More rounds than a match has."""
_SURE: Final = 1.6
"""Points: the lead of a playout is believed the less the more turns it took, as steps of chance add up.
Fitted to 4,000 positions of matches of the house bots, by the log-loss of their results."""
_STANDS: Final = 3.3
"""Points for each turn to come: likewise, a lead as it stands.  Fitted to 9,000 positions of matches of
greedy, bold and careful by the log-loss of their results: Brier 0.212 in as many others, where one half for
both has 0.243."""


@final
class PlayoutJudge:
    """Plays on by greedy's moves to the end of the match."""

    name = "playouts-1"
    worlds = 8
    width = 20
    redraws = 192
    tells = "points"

    def prospects(self, position: State, rng: Random) -> Prospects:
        """Return the chance to win of each seat, and its points at the end."""
        if position.over:
            return self.value(position)
        points = self.onward(position, rng).points()
        scale = _SURE * sqrt(TURNS + 1 - position.turn)
        return Prospects(expect_results([each / scale for each in points]), [float(each) for each in points])

    def onward(self, position: State, rng: Random) -> State:
        """Return a copy at the end of the match."""
        return position.play_on(rng, _GREEDY, _EVER)

    def value(self, position: State) -> Prospects:
        """Return the chance to win of each seat by the points as they stand, and these."""
        ranks, points = position.standing()
        scale = _STANDS * (TURNS + 1 - position.turn)
        results = beaten_by(ranks) if position.over else expect_results([each / scale for each in points])
        return Prospects(results, [float(each) for each in points])

    def promising(self, position: State) -> Sequence[int]:
        """Return all options, those first that greedy finds promising: the first twenty have the best one.

        Of 81 decisions with more options, the best of all promised 0.2 % of the result more at the mean.
        """
        return promising(position, position.options())

    def answer(self, position: State, rng: Random) -> int:
        """Return what greedy chooses."""
        return _GREEDY(position, position.seat, rng)

    def redraw(self, position: State, rng: Random) -> State:
        """Return a copy with another order of the draw pile and of the reshuffles to come."""
        other = position.copy()
        other.pile = shuffled(other.pile, rng)
        other.orders = [shuffled(order, rng) for order in other.orders]
        return other
