"""What the tests of all games must be told of this one."""

from collections.abc import Mapping
from typing import Any, Final

from engines.contract.known import Known, Match, Past, forgetting, showing
from engines.game import Seat

from . import Toy
from .cards import CARDS
from .state import State


def past(deal: Mapping[str, Any], match: Match, world: State, seat: Seat | None) -> Past:
    """Return the deal and the moves that lead to *world*: its hands tell the deal, and it holds the moves."""
    seats = len(world.hands)
    cards = [world.hands[place % seats][place // seats] for place in range(len(CARDS[seats]))]
    made = iter(world.moves)
    return {**deal, "cards": cards}, [dict(next(made) for _ in step.moves) for step in match[1:]]


KNOWN: Final = Known(
    past=past,
    shown_by_golden={3: ('"kept":["card ', '"move":2', '"move":"take ')},
    leaks={
        "cards that were kept in secret": showing(Toy, lambda state: [[*move] for _, move in state.moves])
    },
    forgetful={"what was kept": forgetting(Toy, "kept", lambda kept: [cards[::-1] for cards in kept])},
    harmless={"whose turn it is": showing(Toy, lambda state: len(state.moves))},
)
