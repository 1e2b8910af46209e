"""What follows from moves."""

from collections.abc import Sequence

from engines.game import Event, Move, Seat, Step

from .state import State


def show_move(move: Move) -> str | int:
    """Return what all see of *move*: of cards that are kept, only how many."""
    return move if isinstance(move, str) else len(move)


def follow(state: State, made: Sequence[tuple[Seat, Move]]) -> Step[State]:
    """Return what follows when seats have *made* their moves, in the order in which they were asked."""
    events = []
    for seat, move in made:
        private = {} if isinstance(move, str) else {seat: {"kept": [*move]}}
        events.append(Event("move", {"seat": seat, "move": show_move(move)}, private))
    return Step(state._replace(moves=(*state.moves, *made)), tuple(events))
