"""The judge of Starry Sky: all others reply as greedy does, then coins count and what boards promise."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, final

from engines.dice import shuffled
from engines.judge import Prospects, beaten_by, expect_results
from engines.starry_sky.boards import BOARD_OF, IS_LARGE
from engines.starry_sky.foresight import BoardMemory
from engines.starry_sky.moves import STAR_IN
from engines.starry_sky.outlook import option_gains
from engines.starry_sky.policies import POLICIES
from engines.starry_sky.state import State
from engines.starry_sky.tokens import KINDS_IN

__all__ = ["ReplyJudge"]

_GREEDY: Final = POLICIES["greedy-1"]
_SECRET: Final = 0.5
"""Coins: what it is worth that the others cannot see a token.

The count of what the boards promise takes all tokens of a world as known, so it does not see this.
"""
_SURE: Final = (0.3, 0.65)
"""Coins: a lead is believed the less the more boards are to be scored: this much, and this much for each.

Fitted to 3,000 to 5,000 positions of matches of the house bots, by the log-loss of their results."""


@final
class ReplyJudge:
    """Lets the others reply once, and counts what the boards promise."""

    name = "replies-1"
    worlds = 4
    width = 8

    def __init__(self) -> None:
        """Make a judge, which remembers boards that it has seen."""
        self._memory = BoardMemory()

    def prospects(self, position: State, rng: Random) -> Prospects:
        """Return the share of the others that each seat may expect to beat, and the coins it may expect."""
        after = position
        if not position.over:
            after = position.copy()
            for _ in range(len(after.hands) - 1):
                if not after.over:
                    after.play(self._memory.reply(after, after.seat))
        if after.over:
            return Prospects(beaten_by(after.standing()[0]), [float(each) for each in after.coins])
        coins = self._expect(after)
        for seat, stars in enumerate(after.hidden):
            for star in stars:
                if after.left[BOARD_OF[star]]:
                    coins[seat] += _SECRET
        to_come = len(after.boards) + len(after.pile) - after.opened
        scale = _SURE[0] + _SURE[1] * to_come
        return Prospects(expect_results([each / scale for each in coins]), coins)

    def _expect(self, world: State) -> list[float]:
        """Return the coins that each seat may expect, with the best option of the one that is next."""
        coins, most = [float(each) for each in world.coins], -1000.0
        next_seat = world.seat
        kinds = KINDS_IN[world.hands[next_seat]]
        for board in self._memory.boards(world):
            for seat, promise in enumerate(board.promises()):
                coins[seat] += promise
            most = max(most, board.best(next_seat, kinds)[0])
        coins[next_seat] += most
        return coins

    def promising(self, position: State) -> Sequence[int]:
        """Return the options that promise most coins at once, with what a token face down is worth."""
        seat = position.seat
        gains = [
            (gain + (_SECRET if IS_LARGE[STAR_IN[option]] else 0.0), option)
            for gain, option in option_gains(position, seat, seat)
        ]
        gains.sort(reverse=True)
        return [option for _, option in gains]

    def answer(self, position: State, rng: Random) -> int:
        """Return what greedy chooses."""
        return _GREEDY(position, position.seat, rng)

    def redraw(self, position: State, rng: Random) -> State:
        """Return a copy with another order of the boards to come."""
        other = position.copy()
        other.pile = [*other.pile[: other.opened], *shuffled(other.pile[other.opened :], rng)]
        return other
