"""One turn ahead in Stellar: every card that can be taken, every card of the hand, the row card that follows.

A position is worth its stars times its runs, and a little for what may come of it: types towards diversity,
numbers towards majorities, the first cards of a run.
"""

from typing import NamedTuple

from engines.stellar.cards import BITS, CARDS, DOWN, DOWN_NUMBER, NEAR, SIX_ZERO, SLOTS
from engines.stellar.scoring import run


class Style(NamedTuple):
    """What counts for how much, in points at the end of the match."""

    diversity: float  # for each type in the telescope: five of them are ten points
    number: float  # for each number in the telescope: a section's majority is ten points
    hope: float  # for a run of a type that has no star yet, and for a star of a type without a run
    satellite: float  # a satellite in the notebook lengthens some run in the end
    dull: float  # a turn that brings less than this is worth a new row
    room: float  # from 0, a card will find room face up, to 1, without room it shows its 3 face down


STYLES = {
    "greedy": Style(diversity=2.0, number=0.5, hope=0.5, satellite=2.0, dull=8.0, room=0.0),
    # few types and long runs, whatever becomes of the majorities, and new rows
    "bold": Style(diversity=0.0, number=0.2, hope=1.5, satellite=4.0, dull=12.0, room=0.0),
    # what is almost sure: majorities, diversity, stars that find room, the row as it lies
    "careful": Style(diversity=3.0, number=0.9, hope=0.3, satellite=2.0, dull=4.0, room=1.0),
}
TYPES = "PMACB"


def chooser(style):
    """Return what chooses in *style*."""

    def choose(act):
        return STEPS[act.view["step"]](Position(act.view, STYLES[style]), act.choice.options)

    return choose


class Position:
    """What counts for the look ahead: own stars and numbers by type, as they lie."""

    def __init__(self, view, style):
        seat = view["seat"]
        self.style = style
        self.hand = view["hand"]
        self.row = view["row"]
        self.telescope = view["telescopes"][seat]
        self.stars = dict.fromkeys(TYPES, 0)
        self.beside = {}  # for each type that lies face up, the slots where more of it may lie
        for slot, card in self.telescope.items():
            if not card.endswith(DOWN) and CARDS[card].type:
                self.stars[CARDS[card].type] += CARDS[card].stars
                self.beside[CARDS[card].type] = self.beside.get(CARDS[card].type, 0) | NEAR[slot]
        self.free = sum(BITS[slot] for slot in SLOTS if slot not in self.telescope)
        self.numbers = {kind: [] for kind in TYPES}
        for name in view["notebooks"][seat]:
            if CARDS[name].type:
                self.numbers[CARDS[name].type].append(CARDS[name].number)
        self.multipliers = {kind: run(numbers) for kind, numbers in self.numbers.items()}

    def in_telescope(self, name, noted=None):
        """Return what *name* in the telescope is worth, after *noted* went into the notebook."""
        card = CARDS[name]
        if card.type is None:
            return self.style.number * card.number
        multiplier = self.multipliers[card.type]
        if noted and CARDS[noted].type == card.type:
            multiplier = run([*self.numbers[card.type], CARDS[noted].number])
        new = self.style.diversity if card.type not in self.beside else 0.0
        value = card.stars * max(multiplier, self.style.hope) + new + self.style.number * card.number
        if not self.beside.get(card.type, self.free) & self.free:
            value += self.style.room * (self.style.number * DOWN_NUMBER - value)
        return value

    def in_notebook(self, name):
        """Return what *name* in the notebook is worth."""
        card = CARDS[name]
        if card.type is None:
            return self.style.satellite
        longer = run([*self.numbers[card.type], card.number]) - self.multipliers[card.type]
        return longer * max(self.stars[card.type], self.style.hope)

    def pair(self, played, place, follower):
        """Return what it is worth to play *played* to *place* and *follower*, if known, to the other."""
        up, noted = (played, follower) if place == "telescope" else (follower, played)
        value = self.in_notebook(noted) if noted else 0.0
        return value + (self.in_telescope(up, noted) if up else 0.0)

    def best_turn(self, hand, row):
        """Return the value of the best play from *hand* with the row as it lies, the card and its place."""
        turns = []
        for card in hand:
            number = CARDS[card].number
            follower = row[number - 1] if number != SIX_ZERO else None
            turns += [(self.pair(card, place, follower), card, place) for place in ("telescope", "notebook")]
        return max(turns)


def starter(position, options):
    """Return any: the two starters are worth the same."""
    return options[0]


def wipe(position, options):
    """Wipe a row that no good turn begins with."""
    best = max(
        position.best_turn([*position.hand, card], without(position.row, i))[0]
        for i, card in enumerate(position.row)
    )
    return "wipe" if best < position.style.dull else "keep"


def take(position, options):
    """Take the card that the best turn begins with."""
    return max(
        options,
        key=lambda option: position.best_turn(
            [*position.hand, position.row[int(option[-1]) - 1]], without(position.row, int(option[-1]) - 1)
        )[0],
    )


def play(position, options):
    """Play the best pair of cards, into the slot that leaves the type most room."""
    _, card, place = position.best_turn(position.hand, position.row)
    return put(position, [option for option in options if option.startswith(f"{card}@")], place)


def place(position, options):
    """Put the card that follows into the telescope."""
    return put(position, options, "telescope")


def final(position, options):
    """Keep the card that the notebook gains most from."""
    return max(options, key=lambda option: position.in_notebook(option.partition("@")[0]))


def put(position, options, place):
    """Return the option that puts its card to *place*: face up if it can be, where most slots are free."""
    if place == "notebook":
        return options[-1]
    slots = [option for option in options if not option.endswith("@notebook")]
    up = [option for option in slots if not option.endswith(DOWN)]
    if up:
        return max(up, key=lambda option: free_around(position, option))
    return min(slots, key=lambda option: free_around(position, option))


def free_around(position, option):
    """Return how many free slots lie around the one that *option* names."""
    slot = option.partition("@")[2].removesuffix(DOWN)
    return (NEAR[slot] & position.free).bit_count()


def without(row, index):
    """Return *row* after its card at *index* was taken."""
    return [*row[:index], None, *row[index + 1 :]]


STEPS = {"starter": starter, "wipe": wipe, "take": take, "play": play, "place": place, "final": final}
