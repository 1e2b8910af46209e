"""One turn ahead in Starry Sky: each token of the hand on each free star, and what its board then promises.

Nothing is played out.  Of each star of a board it is known, or guessed from what its owner can have laid
there, what it counts and how likely it is a black hole or a double star.  Hence the light that each seat may
expect; hence its chances of the first and the second place; hence coins.  The more is open, free stars and
tokens face down, the less a lead in light is believed.  Of the tokens of others that lie face down, nothing
is read but what all know of them.
"""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Final, NamedTuple

from engines.game import Seat
from engines.position import Policy
from engines.starry_sky.boards import BOARD_OF, IS_LARGE
from engines.starry_sky.moves import STAR_IN, TOKEN_IN
from engines.starry_sky.outlook import DOUBT, FEAR, option_gains
from engines.starry_sky.tokens import HOLE_CODE
from engines.starry_sky.turns import Turns


class Style(NamedTuple):
    """What a player hopes and fears."""

    fear: float = FEAR
    """How much likelier than any other token a black hole lies face down."""
    doubt: float = DOUBT
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


def _choose(style: Style, state: Turns, seat: Seat, rng: Random) -> int:
    """Return what *seat* plays; of equal options the first."""
    best, most, rival = 0, -1000.0, _leader(state, seat)
    for gain, option in option_gains(state, seat, seat, style.doubt, style.fear, rival, style.rivalry):
        star = STAR_IN[option]
        place = style.haste if state.left[BOARD_OF[star]] == 1 else 0.0
        if IS_LARGE[star]:
            place += style.secret
        promise = gain + (place + (style.havoc if TOKEN_IN[option] == HOLE_CODE else 0.0))
        if promise > most:
            best, most = option, promise
    return best


POLICIES: Final[Mapping[str, Policy]] = {
    **{f"{name}-1": partial(_choose, style) for name, style in STYLES.items()},
    # the first one spends so much on the leader that it loses to greedy; this one beats it
    "rival-2": partial(_choose, Style(rivalry=0.5, secret=0.5)),
}
"""The policies by name and version.  They never change: bots name them, and so do frozen sets of bots."""


def _leader(state: Turns, seat: Seat) -> Seat:
    """Return who of the others has most coins; of equals, who comes next clockwise."""
    seats, coins = len(state.coins), state.coins
    leader = (seat + 1) % seats
    for steps in range(2, seats):
        other = (seat + steps) % seats
        if coins[other] > coins[leader]:
            leader = other
    return leader
