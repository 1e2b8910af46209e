"""What is left on a board of Starry Sky and what it counts, in names, as the rules count it."""

from engines.starry_sky import scoring
from engines.starry_sky.boards import CODES, STARS_ON


def standings(board, owners, tokens):
    """Return value, number of tokens and seat for each seat with a token left on *board* (SS9, SS13)."""
    seats = 1 + max([seat for seat in owners if seat is not None], default=0)
    keys = scoring._keys(scoring._lay_tokens(board.id, owners, tokens), CODES[board.id], seats)
    return [(key // scoring._VALUE, key % scoring._VALUE, seat) for seat, key in enumerate(keys) if key]


def remaining(board, tokens):
    """Return the stars of *board* whose tokens are neither swallowed nor vanished (SS3, SS4, SS5)."""
    laid = scoring._lay_tokens(board.id, [0] * len(tokens), tokens)
    gone = scoring._find_lost(laid, STARS_ON[CODES[board.id]])
    return [star for star, token in enumerate(tokens) if token is not None and not gone >> star & 1]
