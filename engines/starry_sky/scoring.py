"""The coins that a board pays."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Seat
from engines.starry_sky.boards import BOARDS, Board
from engines.starry_sky.tokens import DOUBLE, HOLE, VALUES

__all__ = ["payment", "remaining", "standings"]


def payment(
    name: str, owners: Sequence[Seat | None], tokens: Sequence[str | None], seats: int
) -> tuple[int, ...]:
    """Return the coins that every seat wins if board *name* is scored with *tokens* of *owners* on it.

    Both are by star; None is an empty star.  The payment of the first to the third and later is included.
    """
    board = BOARDS[name]
    places = sorted(standings(board, owners, tokens), reverse=True)
    coins = [0] * seats
    for _, count, seat in places:
        coins[seat] = count
    first, second = board.prizes
    keys = [place[:2] for place in places]
    if len(keys) == 1:
        coins[places[0][2]] = first + second  # SS11
    elif keys and keys[0] != keys[1]:  # else SS10, SS14
        winner = places[0][2]
        coins[winner] = first
        if len(keys) == 2 or keys[1] != keys[2]:  # else SS16
            coins[places[1][2]] = second
            coins[winner] -= sum([count for _, count, _ in places[2:]])  # SS18
    return tuple(coins)


def standings(
    board: Board, owners: Sequence[Seat | None], tokens: Sequence[str | None]
) -> list[tuple[int, int, Seat]]:
    """Return value, number of tokens and seat for each seat with a token left on *board* (SS9, SS13)."""
    near = board.near
    here = remaining(board, tokens)
    doubles = 0
    if DOUBLE in tokens:
        for star in here:
            if tokens[star] == DOUBLE:
                doubles |= 1 << star
    values: dict[Seat, int] = {}
    counts: dict[Seat, int] = {}
    for star in here:
        owner, token = owners[star], tokens[star]
        assert owner is not None  # a token has an owner
        assert token is not None  # remaining() lists stars with a token
        value = VALUES[token]
        if doubles:
            value <<= (near[star] & doubles).bit_count()
        values[owner] = values.get(owner, 0) + value
        counts[owner] = counts.get(owner, 0) + 1
    return [(value, counts[seat], seat) for seat, value in values.items()]


def remaining(board: Board, tokens: Sequence[str | None]) -> list[int]:
    """Return the stars whose tokens are neither swallowed nor vanished (SS3, SS4, SS5)."""
    gone = 0
    if HOLE in tokens:
        near = board.near
        holes = [star for star, token in enumerate(tokens) if token == HOLE]
        together = sum([1 << star for star in holes])
        for star in holes:
            gone |= 1 << star if near[star] & together else near[star]
    return [star for star, token in enumerate(tokens) if token is not None and not gone >> star & 1]
