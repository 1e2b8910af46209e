"""What the seats may expect of a board before it is full: light and coins, for bots that look ahead.

Of each star it is known, or guessed, what lies there: how much it counts, and how likely it is a black hole
or a double star.  Guesses on different stars are taken as independent.  Where all is known, the light is the
value that the rules count (SS9).

Light is a sum of values as the rules count them, coins are coins: an Outlook has no unit of its own.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, final

from engines.game import Seat
from engines.starry_sky.boards import BOARDS, IS_LARGE, NAMES, STARS_ON
from engines.starry_sky.table import EMPTY, OWNER_IN, TOKEN_THAT, Table
from engines.starry_sky.tokens import (
    ALL,
    BOTH,
    DOUBLE,
    EACH_IN,
    HOLE,
    KINDS,
    KINDS_IN,
    ONE_DOUBLE,
    SECOND,
    TOKENS,
    VALUES,
    remove_token,
)

DOUBT: Final = 2.0
"""The light by which a free star may turn a lead, as `greedy` takes it."""
FEAR: Final = 12.0
"""How many times as likely as any other token a black hole lies face down, as `greedy` takes it."""
_SLIP: Final = 1.0
"""The light by which a lead is misjudged where nothing is open: a guess is never quite certain."""
_BLIND: Final = 2.0
"""The light by which a token face down may turn a lead."""
_NOBODY: Final = -1
_NEAR: Final[dict[str, list[list[int]]]] = {
    name: [[other for other in range(len(board.stars)) if joined >> other & 1] for joined in board.near]
    for name, board in BOARDS.items()
}
"""For each star of a board those joined to it."""


@final
class Outlook:
    """A board, and what may lie on its stars.  Lists are by star or by seat."""

    __slots__ = ("blind", "counts", "doubles", "doubt", "holes", "near", "owners", "prizes", "values")
    near: list[list[int]]
    owners: list[int]
    prizes: tuple[int, int]
    values: list[float]
    """How much the token of each star counts; 0 on a free one."""
    holes: list[float]
    """How likely it is a black hole."""
    doubles: list[float]
    """How likely it is a double star."""
    counts: list[int]
    """The tokens of each seat."""
    blind: int
    """How many tokens are guessed."""
    doubt: float
    """The light by which each free star may turn a lead."""

    def __init__(
        self, board: str, prizes: tuple[int, int], owners: Sequence[Seat | None], seats: int, doubt: float
    ) -> None:
        """Prepare the board of this name, with nothing known of the tokens of the *owners* of its stars."""
        stars = len(owners)
        self.near = _NEAR[board]
        self.owners = [_NOBODY if owner is None else owner for owner in owners]
        self.prizes = prizes
        self.values, self.holes, self.doubles = [0.0] * stars, [0.0] * stars, [0.0] * stars
        self.counts = [0] * seats
        for owner in self.owners:
            if owner != _NOBODY:
                self.counts[owner] += 1
        self.blind = 0
        self.doubt = doubt

    def put(self, star: int, token: str | None) -> None:
        """Note that *token*, or nothing, lies on *star*."""
        self.values[star] = 0.0 if token is None else float(VALUES[token])
        self.holes[star] = 1.0 if token == HOLE else 0.0
        self.doubles[star] = 1.0 if token == DOUBLE else 0.0

    def guess(self, star: int, tokens: Sequence[str], fear: float) -> None:
        """Note that one of *tokens* lies on *star*, a black hole *fear* times as likely as any other."""
        total = value = hole = double = 0.0
        for token in tokens:
            if token == HOLE:
                hole += fear
                total += fear
            else:
                value += VALUES[token]
                total += 1.0
                if token == DOUBLE:
                    double += 1.0
        self.set_guess(star, value / total, hole / total, double / total)

    def set_guess(self, star: int, value: float, hole: float, double: float) -> None:
        """Note how much the token of *star* counts, and how likely it is a hole or a double star."""
        self.blind += 1
        self.values[star], self.holes[star], self.doubles[star] = value, hole, double

    def shares(self) -> list[float]:
        """Return for each star how much of its value counts: holes beside it take, double stars double."""
        return self._apply_doubles(self._apply_holes())

    def _apply_holes(self) -> list[float]:
        """Return for each star how much of its value black holes leave."""
        holes, near, stars = self.holes, self.near, len(self.holes)
        stay = [1.0] * stars
        for star in range(stars):
            if hole := holes[star]:
                alone = 1.0  # two holes side by side swallow nothing (SS5)
                for other in near[star]:
                    alone *= 1.0 - holes[other]
                # what lies beside this star stays unless there is a hole here that no other hole stops
                spared = 1.0 - hole * alone
                for other in near[star]:
                    stay[other] *= spared
        return stay

    def _apply_doubles(self, stay: list[float]) -> list[float]:
        """Return for each star how much of its value counts, given what holes leave."""
        doubles, near, stars = self.doubles, self.near, len(self.doubles)
        more = [1.0] * stars
        for star in range(stars):
            if double := doubles[star]:
                # a double star that may be swallowed doubles only as likely as it stays
                times = 1.0 + double * stay[star]
                for other in near[star]:
                    more[other] *= times
        return [stay[star] * more[star] for star in range(stars)]

    def _double_beside(self, star: int, stay: list[float], shares: list[float]) -> list[float]:
        """Return *shares* as they are with a double star on *star*, a free one: others change beside it."""
        doubles, near, changed = self.doubles, self.near, shares.copy()
        doubles[star] = 1.0
        for beside in near[star]:
            more = 1.0
            for other in near[beside]:
                if double := doubles[other]:
                    more *= 1.0 + double * stay[other]
            changed[beside] = stay[beside] * more
        doubles[star] = 0.0
        return changed

    def lights(self, shares: list[float]) -> list[float]:
        """Return the light that each seat may expect where *shares* of the values count."""
        values, owners = self.values, self.owners
        lights = [0.0] * len(self.counts)
        for star in range(len(owners)):
            if value := values[star]:
                lights[owners[star]] += value * shares[star]
        return lights

    def promises(self) -> list[float]:
        """Return the coins that each seat may expect of the board, by seat.

        The chances of the first and the second prize follow from the leads in light, which are believed the
        less the more is open.  A seat with neither expects a coin for each of its tokens.  What the first
        pays to others is left out, and the chances against each of the others are multiplied as if they were
        independent: so the promises of all seats may add up to more or less than the prizes.
        """
        lights, free = self.lights(self.shares()), len([owner for owner in self.owners if owner == _NOBODY])
        spread = self._spread(free)
        return [self._coins(seat, lights, free, spread) for seat in range(len(self.counts))]

    def _spread(self, free: int) -> float:
        """Return the light by which a lead may be misjudged with *free* stars left."""
        return sqrt(_SLIP**2 + (self.doubt * free) ** 2 + _BLIND**2 * self.blind)

    def gains(self, seat: Seat, hand: Sequence[str], rival: Seat, rivalry: float) -> list[float]:
        """Return how many coins better off *seat* may expect to be after each of its moves.

        Moves are in the order of the free stars, and on each of them of the tokens of *hand*, a hand without
        equal tokens.  Each coin that *rival* may expect costs *rivalry*.
        """
        stay = self._apply_holes()
        shares = self._apply_doubles(stay)
        lights = self.lights(shares)
        free = [star for star, owner in enumerate(self.owners) if owner == _NOBODY]
        left, light = len(free) - 1, lights[seat]
        now = self._worth(lights, len(free), seat, rival, rivalry)
        gains: list[float] = []
        found: dict[float, float] = {}  # by the light of the seat, where no other light changes
        self.counts[seat] += 1
        for star in free:
            is_alone = self._is_alone(star)
            for token in hand:
                value = VALUES[token]
                if value or is_alone:  # a number changes nothing beside it
                    own = light + value * shares[star]
                    if own not in found:
                        lights[seat] = own
                        found[own] = self._worth(lights, left, seat, rival, rivalry) - now
                    gains.append(found[own])
                    continue
                # a double star changes what lies beside it; a hole may also swallow what doubles stars two
                # steps away
                if token == DOUBLE:
                    after = self.lights(self._double_beside(star, stay, shares))
                else:
                    self.put(star, token)
                    after = self.lights(self.shares())
                    self.put(star, None)
                gains.append(self._worth(after, left, seat, rival, rivalry) - now)
        self.counts[seat] -= 1
        return gains

    def _is_alone(self, star: int) -> bool:
        owners = self.owners
        return all(owners[other] == _NOBODY for other in self.near[star])

    def _worth(self, lights: list[float], free: int, seat: int, rival: int, rivalry: float) -> float:
        """Return what the board is worth to *seat* with these *lights* and *free* stars left."""
        spread = self._spread(free)
        own = self._coins(seat, lights, free, spread)
        if rivalry:
            own -= rivalry * self._coins(rival, lights, free, spread)
        return own

    def _coins(self, seat: int, lights: list[float], free: int, spread: float) -> float:
        """Return the coins that *seat* may expect; what the first pays to others changes few moves."""
        light, first, second, counts = lights[seat], 1.0, 0.0, self.counts
        for other in range(len(counts)):
            if other != seat and (free or counts[other]):
                ahead = 1.0 / (1.0 + exp((lights[other] - light) / spread))
                # one pass over the others: none of them ahead, or exactly one so far
                second = second * ahead + first * (1.0 - ahead)
                first *= ahead
        return first * self.prizes[0] + second * self.prizes[1] + (1.0 - first - second) * counts[seat]


# -- of a position


def outlooks_of(
    world: Table, seat: Seat | None = None, doubt: float = DOUBT, fear: float = FEAR
) -> list[Outlook]:
    """Return the outlook of each board in play, in the order of `world.boards`.

    Without *seat* all tokens of *world*, an imagined one, are known.  With it only those that *seat* sees
    are; what others have laid face down is guessed from public knowledge, a black hole *fear* times as likely
    as any other token.  Each free star may turn a lead by a light of *doubt*.
    """
    unseen: list[int] = [] if seat is None else unseen_tokens(world)
    guessed: dict[int, tuple[float, float, float]] = {}
    return [outlook_on(world, board, seat, unseen, doubt, fear, guessed) for board in world.boards]


def expected_coins(
    world: Table, seat: Seat | None = None, doubt: float = DOUBT, fear: float = FEAR
) -> list[float]:
    """Return the coins that each seat has and may expect of the boards in play, by seat.

    What is known is said by *seat*, as for outlooks_of().  Boards that are still to come are left out.
    """
    coins = [float(each) for each in world.coins]
    for outlook in outlooks_of(world, seat, doubt, fear):
        for who, promise in enumerate(outlook.promises()):
            coins[who] += promise
    return coins


def option_gains(
    world: Table,
    who: Seat,
    seat: Seat | None = None,
    doubt: float = DOUBT,
    fear: float = FEAR,
    rival: Seat = 0,
    rivalry: float = 0.0,
) -> list[tuple[float, int]]:
    """Return how many coins better off *who* may expect to be by each of its options, in their order.

    What is known is said by *seat*, as for outlooks_of(): without it *who* chooses as a clairvoyant would,
    which is a reply for imagined worlds.  Each coin that *rival* may expect costs *rivalry*.
    """
    gains: list[tuple[float, int]] = []
    kinds = KINDS_IN[world.hands[who]]
    hand = [TOKENS[kind] for kind in kinds]
    for board, outlook in zip(world.boards, outlooks_of(world, seat, doubt, fear), strict=True):
        found = outlook.gains(who, hand, rival, rivalry)
        at = 0
        for star in STARS_ON[board]:
            if world.laid[star] == EMPTY:
                for kind in kinds:
                    gains.append((found[at], KINDS * star + kind))
                    at += 1
    return gains


def unseen_tokens(world: Table) -> list[int]:
    """Return by seat the set of its tokens that lie nowhere face up."""
    unseen, laid = [ALL] * len(world.hands), world.laid
    for board in world.boards:
        for star in STARS_ON[board]:
            lies = laid[star]
            if lies != EMPTY and not IS_LARGE[star]:
                owner = OWNER_IN[lies]
                unseen[owner] = remove_token(unseen[owner], 1 << TOKEN_THAT[lies])
    return unseen


def guessed_on(world: Table, star: int, unseen: int) -> int:
    """Return the set of tokens of which one lies face down on *star*, given those of its owner *unseen*."""
    return _without(unseen, world.excluded.get(star, 0)) or unseen


def outlook_on(
    world: Table,
    board: int,
    seat: Seat | None,
    unseen: list[int],
    doubt: float,
    fear: float,
    guessed: dict[int, tuple[float, float, float]],
) -> Outlook:
    """Return the outlook of *board*, given the tokens *unseen* by seat if *seat* does not know all.

    *guessed* has what was found for each set of tokens with this *fear*, and gets more.
    """
    name, laid, stars = NAMES[board], world.laid, STARS_ON[board]
    owners: list[Seat | None] = [None if laid[star] == EMPTY else OWNER_IN[laid[star]] for star in stars]
    outlook = Outlook(name, BOARDS[name].prizes, owners, len(world.hands), doubt)
    for place, star in enumerate(stars):
        lies = laid[star]
        if lies == EMPTY:
            continue
        owner = OWNER_IN[lies]
        if seat is None or owner == seat or not IS_LARGE[star]:
            outlook.put(place, TOKENS[TOKEN_THAT[lies]])
        else:
            left = guessed_on(world, star, unseen[owner])
            if left in guessed:
                outlook.set_guess(place, *guessed[left])
            else:
                outlook.guess(place, [TOKENS[token] for token in EACH_IN[left]], fear)
                guessed[left] = outlook.values[place], outlook.holes[place], outlook.doubles[place]
    return outlook


def _without(tokens: int, excluded: int) -> int:
    """Return *tokens* without those *excluded*, where the bit of the second double star stands for one."""
    left = tokens & ~(excluded & ~BOTH)
    if excluded & BOTH == BOTH:
        return left & ~BOTH
    return remove_token(left, ONE_DOUBLE) if excluded & SECOND and left & BOTH else left
