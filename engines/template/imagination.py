"""Sample a state that fits a view: unseen cards are shuffled and dealt to where they may be."""

from collections.abc import Mapping
from random import Random

from engines.game import Json, Move, Seat, Some, shuffled

from .cards import CARDS, HAND
from .state import State


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that looks like *view* from its seat, each as likely as it is."""
    own, seats, kept = view.get("seat"), view["seats"], iter(view.get("kept", ()))
    left = shuffled([card for card in CARDS[seats] if card not in view.get("hand", ())], rng)
    hands = [
        tuple(view["hand"]) if seat == own else tuple(left.pop() for _ in range(HAND))
        for seat in range(seats)
    ]
    moves: list[tuple[Seat, Move]] = []
    for who, move in view["moves"]:
        if isinstance(move, str):
            moves.append((who, move))
        else:
            cards = tuple(next(kept)) if who == own else Some(hands[who], move, move).sample(rng)
            moves.append((who, cards))
    return State(view["options"]["rounds"], tuple(hands), tuple(moves))
