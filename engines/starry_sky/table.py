"""The boards and the tokens on the table, as small integers, and what is done with them whatever the turn is.

A table is changed in place and can be copied.  Nothing here asks who may do what: turns.py does.
"""

from typing import Final

from engines.int_state import IntState
from engines.starry_sky.boards import BOARD_OF, IS_LARGE, NAMES, STARS, STARS_ON
from engines.starry_sky.moves import STAR_IN, TOKEN_IN
from engines.starry_sky.tokens import ALL, DOUBLE_CODE, KINDS, add_token, remove_token

_SEATS: Final = 5
EMPTY: Final = -1
"""Stands for what lies on a free star."""
LAID: Final = _SEATS * KINDS
"""How many different tokens can lie on a star: each seat has its own."""
OWNER_IN: Final[list[int]] = [lies // KINDS for lies in range(LAID)]
"""The seat of what lies on a star."""
TOKEN_THAT: Final[list[int]] = [lies % KINDS for lies in range(LAID)]
"""The token that lies on a star."""
TABLE_FIELDS: Final = (
    *("board_words", "boards", "coins", "excluded", "free", "hands"),
    *("hidden", "hidden_words", "known_words", "laid", "left", "opened"),
    *("paid", "pile", "rarer", "scored", "scored_words", "scored_written"),
)


def laid_by(seat: int, token: int) -> int:
    """Return what lies on a star where *seat* has laid *token*."""
    return KINDS * seat + token


class Table(IntState):
    """The boards in play, the boards that are scored, and the tokens of all seats.

    Boards, stars and tokens are codes.  A star is used once in a match, because a board never comes again.
    """

    __slots__ = TABLE_FIELDS
    pile: list[int]
    """The boards to come when the match began, next one first.  Never changed in place: copies share it."""
    opened: int
    """How many boards of the pile have been opened since."""
    boards: list[int]
    """The boards in play."""
    laid: list[int]
    """By star in the sky, what lies there: a code of owner and token, see laid_by(); EMPTY for nothing.

    The tokens of a board that was scored stay: that is the record of it."""
    free: list[int]
    """The empty stars in play, in the order of the boards.  Derived from the boards."""
    left: list[int]
    """By board, the number of its empty stars: 0 once it has been scored.  Derived from what is laid."""
    hands: list[int]
    """By seat, the set of the tokens in hand."""
    coins: list[int]
    """By seat, the coins won so far."""
    hidden: list[list[int]]
    """By seat, the stars in play on which its tokens lie face down, in the order in which they were laid.

    Each of the lists is never changed in place: copies share it."""
    scored: list[int]
    """The boards that were scored, oldest first.  Never changed in place, nor is the next list."""
    paid: list[list[int]]
    """The coins that every seat won on each of them, after the payment of the first to others."""
    excluded: dict[int, int]
    """By star, the set of tokens that a token face down cannot be, by public knowledge.  See recall.

    Never changed in place, nor is the next dictionary."""
    rarer: dict[int, int]
    """By star, how many times rarer a double star is than another token.  See recall."""
    # What is kept for the next view; empty where it must be told again.  No part of the value.
    board_words: list[bytes]
    """By board, a board in play as JSON."""
    hidden_words: list[bytes]
    """By seat, its tokens that lie face down."""
    known_words: bytes
    """What is excluded, and what is rarer."""
    scored_words: bytes
    """The boards that were scored, as far as they have been written."""
    scored_written: int
    """How many they are."""

    def clear_table(self, seats: int, boards: list[int], pile: list[int]) -> None:
        """Begin a match of *seats* with *boards* in play and all tokens in hand."""
        self.pile, self.opened = pile, 0
        self.boards = boards
        self.laid = [EMPTY] * STARS
        self.free = [star for board in boards for star in STARS_ON[board]]
        self.left = [len(stars) for stars in STARS_ON]
        self.hands, self.coins = [ALL] * seats, [0] * seats
        self.hidden = [[] for _ in range(seats)]
        self.scored, self.paid = [], []
        self.excluded, self.rarer = {}, {}
        self.board_words = [b""] * len(NAMES)
        self.hidden_words = [b""] * seats
        self.known_words = self.scored_words = b""
        self.scored_written = 0

    def copy_table(self, other: "Table") -> None:
        """Make *self* equal to *other*."""
        self.pile = other.pile
        self.opened = other.opened
        # lists that change in place are copied, all others are shared
        self.boards = other.boards.copy()
        self.laid = other.laid.copy()
        self.free = other.free.copy()
        self.left = other.left.copy()
        self.hands = other.hands.copy()
        self.coins = other.coins.copy()
        self.hidden = other.hidden.copy()
        self.scored = other.scored
        self.paid = other.paid
        self.excluded = other.excluded
        self.rarer = other.rarer
        self.board_words = other.board_words.copy()
        self.hidden_words = other.hidden_words.copy()
        self.known_words = other.known_words
        self.scored_words = other.scored_words
        self.scored_written = other.scored_written

    def put(self, star: int, lies: int) -> None:
        """Put a token on *star*, which is free and in play; *lies* says whose and which."""
        board = BOARD_OF[star]
        self.laid[star] = lies
        self.free.remove(star)
        self.left[board] -= 1
        self.board_words[board] = b""

    def lay(self, seat: int, option: int) -> None:
        """Lay a token of *seat* on a star, as *option* says: face down on a large one (B19)."""
        star, token = STAR_IN[option], TOKEN_IN[option]
        self.put(star, laid_by(seat, token))
        self.hands[seat] = remove_token(self.hands[seat], 1 << token)
        if IS_LARGE[star]:
            self.hidden[seat] = [*self.hidden[seat], star]
            self.hidden_words[seat] = b""

    def return_tokens(self, board: int) -> list[int]:
        """Give the tokens on *board*, which is full, back to their owners; return them by seat, as sets."""
        laid, hands = self.laid, self.hands
        back = [0] * len(hands)
        for star in STARS_ON[board]:
            seat, bit = OWNER_IN[laid[star]], 1 << TOKEN_THAT[laid[star]]
            back[seat] = add_token(back[seat], bit)
            hands[seat] = add_token(hands[seat], bit)
        return back

    def uncover(self, board: int) -> None:
        """Forget which tokens lay face down on *board*, which was scored."""
        for seat, stars in enumerate(self.hidden):
            kept = [star for star in stars if BOARD_OF[star] != board]
            if len(kept) < len(stars):
                self.hidden[seat] = kept
                self.hidden_words[seat] = b""

    def replace_board(self, board: int) -> bool:
        """Open the next board at the place of *board*, which is full; return whether there was one (B5)."""
        at = self.boards.index(board)
        if self.opened == len(self.pile):
            del self.boards[at]
            return False
        free = 0  # the empty stars before those of the board
        for before in self.boards[:at]:
            free += self.left[before]
        following = self.pile[self.opened]
        self.boards[at] = following
        self.free = self.free[:free] + STARS_ON[following] + self.free[free:]
        self.opened += 1
        return True

    def count_doubles(self, seat: int) -> int:
        """Count the double stars of *seat* that lie face down."""
        double = laid_by(seat, DOUBLE_CODE)
        return len([star for star in self.hidden[seat] if self.laid[star] == double])
