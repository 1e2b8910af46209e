"""Moves: what they mean, and which ones a seat has.

A hand and a telescope allow some thirty moves in very many ways.  Their spellings are put together from
tables, one entry for every card and every set of free slots in either half of the telescope.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from engines.game import OneOf
from engines.stellar.cards import CARDS, DOWN, NEAR, SLOTS, TYPES
from engines.stellar.state import ANYWHERE, Player, Telescope

__all__ = [
    "NOTEBOOK",
    "PLAYS",
    "TAKE",
    "TAKES",
    "WIPE",
    "Play",
    "final_choice",
    "laid",
    "place_choice",
    "play_choice",
    "reason",
    "starter_choice",
]

NOTEBOOK: Final = "notebook"
WIPE: Final = OneOf(("keep", "wipe"))
TAKE: Final = OneOf(tuple(f"take {slot}" for slot in range(1, 6)))
TAKES: Final = {move: slot for slot, move in enumerate(TAKE.options)}
"""The row slot of a take, counted from 0."""


class Play(NamedTuple):
    """Where a card goes."""

    card: str
    slot: str
    """A telescope slot, or "notebook"."""
    lies: str
    """The card as it then lies: its name, followed by " down" if it lies face down."""


PLAYS: Final = {
    f"{card}@{slot}{side}": Play(card, slot, card + side)
    for card in CARDS
    for slot, side in [(NOTEBOOK, ""), *((slot, side) for slot in SLOTS for side in ("", DOWN))]
}
"""Every move that plays a card, and what it means."""

_HALF: Final = 6
_LOW: Final = (1 << _HALF) - 1
_KINDS: Final = {name: [*TYPES, None].index(card.type) for name, card in CARDS.items()}
_BITS: Final = {slot: 1 << bit for bit, slot in enumerate(SLOTS)}
_Spellings: TypeAlias = tuple[tuple[str, ...], ...]


def _spelled(card: str, slots: tuple[str, ...], side: str) -> _Spellings:
    """Return for every set of *slots*, as bits, the moves of *card* to there."""
    table: list[tuple[str, ...]] = [()]
    for slot in reversed(slots):
        table = [moves for tail in table for moves in (tail, (f"{card}@{slot}{side}", *tail))]
    return tuple(table)


def _tables(card: str) -> tuple[_Spellings, _Spellings, _Spellings, _Spellings, str]:
    low, high = SLOTS[:_HALF], SLOTS[_HALF:]
    up, down = (
        (_spelled(card, low, ""), _spelled(card, high, "")),
        (_spelled(card, low, DOWN), _spelled(card, high, DOWN)),
    )
    return *up, *down, f"{card}@{NOTEBOOK}"


_TABLES: Final = {card: _tables(card) for card in CARDS}


def starter_choice(hand: tuple[str, ...]) -> OneOf:
    """Return decision 1: which starter goes to the top of the telescope."""
    return OneOf(tuple(f"{card}@{SLOTS[0]}" for card in hand))


def play_choice(player: Player) -> OneOf:
    """Return decision c: for every different card in hand its places face up, face down, the notebook."""
    free, reach = player.telescope.free, player.telescope.reach
    low, high = free & _LOW, free >> _HALF
    options: list[str] = []
    last = ""
    for card in player.hand:
        if card == last:
            continue
        last = card
        up_low, up_high, down_low, down_high, notebook = _TABLES[card]
        up = free & reach[_KINDS[card]]
        options += up_low[up & _LOW]
        options += up_high[up >> _HALF]
        options += down_low[low]
        options += down_high[high]
        options.append(notebook)
    return OneOf(tuple(options))


def place_choice(telescope: Telescope, card: str) -> OneOf:
    """Return decision d for the telescope: the places of *card* face up, then face down."""
    free = telescope.free
    up = free & telescope.reach[_KINDS[card]]
    up_low, up_high, down_low, down_high, _ = _TABLES[card]
    return OneOf(up_low[up & _LOW] + up_high[up >> _HALF] + down_low[free & _LOW] + down_high[free >> _HALF])


def final_choice(hand: tuple[str, ...]) -> OneOf:
    """Return decision 3: which of the cards left in hand goes to the notebook."""
    return OneOf(tuple(dict.fromkeys(f"{card}@{NOTEBOOK}" for card in hand)))


def reason(player: Player, move: str) -> str:
    """Return why *player* may not make *move* now, as far as the cards say."""
    if move not in PLAYS:
        return "not what is asked now" if move in TAKES or move in WIPE.options else "not a move of stellar"
    card, slot, lies = PLAYS[move]
    if slot in player.telescope.cards:
        return f"{slot} is not free"
    if slot != NOTEBOOK and lies == card and not player.telescope.reach[_KINDS[card]] & _BITS[slot]:
        return f"{slot} is not beside a card of the type of {card}"
    return f"{card} is not in hand" if card not in player.hand else "not what is asked now"


def laid(telescope: Telescope, play: Play) -> Telescope:
    """Return *telescope* after *play*."""
    card, slot, lies = play
    cards, free, reach = telescope
    kind = _KINDS[card]
    if lies == card and kind < len(TYPES):
        beside = NEAR[slot] if reach[kind] == ANYWHERE else reach[kind] | NEAR[slot]
        reach = (*reach[:kind], beside, *reach[kind + 1 :])
    return Telescope({**cards, slot: lies}, free & ~_BITS[slot], reach)
