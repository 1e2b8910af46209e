"""One turn ahead in Starry Sky: each token of the hand on each free star, and what its board then promises.

Nothing is played out.  Of each star of a board it is known, or guessed from what its owner can have laid
there, what it counts and how likely it is a black hole or a double star.  Hence the light that each seat may
expect; hence its chances of the first and the second place; hence coins.  The more is open, free stars and
tokens face down, the less a lead in light is believed.  Of the tokens of others that lie face down, nothing
is read but what all know of them.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final, NamedTuple

from engines.game import Seat
from engines.position import Policy
from engines.starry_sky.boards import FIRST_PRIZE_OF, IS_LARGE, SECOND_PRIZE_OF, STARS_ON
from engines.starry_sky.boards import NAMES as BOARD_NAMES
from engines.starry_sky.outlook import Outlook
from engines.starry_sky.table import EMPTY, OWNER_IN, TOKEN_THAT
from engines.starry_sky.tokens import ALL, HOLE_CODE, KINDS, KINDS_IN, NAMES, TOKENS
from engines.starry_sky.turns import Turns

__all__ = ["STYLES", "Style", "greedy"]


class Style(NamedTuple):
    """What a player hopes and fears."""

    fear: float = 12.0
    """How much likelier than any other token a black hole lies face down."""
    doubt: float = 2.0
    """The light by which a free star may turn a lead."""
    haste: float = 0.0
    """Coins: what it is worth to take the last star of a board before somebody else does."""
    secret: float = 0.0
    """Coins: what it is worth to lay a token face down."""
    havoc: float = 0.0
    """Coins: what it is worth to lay a black hole, besides what it swallows."""
    rivalry: float = 0.0
    """Coins: what one costs that the leader may expect."""


STYLES: Final = {
    "greedy": Style(),
    "bold": Style(fear=2.0, secret=1.0, havoc=1.0),  # three in four tokens face down, holes soon
    "careful": Style(fear=30.0, doubt=2.5, haste=1.5),  # fills three times as many boards
    "rival": Style(rivalry=2.0),  # holes beside the leader
}


def greedy(style: Style) -> Policy:
    """Return the policy that plays in *style*."""
    return partial(_choose, style)


def _choose(style: Style, state: Turns, seat: Seat, rng: Random) -> int:
    """Return what *seat* plays; of equal options the first."""
    unseen, rival = _unseen_tokens(state), _leader(state, seat)
    kinds = KINDS_IN[state.hands[seat]]
    hand = [TOKENS[kind] for kind in kinds]
    best, most = 0, -1000.0
    for board in state.boards:
        free = [star for star in STARS_ON[board] if state.laid[star] == EMPTY]
        gains = _outlook(state, board, seat, unseen, style).gains(seat, hand, rival, style.rivalry)
        haste = style.haste if len(free) == 1 else 0.0
        at = 0
        for star in free:
            place = haste + style.secret if IS_LARGE[star] else haste
            for kind in kinds:
                promise = gains[at] + (place + (style.havoc if kind == HOLE_CODE else 0.0))
                at += 1
                if promise > most:
                    best, most = KINDS * star + kind, promise
    return best


def _unseen_tokens(state: Turns) -> list[list[str]]:
    """Return for each seat its tokens that do not lie face up on boards in play."""
    unseen = [[*NAMES[ALL]] for _ in state.hands]
    for board in state.boards:
        for star in STARS_ON[board]:
            lies = state.laid[star]
            if lies != EMPTY and not IS_LARGE[star]:
                unseen[OWNER_IN[lies]].remove(TOKENS[TOKEN_THAT[lies]])
    return unseen


def _without(tokens: list[str], gone: tuple[str, ...]) -> list[str]:
    """Return *tokens* without those *gone*."""
    left = tokens.copy()
    for token in gone:
        if token in left:
            left.remove(token)
    return left


def _leader(state: Turns, seat: Seat) -> Seat:
    """Return who of the others has most coins; of equals, who comes next clockwise."""
    seats, coins = len(state.coins), state.coins
    leader = (seat + 1) % seats
    for steps in range(2, seats):
        other = (seat + steps) % seats
        if coins[other] > coins[leader]:
            leader = other
    return leader


def _outlook(state: Turns, board: int, seat: Seat, unseen: list[list[str]], style: Style) -> Outlook:
    """Return a board in play as *seat* sees it, with guesses of what lies face down."""
    stars = STARS_ON[board]
    owners = [None if state.laid[star] == EMPTY else OWNER_IN[state.laid[star]] for star in stars]
    prizes = (FIRST_PRIZE_OF[board], SECOND_PRIZE_OF[board])
    seen = Outlook(BOARD_NAMES[board], prizes, owners, len(state.hands), style.doubt)
    for place, star in enumerate(stars):
        lies = state.laid[star]
        if lies == EMPTY:
            continue
        owner = OWNER_IN[lies]
        if IS_LARGE[star] and owner != seat:
            gone = NAMES[state.excluded.get(star, 0)]
            seen.guess(place, _without(unseen[owner], gone) or unseen[owner], style.fear)
        else:
            seen.put(place, TOKENS[TOKEN_THAT[lies]])
    return seen
