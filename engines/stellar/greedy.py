"""One turn ahead in Stellar: every card that can be taken, every card of the hand, the row card that follows.

A position is worth its stars times its runs, and a little for what may come of it: types towards diversity,
numbers towards majorities, the first cards of a run.  Nothing is read but what the seat sees.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Final, NamedTuple, final

from engines.game import Seat
from engines.position import Policy
from engines.stellar.cards import (
    BIT_OF,
    DOWN_NUMBER,
    KIND_OF,
    NEAR_OF,
    NO_CARD,
    NUMBER_OF,
    SATELLITE_KIND,
    SIX_ZERO,
    SLOTS,
    STARS_OF,
)
from engines.stellar.moves import DOWNWARDS, FIRST_TAKE, INTO_NOTEBOOK, KEEP, PLACES, WIPE_ROW
from engines.stellar.scoring import RUN_OF, stacks_of, stars_of
from engines.stellar.turns import FINAL, PLACE, PLAY, TAKE, WIPE, Turns


class Style(NamedTuple):
    """What counts for how much, in points at the end of the match."""

    diversity: float
    """For each type in the telescope: five of them are ten points."""
    number: float
    """For each number in the telescope: a section's majority is ten points."""
    hope: float
    """For a run of a type that has no star yet, and for a star of a type without a run."""
    satellite: float
    """A satellite in the notebook lengthens some run in the end."""
    dull: float
    """A turn that brings less than this is worth a new row."""
    room: float
    """From 0, a card will find room face up, to 1, without room it shows its 3 face down."""


STYLES: Final = {
    "greedy": Style(diversity=2.0, number=0.5, hope=0.5, satellite=2.0, dull=8.0, room=0.0),
    # few types and long runs, whatever becomes of the majorities, and new rows
    "bold": Style(diversity=0.0, number=0.2, hope=1.5, satellite=4.0, dull=12.0, room=0.0),
    # what is almost sure: majorities, diversity, stars that find room, the row as it lies
    "careful": Style(diversity=3.0, number=0.9, hope=0.3, satellite=2.0, dull=4.0, room=1.0),
}
_COUNT: Final = [slots.bit_count() for slots in range(1 << len(SLOTS))]
"""How many slots are in every set of them."""
_NEAR: Final = 0.1
"""Points: what a free slot beside a card is worth, where only places differ."""


def _choose(style: Style, state: Turns, seat: Seat, rng: Random) -> int:
    """Return what *seat* plays; of equal options the first, and of equal cards that of the highest code."""
    stage, hand, row = state.stage, state.hands[seat], state.row
    look = _Look(state, seat, style)
    if stage == WIPE:
        look.find_best_take(hand, row)
        return WIPE_ROW if look.best_value < style.dull else KEEP
    if stage == TAKE:
        return FIRST_TAKE + look.find_best_take(hand, row)
    if stage == PLAY:
        look.find_best_turn(hand, row)
        card = look.best_card
        return look.lay(state, card) if look.best_up else PLACES * card + INTO_NOTEBOOK
    if stage == PLACE:
        return look.lay(state, state.waiting)
    if stage == FINAL:
        best, most = NO_CARD, -1.0
        for card in hand:
            value = look.in_notebook(card)
            if value > most:
                best, most = card, value
        return PLACES * best + INTO_NOTEBOOK
    return PLACES * hand[0]  # the two starters are worth the same


POLICIES: Final[Mapping[str, Policy]] = {
    f"{name}-1": partial(_choose, style) for name, style in STYLES.items()
}
"""The policies by name and version.  They never change: bots name them, and so do frozen sets of bots."""


def promising(state: Turns, options: Sequence[int]) -> Sequence[int]:
    """Return *options* of the seat that is next, those first that seem best one turn ahead.

    Of the places for one card, those with many free slots around come first, and face down those with few.
    Only what is played from the hand or into the telescope is ranked; other options stay as they are.
    """
    if state.stage not in (PLAY, PLACE):
        return options
    look = _Look(state, state.seat, STYLES["greedy"])
    ranked = [(-look.worth(option, state), option) for option in options]
    ranked.sort()
    return [option for _, option in ranked]


@final
class _Look:
    """What cards are worth to a seat: its stars and runs as they lie."""

    __slots__ = (
        *("best_card", "best_up", "best_value", "free", "reach", "runs", "seat", "stacks", "stars", "style"),
    )
    style: Style
    seat: Seat
    stars: list[int]
    """The stars of each type that lie face up."""
    stacks: list[int]
    """The numbers of each type in the notebook, as bits."""
    runs: list[int]
    """The multiplier of each type."""
    free: int
    """The free slots, as bits."""
    reach: list[int]
    """For each type the slots beside what lies face up; 0: it does not."""
    best_value: float
    """What the best turn found is worth."""
    best_card: int
    """The card that it plays."""
    best_up: bool
    """Whether it plays it into the telescope."""

    def __init__(self, state: Turns, seat: Seat, style: Style) -> None:
        self.style = style
        self.seat = seat
        self.stars = stars_of(state.telescopes[seat])
        self.stacks = stacks_of(state.notebooks[seat])
        self.runs = [RUN_OF[stack] for stack in self.stacks]
        self.free = state.free[seat]
        kinds = SATELLITE_KIND + 1
        self.reach = state.reach[kinds * seat : kinds * seat + kinds]
        self.best_value, self.best_card, self.best_up = 0.0, NO_CARD, False

    def in_telescope(self, card: int, noted: int) -> float:
        """Return what *card* in the telescope is worth, after *noted*, or nothing, went into the notebook."""
        style, kind, number = self.style, KIND_OF[card], float(NUMBER_OF[card])
        if kind == SATELLITE_KIND:
            return style.number * number
        multiplier = float(self.runs[kind])
        if noted != NO_CARD and KIND_OF[noted] == kind:
            multiplier = float(RUN_OF[self.stacks[kind] | 1 << NUMBER_OF[noted]])
        if multiplier < style.hope:
            multiplier = style.hope
        beside = self.reach[kind]
        value = STARS_OF[card] * multiplier + (0.0 if beside else style.diversity) + style.number * number
        if not (beside or self.free) & self.free:
            value += style.room * (style.number * DOWN_NUMBER - value)
        return value

    def in_notebook(self, card: int) -> float:
        """Return what *card* in the notebook is worth."""
        kind = KIND_OF[card]
        if kind == SATELLITE_KIND:
            return self.style.satellite
        longer = RUN_OF[self.stacks[kind] | 1 << NUMBER_OF[card]] - self.runs[kind]
        stars = float(self.stars[kind])
        if stars < self.style.hope:
            stars = self.style.hope
        return longer * stars

    def worth(self, option: int, state: Turns) -> float:
        """Return what *option*, which plays or lays a card, is worth."""
        card, place = option // PLACES, option % PLACES
        number = NUMBER_OF[card]
        is_followed = state.stage == PLAY and number != SIX_ZERO
        follower = state.row[number - 1] if is_followed else NO_CARD
        if place == INTO_NOTEBOOK:
            return self.below(card, follower)
        if place < DOWNWARDS:
            return self.above(card, follower) + _NEAR * _COUNT[NEAR_OF[place] & self.free]
        value = self.style.number * DOWN_NUMBER - _NEAR * _COUNT[NEAR_OF[place - DOWNWARDS] & self.free]
        return value if follower == NO_CARD else value + self.in_notebook(follower)

    def find_best_turn(self, hand: list[int], row: list[int]) -> None:
        """Find the best card of *hand* to play with *row* as it lies, and its place."""
        self.best_value, self.best_card, self.best_up = -1000.0, NO_CARD, False
        for card in hand:
            number = NUMBER_OF[card]
            follower = row[number - 1] if number != SIX_ZERO else NO_CARD
            self.offer(card, self.above(card, follower), self.below(card, follower))

    def above(self, card: int, follower: int) -> float:
        """Return what *card* in the telescope is worth, with *follower*, if there is one, in the notebook."""
        above = self.in_telescope(card, follower)
        return above if follower == NO_CARD else self.in_notebook(follower) + above

    def below(self, card: int, follower: int) -> float:
        """Return what *card* in the notebook is worth, with *follower*, if there is one, in the telescope."""
        below = self.in_notebook(card)
        return below if follower == NO_CARD else below + self.in_telescope(follower, card)

    def offer(self, card: int, above: float, below: float) -> None:
        """Take *card* as the best one so far, if it is, played into the telescope or into the notebook."""
        if above > self.best_value or (above == self.best_value and card > self.best_card):
            self.best_value, self.best_card, self.best_up = above, card, True
        if below > self.best_value or (below == self.best_value and card > self.best_card):
            self.best_value, self.best_card, self.best_up = below, card, False

    def find_best_take(self, hand: list[int], row: list[int]) -> int:
        """Return the place in *row* of the card that the best turn begins with."""
        # A card of the hand is worth the same whatever is taken, except for the card that it would call.
        calls: list[int] = []
        pairs: list[float] = []
        for card in hand:
            called = NUMBER_OF[card] - 1 if NUMBER_OF[card] != SIX_ZERO else -1
            follower = row[called] if called >= 0 else NO_CARD
            calls.append(called)
            pairs.append(self.above(card, follower))
            pairs.append(self.below(card, follower))
        place, most = 0, -1000.0
        for at, card in enumerate(row):
            self.best_value, self.best_card, self.best_up = -1000.0, NO_CARD, False
            for i in range(len(hand)):
                if calls[i] == at:
                    self.offer(hand[i], self.above(hand[i], NO_CARD), self.below(hand[i], NO_CARD))
                else:
                    self.offer(hand[i], pairs[2 * i], pairs[2 * i + 1])
            called = NUMBER_OF[card] - 1
            follower = NO_CARD if called == at or NUMBER_OF[card] == SIX_ZERO else row[called]
            self.offer(card, self.above(card, follower), self.below(card, follower))
            if self.best_value > most:
                place, most = at, self.best_value
        self.best_value = most
        return place

    def lay(self, state: Turns, card: int) -> int:
        """Return the option that lays *card* in the telescope: face up if it can be, where most is free."""
        option, most = -1, -1
        up, free = state.upright(self.seat, card), self.free
        for slot, bit in enumerate(BIT_OF):
            if up & bit and _COUNT[NEAR_OF[slot] & free] > most:
                option, most = PLACES * card + slot, _COUNT[NEAR_OF[slot] & free]
        if option >= 0:
            return option
        least = len(SLOTS)
        for slot, bit in enumerate(BIT_OF):
            if free & bit and _COUNT[NEAR_OF[slot] & free] < least:
                option, least = PLACES * card + DOWNWARDS + slot, _COUNT[NEAR_OF[slot] & free]
        return option
