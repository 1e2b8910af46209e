"""The table: the grid with its crosses, sparks and falls, the points, and the rounds that are over.

A table is changed in place and can be copied.  Nothing here asks who may do what: turns.py does.
"""

from typing import Any, Final, final

from engines.game import Seat
from engines.int_state import IntState
from engines.stella.cards import Cards, Grid, Luck
from engines.stella.grid import BIT_OF, EVERYWHERE, PLACES, places_of_round
from engines.stella.scoring import NO_SEAT, SPARK, SUPER_SPARK, find_leader, score_round

SEAT_BITS: Final = 6
"""A card that was shown is kept as its place, then as many bits for the set of seats that had crossed it."""


@final
class Past:
    """A round that is over.  It never changes: copies of a state share it."""

    __slots__ = (
        *("counts", "crosses", "crosses_written", "dark", "fallen", "flipped"),
        *("grid", "scores", "shown", "stars", "written"),
    )

    def __init__(
        self,
        grid: Grid,
        flipped: bool,
        crosses: list[int],
        shown: list[int],
        fallen: int,
        stars: list[int],
        scores: list[int],
    ) -> None:
        self.grid, self.flipped, self.crosses, self.shown = grid, flipped, crosses, shown
        self.fallen, self.stars = fallen, stars
        self.scores = scores
        """The points of this round."""
        self.counts = _count_crosses(crosses)
        self.dark = find_leader(self.counts)
        self.written = b""
        """What is public as JSON, for the next view; empty until the first one asks for it."""
        self.crosses_written = [b""] * len(crosses)
        """The crosses of each seat as JSON, kept likewise."""

    def key(self) -> tuple[Any, ...]:
        """Return all that makes the round what it is."""
        return (
            tuple(self.grid.cards),
            self.flipped,
            tuple(self.crosses),
            tuple(self.shown),
            self.fallen,
            tuple(self.stars),
            tuple(self.scores),
        )


def past_of_key(key: tuple[Any, ...], deck: Cards) -> Past:
    """Return the round that has this key, with the cards of *deck*."""
    cards, flipped, crosses, shown, fallen, stars, scores = key
    return Past(Grid([*cards], deck), flipped, [*crosses], [*shown], fallen, [*stars], [*scores])


def _count_crosses(crosses: list[int]) -> list[int]:
    return [places.bit_count() for places in crosses]


class Table(IntState):
    """The cards, crosses, stars and points of all seats, by seat unless said otherwise; NO_SEAT is none."""

    __slots__ = (
        *("counts", "crosses", "dark", "fallen", "flipped", "grid", "hidden"),
        *("luck", "number", "past", "scores", "shown", "sparks", "stars"),
    )
    luck: Luck
    """What is fixed before the match.  No seat sees the pictures and words to come."""
    number: int
    """The round, 1 to 4."""
    grid: Grid
    """The pictures of the round."""
    flipped: bool
    """Whether the word in use is the one printed upside down; False during the vote."""
    crosses: list[int]
    """The crosses as sets of places; empty until all seats have chosen.  Never changed in place."""
    counts: list[int]
    """The number of crosses, as announced.  Never changed in place."""
    dark: Seat
    """The seat with more crosses than any other, or NO_SEAT."""
    hidden: int
    """The places of the cards that have not been shown in this round, as a set."""
    shown: list[int]
    """The cards shown in this round, in their order (see SEAT_BITS).  Never changed in place."""
    fallen: int
    """The seats that have fallen in this round, as a set."""
    stars: list[int]
    """The stars of this round, as filled."""
    sparks: list[int]
    """The number of cards that the stars come from."""
    scores: list[int]
    """The points from all finished rounds.  Never changed in place."""
    past: list[Past]
    """The finished rounds, in order.  Never changed in place."""

    def copy_table(self, other: "Table") -> None:
        """Make *self* equal to *other*."""
        self.luck = other.luck
        self.number = other.number
        self.grid = other.grid
        self.flipped = other.flipped
        self.crosses = other.crosses
        self.counts = other.counts
        self.dark = other.dark
        self.hidden = other.hidden
        self.shown = other.shown
        self.fallen = other.fallen
        self.stars = other.stars.copy()
        self.sparks = other.sparks.copy()
        self.scores = other.scores
        self.past = other.past

    def restore_round(
        self,
        grid: Grid,
        flipped: bool,
        crosses: list[int],
        shown: list[int],
        fallen: int,
        stars: list[int],
        sparks: list[int],
    ) -> None:
        """Make the round what it was; *crosses* are empty if the seats have not chosen yet."""
        self.grid, self.flipped, self.crosses, self.counts, self.dark = grid, flipped, [], [], NO_SEAT
        if crosses:
            self.make_crosses(crosses)
        self.shown, self.fallen, self.stars, self.sparks = shown, fallen, stars, sparks
        self.hidden = EVERYWHERE
        for card in shown:
            self.hidden ^= BIT_OF[card >> SEAT_BITS]

    def lay_grid(self, number: int) -> None:
        """Begin round *number*, with new cards for all places or a row of them (SD22, D6)."""
        order = self.luck.order
        if number == 1:
            cards = order[:PLACES]
        else:
            places = places_of_round(number)
            dealt = PLACES + len(places) * (number - 2)  # the first grid, then a row for each round since
            cards = self.grid.cards.copy()
            for place in places:
                cards[place] = order[dealt]
                dealt += 1
        self.number, seats = number, self.luck.seats
        self.restore_round(Grid(cards, self.luck.cards), False, [], [], 0, [0] * seats, [0] * seats)

    def make_crosses(self, crosses: list[int]) -> None:
        """Make the *crosses* of all seats: count them and find the seat in the dark (SD5, D13)."""
        self.crosses = crosses
        self.counts = _count_crosses(crosses)
        self.dark = find_leader(self.counts)

    def crossed_by(self, place: int) -> int:
        """Return the set of seats that have crossed the card on *place*."""
        bit, crossed, seat = BIT_OF[place], 0, 1
        for places in self.crosses:
            if places & bit:
                crossed |= seat
            seat += seat
        return crossed

    def show_card(self, seat: Seat, place: int) -> None:
        """Show the card on *place* for *seat*: a spark, a super-spark or a fall (SD7 to SD10)."""
        crossed = self.crossed_by(place)
        if crossed & (crossed - 1):  # more than one bit: it is on the crosses of others as well
            self._fill_stars(crossed)
        else:
            self.fallen |= crossed
        shown = self.shown.copy()
        shown.append(place << SEAT_BITS | crossed)
        self.shown = shown
        self.hidden ^= BIT_OF[place]

    def _fill_stars(self, crossed: int) -> None:
        """Fill the stars of a card that several seats had crossed; the fallen fill none (SD7 to SD9)."""
        company = 0  # of all seats, because the fallen count as company, although they fill no stars
        left = crossed
        while left:
            left &= left - 1
            company += 1
        worth = SUPER_SPARK if company == 2 else SPARK
        left, seat = crossed & ~self.fallen, 0
        while left:
            if left & 1:
                self.stars[seat] += worth
                self.sparks[seat] += 1
            left >>= 1
            seat += 1

    def end_round(self) -> None:
        """Score the round and put it away (SD18 to SD20, D7, D8)."""
        scores = score_round(self.stars, self.sparks, self.dark, self.fallen)
        stars = self.stars.copy()
        past = Past(self.grid, self.flipped, self.crosses, self.shown, self.fallen, stars, scores)
        self.past = [*self.past, past]
        self.scores = [before + more for before, more in zip(self.scores, scores, strict=True)]
