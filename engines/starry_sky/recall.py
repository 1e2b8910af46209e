"""What all can tell of a token that lies face down: which tokens it is not.

A token that was seen on another board, while this one lay where it lies, is another token.  So when a board
is scored, the tokens on it are excluded for all others of their owners that lie face down.  Double stars come
in twos: a token that lay at the same time as one may be the other, but of all that did only one can be.  In a
set of excluded tokens the bit of the second double star says that one is excluded, both bits that both are.
"""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Seat
from engines.starry_sky.moves import PLACES
from engines.starry_sky.state import Scored
from engines.starry_sky.tokens import BITS, BOTH, DOUBLE, SECOND

__all__ = ["recalled"]


def recalled(
    excluded: Mapping[str, int],
    board: Scored,
    seen: Mapping[Seat, int],
    hands: tuple[int, ...],
    mine: tuple[dict[str, str], ...],
) -> dict[str, int]:
    """Return what is excluded after *board*, which brought *seen* to the hands of their owners.

    *excluded* is what was so before; *hands* and *mine* are those after it.
    """
    known: dict[str, int] = {}
    for seat, own in enumerate(mine):
        if own:
            back = seen.get(seat, 0)
            singles = back & ~BOTH
            alone, beside = _doubles(excluded, board, seat, hands[seat], own) if back & BOTH else (0, 0)
            for place in own:
                before = excluded.get(place, 0)
                if now := before | singles | (beside if before & SECOND else alone):
                    known[place] = now
    return known


def _doubles(
    excluded: Mapping[str, int], board: Scored, seat: Seat, hand: int, own: Mapping[str, str]
) -> tuple[int, int]:
    """Return the double stars excluded for tokens that did not lie beside one before, and for those that did.

    One or two double stars of *seat* lay on *board*.
    """
    places = [
        place
        for place, owner, token in zip(PLACES[board.name], board.owners, board.tokens, strict=True)
        if token == DOUBLE and owner == seat
    ]
    one_is_shown = hand & BOTH == BITS[DOUBLE] and DOUBLE not in own.values()
    if len(places) == 2 or one_is_shown:
        return BOTH, BOTH
    return SECOND, BOTH if excluded.get(places[0], 0) & SECOND else SECOND
