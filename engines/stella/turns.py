"""The turns: whose decision comes, which options there are, and what each of them does.

A match is played on in place, option by option.  Where all seats choose in secret at the same time, they are
asked in their order, and their options are kept until the last one has chosen as well.
"""

from collections.abc import Callable, Sequence
from typing import Final

from engines.game import Choice, OneOf, Seat, Some
from engines.stella.grid import BIT_OF, EVERYWHERE, PLACES, ROUNDS, places_in
from engines.stella.moves import CROSSES, FEWEST, FLIP, KEEP, MOST, VOTE_CHOICE, all_crosses, sample_crosses
from engines.stella.table import Table

STEPS: Final = ("vote", "associate", "show", "over")
"""The name of each step, which is the decision to make."""
VOTE: Final = 0
ASSOCIATE: Final = 1
SHOW: Final = 2
OVER: Final = 3
JUST_BEGUN: Final = -2
"""Stands for the last stage of a match that has just begun."""
NOT_REMEMBERED: Final = -1
"""Stands for the last stage of a copy."""
_ALL_SEATS: Final[list[tuple[Seat, ...]]] = [tuple(range(seats)) for seats in range(7)]


class Turns(Table):
    """A match that is being played or is over, as its table and the decision that comes."""

    __slots__ = ("chosen", "last_seat", "last_stage", "stage")
    stage: int
    """The decision to make: VOTE to OVER."""
    chosen: list[int]
    """The secret options of the seats before it, while all choose."""
    # What the last step was, for its events.  No part of the state's value.
    last_stage: int
    """The stage in which it was made; JUST_BEGUN at the start of a match, NOT_REMEMBERED in a copy."""
    last_seat: Seat
    """The scout of it, if it was a show."""

    @property
    def step(self) -> str:
        """The name of the decision to make: vote, associate, show or over."""
        return STEPS[self.stage]

    @property
    def over(self) -> bool:
        return self.stage == OVER

    @property
    def word(self) -> str | None:
        """The word in use; None during the vote (D5)."""
        return None if self.stage == VOTE else self.luck.words[self.number - 1][self.flipped]

    # -- options

    def options_of(self, seat: Seat) -> Sequence[int]:
        if self.stage == SHOW:
            return self.to_show(seat)
        if self.stage == VOTE:
            return [KEEP, FLIP]
        return all_crosses() if self.stage == ASSOCIATE else ()

    def to_show(self, seat: Seat) -> list[int]:
        """Return the places of the crosses of *seat* that no seat has shown, in the order of the grid."""
        return places_in(self.crosses[seat] & self.hidden)

    def sample(self, random: Callable[[], float]) -> int:
        if self.stage == SHOW:
            places = self.to_show(self.seat)
            return places[int(random() * len(places))]
        return KEEP + int(random() * 2) if self.stage == VOTE else sample_crosses(random)

    def allows(self, seat: Seat, option: int) -> bool:
        """Return whether *option* is among the options of *seat*, which must be asked: without a list."""
        if self.stage == SHOW:
            return 0 <= option < PLACES and self.crosses[seat] & self.hidden & BIT_OF[option] != 0
        if self.stage == VOTE:
            return option in (KEEP, FLIP)
        places = option - CROSSES
        return 0 < places <= EVERYWHERE and FEWEST <= places.bit_count() <= MOST

    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that are asked in this step: the scout, or all in secret; none at the end."""
        if self.stage == SHOW:
            return (self.seat,)
        return () if self.stage == OVER else _ALL_SEATS[self.luck.seats]

    @property
    def asked(self) -> dict[Seat, Choice]:
        cards = self.luck.cards
        if self.stage == SHOW:
            shows, grid = cards.shows, self.grid.cards
            return {self.seat: OneOf(tuple([shows[grid[place]] for place in self.to_show(self.seat)]))}
        choice: Choice = VOTE_CHOICE
        if self.stage == ASSOCIATE:
            choice = Some(tuple(self.grid.names), FEWEST, MOST)
        return dict.fromkeys(self.seats(), choice)

    # -- moves

    def play(self, option: int) -> None:
        stage = self.stage
        if stage == SHOW:
            self._show(option)
        else:
            self.chosen.append(option)
            if len(self.chosen) < self.luck.seats:
                self.seat += 1
                return
            if stage == VOTE:
                self._vote()
            else:
                self._associate()
        self.last_stage = stage

    def begin_round(self) -> None:
        """Begin the next round: new cards, a new word, and a vote on it if there are votes (SD22, D5, D6)."""
        self.lay_grid(len(self.past) + 1)
        self.stage = VOTE if self.luck.word_vote else ASSOCIATE
        self.seat, self.chosen = 0, []

    def _vote(self) -> None:
        """Decision 1, all seats: flip the word card if all say so; only the result is public (SD2, D4)."""
        self.flipped = KEEP not in self.chosen
        self.stage, self.seat, self.chosen = ASSOCIATE, 0, []

    def _associate(self) -> None:
        """Decision 2, all seats: make crosses; then the first scout of the round is asked (SD4, SD24)."""
        self.make_crosses([option - CROSSES for option in self.chosen])
        self.stage, self.chosen = SHOW, []
        self.seat = (self.luck.first + self.number - 1) % self.luck.seats

    def _show(self, place: int) -> None:
        """Decision 3: show a card, then ask the next scout; without one the round ends (SD15, D11, D12)."""
        self.last_seat = self.seat
        self.show_card(self.seat, place)
        if not self._find_scout():
            self.end_round()
            if self.number < ROUNDS:
                self.begin_round()
            else:
                self.stage, self.seat = OVER, 0  # the last grid stays on view (SD23)

    def _find_scout(self) -> bool:
        """Make the next seat clockwise the scout that stands and has a card to show (SD13, SD16, D11).

        Return whether there is such a seat.
        """
        crosses, hidden, fallen, seats = self.crosses, self.hidden, self.fallen, self.luck.seats
        seat = self.seat
        for _ in range(seats):
            seat += 1
            if seat == seats:
                seat = 0
            if crosses[seat] & hidden and not fallen >> seat & 1:
                self.seat = seat
                return True
        return False
