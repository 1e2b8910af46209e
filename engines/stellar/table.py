"""The cards on the table, as small integers, and what is done with cards whatever the turn is.

A table is changed in place and can be copied.  Nothing here asks who may do what: turns.py does.
"""

from __future__ import annotations

from bisect import insort
from typing import Final

from engines.stellar.cards import ALL_SLOTS, BIT_OF, KIND_OF, NEAR_OF, NO_CARD, SATELLITE_KIND
from engines.stellar.moves import (
    CARD_IN,
    DOWNWARDS,
    INTO_NOTEBOOK,
    IS_DOWN,
    NO_SLOT,
    PLACES,
    SLOT_IN,
)

__all__ = ["SLOTS_IN", "Table"]

_KINDS: Final = 5
SLOTS_IN: Final[list[list[int]]] = [
    [slot for slot, bit in enumerate(BIT_OF) if slots & bit] for slots in range(ALL_SLOTS + 1)
]
"""The codes of the slots in every set of slots."""


class Table:
    """The cards of both seats and of the middle.

    Lists of two are by seat.  Multisets of cards are sorted lists of codes.
    """

    __slots__ = (
        "discards",
        "free",
        "hands",
        "known",
        "notebooks",
        "orders",
        "pile",
        "reach",
        "reshuffles",
        "row",
        "telescopes",
        "thrown",
    )
    orders: list[list[int]]
    """The orders of the reshuffles to come, all 60 cards each.  Never changed in place."""
    row: list[int]
    """Five cards; NO_CARD for a gap."""
    pile: list[int]
    """The draw pile.  The next card is the last one."""
    discards: list[int]
    reshuffles: int
    """How many times the discards have become the draw pile."""
    thrown: list[int]
    """The cards left over at the end, by seat; they are among the discards."""
    hands: list[list[int]]
    known: list[list[int]]
    """The publicly known cards of each hand: taken from the row and not played since."""
    notebooks: list[list[int]]
    telescopes: list[list[int]]
    """The options that laid the cards of each telescope, in the order of play."""
    free: list[int]
    """The empty slots of each telescope, as a set of bits."""
    reach: list[int]
    """For each seat and kind the slots beside its face-up cards; 0: the kind is not in the telescope."""

    def clear_table(self) -> None:
        """Put all cards away."""
        self.orders = []
        self.row = [NO_CARD] * 5
        self.pile, self.discards, self.thrown = [], [], []
        self.reshuffles = 0
        self.hands, self.known, self.notebooks, self.telescopes = [[], []], [[], []], [[], []], [[], []]
        self.free = [ALL_SLOTS, ALL_SLOTS]
        self.reach = [0] * (2 * _KINDS)

    def copy_table(self, other: Table) -> None:
        """Make *self* equal to *other*."""
        self.orders = other.orders
        self.row = other.row.copy()
        self.pile = other.pile.copy()
        self.discards = other.discards.copy()
        self.reshuffles = other.reshuffles
        self.thrown = other.thrown.copy()
        self.hands = [other.hands[0].copy(), other.hands[1].copy()]
        self.known = [other.known[0].copy(), other.known[1].copy()]
        self.notebooks = [other.notebooks[0].copy(), other.notebooks[1].copy()]
        self.telescopes = [other.telescopes[0].copy(), other.telescopes[1].copy()]
        self.free = other.free.copy()
        self.reach = other.reach.copy()

    def draw(self) -> int:
        """Take the top card of the draw pile; an empty one is made anew first (ST22, A6)."""
        if not self.pile:
            self._reshuffle()
        return self.pile.pop()

    def _reshuffle(self) -> None:
        """Make the discards the draw pile, in the order of the deal (ST22, A5)."""
        order = self.orders[self.reshuffles % len(self.orders)]
        left = self.discards
        fresh: list[int] = []
        for card in order:
            if card in left:
                left.remove(card)
                fresh.append(card)
        fresh.reverse()
        self.pile = fresh
        self.discards = []
        self.reshuffles += 1

    def fill_row(self) -> None:
        """Draw a card for every gap of the row, slot 1 first (ST24)."""
        row = self.row
        for slot in range(5):
            if row[slot] == NO_CARD:
                row[slot] = self.draw()

    def discard_row(self) -> None:
        """Discard all cards of the row."""
        row = self.row
        for slot in range(5):
            if row[slot] != NO_CARD:
                insort(self.discards, row[slot])
                row[slot] = NO_CARD

    def leave_hand(self, seat: int, card: int) -> None:
        """Take *card* out of the hand of *seat*; of two equal cards the known one goes (A18)."""
        self.hands[seat].remove(card)
        if card in self.known[seat]:
            self.known[seat].remove(card)

    def lay(self, seat: int, option: int) -> None:
        """Lay a card in the telescope of *seat*, as *option* says."""
        slot, kind = SLOT_IN[option], KIND_OF[CARD_IN[option]]
        self.telescopes[seat].append(option)
        self.free[seat] &= ~BIT_OF[slot]
        if kind != SATELLITE_KIND and not IS_DOWN[option]:
            self.reach[seat * _KINDS + kind] |= NEAR_OF[slot]

    def upright(self, seat: int, card: int) -> int:
        """Return the slots in which *seat* may lay *card* face up, as a set of bits (ST3 to ST5, ST14).

        Beside a face-up card of its type if there is one, else anywhere.
        """
        free, kind = self.free[seat], KIND_OF[card]
        if kind == SATELLITE_KIND:
            return free
        beside = self.reach[seat * _KINDS + kind]
        return free & beside if beside else free

    def lay_options(self, seat: int, card: int) -> list[int]:
        """Return the options of *seat* to lay *card*: face up where it may, then face down (ST6, A3)."""
        first = PLACES * card
        options = [first + slot for slot in SLOTS_IN[self.upright(seat, card)]]
        first += DOWNWARDS
        options += [first + slot for slot in SLOTS_IN[self.free[seat]]]
        return options

    def may_lay(self, seat: int, option: int) -> bool:
        """Return whether *option*, which plays a card, is among the options of *seat* to lay that card."""
        slot = SLOT_IN[option]
        if slot == NO_SLOT:
            return False
        slots = self.free[seat] if IS_DOWN[option] else self.upright(seat, CARD_IN[option])
        return slots & BIT_OF[slot] != 0

    def hand_options(self, seat: int) -> list[int]:
        """Return the options of *seat* to play a card of its hand into telescope or notebook."""
        options: list[int] = []
        last = NO_CARD
        for card in self.hands[seat]:
            if card != last:
                last = card
                options += self.lay_options(seat, card)
                options.append(PLACES * card + INTO_NOTEBOOK)
        return options
