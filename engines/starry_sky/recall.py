"""What all can tell of a token that lies face down: which tokens it is not, how rarely it is a double star.

A token that was seen on another board, while this one lay where it lies, is another token.  So when a board
is scored, the tokens on it are excluded for all others of their owners that lie face down.  Double stars come
in twos: a token that lay at the same time as one may be the other, but of all that did only one can be.  In a
set of excluded tokens the bit of the second double star says that one is excluded, both bits that both are.

How rarely is counted by the ways in which the tokens can have been laid, the two double stars told apart.
One that comes to light, and has lain beside no other that did, may be either of the two: that makes two ways.
But if a token that lies face down has lain beside it and beside an earlier one, and is a double star, they
are both the other one: that leaves one way.  So there a double star becomes twice as rare.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engines.game import Seat
from engines.starry_sky.boards import BOARDS
from engines.starry_sky.moves import PLACES
from engines.starry_sky.state import ScoredBoard
from engines.starry_sky.tokens import BITS, BOTH, DOUBLE, SECOND

__all__ = ["after_face_up", "after_scoring"]

_NONE: Final = (0, 0, False)
"""What follows where no double star was seen."""


def after_face_up(
    rarer: Mapping[str, int], excluded: Mapping[str, int], hand: int, own: Mapping[str, str]
) -> dict[str, int]:
    """Return where a double star is rarer after a seat, with *hand* and *own* left, laid one face up."""
    if _count_face_up(hand, own) == 2:  # nothing else of the seat is a double star
        return {place: times for place, times in rarer.items() if place not in own}
    return {**rarer, **_twice_as_rare(rarer, excluded, own)}


def _count_face_up(hand: int, own: Mapping[str, str]) -> int:
    """Return how many double stars of a seat lie face up: those that are neither in hand nor face down."""
    return 2 - (hand & BOTH).bit_count() - [*own.values()].count(DOUBLE)


def _twice_as_rare(
    rarer: Mapping[str, int], excluded: Mapping[str, int], own: Mapping[str, str]
) -> dict[str, int]:
    """Return how rare a double star becomes on those places of *own* that have lain beside one."""
    return {place: 2 * rarer.get(place, 1) for place in own if excluded.get(place, 0) & BOTH == SECOND}


def after_scoring(
    excluded: Mapping[str, int],
    rarer: Mapping[str, int],
    board: ScoredBoard,
    seen: Mapping[Seat, int],
    hands: tuple[int, ...],
    mine: tuple[dict[str, str], ...],
) -> tuple[dict[str, int], dict[str, int]]:
    """Return what is excluded, and where a double star is rarer, after *board* was scored.

    It brought *seen* to the hands of their owners; *hands* and *mine* are those after it.
    """
    known: dict[str, int] = {}
    rare: dict[str, int] = {}
    for seat, own in enumerate(mine):
        if own:
            back = seen.get(seat, 0)
            singles = back & ~BOTH
            alone, beside, new = _doubles(excluded, board, seat, hands[seat], own) if back & BOTH else _NONE
            if new:
                rarer = {**rarer, **_twice_as_rare(rarer, excluded, own)}
            for place in own:
                before = excluded.get(place, 0)
                if now := before | singles | (beside if before & SECOND else alone):
                    known[place] = now
                if place in rarer and now & BOTH != BOTH:
                    rare[place] = rarer[place]
    return known, rare


def _doubles(
    excluded: Mapping[str, int], board: ScoredBoard, seat: Seat, hand: int, own: Mapping[str, str]
) -> tuple[int, int, bool]:
    """Return the double stars excluded for tokens that did not lie beside one before, and for those that did.

    One or two double stars of *seat* lay on *board*.  Return as well whether one of them is new: it lay face
    down, and beside no other.
    """
    stars = [
        star
        for star, (owner, token) in enumerate(zip(board.owners, board.tokens, strict=True))
        if token == DOUBLE and owner == seat
    ]
    one_is_shown = hand & BOTH == BITS[DOUBLE] and DOUBLE not in own.values()
    if len(stars) == 2 or one_is_shown:
        return BOTH, BOTH, False
    if excluded.get(PLACES[board.name][stars[0]], 0) & SECOND:
        return SECOND, BOTH, False
    return SECOND, SECOND, stars[0] in BOARDS[board.name].large
