"""The coins that a board pays.

What a seat has on a board is one number, its key: the value of its tokens left, and by how many tokens it is
made, which breaks ties (SS13).  Better keys are larger; a seat with nothing left has the key 0.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from engines.game import Json, Seat
from engines.starry_sky.boards import (
    BIT_OF,
    CODES,
    FIRST_PRIZE_OF,
    MOST_STARS,
    NEAR_OF,
    SECOND_PRIZE_OF,
    STARS,
    STARS_ON,
)
from engines.starry_sky.table import EMPTY, OWNER_IN, TOKEN_THAT, laid_by
from engines.starry_sky.tokens import CODES as TOKEN_CODES
from engines.starry_sky.tokens import COUNT_OF, DOUBLE_CODE, HOLE_CODE, VALUE_OF

_VALUE: Final = MOST_STARS + 1
"""What a value of 1 adds to a key, more than all tokens of a board do."""


def pay(laid: list[int], board: int, seats: int) -> list[int]:
    """Return the coins that every seat wins if *board* is scored with what is laid on its stars.

    *laid* is by star in the sky.  The payment of the first to the third and later is included.
    """
    keys = _keys(laid, board, seats)
    coins = [key % _VALUE for key in keys]  # one a token left, where nothing else is said
    best = sorted([key for key in keys if key], reverse=True)
    if not best:
        return coins  # SS10, B12
    winner = keys.index(best[0])
    if len(best) == 1:
        coins[winner] = FIRST_PRIZE_OF[board] + SECOND_PRIZE_OF[board]  # SS11
    elif best[0] != best[1]:  # else SS14
        coins[winner] = FIRST_PRIZE_OF[board]
        if len(best) == 2 or best[1] != best[2]:  # else SS16
            coins[keys.index(best[1])] = SECOND_PRIZE_OF[board]
            for key in best[2:]:
                coins[winner] -= key % _VALUE  # SS18
    return coins


def _keys(laid: list[int], board: int, seats: int) -> list[int]:
    """Return the key of every seat on *board* (SS9, SS13)."""
    stars = STARS_ON[board]
    doubles = 0
    for star in stars:
        if laid[star] != EMPTY and TOKEN_THAT[laid[star]] == DOUBLE_CODE:
            doubles |= BIT_OF[star]
    gone = _find_lost(laid, stars)
    doubles &= ~gone
    keys = [0] * seats
    for star in stars:
        lies = laid[star]
        if lies != EMPTY and not gone & BIT_OF[star]:
            value = VALUE_OF[TOKEN_THAT[lies]] << COUNT_OF[NEAR_OF[star] & doubles]
            keys[OWNER_IN[lies]] += _VALUE * value + 1
    return keys


def _find_lost(laid: list[int], stars: list[int]) -> int:
    """Return those of the *stars* of a board whose tokens are swallowed or vanish (SS3, SS4, SS5)."""
    holes = 0
    for star in stars:
        if laid[star] != EMPTY and TOKEN_THAT[laid[star]] == HOLE_CODE:
            holes |= BIT_OF[star]
    gone = 0
    if holes:
        for star in stars:
            if holes & BIT_OF[star]:
                gone |= BIT_OF[star] if NEAR_OF[star] & holes else NEAR_OF[star]
    return gone


# -- the same of names


def payment(
    name: str, owners: Sequence[Seat | None], tokens: Sequence[str | None], seats: int
) -> tuple[int, ...]:
    """Return the coins that every seat wins if board *name* is scored with *tokens* of *owners* on it.

    Both are by star; None is an empty star.  The payment of the first to the third and later is included.
    """
    return tuple(pay(_lay_tokens(name, owners, tokens), CODES[name], seats))


def explain(event: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return *event*; if a board is scored, with the sums there and what the first pays (SS9, SS18)."""
    if event["event"] != "score":
        return event
    laid = _lay_tokens(event["board"], event["owners"], event["tokens"])
    keys = _keys(laid, CODES[event["board"]], len(event["coins"]))
    first, second, *others = [*sorted(filter(None, keys), reverse=True), 0, 0]
    is_paid = len({first, second, *others[:1]}) == 3
    paid = sum(key % _VALUE for key in others) if is_paid else 0
    return {**event, "sums": [key // _VALUE for key in keys], "paid": paid or None}


def _lay_tokens(name: str, owners: Sequence[Seat | None], tokens: Sequence[str | None]) -> list[int]:
    """Return by star in the sky what is laid there if *tokens* of *owners* lie on board *name*."""
    laid = [EMPTY] * STARS
    for star, owner, token in zip(STARS_ON[CODES[name]], owners, tokens, strict=True):
        if owner is not None and token is not None:
            laid[star] = laid_by(owner, TOKEN_CODES[token])
    return laid
