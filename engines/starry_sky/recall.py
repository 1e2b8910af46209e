"""Public knowledge about tokens that lie face down: which tokens each is not, and how rare a double star is.

A token seen on another board while this one lay face down is a different token.  So when a board is scored,
its tokens are excluded for all other tokens of their owners that lie face down.  Double stars come in pairs:
a token that lay at the same time as one may be the other, but only one of all such tokens can be.  In a set
of excluded tokens the bit of the second double star means that one is excluded, and both bits that both are.

Rarity counts the ways in which the tokens can have been laid, with the two double stars as different.  A
double star that is revealed, and lay beside no other revealed one, may be either of the two: two ways.  But
if a token face down lay both beside it and beside an earlier one, and is itself a double star, then the two
revealed ones are the same other one: one way.  So a double star there becomes twice as rare.
"""

from engines.game import Seat
from engines.starry_sky.boards import IS_LARGE, STARS_ON
from engines.starry_sky.table import Table, laid_by
from engines.starry_sky.tokens import BOTH, COUNT_OF, DOUBLE_CODE, ONE_DOUBLE, SECOND


def recall_face_up(table: Table, seat: Seat) -> None:
    """Recall where a double star is rarer, after *seat* laid one face up."""
    hidden = table.hidden[seat]
    if _count_face_up(table, seat) == 2:  # no other token of the seat is a double star
        table.rarer = {star: times for star, times in table.rarer.items() if star not in hidden}
    else:
        table.rarer = _after_another(table, seat)
    table.known_words = b""


def _count_face_up(table: Table, seat: Seat) -> int:
    """Count the double stars of a seat that lie face up: those neither in hand nor face down."""
    return 2 - COUNT_OF[table.hands[seat] & BOTH] - table.count_doubles(seat)


def _after_another(table: Table, seat: Seat) -> dict[int, int]:
    """Return where a double star is rarer, after one more was revealed.

    It becomes twice as rare wherever a token of *seat* that lies face down has lain beside an earlier one.
    """
    rarer, excluded = table.rarer.copy(), table.excluded
    for star in table.hidden[seat]:
        if excluded.get(star, 0) & BOTH == SECOND:
            rarer[star] = 2 * rarer.get(star, 1)
    return rarer


def recall_scoring(table: Table, board: int, back: list[int]) -> None:
    """Recall what is excluded, and where a double star is rarer, after *board* was scored.

    *back* are the tokens that returned to each owner; they have left the table already.
    """
    known: dict[int, int] = {}
    rare: dict[int, int] = {}
    excluded = table.excluded
    for seat, hidden in enumerate(table.hidden):
        if not hidden:
            continue
        singles = back[seat] & ~BOTH
        alone = beside = 0
        if back[seat] & BOTH:
            alone, beside, new = _doubles(table, board, seat)
            if new:
                table.rarer = _after_another(table, seat)
        rarer = table.rarer
        for star in hidden:
            before = excluded.get(star, 0)
            now = before | singles | (beside if before & SECOND else alone)
            if now:
                known[star] = now
            if star in rarer and now & BOTH != BOTH:
                rare[star] = rarer[star]
    table.excluded, table.rarer = known, rare
    table.known_words = b""


def _doubles(table: Table, board: int, seat: Seat) -> tuple[int, int, bool]:
    """Return the double stars excluded for tokens that did not lie beside one before, and for those that did.

    One or two double stars of *seat* lay on *board*.  Also return whether one of them is new: it lay face
    down, and beside no other.
    """
    double = laid_by(seat, DOUBLE_CODE)
    stars = [star for star in STARS_ON[board] if table.laid[star] == double]
    one_is_shown = table.hands[seat] & BOTH == ONE_DOUBLE and not table.count_doubles(seat)
    if len(stars) == 2 or one_is_shown:
        return BOTH, BOTH, False
    if table.excluded.get(stars[0], 0) & SECOND:
        return SECOND, BOTH, False
    return SECOND, SECOND, IS_LARGE[stars[0]]
