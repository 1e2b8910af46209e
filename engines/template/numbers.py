"""Moves and views as numbers, for programs that learn.  The own seat comes first, then the next clockwise."""

from collections.abc import Mapping

from engines.columns import ViewColumn, code, count, list_columns
from engines.game import Json

from .cards import CARDS, HAND
from .luck import OPTIONS
from .state import BIDS, STEPS, TAKES

_ROUNDS = max(OPTIONS["rounds"])
_SHOWN = [*BIDS.options, *TAKES.options, 1, 2]
"""What all see of moves: the bid, what was taken, or how many cards are kept."""
_PLACES = [f"{place}" for place in range(HAND)]


def vocabulary(seats: int) -> tuple[str, ...]:
    """Return every option that a choice may offer: cards stand alone, also where two are kept."""
    return (*BIDS.options, *TAKES.options, *CARDS[seats])


def columns(seats: int) -> tuple[ViewColumn, ...]:
    """Return what each number of a view is: the sizes are those of the longest match."""
    rounds = [f"{number}" for number in range(1, _ROUNDS + 1)]
    moves = [f"{number}.{step}.{seat}" for number in rounds for step in STEPS[:-1] for seat in range(seats)]
    kept = [f"{number}.{place}" for number in rounds for place in _PLACES]
    return list_columns(
        [
            code("seat", seats - 1, "your seat"),
            count("rounds", _ROUNDS, "the option"),
            code("moves", len(_SHOWN), "by round, step and seat, the move; 0: not made yet", moves),
            code("hand", HAND * seats, "the number of each of your cards", _PLACES),
            count("kept", 1, "by round, 1 for each of your cards that you kept", kept),
        ]
    )


def numbers(view: Mapping[str, Json]) -> list[int]:
    """Return all that *view*, the view of a seat, tells, in the order of the columns."""
    seats, own, hand = view["seats"], view["seat"], view["hand"]
    moves = [0] * (_ROUNDS * len(STEPS[:-1]) * seats)
    for at, (who, move) in enumerate(view["moves"]):
        step = at // seats  # in each step every seat moves once
        moves[step * seats + (who - own) % seats] = 1 + _SHOWN.index(move)
    kept = [int(card in cards) for cards in view["kept"] for card in hand]
    kept += [0] * (_ROUNDS * HAND - len(kept))
    cards = [int(card.split()[-1]) for card in hand]
    return [own, view["options"]["rounds"], *moves, *cards, *kept]
