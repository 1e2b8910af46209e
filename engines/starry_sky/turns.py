"""The turns, played on in place: whose token comes next, the options, and what each of them does."""

from collections.abc import Callable
from typing import Final

from engines.game import OneOf, Seat
from engines.starry_sky.boards import BOARD_OF, IS_LARGE
from engines.starry_sky.moves import STAR_IN, TOKEN_IN, moves_on, options_on
from engines.starry_sky.recall import recall_face_up, recall_scoring
from engines.starry_sky.scoring import pay
from engines.starry_sky.table import EMPTY, Table
from engines.starry_sky.tokens import DOUBLE_CODE, KINDS, KINDS_IN

JUST_BEGUN: Final = -2
"""Stands for the last option of a match that has just begun."""
NOT_REMEMBERED: Final = -1
"""Stands for the last option of a copy."""
NO_BOARD: Final = -1
TURN_FIELDS: Final = (
    *("first", "last_board", "last_opened", "last_option", "last_seat", "last_skips", "turn"),
)


class Turns(Table):
    """A match that is being played or is over, as its tokens and the seat that comes."""

    __slots__ = TURN_FIELDS

    first: Seat
    """The seat that began."""
    turn: int
    """The number of tokens placed so far."""
    # What the last step did, for its events.  No part of the state's value; a copy does not have it.
    last_option: int
    """JUST_BEGUN at the start of a match, NOT_REMEMBERED in a copy."""
    last_seat: Seat
    last_board: int
    """The board that was scored, or NO_BOARD."""
    last_opened: bool
    """Whether another board took its place."""
    last_skips: int
    """How many seats were skipped, those that follow the last one."""

    @property
    def over(self) -> bool:
        return not self.boards

    # -- options

    def options_of(self, seat: Seat) -> list[int]:
        """Return the options of *seat*, which must be asked: its different tokens on every empty star."""
        return options_on(self.free, self.hands[seat])

    def option_at(self, place: int) -> int:
        """Return the option at *place* among the options of the seat that chooses next: without a list."""
        kinds = KINDS_IN[self.hands[self.seat]]
        return KINDS * self.free[place // len(kinds)] + kinds[place % len(kinds)]

    def count_options(self) -> int:
        """Return the number of options of the seat that chooses next."""
        return len(self.free) * len(KINDS_IN[self.hands[self.seat]])

    def sample(self, random: Callable[[], float]) -> int:
        return self.option_at(int(random() * self.count_options()))  # without a list

    def allows(self, seat: Seat, option: int) -> bool:
        """Return whether *option* is among the options of *seat*, which must be asked: without a list."""
        star = STAR_IN[option]
        in_hand = self.hands[seat] >> TOKEN_IN[option] & 1
        return in_hand == 1 and self.laid[star] == EMPTY and BOARD_OF[star] in self.boards

    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that are asked in this step: one, or none at the end."""
        return (self.seat,) if self.boards else ()

    @property
    def asked(self) -> dict[Seat, OneOf]:
        if not self.boards:
            return {}
        return {self.seat: OneOf(tuple(moves_on(self.free, self.hands[self.seat])))}

    # -- moves

    def play(self, option: int) -> None:
        seat, star = self.seat, STAR_IN[option]
        board = BOARD_OF[star]
        self.lay(seat, option)
        if TOKEN_IN[option] == DOUBLE_CODE and self.excluded and not IS_LARGE[star]:
            recall_face_up(self, seat)
        self.turn += 1
        self.last_option, self.last_seat, self.last_board = option, seat, NO_BOARD
        if not self.left[board]:
            self._score(board)
        self._ask_next()

    def _score(self, board: int) -> None:
        """Pay for *board*, which is full, return its tokens and open the next board (B3)."""
        won = pay(self.laid, board, len(self.hands))
        for seat, coins in enumerate(won):
            self.coins[seat] += coins
        self.scored, self.paid = [*self.scored, board], [*self.paid, won]
        back = self.return_tokens(board)
        self.uncover(board)
        recall_scoring(self, board, back)
        self.last_board = board
        self.last_opened = self.replace_board(board)

    def _ask_next(self) -> None:
        """Find the next seat clockwise with tokens in hand (SS1, B4)."""
        self.last_skips = 0
        if not self.boards:
            self.seat = 0
            return
        seats = len(self.hands)
        seat = (self.seat + 1) % seats
        while not self.hands[seat]:
            self.last_skips += 1
            seat = (seat + 1) % seats
        self.seat = seat
