"""One turn ahead in Starry Sky: each token of the hand on each free star, and what its board then promises.

Nothing is played out.  Of each star of a board it is known, or guessed from what its owner can have laid
there, what it counts and how likely it is a black hole or a double star.  Hence the light that each seat may
expect; hence its chances of the first and the second place; hence coins.  The more is open, free stars and
tokens face down, the less a lead in light is believed.
"""

from math import exp, sqrt
from typing import NamedTuple

from engines.starry_sky.boards import BOARDS
from engines.starry_sky.tokens import ALL, DOUBLE, HIDDEN, HOLE, NAMES, VALUES


class Style(NamedTuple):
    """What a player hopes and fears."""

    fear: float = 12.0  # how much likelier than any other token a black hole lies face down
    doubt: float = 2.0  # the light by which a free star may turn a lead
    haste: float = 0.0  # coins: what it is worth to take the last star of a board before somebody else does
    secret: float = 0.0  # coins: what it is worth to lay a token face down
    havoc: float = 0.0  # coins: what it is worth to lay a black hole, besides what it swallows
    rivalry: float = 0.0  # coins: what one costs that the leader may expect


STYLES = {
    "greedy": Style(),
    "bold": Style(fear=2.0, secret=1.0, havoc=1.0),  # three in four tokens face down, holes soon
    "careful": Style(fear=30.0, doubt=2.5, haste=1.5),  # fills three times as many boards
    "rival": Style(rivalry=2.0),  # holes beside the leader
}
BLIND = 2.0  # the light by which a token face down may turn a lead
SLIP = 1.0  # the light by which a lead is misjudged where nothing is open: a guess is never quite certain

EACH = NAMES[ALL]  # the nine tokens of a seat
NEAR = {
    name: [[other for other in range(len(board.stars)) if joined >> other & 1] for joined in board.near]
    for name, board in BOARDS.items()
}


def chooser(style):
    """Return what chooses in *style* among the options of an act."""
    style = STYLES[style]

    def choose(act):
        seats, view = range(act.view["seats"]), act.view
        unseen = [without(EACH, in_sight(view, seat)) for seat in seats]
        promises = {}
        for board in view["boards"]:
            promises |= Board(view, board, unseen, style).promises(view["hand"])
        return max(promises, key=promises.get)

    return choose


def in_sight(view, seat):
    """Return the tokens of *seat* that lie face up on boards in play."""
    return [
        token
        for board in view["boards"]
        for owner, token in zip(board["owners"], board["tokens"], strict=True)
        if owner == seat and token != HIDDEN
    ]


def without(tokens, gone):
    """Return *tokens* without those *gone*."""
    left = [*tokens]
    for token in gone:
        if token in left:
            left.remove(token)
    return left


def leader(view):
    """Return who of the others has most coins; of equals, who comes next clockwise."""
    others = [(view["seat"] + steps) % view["seats"] for steps in range(1, view["seats"])]
    return max(others, key=lambda seat: view["coins"][seat])


class Board:
    """A board in play as a seat sees it: what each star may be worth, and who has how many tokens there."""

    def __init__(self, view, board, unseen, style):
        self.style = style
        self.name = board["board"]
        self.near = NEAR[self.name]
        self.seat = view["seat"]
        self.rival = leader(view)
        self.owners = board["owners"]
        self.large = board["large"]
        self.prizes = board["prizes"]
        self.free = [star for star, owner in enumerate(self.owners) if owner is None]
        self.counts = [self.owners.count(seat) for seat in range(view["seats"])]
        self.blind = 0  # how many tokens of others lie face down
        self.values = [0.0] * len(self.owners)
        self.holes = [0.0] * len(self.owners)  # how likely a hole lies there
        self.doubles = [0.0] * len(self.owners)
        for star, (owner, token) in enumerate(zip(self.owners, board["tokens"], strict=True)):
            place = f"{self.name}.{star}"
            if token != HIDDEN or owner == self.seat:
                self.put(star, view["mine"].get(place, token))
            else:
                tokens = without(unseen[owner], view["excluded"].get(place, ())) or unseen[owner]
                self.guess(star, tokens)
        self.shares = self.share()
        self.lights = self.shine(self.shares)

    def put(self, star, token):
        """Note that *token*, or nothing, lies on *star*."""
        self.values[star] = VALUES.get(token, 0)
        self.holes[star] = float(token == HOLE)
        self.doubles[star] = float(token == DOUBLE)

    def guess(self, star, tokens):
        """Note that one of *tokens* lies on *star*."""
        self.blind += 1
        holes = self.style.fear * tokens.count(HOLE)
        total = len(tokens) - tokens.count(HOLE) + holes
        self.values[star] = sum([VALUES[token] for token in tokens]) / total
        self.holes[star] = holes / total
        self.doubles[star] = tokens.count(DOUBLE) / total

    def promises(self, hand):
        """Return for each move on this board how much better it makes the board."""
        now, left = self.worth(self.lights, len(self.free)), len(self.free) - 1
        self.counts[self.seat] += 1
        promises = {}
        for star in self.free:
            for token in dict.fromkeys(hand):
                then = self.worth(self.lights_with(token, star), left)
                promises[f"{token}@{self.name}.{star}"] = then - now + self.taste(token, star)
        return promises

    def taste(self, token, star):
        """Return what the move is worth whatever becomes of the board."""
        haste = self.style.haste if len(self.free) == 1 else 0.0
        secret = self.style.secret if star in self.large else 0.0
        return haste + secret + (self.style.havoc if token == HOLE else 0.0)

    def lights_with(self, token, star):
        """Return the light that each seat may expect once an own *token* lies on *star*."""
        if value := VALUES[token]:  # a number changes nothing beside it
            lights = self.lights.copy()
            lights[self.seat] += value * self.shares[star]
            return lights
        self.put(star, token)
        lights = self.shine(self.share())
        self.put(star, None)
        return lights

    def share(self):
        """Return for each star how much of its value counts: holes beside it take, double stars double."""
        calm = self.beside([1 - hole for hole in self.holes])  # two holes side by side swallow nothing
        stay = self.beside([1 - hole * alone for hole, alone in zip(self.holes, calm, strict=True)])
        more = self.beside([1 + double * here for double, here in zip(self.doubles, stay, strict=True)])
        return [here * times for here, times in zip(stay, more, strict=True)]

    def beside(self, factors):
        """Return for each star the product of the *factors* of those joined to it."""
        products = []
        for near in self.near:
            product = 1.0
            for star in near:
                product *= factors[star]
            products.append(product)
        return products

    def shine(self, shares):
        """Return the light that each seat may expect where *shares* of the values count."""
        lights = [0.0] * len(self.counts)
        for owner, value, share in zip(self.owners, self.values, shares, strict=True):
            if owner is not None:
                lights[owner] += value * share
        return lights

    def worth(self, lights, free):
        """Return what the board is worth with these *lights* and so many *free* stars."""
        spread = sqrt(SLIP**2 + (self.style.doubt * free) ** 2 + BLIND**2 * self.blind)
        own = self.coins(self.seat, lights, free, spread)
        if self.style.rivalry:
            own -= self.style.rivalry * self.coins(self.rival, lights, free, spread)
        return own

    def coins(self, seat, lights, free, spread):
        """Return the coins that *seat* may expect; what the first pays to others changes few moves."""
        light, first, second = lights[seat], 1.0, 0.0
        for other, count in enumerate(self.counts):
            if other != seat and (count or free):
                ahead = 1 / (1 + exp((lights[other] - light) / spread))
                first, second = first * ahead, second * ahead + first * (1 - ahead)
        return first * self.prizes[0] + second * self.prizes[1] + (1 - first - second) * self.counts[seat]
