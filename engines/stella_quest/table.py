"""The cards on the table, as small integers: draw them, and reshuffle the discards (SQ20 to SQ23).

A table is changed in place and can be copied.  Nothing here asks who may do what: turns.py does.
"""

from typing import Final, TypeAlias

from engines.game import Seat
from engines.int_state import IntState
from engines.stella_quest.cards import BACK_OF, BREAK_CARD, NO_BACK, NO_CARD
from engines.stella_quest.periods import Parts, Period, end_period
from engines.stella_quest.players import DUMMY_CODE, NOBODY

LIGHTS: Final = 5
"""The number of Starlight tokens of a seat at the start."""
HAND: Final = 10
"""The most cards in hand after burning a light."""
DRAWN: Final = 3
"""The number of cards for a light."""
REFILL: Final = 2
"""The fewest cards that an empty hand is refilled with."""

News: TypeAlias = tuple[int, int, int, list[int]]
"""What a step did, for its events: the kind, the player, a number (mostly the lights left), and cards."""
# The kinds of news.  The first three come with a change of the draw pile.
DREW: Final = 0
REFILLED: Final = 1
RESHUFFLED: Final = 2
STARTED: Final = 3
PLAYED: Final = 4
SKIPPED: Final = 5
WON: Final = 6
TOOK: Final = 7
CLEARED: Final = 8
BEGAN: Final = 9
ENDED: Final = 10

_WRITTEN: Final = 23
"""How many lists of a table have their JSON kept for the next view: see view.py."""
TABLE_FIELDS: Final = (
    *("backs", "by", "collections", "discards", "dummy", "hands", "lead", "lights", "made_of"),
    *("news", "orders", "past", "pile", "played", "received", "table", "top", "written"),
)


class Table(IntState):
    """The cards and lights of all seats, and the cards in the middle.

    Lists of lists, and the lights, are by seat.  The inner lists are never changed in place: copies share
    them.  Multisets of cards are lists of codes in any order, except hands, which are sorted.
    """

    __slots__ = TABLE_FIELDS
    orders: list[list[int]]
    """The orders of the cards after the reshuffles, all 54 cards each.  Never changed in place."""
    pile: list[int]
    """The draw pile.  The next card is the last one."""
    top: int
    """The top of the discard pile: its colour is trump."""
    discards: list[int]
    """The whole discard pile.  Never changed in place."""
    lead: int
    """The leading colour, as the back of its cards; NO_BACK while it is open (SQ6)."""
    table: list[int]
    """The cards of the round: played, and not taken or discarded since."""
    by: list[int]
    """The player of each of these cards."""
    hands: list[list[int]]
    """The cards in hand, sorted.  A seat sees its own, and the backs of all."""
    lights: list[int]
    """The lights left, 0 to 5."""
    collections: list[list[int]]
    """The cards taken, in the order taken."""
    past: list[Period]
    """The periods that ended with a reshuffle.  Never changed in place."""
    made_of: list[int]
    """The cards of the draw pile of this period, sorted; none before the first reshuffle."""
    dummy: list[int]
    """The cards that the Dummy played in this period.  Never changed in place."""
    received: list[list[int]]
    """The cards that each hand received in this period."""
    backs: list[Parts]
    """The backs of those cards."""
    played: list[Parts]
    """The cards that each hand played in this period."""
    news: list[News]
    """What the last step did, for its events.  No part of the state's value; a copy does not have it."""
    written: list[tuple[object, bytes]]
    """Lists that are never changed in place, each with its JSON, for the next view.  Copies share it."""

    def clear_table(self, seats: int) -> None:
        """Put all cards away, and give each seat its lights."""
        self.orders = []
        self.pile, self.discards, self.table, self.by = [], [], [], []
        self.top = NO_CARD
        self.lead = NO_BACK
        self.hands = [[] for _ in range(seats)]
        self.lights = [LIGHTS] * seats
        self.collections = [[] for _ in range(seats)]
        self.past = []
        self.news = []
        self.written = [(None, b"")] * _WRITTEN
        self._begin_period([])

    def copy_table(self, other: "Table") -> None:
        """Make *self* equal to *other*."""
        self.orders = other.orders
        self.pile = other.pile.copy()
        self.top = other.top
        self.discards = other.discards
        self.lead = other.lead
        self.table = other.table.copy()
        self.by = other.by.copy()
        self.hands = other.hands.copy()
        self.lights = other.lights.copy()
        self.collections = other.collections.copy()
        self.past = other.past
        self.made_of = other.made_of
        self.dummy = other.dummy
        self.received = other.received.copy()
        self.backs = other.backs.copy()
        self.played = other.played.copy()
        self.news = []
        self.written = other.written

    # -- draw

    def draw_cards(self, seat: Seat, count: int, kind: int) -> None:
        """Draw *count* cards for *seat*, or as many as there are.

        Take note of news of this *kind*; a reshuffle between the cards splits it in two.
        """
        while count and self.pile:
            fresh = self.pile[-count:]
            del self.pile[-count:]
            count -= len(fresh)
            fresh.sort()
            self._receive(seat, fresh)
            self.news.append((kind, seat, self.lights[seat], fresh))
            if not self.pile:
                self.reshuffle_if_due()

    def refill_hand(self, seat: Seat) -> None:
        """Refill the empty hand of *seat*: a card per light, at least two, free of charge (SQ20, Q3)."""
        self.draw_cards(seat, max(self.lights[seat], REFILL), REFILLED)

    def _receive(self, seat: Seat, fresh: list[int]) -> None:
        """Put cards that were drawn into the hand of *seat*."""
        self.hands[seat] = sorted(self.hands[seat] + fresh)
        self.received[seat] = self.received[seat] + fresh
        fresh_backs = [BACK_OF[card] for card in fresh]
        backs = self.backs[seat].copy()
        if self.played[seat][-1]:
            backs.append(fresh_backs)
            self.played[seat] = [*self.played[seat], []]
        else:
            backs[-1] = sorted(backs[-1] + fresh_backs)
        self.backs[seat] = backs

    # -- reshuffle

    def reshuffle_if_due(self) -> None:
        """If the draw pile is empty, make one of all discards except the top (SQ22, Q8)."""
        if self.pile or len(self.discards) < 2:
            return
        fresh = self.discards.copy()
        fresh.remove(self.top)
        fresh.sort()
        self.pile = self._put_in_order(fresh)
        self.discards = [self.top]
        self.past = [*self.past, self.period()]
        self._begin_period(fresh)
        self.news.append((RESHUFFLED, NOBODY, 0, fresh))

    def _put_in_order(self, cards: list[int]) -> list[int]:
        """Return *cards* as a pile, in the order that the deal has for this reshuffle (Q2)."""
        left = cards.copy()
        pile: list[int] = []
        for card in self.orders[len(self.past) % len(self.orders)]:
            if card in left:
                left.remove(card)
                pile.append(card)
        pile.reverse()
        return pile

    def _begin_period(self, cards: list[int]) -> None:
        seats = len(self.hands)
        self.made_of, self.dummy = cards, []
        self.received = [[] for _ in range(seats)]
        self.backs = [[[]] for _ in range(seats)]
        self.played = [[[]] for _ in range(seats)]

    def period(self) -> Period:
        """Return the current period."""
        return end_period(self.made_of, self.received, self.backs, self.played, self.dummy)

    # -- play

    def leave_hand(self, seat: Seat, card: int) -> None:
        """Take *card* out of the hand of *seat* and lay it on the table."""
        hand, played = self.hands[seat].copy(), self.played[seat].copy()
        hand.remove(card)
        played[-1] = sorted([*played[-1], card])
        self.hands[seat], self.played[seat] = hand, played
        self._lay(seat, card)

    def lay_for_dummy(self) -> int:
        """Lay the top of the draw pile on the table for the Dummy, and return it (SQ41, SQ48)."""
        card = self.pile.pop()
        self.dummy = [*self.dummy, card]
        self._lay(DUMMY_CODE, card)
        return card

    def _lay(self, who: int, card: int) -> None:
        if self.lead == NO_BACK and card != BREAK_CARD:
            self.lead = BACK_OF[card]
        self.table.append(card)
        self.by.append(who)

    def discard_table(self, top: int) -> None:
        """Put the cards on the table on the discard pile, so that *top* lies on top (SQ16, SQ21)."""
        self.top = top
        self.discards = self.discards + self.table
        self.table, self.by = [], []
        self.lead = NO_BACK
        self.reshuffle_if_due()
