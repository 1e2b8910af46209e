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
"""The result of _doubles if no double star was seen."""


def after_face_up(
    rarer: Mapping[str, int], excluded: Mapping[str, int], hand: int, own: Mapping[str, str]
) -> dict[str, int]:
    """Return where a double star is rarer after a seat, now with *hand* and *own*, laid one face up."""
    if _count_face_up(hand, own) == 2:  # no other token of the seat is a double star
        return {place: times for place, times in rarer.items() if place not in own}
    return {**rarer, **_twice_as_rare(rarer, excluded, own)}


def _count_face_up(hand: int, own: Mapping[str, str]) -> int:
    """Count the double stars of a seat that lie face up: those neither in hand nor face down."""
    return 2 - (hand & BOTH).bit_count() - [*own.values()].count(DOUBLE)


def _twice_as_rare(
    rarer: Mapping[str, int], excluded: Mapping[str, int], own: Mapping[str, str]
) -> dict[str, int]:
    """Return how rare a double star becomes on the places of *own* that have lain beside one."""
    return {place: 2 * rarer.get(place, 1) for place in own if excluded.get(place, 0) & BOTH == SECOND}


def after_scoring(
    excluded: Mapping[str, int],
    rarer: Mapping[str, int],
    board: ScoredBoard,
    seen: Mapping[Seat, int],
    hands: tuple[int, ...],
    mine: tuple[dict[str, str], ...],
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the excluded tokens, and where a double star is rarer, after *board* was scored.

    *seen* are the tokens that returned to each owner; *hands* and *mine* are those after scoring.
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

    One or two double stars of *seat* lay on *board*.  Also return whether one of them is new: it lay face
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
