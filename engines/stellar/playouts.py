"""Play a match of Stellar to its end in a fraction of a millisecond, to guess which seat will win.

Both seats play the best pair of cards that they see, as the house bot `greedy` does: stars times runs, and a
little for types and numbers.  Cards are small integers here, and a position is changed in place.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from engines.dice import shuffled
from engines.game import Seat
from engines.stellar.cards import (
    BIT_OF,
    DOWN_NUMBER,
    KIND_OF,
    NEAR_OF,
    NO_CARD,
    NUMBER_OF,
    SATELLITE_KIND,
    SECTION_OF,
    SECTIONS,
    SIX_ZERO,
    SLOTS,
    STARS_OF,
)
from engines.stellar.moves import CARD_IN, IS_DOWN, SLOT_IN
from engines.stellar.scoring import DIVERSITY, MAJORITY, RUN_OF, points_of_types
from engines.stellar.state import State
from engines.stellar.turns import TURNS, WIPE

_ADDED: Final = [1 << number for number in NUMBER_OF]
_SLOTS_OF: Final = [(BIT_OF[i], NEAR_OF[i], i) for i in range(len(SLOTS))]

_PLAYABLE: Final = ("wipe", "take", "place", "final")
"""The steps from which a match can be played out."""
_TYPE: Final = 2.0
"""What a new type in the telescope is worth: five of them are ten points."""
_NUMBER: Final = 0.5
"""What each number in the telescope is worth: a section's majority is ten points."""
_HOPE: Final = 0.5
"""The run of a type that has no card in the notebook, and the stars of one that has none."""
_SATELLITE: Final = 2.0
"""What a satellite in the notebook is worth."""
_DULL: Final = 8.0
"""A row is wiped if its best turn is worth less than this."""


class _Side:
    """What a seat has: stars and numbers by type, where its types may lie, its sections and its hand."""

    __slots__ = ("beside", "free", "hand", "runs", "satellites", "sections", "stacks", "stars")

    def __init__(self, state: State, seat: Seat) -> None:
        self.hand = state.hands[seat].copy()
        self.stars = [0] * SATELLITE_KIND
        self.stacks = [0] * SATELLITE_KIND
        self.beside = [0] * SATELLITE_KIND
        self.sections = [0] * len(SECTIONS)
        self.free = state.free[seat]
        self.satellites: list[int] = []
        for option in state.telescopes[seat]:
            slot, card = SLOT_IN[option], CARD_IN[option]
            if IS_DOWN[option]:
                self.sections[SECTION_OF[slot]] += DOWN_NUMBER
                continue
            self.sections[SECTION_OF[slot]] += NUMBER_OF[card]
            if (kind := KIND_OF[card]) < SATELLITE_KIND:
                self.stars[kind] += STARS_OF[card]
                self.beside[kind] |= NEAR_OF[slot]
        for card in state.notebooks[seat]:
            if (kind := KIND_OF[card]) < SATELLITE_KIND:
                self.stacks[kind] |= _ADDED[card]
            else:
                self.satellites.append(NUMBER_OF[card])
        self.runs = [RUN_OF[stack] for stack in self.stacks]

    def telescope_value(self, card: int) -> float:
        """Return what *card* is worth in the telescope."""
        kind = KIND_OF[card]
        if kind == SATELLITE_KIND:
            return _NUMBER * NUMBER_OF[card]
        value = STARS_OF[card] * (self.runs[kind] or _HOPE) + _NUMBER * NUMBER_OF[card]
        return value if self.beside[kind] else value + _TYPE

    def notebook_value(self, card: int) -> float:
        """Return what *card* is worth in the notebook."""
        kind = KIND_OF[card]
        if kind == SATELLITE_KIND:
            return _SATELLITE
        longer = RUN_OF[self.stacks[kind] | _ADDED[card]] - self.runs[kind]
        return longer * (self.stars[kind] or _HOPE)

    def pair(self, card: int, follower: int) -> tuple[float, bool]:
        """Return what *card* and the one that follows it are worth, and whether *card* is to be noted."""
        up = self.telescope_value(card) + self.notebook_value(follower)
        down = self.telescope_value(follower) + self.notebook_value(card)
        kind = KIND_OF[card]
        if kind < SATELLITE_KIND and kind == KIND_OF[follower]:
            # shown() took the run as it is, noted() the stars; the new stars count with the longer run
            stack, run = self.stacks[kind], self.runs[kind] or _HOPE
            up += STARS_OF[card] * (RUN_OF[stack | _ADDED[follower]] - run)
            down += STARS_OF[follower] * (RUN_OF[stack | _ADDED[card]] - run)
        return (down, True) if down > up else (up, False)

    def alone(self, card: int) -> tuple[float, bool]:
        """Return what *card* is worth if the next one is not known, and whether it is to be noted."""
        up, down = self.telescope_value(card), self.notebook_value(card)
        return (down, True) if down > up else (up, False)

    def show(self, card: int) -> None:
        """Put *card* into the telescope: face up where most slots beside it are free, if it finds room."""
        kind, free = KIND_OF[card], self.free
        reach = free if kind == SATELLITE_KIND else (self.beside[kind] or free) & free
        best, most = -1, -1
        if reach:
            # many free slots beside it leave its type room to grow; types spread to the slots beside only
            for bit, near, i in _SLOTS_OF:
                if reach & bit and (around := (near & free).bit_count()) > most:
                    best, most = i, around
            bit, near, _ = _SLOTS_OF[best]
            self.sections[SECTION_OF[best]] += NUMBER_OF[card]
            if kind < SATELLITE_KIND:
                self.stars[kind] += STARS_OF[card]
                self.beside[kind] |= near
        else:
            # face down it only fills a slot, so it takes the one that is beside the fewest free ones
            for bit, near, i in _SLOTS_OF:
                if free & bit and (around := 9 - (near & free).bit_count()) > most:
                    best, most = i, around
            bit = _SLOTS_OF[best][0]
            self.sections[SECTION_OF[best]] += DOWN_NUMBER
        self.free = free ^ bit

    def note(self, card: int) -> None:
        """Put *card* into the notebook."""
        kind = KIND_OF[card]
        if kind < SATELLITE_KIND:
            self.stacks[kind] |= _ADDED[card]
            self.runs[kind] = RUN_OF[self.stacks[kind]]
        else:
            self.satellites.append(NUMBER_OF[card])

    def points(self) -> int:
        """Return the points for types and diversity, after the better card of the hand is noted."""
        self.note(max(self.hand, key=self.notebook_value))
        return points_of_types(self.stars, self.stacks, self.satellites) + DIVERSITY * all(self.beside)


def finish(state: State, rng: Random) -> int:
    """Return the lead of seat 0 in points after both seats have played *state* on to its end.

    After the draw pile of *state* come the discards, in an order of *rng*.  Raises ValueError unless the step
    is wipe, take, place or final: a seat has not taken a card that it still has to play.
    """
    if state.step not in _PLAYABLE:
        raise ValueError(f"expected a state at one of the steps {', '.join(_PLAYABLE)}, got: {state.step!r}")
    return play_out(state, [*reversed(state.pile), *shuffled(state.discards, rng)])


def play_out(state: State, pile: Sequence[int]) -> int:
    """Play *state* to its end with *pile*, large enough, next card first; return seat 0's lead in points."""
    sides = [_Side(state, 0), _Side(state, 1)]
    row = state.row.copy()
    first, drawn, wipes = state.turn, 0, state.stage == WIPE
    if state.waiting != NO_CARD:
        sides[(state.first + first) % 2].show(state.waiting)
        first, wipes = first + 1, state.satellite
        for i in range(5):
            if row[i] < 0:
                row[i], drawn = pile[drawn], drawn + 1
    for turn in range(first, TURNS):
        side = sides[(state.first + turn) % 2]
        best, taken, played, note = _best_turn(side, row)
        # a new row takes five cards, and each turn to come takes two
        if wipes and best < _DULL and len(pile) - drawn >= 5 + 2 * (TURNS - turn):
            row, drawn = [*pile[drawn : drawn + 5]], drawn + 5
            _, taken, played, note = _best_turn(side, row)
        card = row[taken]
        wipes = KIND_OF[card] == SATELLITE_KIND
        if played >= 0:
            side.hand[played], card = card, side.hand[played]
        # the card calls the row slot of its number; a 6/0, and one that calls the gap just made, the pile
        slot = NUMBER_OF[card] - 1
        if slot == taken or slot == SIX_ZERO - 1:
            follower, row[taken] = pile[drawn], pile[drawn + 1]
        else:
            follower = row[slot]
            left, right = (taken, slot) if taken < slot else (slot, taken)
            row[left], row[right] = pile[drawn], pile[drawn + 1]
        drawn += 2
        if note:
            side.note(card)
            side.show(follower)
        else:
            side.show(card)
            side.note(follower)
    one, other = sides
    majorities = [(a > b) - (a < b) for a, b in zip(one.sections, other.sections, strict=True)]
    return one.points() - other.points() + MAJORITY * sum(majorities)


def _best_turn(side: _Side, row: Sequence[int]) -> tuple[float, int, int, bool]:
    """Return the best turn: its value, the row slot to take, the card to play, whether it is to be noted.

    The card to play is an index of the hand, or -1 for the one that is taken.
    """
    pairs = []  # what a card of the hand is worth does not depend on the taken one, unless it calls its slot
    for card in side.hand:
        slot, lone = NUMBER_OF[card] - 1, side.alone(card)
        pairs.append((slot, lone, lone if slot == SIX_ZERO - 1 else side.pair(card, row[slot])))
    best, best_card, found = -1.0, -1, (0, -1, False)
    for i, card in enumerate(row):
        slot = NUMBER_OF[card] - 1
        alone = slot == i or slot == SIX_ZERO - 1
        promise, noted = side.alone(card) if alone else side.pair(card, row[slot])
        if promise > best:
            best, best_card, found = promise, card, (i, -1, noted)
        for j, (slot, lone, both) in enumerate(pairs):
            promise, noted = lone if slot == i else both
            if promise > best or (promise == best and found[0] == i and side.hand[j] > best_card):
                best, best_card, found = promise, side.hand[j], (i, j, noted)
    return best, *found
