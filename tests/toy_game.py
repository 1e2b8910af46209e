"""A small game for three to five seats, so that tests can seat more than two.  engines.GAMES has it not.

In each of two rounds all bid at once, then each seat in turn takes, then all keep some cards of their hands
at once.  What is bid, taken and kept is added up.  The option `padding` makes views long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engines import Choice, Event, Game, Move, OneOf, Outcome, Some, Step
from engines.game import shuffled

ROUNDS = 2
BIDS = OneOf(("bid 1", "bid 2", "bid 3"))
TAKES = OneOf(("take 1", "take 2", "take 3"))


@dataclass(frozen=True, slots=True)
class State:
    hands: tuple[tuple[str, ...], ...]
    scores: tuple[int, ...]
    padding: int
    step: int = 0


class Toy(Game[State]):
    name = "toy"
    version = 1
    seats = range(3, 6)
    options = {"padding": (0, 300_000)}  # noqa: RUF012  # as every game has them
    summary = "Bid, take, keep."

    def deal(self, seats: int, rng: Random, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        cards = shuffled([f"card {i}" for i in range(1, 4 * seats + 1)], rng)
        hands = [cards[4 * seat : 4 * seat + 4] for seat in range(seats)]
        return {"hands": hands, "padding": (options or {}).get("padding", 0)}

    def start(self, deal: Mapping[str, Any], seats: int) -> Step[State]:
        hands = tuple(map(tuple, deal["hands"]))
        private = {seat: {"hand": list(hand)} for seat, hand in enumerate(hands)}
        return Step(State(hands, (0,) * seats, deal["padding"]), (Event("deal", {"seats": seats}, private),))

    def choices(self, state: State) -> dict[int, Choice]:
        seats = len(state.hands)
        round_, phase = divmod(state.step, seats + 2)
        if round_ == ROUNDS:
            return {}
        if phase == 0:
            return dict.fromkeys(range(seats), BIDS)
        if phase <= seats:
            return {phase - 1: TAKES}
        return {seat: Some(hand, 1, 2) for seat, hand in enumerate(state.hands)}

    def play(self, state: State, moves: Mapping[int, Move]) -> Step[State]:
        choices = self.choices(state)
        assert moves.keys() == choices.keys()
        checked = {seat: choice.check(moves[seat]) for seat, choice in choices.items()}
        scores = list(state.scores)
        for seat, move in checked.items():
            scores[seat] += sum(int(word.split()[1]) for word in ([move] if isinstance(move, str) else move))
        after = replace(state, scores=tuple(scores), step=state.step + 1)
        if isinstance(choices[min(choices)], Some):
            kept = {seat: {"kept": list(move)} for seat, move in checked.items()}
            return Step(after, (Event("keep", {"counts": [len(move) for move in checked.values()]}, kept),))
        news = [
            Event("move", {"seat": seat, "move": move}, {seat: {"total": scores[seat]}})
            for seat, move in checked.items()
        ]
        return Step(after, tuple(news))

    def outcome(self, state: State) -> Outcome:
        return Outcome.ranked(state.scores)

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        seen: dict[str, Any] = {"seats": len(state.hands), "step": state.step, "padding": "x" * state.padding}
        if seat is not None:
            seen |= {"seat": seat, "hand": list(state.hands[seat])}
        return seen

    def text(self, view: Mapping[str, Any]) -> str:
        return f"step {view['step']}"
