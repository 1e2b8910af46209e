"""The cards on the table, as small integers, and what is done with cards whatever the turn is.

A table is changed in place and can be copied.  Nothing here asks who may do what: turns.py does.
"""

from typing import Final

from engines.int_state import IntState
from engines.stellar.cards import ALL_SLOTS, BIT_OF, KIND_OF, NAMES, NEAR_OF, NO_CARD, SATELLITE_KIND
from engines.stellar.moves import CARD_IN, DOWNWARDS, INTO_NOTEBOOK, IS_DOWN, NO_SLOT, PLACES, SLOT_IN

_KINDS: Final = 6
"""The types, and the satellites, which are always free to go anywhere."""
_HALF: Final = 6
"""Sets of slots are looked up in two halves of six slots each: a table of all sets would be large."""
_IN_HALF: Final = (1 << _HALF) - 1


def _options_in_half(first_slot: int, first_option: int) -> list[list[int]]:
    """Return, for each card and each set of six slots from *first_slot* on, the options that lay it there."""
    bits = [bit >> _HALF if first_slot == 0 else bit for bit in BIT_OF[first_slot : first_slot + _HALF]]
    return [
        [PLACES * card + first_option + first_slot + i for i, bit in enumerate(bits) if slots & bit]
        for card in range(len(NAMES))
        for slots in range(_IN_HALF + 1)
    ]


_UP_ABOVE: Final[list[list[int]]] = _options_in_half(0, 0)
_UP_BELOW: Final[list[list[int]]] = _options_in_half(_HALF, 0)
_DOWN_ABOVE: Final[list[list[int]]] = _options_in_half(0, DOWNWARDS)
_DOWN_BELOW: Final[list[list[int]]] = _options_in_half(_HALF, DOWNWARDS)
_TO_NOTEBOOK: Final[list[int]] = [PLACES * card + INTO_NOTEBOOK for card in range(len(NAMES))]
TABLE_FIELDS: Final = (
    *("discards", "free", "hands", "known", "notebooks", "orders", "pile"),
    *("reach", "reshuffles", "row", "telescopes", "thrown", "written"),
)


def add_card(cards: list[int], card: int) -> None:
    """Add *card* to a multiset."""
    cards.append(card)
    cards.sort()


class Table(IntState):
    """The cards of both seats and the middle.  Lists of two are by seat, multisets sorted lists of codes."""

    __slots__ = TABLE_FIELDS
    orders: list[list[int]]
    """The orders of the reshuffles to come, all 60 cards each.  Never changed in place."""
    row: list[int]
    """Five cards; NO_CARD for a gap."""
    pile: list[int]
    """The draw pile.  The next card is the last one."""
    discards: list[int]
    """Never changed in place: copies share it."""
    reshuffles: int
    """How many times the discards have become the draw pile."""
    thrown: list[int]
    """The cards left over at the end, by seat; they are among the discards.  Never changed in place."""
    hands: list[list[int]]
    """The cards of each hand, a multiset.  A seat sees its own."""
    known: list[list[int]]
    """The publicly known cards of each hand: taken from the row and not played since."""
    notebooks: list[list[int]]
    """The cards of each notebook.  A notebook is never changed in place: copies share it."""
    telescopes: list[list[int]]
    """The options that laid the cards of each telescope, in the order of play; shared like notebooks."""
    free: list[int]
    """The empty slots of each telescope, as a set of bits."""
    reach: list[int]
    """For each seat and kind the slots beside its face-up cards; 0: the kind is not in the telescope."""
    written: list[tuple[list[int], bytes]]
    """Lists that are never changed in place, each with its JSON, for the next view.  Copies share it."""

    def clear_table(self) -> None:
        """Put all cards away."""
        self.orders = []
        self.row = [NO_CARD] * 5
        self.pile, self.discards, self.thrown = [], [], []
        self.reshuffles = 0
        self.hands, self.known, self.notebooks, self.telescopes = [[], []], [[], []], [[], []], [[], []]
        self.free = [ALL_SLOTS, ALL_SLOTS]
        self.reach = [0] * (2 * _KINDS)
        self.written = [([], b"")] * 5

    def copy_table(self, other: "Table") -> None:
        """Make *self* equal to *other*."""
        self.orders = other.orders
        self.row = other.row.copy()
        self.pile = other.pile.copy()
        self.discards = other.discards
        self.reshuffles = other.reshuffles
        self.thrown = other.thrown
        self.hands = [other.hands[0].copy(), other.hands[1].copy()]
        self.known = [other.known[0].copy(), other.known[1].copy()]
        self.notebooks = other.notebooks.copy()
        self.telescopes = other.telescopes.copy()
        self.free = other.free.copy()
        self.reach = other.reach.copy()
        self.written = other.written

    def draw(self) -> int:
        """Take the top card of the draw pile; an empty one is made anew first (ST22, A6)."""
        if not self.pile:
            self._reshuffle()
        return self.pile.pop()

    def _reshuffle(self) -> None:
        """Make the discards the draw pile, in the order of the deal (ST22, A5)."""
        order = self.orders[self.reshuffles % len(self.orders)]
        # A deal orders all 60 cards, and the discards keep that order.  So the luck of a reshuffle is fixed
        # before the match, whatever has been discarded by then.
        left = self.discards.copy()
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
        for slot, card in enumerate(row):
            if card == NO_CARD:
                row[slot] = self.draw()

    def discard_row(self) -> None:
        """Discard all cards of the row."""
        self.discards = sorted(self.discards + [card for card in self.row if card != NO_CARD])
        self.row = [NO_CARD] * 5

    def leave_hand(self, seat: int, card: int) -> None:
        """Take *card* out of the hand of *seat*; of two equal cards the known one goes (A18)."""
        self.hands[seat].remove(card)
        if card in self.known[seat]:
            self.known[seat].remove(card)

    def lay(self, seat: int, option: int) -> None:
        """Lay a card in the telescope of *seat*, as *option* says."""
        slot, kind = SLOT_IN[option], KIND_OF[CARD_IN[option]]
        # a list of its own: copies share the old one, and its JSON is kept by the identity of the list
        telescope = self.telescopes[seat].copy()
        telescope.append(option)
        self.telescopes[seat] = telescope
        self.free[seat] &= ~BIT_OF[slot]
        if kind != SATELLITE_KIND and not IS_DOWN[option]:
            self.reach[_KINDS * seat + kind] |= NEAR_OF[slot]

    def note(self, seat: int, card: int) -> None:
        """Put *card* into the notebook of *seat*."""
        notebook = self.notebooks[seat].copy()
        add_card(notebook, card)
        self.notebooks[seat] = notebook

    def upright(self, seat: int, card: int) -> int:
        """Return the slots in which *seat* may lay *card* face up, as a set of bits (ST3 to ST5, ST14).

        Beside a face-up card of its type if there is one, else anywhere.
        """
        free = self.free[seat]
        beside = self.reach[_KINDS * seat + KIND_OF[card]]
        return free & beside if beside else free

    def add_lay_options(self, options: list[int], seat: int, card: int) -> None:
        """Add the options of *seat* to lay *card*: face up where it may, then face down (ST6, A3)."""
        # four look-ups by sets of slots, in place of a test of each slot both ways
        up, free, first = self.upright(seat, card), self.free[seat], card << _HALF
        if above := up >> _HALF:
            options += _UP_ABOVE[first + above]
        if below := up & _IN_HALF:
            options += _UP_BELOW[first + below]
        if above := free >> _HALF:
            options += _DOWN_ABOVE[first + above]
        if below := free & _IN_HALF:
            options += _DOWN_BELOW[first + below]

    def may_lay(self, seat: int, option: int) -> bool:
        """Return whether *option*, which plays a card, is among the options of *seat* to lay that card."""
        slot = SLOT_IN[option]
        if slot == NO_SLOT:
            return False
        slots = self.free[seat] if IS_DOWN[option] else self.upright(seat, CARD_IN[option])
        return slots & BIT_OF[slot] != 0

    def add_hand_options(self, options: list[int], seat: int) -> None:
        """Add the options of *seat* to play each different card of its hand into telescope or notebook."""
        last = NO_CARD
        for card in self.hands[seat]:
            if card != last:
                last = card
                self.add_lay_options(options, seat, card)
                options.append(_TO_NOTEBOOK[card])
