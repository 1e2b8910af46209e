"""Check the moves of a step: they must come from the seats that are asked, each from its choice."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

from engines.types import Choice, IllegalMove, InvalidMove, Json, Seat

if TYPE_CHECKING:
    from engines.position import Position


class AskingState(Protocol):
    """A state with its pending choices, as in every game."""

    @property
    def asked(self) -> Mapping[Seat, Choice]:
        """The choice of each seat that must decide; empty when the match is over."""
        ...


S = TypeVar("S", bound=AskingState)


def check_moves(
    state: S, moves: Mapping[Seat, Json], reason: Callable[[S, Seat, Json], str]
) -> list[tuple[Seat, Json]]:
    """Return seats with their *moves*, each as its choice spells it, in the order in which seats are asked.

    Raises ValueError unless exactly the seats that are asked move; IllegalMove for a move that is not
    offered.  *reason* adds what only the game knows, for example that a card is not in hand.
    """
    asked = state.asked
    if moves.keys() != asked.keys() or not asked:
        raise ValueError(f"expected moves of the seats {[*asked]}, got: {[*moves]}")
    return [(seat, check_move(state, seat, choice, moves[seat], reason)) for seat, choice in asked.items()]


def check_move(
    state: S, seat: Seat, choice: Choice, move: Json, reason: Callable[[S, Seat, Json], str]
) -> Json:
    """Return *move* of *seat* as its *choice* spells it.  Raises IllegalMove as check_moves does."""
    try:
        return choice.check(move)
    except InvalidMove:
        raise
    except IllegalMove as error:
        why = reason(state, seat, move)
        raise IllegalMove(f"{error} ({why})" if why else str(error)) from None


def read_options(position: "Position", moves: Mapping[Seat, Json]) -> list[int]:
    """Return the options that *moves* mean, in the order in which the seats of *position* are asked.

    Raises ValueError unless exactly the seats that are asked move; IllegalMove, saying why, for a move that
    is not offered.
    """
    seats = position.seats()
    if len(moves) == 1 == len(seats) and (seat := seats[0]) in moves:  # the ordinary case
        return [position.option_of(seat, moves[seat])]
    if not seats or len(moves) != len(seats) or [seat for seat in seats if seat not in moves]:
        raise ValueError(f"expected moves of the seats {[*seats]}, got: {[*moves]}")
    return [position.option_of(seat, moves[seat]) for seat in seats]


def check_over(state: AskingState) -> None:
    """Raise ValueError if a seat must still act."""
    if state.asked:
        raise ValueError(f"the match is not over: the seats {[*state.asked]} are asked")
