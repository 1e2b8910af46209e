"""The players: seats are numbers, and with two of them the Dummy plays, too (SQ40)."""

from typing import Final, Literal, TypeAlias

from engines.game import Seat

DUMMY: Final = "dummy"
Who: TypeAlias = Seat | Literal["dummy"]
"""A seat, or the Dummy."""


def _order(seats: int, leader: Seat) -> tuple[Who, ...]:
    others: list[Who] = [(leader + turn) % seats for turn in range(1, seats)]
    return (leader, DUMMY, *others) if seats == 2 else (leader, *others)


ORDERS: Final = {seats: tuple(_order(seats, leader) for leader in range(seats)) for seats in range(2, 5)}
"""The order of play by table size and leader; with two seats the Dummy is always second."""

# -- by code

NOBODY: Final = -1
"""Stands where a player may be and none is."""
DUMMY_CODE: Final = 4
PLAYERS: Final[list[Who]] = [0, 1, 2, 3, DUMMY]
"""Every player by its code: a seat's is its number."""
assert PLAYERS[DUMMY_CODE] == DUMMY

_ORDERS: Final[list[list[int]]] = [
    [PLAYERS.index(who) for who in ORDERS[seats][leader]] if leader < seats else []
    for seats in ORDERS
    for leader in range(4)
]
"""The order of play, four for each table size."""
_FOLLOWERS: Final[list[list[int]]] = [
    order[order.index(seat) + 1 :] if seat in order else [] for order in _ORDERS for seat in range(4)
]
"""The players after each seat in each of these orders."""


def order_of(seats: int, leader: Seat) -> list[int]:
    """Return the order of play.  Not to be changed."""
    return _ORDERS[4 * (seats - 2) + leader]


def followers(seats: int, leader: Seat, seat: Seat) -> list[int]:
    """Return the players that play after *seat*.  Not to be changed."""
    return _FOLLOWERS[16 * (seats - 2) + 4 * leader + seat]
