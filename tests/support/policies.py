"""How seats play Stella Quest in tests that need long matches, with several reshuffles."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engines import Choice
from engines.stella_quest.cards import JEWELS, NUMBERS
from engines.stella_quest.state import State

__all__ = ["keeper", "loser"]


def keeper(rng: Random) -> Callable[[State, int, Choice], Any]:
    """Return a policy that keeps its lights, for long matches with several reshuffles."""

    def policy(state: State, seat: int, choice: Any) -> Any:
        if state.step == "take":
            had = {NUMBERS[card] for card in state.players[seat].collection}
            return min(choice.options, key=lambda move: JEWELS[move[5:]] if NUMBERS[move[5:]] in had else 0)
        if state.step == "play" and rng.random() < 0.95:
            return rng.choice([move for move in choice.options if move != "draw"])
        return choice.sample(rng)

    return policy


def loser(rng: Random) -> Callable[[State, int, Choice], Any]:
    """Return a policy that hardly ever ends a match: it burns no lights and leaves one number out."""

    def cost(state: State, seat: int, move: str) -> int:
        had = {NUMBERS[card] for card in state.players[seat].collection}
        return JEWELS[move[5:]] if NUMBERS[move[5:]] in had else 9 * (len(had) == 5)

    def policy(state: State, seat: int, choice: Any) -> Any:
        if state.step == "take":
            return min(choice.options, key=lambda move: cost(state, seat, move))
        if state.step == "play":
            cards = [move for move in choice.options if move != "draw"]
            return cards[-1] if cards[-1] == "play XX" and state.marker == seat else rng.choice(cards)
        return choice.sample(rng)

    return policy
