"""The judge of Stella Quest: the round is played on by greedy's moves, and what is reached is judged.

After the end of a round luck outweighs everything, so nothing is played beyond it.  The worth of a seat there
is linear in a few features; the weights were fitted by logistic regression on the ends of matches.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, final

from engines.dice import shuffled
from engines.game import Seat
from engines.judge import Prospects, beaten_by, expect_results
from engines.stella_quest.cards import BACK_OF, BIT_OF, BREAK_CARD
from engines.stella_quest.greedy import POLICIES
from engines.stella_quest.state import State
from engines.stella_quest.turns import TOP

_GREEDY: Final = POLICIES["greedy-1"]
_WEIGHTS: Final[dict[int, tuple[float, ...]]] = {
    2: (0.4, -0.54, 0.05, 0.31, 0.98, -0.18, -0.26, 0.06, 0.1),
    3: (0.49, -0.34, 0.14, 0.19, 0.65, -0.27, -0.3, 0.04, 0.12),
    4: (0.48, -0.22, 0.2, 0.24, 0.58, -0.17, -0.15, 0.02, 0.04),
}
"""By table size, how much each feature is worth, as log odds to beat another seat."""


@final
class RoundJudge:
    """Plays on by greedy's moves to the end of the round."""

    name = "round-1"
    worlds = 2
    width = 99

    def __init__(self, seats: int) -> None:
        """Judge at a table of *seats*."""
        self._weights = _WEIGHTS[seats]

    def prospects(self, position: State, rng: Random) -> Prospects:
        """Return the share of the others that each seat may expect to beat, and its points then."""
        return self.value(self.onward(position, rng))

    def onward(self, position: State, rng: Random) -> State:
        """Return a copy at the end of the round."""
        return position.copy() if position.over else position.play_on(rng, _end_round)

    def value(self, after: State) -> Prospects:
        """Return what the seats have, judged as at the beginning of a round, for which it is meant."""
        points = [float(each) for each in after.points()]
        if after.over:
            return Prospects(beaten_by(after.standing()[0]), points)
        weights = self._weights
        worths = [_worth(weights, after, seat, points[seat]) for seat in range(len(points))]
        return Prospects(expect_results(worths), points)

    def promising(self, position: State) -> Sequence[int]:
        """Return all options."""
        return position.options()

    def answer(self, position: State, rng: Random) -> int:
        """Return what greedy chooses."""
        return _GREEDY(position, position.seat, rng)

    def redraw(self, position: State, rng: Random) -> State:
        """Return a copy with another order of the draw pile and of the reshuffles to come.

        The back of the next card is seen by all: it stays.
        """
        other = position.copy()
        other.orders = [shuffled(order, rng) for order in other.orders]
        if other.pile:
            back = BACK_OF[other.pile[-1]]
            pile = shuffled(other.pile, rng)
            last = max([at for at, card in enumerate(pile) if BACK_OF[card] == back])
            pile.append(pile.pop(last))
            other.pile = pile
        return other


def _end_round(state: State, seat: Seat, rng: Random) -> int:
    """Return what greedy chooses, or another trump where it would choose that.

    The choice of trump ends a round, and takes greedy longer than all before.  The seat leads the next round,
    so nothing that is judged there depends on it, unless the hand is empty: then greedy takes the first, too.
    """
    if state.stage == TOP:
        return state.options_of(seat)[0]
    return _GREEDY(state, seat, rng)


def _worth(weights: tuple[float, ...], state: State, seat: Seat, points: float) -> float:
    """Return what *seat* has at the start of a round, as log odds to beat another seat."""
    lights, hand, numbers = state.lights[seat], state.hands[seat], 0
    for card in state.collections[seat]:
        numbers |= BIT_OF[card]
    held, star = numbers.bit_count(), state.marker == seat
    light, last, jewels, four, five, marked, pressed, cards, breaks = weights
    worth = light * float(lights)  # what follows is added from left to right: the order is part of the number
    if lights == 1:
        worth += last
    worth += jewels * (points - lights)
    if held == 4:
        worth += four
    elif held == 5:
        worth += five
    if star:
        worth += marked
        if lights <= 2:
            worth += pressed
    return worth + cards * float(len(hand)) + breaks * float(hand.count(BREAK_CARD))
