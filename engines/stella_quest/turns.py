"""The turns, played on in place: which one seat chooses, which options it has, and what each of them does."""

from typing import Final

from engines.game import OneOf, Seat
from engines.stella_quest.cards import BACK_OF, BIT_OF, BREAK_CARD, JEWELS_OF, NO_BACK, NO_CARD
from engines.stella_quest.moves import DRAW, FIRST_TAKE, FIRST_TOP, MOVES
from engines.stella_quest.players import DUMMY_CODE, NOBODY, followers, order_of
from engines.stella_quest.rounds import NO_WINNER, winning_place
from engines.stella_quest.table import (
    BEGAN,
    CLEARED,
    DRAWN,
    DREW,
    ENDED,
    HAND,
    PLAYED,
    SKIPPED,
    TOOK,
    WON,
    Table,
)

NUMBER_OF_ROUNDS: Final = 200
"""The number of rounds after which a match ends (SQ34)."""
STEPS: Final = ("play", "take", "top", "over")
"""The name of each step, which is the decision to make."""
PLAY: Final = 0
TAKE: Final = 1
TOP: Final = 2
OVER: Final = 3
ENDS: Final = ("enlightened", "eliminated", "rounds", "cards")
"""The name of each way in which a match ends: after 200 rounds, or when no seat can play."""
NOT_ENDED: Final = -1
ENLIGHTENED: Final = 0
ELIMINATED: Final = 1
AFTER_ROUNDS: Final = 2
WITHOUT_CARDS: Final = 3
_ALL_NUMBERS: Final = 0b1111110
"""The numbers 1 to 6, as a set of bits."""
_NO_CARDS: Final[list[int]] = []

TURN_FIELDS: Final = ("ended_by", "ending", "first", "leader", "marker", "number", "opening", "stage")


class Turns(Table):
    """A match that is being played or is over, as its cards and the decision that comes."""

    __slots__ = TURN_FIELDS

    first: Seat
    """The leader of the first round."""
    opening: int
    """The first discard."""
    number: int
    """The number of the round, 1 to 200."""
    leader: Seat
    """The leader of the round."""
    marker: int
    """The player that has the Black Star; NOBODY at first."""
    stage: int
    """The decision to make: PLAY to OVER."""
    ending: int
    """Why the match is over: ENLIGHTENED to WITHOUT_CARDS; NOT_ENDED before."""
    ended_by: int
    """The seat that is enlightened or eliminated; else NOBODY."""

    @property
    def step(self) -> str:
        """The name of the decision to make: play, take, top or over."""
        return STEPS[self.stage]

    @property
    def turn(self) -> Seat | None:
        """The seat that is asked; None when the match is over."""
        return None if self.stage == OVER else self.seat

    @property
    def over(self) -> bool:
        return self.stage == OVER

    # -- options

    def options_of(self, seat: Seat) -> list[int]:
        if self.stage == PLAY:
            return self._plays(seat)
        options: list[int] = []
        if self.stage == OVER:  # the cards on the table stay there
            return options
        first = FIRST_TAKE if self.stage == TAKE else FIRST_TOP
        last = BREAK_CARD
        for card in sorted(self.table):
            if card != last and card != BREAK_CARD:
                options.append(first + card)
            last = card
        return options

    def _plays(self, seat: Seat) -> list[int]:
        """Return the options of decision 1: the legal cards (SQ3), Break Cards last, and drawing (Q13)."""
        lead, last, has_break = self.lead, NO_CARD, False
        options: list[int] = []
        following: list[int] = []
        for card in self.hands[seat]:
            if card == last:
                continue
            last = card
            if card == BREAK_CARD:
                has_break = True
            elif BACK_OF[card] == lead:
                following.append(card)
            else:
                options.append(card)
        if following:
            options = following
        if has_break:
            options.append(BREAK_CARD)
        if self.may_draw(seat):
            options.append(DRAW)
        return options

    def may_draw(self, seat: Seat) -> bool:
        """Return whether *seat* may burn a light to draw cards (SQ17 to SQ19)."""
        return self.lights[seat] > 1 and len(self.hands[seat]) < HAND and len(self.pile) > 0

    def may_play(self, seat: Seat, card: int) -> bool:
        """Return whether *seat* may play *card*, which is in its hand: it must follow suit (SQ3)."""
        lead = self.lead
        if lead == NO_BACK or card == BREAK_CARD or BACK_OF[card] == lead:
            return True
        return lead not in [BACK_OF[held] for held in self.hands[seat]]

    def allows(self, seat: Seat, option: int) -> bool:
        """Return whether *option* is among the options of *seat*, which must be asked: without a list."""
        if self.stage == PLAY:
            if option >= DRAW:
                return option == DRAW and self.may_draw(seat)
            return option in self.hands[seat] and self.may_play(seat, option)
        card = option - (FIRST_TAKE if self.stage == TAKE else FIRST_TOP)
        return card != BREAK_CARD and card in self.table

    def seats(self) -> tuple[Seat, ...]:
        """Return the seat that is asked in this step; none at the end."""
        return () if self.stage == OVER else (self.seat,)

    @property
    def asked(self) -> dict[Seat, OneOf]:
        if self.stage == OVER:
            return {}
        seat = self.seat
        return {seat: OneOf(tuple([MOVES[option] for option in self.options_of(seat)]))}

    # -- moves

    def play(self, option: int) -> None:
        self.news = []
        if option < DRAW:
            self._play_card(option)
        elif option == DRAW:
            self._burn()
        elif option < FIRST_TOP:
            self._take(option - FIRST_TAKE)
        else:
            self._clear(option - FIRST_TOP, self.seat, self.seat)

    def _play_card(self, card: int) -> None:
        """Decision 1: play a card from the hand; an empty hand is refilled at once (SQ20)."""
        seat = self.seat
        self.leave_hand(seat, card)
        self.news.append((PLAYED, seat, card, _NO_CARDS))
        if not self.hands[seat]:
            self.refill_hand(seat)
        self.ask_next(followers(len(self.lights), self.leader, seat))

    def _burn(self) -> None:
        """Decision 1: burn a light and draw, up to ten cards in hand (SQ17, SQ18); decide again (Q18)."""
        seat = self.seat
        self.lights[seat] -= 1
        self.draw_cards(seat, min(DRAWN, HAND - len(self.hands[seat])), DREW)

    def ask_next(self, players: list[int]) -> None:
        """Ask the first of *players* that can play; play the Dummy, and skip seats without cards (Q3)."""
        for who in players:
            if who == DUMMY_CODE:
                self._play_dummy()
                continue
            if not self.hands[who]:
                self.refill_hand(who)
            if self.hands[who]:
                self.stage, self.seat = PLAY, who
                return
            self.news.append((SKIPPED, who, 0, _NO_CARDS))
        self._resolve()

    def _play_dummy(self) -> None:
        """Let the Dummy play the top of the draw pile, if there is one (SQ41, SQ48)."""
        if not self.pile:
            self.news.append((SKIPPED, DUMMY_CODE, 0, _NO_CARDS))
            return
        card = self.lay_for_dummy()
        self.news.append((PLAYED, DUMMY_CODE, card, _NO_CARDS))
        self.reshuffle_if_due()

    def _resolve(self) -> None:
        """End the play of a round: find the winner, and take the price of the marker (SQ24, SQ26, SQ47)."""
        place = winning_place(self.top, self.table)
        who = NOBODY if place == NO_WINNER else self.by[place]
        if who in (NOBODY, DUMMY_CODE):
            self._end_without_winner(who)
            return
        if self.marker == who:
            self.lights[who] -= 1
        self.news.append((WON, who, self.lights[who], _NO_CARDS))
        self.stage, self.seat = TAKE, who
        if not self.lights[who]:
            self._end(ELIMINATED, who)

    def _end_without_winner(self, who: int) -> None:
        """End a round that no seat won: no card is taken (SQ7 to SQ9, SQ45, SQ46)."""
        self.news.append((WON, who, 0, _NO_CARDS))
        by, marker = self.by, self.marker
        last = by[-1] if by[-1] != DUMMY_CODE else by[-2]
        if who == DUMMY_CODE:
            top = BREAK_CARD if BREAK_CARD in self.table else self.table[by.index(DUMMY_CODE)]
            self._clear(top, DUMMY_CODE, last)
        elif marker == NOBODY:
            self._clear(BREAK_CARD, marker, self.leader)
        else:
            self._clear(BREAK_CARD, marker, last if marker == DUMMY_CODE else marker)

    def _take(self, card: int) -> None:
        """Decision 2: take a card; it costs lights if the seat already has its number (SQ25 to SQ29)."""
        seat, number = self.seat, BIT_OF[card]
        held = 0
        for taken in self.collections[seat]:
            held |= BIT_OF[taken]
        if held & number:
            self.lights[seat] = max(0, self.lights[seat] - JEWELS_OF[card])
        lights = self.lights[seat]
        self.collections[seat] = [*self.collections[seat], card]
        at = self.table.index(card)
        self.table.pop(at)
        self.by.pop(at)
        self.news.append((TOOK, seat, lights, [card]))
        if not lights:
            self._end(ELIMINATED, seat)
        elif held | number == _ALL_NUMBERS:
            self._end(ENLIGHTENED, seat)
        elif not self.table:
            self._clear(self.top, seat, seat)
        elif BREAK_CARD in self.table:
            self._clear(BREAK_CARD, seat, seat)
        else:
            self.stage = TOP

    def _clear(self, top: int, marker: int, leader: Seat) -> None:
        """Discard the cards on the table; *marker* and *leader* are for the next round (Q7, Q8).

        Decision 3 is the choice of *top*: its colour is trump in the next round.
        """
        self.marker = marker
        self.news.append((CLEARED, marker, top, _NO_CARDS))
        self.discard_table(top)
        if self.number == NUMBER_OF_ROUNDS:
            self._end(AFTER_ROUNDS, NOBODY)
        elif not self.pile and not any(self.hands):
            self._end(WITHOUT_CARDS, NOBODY)
        else:
            self.number += 1
            self.leader = leader
            self.news.append((BEGAN, leader, self.number, _NO_CARDS))
            self.ask_next(order_of(len(self.lights), leader))

    def _end(self, ending: int, seat: int) -> None:
        """End the match; the cards on the table stay there (Q5, Q7, Q9)."""
        self.stage, self.seat = OVER, 0
        self.ending, self.ended_by = ending, seat
        self.news.append((ENDED, seat, 0, _NO_CARDS))
