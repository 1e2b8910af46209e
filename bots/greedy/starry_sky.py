"""One turn ahead in Starry Sky: each token of the hand on each free star, and what its board then promises.

Nothing is played out.  Of each star of a board it is known, or guessed from what its owner can have laid
there, what it counts and how likely it is a black hole or a double star.  Hence the light that each seat may
expect; hence its chances of the first and the second place; hence coins.  The more is open, free stars and
tokens face down, the less a lead in light is believed.
"""

from operator import add, itemgetter
from typing import NamedTuple

from engines.starry_sky.outlook import Outlook
from engines.starry_sky.tokens import ALL, HIDDEN, HOLE, NAMES


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
EACH = NAMES[ALL]  # the nine tokens of a seat


def chooser(style):
    """Return what chooses in *style* among the options of an act."""
    style = STYLES[style]

    def choose(act):
        view = act.view
        unseen, rival = tokens_unseen(view), leader(view)
        hand = [*dict.fromkeys(view["hand"])]
        found = []
        for board in view["boards"]:
            free = [star for star, owner in enumerate(board["owners"]) if owner is None]
            gains = outlook(view, board, unseen, style).gains(view["seat"], hand, rival, style.rivalry)
            promises = [*map(add, gains, tastes(board, free, hand, style))]
            best = promises.index(max(promises))
            star, token = divmod(best, len(hand))
            found.append((promises[best], f"{hand[token]}@{board['board']}.{free[star]}"))
        return max(found, key=itemgetter(0))[1]

    return choose


def tokens_unseen(view):
    """Return for each seat its tokens that do not lie face up on boards in play."""
    unseen = [[*EACH] for _ in range(view["seats"])]
    for board in view["boards"]:
        for owner, token in zip(board["owners"], board["tokens"], strict=True):
            if token != HIDDEN and owner is not None and token in unseen[owner]:
                unseen[owner].remove(token)
    return unseen


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


def outlook(view, board, unseen, style):
    """Return a board in play as the seat sees it, with guesses of what lies face down."""
    seen = Outlook(board["board"], tuple(board["prizes"]), board["owners"], view["seats"], style.doubt)
    for star, (owner, token) in enumerate(zip(board["owners"], board["tokens"], strict=True)):
        if owner is not None:
            place = f"{board['board']}.{star}"
            if token == HIDDEN and owner != view["seat"]:
                tokens = without(unseen[owner], view["excluded"].get(place, ())) or unseen[owner]
                seen.guess(star, tokens, style.fear)
            else:
                seen.put(star, view["mine"].get(place, token))
    return seen


def tastes(board, free, hand, style):
    """Return what each token of *hand* on each *free* star is worth, whatever becomes of the board."""
    haste = style.haste if len(free) == 1 else 0.0
    places = [haste + style.secret if star in board["large"] else haste for star in free]
    havoc = [style.havoc if token == HOLE else 0.0 for token in hand]
    return [place + more for place in places for more in havoc]
