"""The meaning of every move, and the choices of a seat.

All moves are built once, at import.  A choice picks from them by the sets of slots that are allowed, so a
match builds and parses no strings, and no table grows.
"""

from __future__ import annotations

from itertools import compress, product
from typing import Final, NamedTuple

from engines.game import OneOf, Seat, new
from engines.stellar.cards import BITS, CARDS, DOWN, NEAR, SLOTS, TYPES
from engines.stellar.state import ANYWHERE, Player, State, Telescope

__all__ = [
    "NOTEBOOK",
    "PLAYS",
    "TAKE",
    "TAKES",
    "WIPE",
    "final_choice",
    "lay",
    "place_choice",
    "play_choice",
    "reason",
    "starter_choice",
]

NOTEBOOK: Final = "notebook"
WIPE: Final = OneOf(("keep", "wipe"))
TAKE: Final = OneOf(tuple(f"take {slot}" for slot in range(1, 6)))
TAKES: Final = {move: slot for slot, move in enumerate(TAKE.options)}
"""The row slot of each take, from 0."""


class Play(NamedTuple):
    """The meaning of a move that plays a card: which card goes where."""

    card: str
    slot: str
    """A telescope slot, or "notebook"."""
    lies: str
    """The name of the card, with " down" after it if it lies face down."""


_PLACES: Final = [*((slot, "") for slot in SLOTS), *((slot, DOWN) for slot in SLOTS), (NOTEBOOK, "")]
_MOVES: Final = {card: tuple(f"{card}@{slot}{side}" for slot, side in _PLACES) for card in CARDS}
"""The moves of every card: face up in every slot, face down in every slot, then the notebook."""
PLAYS: Final = {
    move: Play(card, slot, card + side)
    for card, moves in _MOVES.items()
    for move, (slot, side) in zip(moves, _PLACES, strict=True)
}
"""The meaning of every move that plays a card."""

_UNTYPED: Final = len(TYPES)
_KINDS: Final = {name: [*TYPES, None].index(card.type) for name, card in CARDS.items()}
_MEMBERS: Final = tuple(map(bytes, product((0, 1), repeat=len(SLOTS))))
"""For every set of slots a 1 or 0 for each slot, to select moves with."""


def starter_choice(hand: tuple[str, ...]) -> OneOf:
    """Return the choice of decision 1: the starter for the top of the telescope."""
    return OneOf(tuple(f"{card}@{SLOTS[0]}" for card in hand))


def play_choice(player: Player) -> OneOf:
    """Return the choice of decision c: each different card face up, face down, or to the notebook."""
    _, free, reach = player.telescope
    down_and_notebook = _MEMBERS[free] + b"\1"
    options: list[str] = []
    last = ""
    for card in player.hand:
        if card != last:
            last = card
            up = _MEMBERS[free & reach[_KINDS[card]]]
            options += compress(_MOVES[card], up + down_and_notebook)
    return OneOf(tuple(options))


def place_choice(telescope: Telescope, card: str) -> OneOf:
    """Return the choice of decision d: the slots for *card* face up, then face down."""
    _, free, reach = telescope
    up = _MEMBERS[free & reach[_KINDS[card]]]
    return OneOf(tuple(compress(_MOVES[card], up + _MEMBERS[free])))


def final_choice(hand: tuple[str, ...]) -> OneOf:
    """Return the choice of decision 3: the card in hand that goes to the notebook."""
    return OneOf(tuple(dict.fromkeys(f"{card}@{NOTEBOOK}" for card in hand)))


def reason(state: State, seat: Seat, move: str) -> str:
    """Return why *seat* may not make *move*."""
    if move in TAKES or move in WIPE.options:
        return "not what is asked now"
    if move not in PLAYS:
        return "not a move of stellar"
    card, slot, lies = PLAYS[move]
    player, waiting = state.players[seat], state.waiting
    if waiting and card != waiting:
        return f"{waiting} must be placed"
    if not waiting and card not in player.hand:
        return f"{card} is not in hand"
    if slot in player.telescope.cards:
        return f"{slot} is not free"
    if slot != NOTEBOOK and lies == card and not player.telescope.reach[_KINDS[card]] & BITS[slot]:
        return f"{slot} is not beside a card of the type of {card}"
    return "not what is asked now"


def lay(telescope: Telescope, play: Play) -> Telescope:
    """Return *telescope* after *play*."""
    card, slot, lies = play
    cards, free, reach = telescope
    kind = _KINDS[card]
    if lies == card and kind < _UNTYPED:
        beside = NEAR[slot] if reach[kind] == ANYWHERE else reach[kind] | NEAR[slot]
        reach = (*reach[:kind], beside, *reach[kind + 1 :])
    return new(Telescope, ({**cards, slot: lies}, free & ~BITS[slot], reach))
