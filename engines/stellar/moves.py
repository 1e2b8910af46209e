"""The moves of the game by their codes, and what each of them means.

A move has a notation, "P4.1@T4 down", which bots and records use, and a code, which the rules use: an option.
Options are numbered card by card, each card face up in every slot, face down in every slot, then into the
notebook; after them come the moves that play no card.  All tables are made once, at import.
"""

from typing import Final, NamedTuple

from engines.stellar.cards import CODES, DOWN, NAMES, SLOTS


class Play(NamedTuple):
    """The meaning of a move that plays a card: which card goes where."""

    card: str
    slot: str
    """A telescope slot, or "notebook"."""
    lies: str
    """The name of the card, with " down" after it if it lies face down."""


NOTEBOOK: Final = "notebook"
_PLACES: Final = [*((slot, "") for slot in SLOTS), *((slot, DOWN) for slot in SLOTS), (NOTEBOOK, "")]
PLAYS: Final = {
    f"{card}@{slot}{side}": Play(card, slot, card + side) for card in NAMES for slot, side in _PLACES
}
"""The meaning of every move that plays a card, by its notation."""

PLACES: Final = 25
"""How many options each card has: its own begin at PLACES times its code."""
DOWNWARDS: Final = 12
"""The first option of a card face down, counted from its own first."""
INTO_NOTEBOOK: Final = 24
"""The option of a card into the notebook, counted from its own first."""
NO_SLOT: Final = -1
KEEP: Final = 1250
WIPE_ROW: Final = 1251
FIRST_TAKE: Final = 1252
"""The option of taking the card of the first row slot; the others follow."""
LAST_TAKE: Final = 1256

MOVES: Final[list[str]] = [*PLAYS, "keep", "wipe", *(f"take {slot}" for slot in range(1, 6))]
"""The notation of every option."""
OPTIONS: Final[dict[str, int]] = {move: option for option, move in enumerate(MOVES)}
"""The option of every notation."""
QUOTED: Final[list[bytes]] = [f'"{move}"'.encode() for move in MOVES]
"""The notation of every option as JSON."""
assert len(PLAYS) == PLACES * len(NAMES) == KEEP
assert len(_PLACES) == PLACES
assert len(SLOTS) == DOWNWARDS
assert (OPTIONS["keep"], OPTIONS["wipe"]) == (KEEP, WIPE_ROW)
assert (OPTIONS["take 1"], OPTIONS["take 5"]) == (FIRST_TAKE, LAST_TAKE)

CARD_IN: Final[list[int]] = [CODES[play.card] for play in PLAYS.values()]
"""The card that an option plays."""
SLOT_IN: Final[list[int]] = [
    NO_SLOT if play.slot == NOTEBOOK else SLOTS.index(play.slot) for play in PLAYS.values()
]
"""The telescope slot into which an option plays a card; NO_SLOT for the notebook."""
IS_DOWN: Final[list[bool]] = [play.lies != play.card for play in PLAYS.values()]
"""Whether an option plays a card face down."""


def lay_option(slot: str, lies: str) -> int:
    """Return the option after which a card lies in *slot*, a name, as *lies* says: "P4.1" or "P4.1 down"."""
    card, down, _ = lies.partition(DOWN)
    return OPTIONS[f"{card}@{slot}{down}"]
