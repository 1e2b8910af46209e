"""What moves are worth."""

from engines.game import Move

from .state import State


def points(state: State) -> list[int]:
    """Return the points of each seat."""
    return [sum(worth(move) for who, move in state.moves if who == seat) for seat in range(len(state.hands))]


def public_points(state: State) -> list[int]:
    """Return the points of each seat that all know of: those of bids and takes."""
    return [
        sum(worth(move) for who, move in state.moves if who == seat and isinstance(move, str))
        for seat in range(len(state.hands))
    ]


def worth(move: Move) -> int:
    """Return the sum of the numbers in *move*: "bid 2" is 2, the cards 3 and 4 are 7."""
    return sum(int(name.split()[1]) for name in ([move] if isinstance(move, str) else move))
