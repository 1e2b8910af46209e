"""The turns: whose decision comes, which options there are, and what each of them does.

A match is played on in place, option by option.  Where both seats choose in secret at the same time, seat
0 is asked first, and its option is kept until seat 1 has chosen as well.
"""

from typing import Final

from engines.game import OneOf, Seat
from engines.stellar.cards import DOWN_NUMBER, KIND_OF, NO_CARD, NUMBER_OF, SATELLITE_KIND, SIX_ZERO
from engines.stellar.moves import (
    CARD_IN,
    FIRST_TAKE,
    INTO_NOTEBOOK,
    IS_DOWN,
    KEEP,
    LAST_TAKE,
    MOVES,
    NO_SLOT,
    PLACES,
    SLOT_IN,
    WIPE_ROW,
)
from engines.stellar.table import Table, add_card

TURNS: Final = 22
STEPS: Final = ("starter", "wipe", "take", "play", "place", "final", "over")
"""The name of each step, which is the decision to make."""
STARTER: Final = 0
WIPE: Final = 1
TAKE: Final = 2
PLAY: Final = 3
PLACE: Final = 4
FINAL: Final = 5
OVER: Final = 6
_ALONE: Final = (WIPE, TAKE, PLAY, PLACE)
"""The stages in which one seat is asked; in STARTER and FINAL both choose at the same time, in secret."""
JUST_BEGUN: Final = -2
"""Stands for the last stage of a match that has just begun."""
NOT_REMEMBERED: Final = -1
"""Stands for the last stage of a copy."""
NOT_CHOSEN: Final = -1
"""Stands for an option that has not been chosen."""
_TAKES: Final[list[int]] = list(range(FIRST_TAKE, LAST_TAKE + 1))
_TAKE_CHOICE: Final = OneOf(tuple(MOVES[FIRST_TAKE : LAST_TAKE + 1]))
TURN_FIELDS: Final = (
    *(
        "always_three",
        "chosen",
        "first",
        "last_card",
        "last_option",
        "last_other",
        "last_refilled",
        "last_reshuffled",
    ),
    *("last_seat", "last_slot", "last_stage", "satellite", "stage", "turn", "waiting"),
)


class Turns(Table):
    """A match that is being played or is over, as its cards and the decision that comes."""

    __slots__ = TURN_FIELDS

    first: Seat
    """The seat of turn 0."""
    always_three: bool
    """Whether a card played face down calls for row slot 3 (ST8)."""
    turn: int
    """0 to 21; 22 after the last one."""
    stage: int
    """The decision to make: STARTER to OVER."""
    chosen: int
    """The secret option of seat 0, while seat 1 chooses; NOT_CHOSEN else."""
    satellite: bool
    """Whether a satellite was taken from the row in this turn."""
    waiting: int
    """The card that must be placed, in stage PLACE; NO_CARD else."""
    # What the last step did, for its events.  No part of the state's value; a copy does not have it.
    last_stage: int
    """The stage in which it was made; JUST_BEGUN at the start of a match, NOT_REMEMBERED in a copy."""
    last_seat: Seat
    last_option: int
    last_other: int
    """The option of seat 1, where both chose."""
    last_card: int
    """The card that was taken, or the matching card."""
    last_slot: int
    """Its row slot; NO_SLOT for the draw pile."""
    last_reshuffled: bool
    """Whether the draw pile ran out in a wipe, or for the matching card."""
    last_refilled: bool
    """Whether it ran out in the refill."""

    @property
    def step(self) -> str:
        """The name of the decision to make: starter, wipe, take, play, place, final or over."""
        return STEPS[self.stage]

    @property
    def over(self) -> bool:
        return self.stage == OVER

    # -- options

    def options_of(self, seat: Seat) -> list[int]:
        stage = self.stage
        if stage == TAKE:
            return _TAKES.copy()
        options: list[int] = []
        if stage == PLAY:
            self.add_hand_options(options, seat)
        elif stage == PLACE:
            self.add_lay_options(options, seat, self.waiting)
        elif stage == WIPE:
            options += [KEEP, WIPE_ROW]
        elif stage == STARTER:
            options += [PLACES * card for card in self.hands[seat]]
        elif stage == FINAL:
            for card in self.hands[seat]:
                if (option := PLACES * card + INTO_NOTEBOOK) not in options:
                    options.append(option)
        return options

    def allows(self, seat: Seat, option: int) -> bool:
        """Return whether *option* is among the options of *seat*, which must be asked: without a list."""
        stage = self.stage
        if option >= KEEP:
            return option >= FIRST_TAKE if stage == TAKE else stage == WIPE and option <= WIPE_ROW
        if stage == PLAY:
            if CARD_IN[option] not in self.hands[seat]:
                return False
            return SLOT_IN[option] == NO_SLOT or self.may_lay(seat, option)
        if stage == PLACE:
            return CARD_IN[option] == self.waiting and self.may_lay(seat, option)
        return option in self.options_of(seat)

    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that are asked in this step: one, or both in secret; none at the end."""
        if self.stage == OVER:
            return ()
        if self.stage == STARTER or self.stage == FINAL:
            return (0, 1)
        return (self.seat,)

    @property
    def asked(self) -> dict[Seat, OneOf]:
        if self.stage == TAKE:
            return {self.seat: _TAKE_CHOICE}
        if self.stage in _ALONE:
            return {self.seat: self._choice(self.seat)}
        return {seat: self._choice(seat) for seat in self.seats()}

    def _choice(self, seat: Seat) -> OneOf:
        return OneOf(tuple([MOVES[option] for option in self.options_of(seat)]))

    # -- moves

    def play(self, option: int) -> None:
        stage = self.stage
        if stage == TAKE:
            self._take(option - FIRST_TAKE)
        elif stage == PLAY:
            self._play_card(option)
        elif stage == PLACE:
            self._place(option)
        elif stage == WIPE:
            self._keep_or_wipe(option)
        elif self.chosen == NOT_CHOSEN:
            self.chosen, self.seat = option, 1
            return
        else:
            one, self.chosen = self.chosen, NOT_CHOSEN
            self.last_other = option
            if stage == STARTER:
                self._choose_starters(one, option)
            else:
                self._choose_last(one, option)
            option = one
        self.last_stage = stage
        self.last_option = option

    def _choose_starters(self, one: int, other: int) -> None:
        """Decision 1, both seats: choose starters; then deal hands and row (ST1)."""
        self.lay(0, one)
        self.lay(1, other)
        for seat, option in enumerate((one, other)):
            hand = self.hands[seat]
            hand.remove(CARD_IN[option])
            self.notebooks[seat] = hand
            self.hands[seat] = sorted([self.draw(), self.draw()])
        self.fill_row()
        self.stage, self.seat = TAKE, self.first

    def _keep_or_wipe(self, option: int) -> None:
        """Decision a: keep the row, or discard all of it and deal a new one (ST20)."""
        before = self.reshuffles
        if option == WIPE_ROW:
            self.discard_row()
            self.fill_row()
        self.last_seat = self.seat
        self.last_reshuffled = self.reshuffles > before
        self.stage = TAKE

    def _take(self, slot: int) -> None:
        """Decision b: take a card from the row into the hand."""
        seat, card = self.seat, self.row[slot]
        self.row[slot] = NO_CARD
        add_card(self.hands[seat], card)
        add_card(self.known[seat], card)
        self.satellite = KIND_OF[card] == SATELLITE_KIND
        self.last_seat, self.last_card, self.last_slot = seat, card, slot
        self.stage = PLAY

    def _play_card(self, option: int) -> None:
        """Decision c: play a card of the hand; its number calls for the match (ST8, ST11, ST12, A1)."""
        seat, card, before = self.seat, CARD_IN[option], self.reshuffles
        self.leave_hand(seat, card)
        number = DOWN_NUMBER if IS_DOWN[option] and self.always_three else NUMBER_OF[card]
        match, slot = NO_CARD, NO_SLOT
        if number != SIX_ZERO:
            slot = number - 1
            match = self.row[slot]
        if match == NO_CARD:
            match, slot = self.draw(), NO_SLOT
        else:
            self.row[slot] = NO_CARD
        self.last_seat, self.last_card, self.last_slot = seat, match, slot
        self.last_reshuffled = self.reshuffles > before
        if SLOT_IN[option] == NO_SLOT:
            self.note(seat, card)
            # the matching card waits for its slot, which is decision d
            self.waiting = match
            self.stage = PLACE
        else:
            self.lay(seat, option)
            self.note(seat, match)
            self._end_turn()

    def _place(self, option: int) -> None:
        """Decision d: place the matching card in the telescope; the card of the hand went to the notebook."""
        self.lay(self.seat, option)
        self.waiting = NO_CARD
        self.last_seat = self.seat
        self._end_turn()

    def _end_turn(self) -> None:
        """Refill the row, then ask the next seat (ST20, ST21, ST25)."""
        before = self.reshuffles
        self.fill_row()
        self.last_refilled = self.reshuffles > before
        self.turn += 1
        # after the last turn both seats choose, and seat 0 is asked first
        if self.turn == TURNS:
            self.stage, self.seat = FINAL, 0
        else:
            self.stage = WIPE if self.satellite else TAKE
            self.seat = 1 - self.seat
        self.satellite = False

    def _choose_last(self, one: int, other: int) -> None:
        """Decision 3, both seats: put one card in the notebook and discard the other (A10)."""
        for seat, option in enumerate((one, other)):
            card = CARD_IN[option]
            self.hands[seat].remove(card)
            self.note(seat, card)
        self.thrown = self.hands[0] + self.hands[1]
        self.discards = sorted(self.discards + self.thrown)
        self.hands, self.known = [[], []], [[], []]
        self.stage, self.seat = OVER, 0
