"""One round ahead in Stella Quest: every card that may be played, who then wins the round, and what is taken.

A seat is worth its points, and a little for what may come of it: hope for the sixth number, fear for the last
light.  To win a round is worth what the best of its cards adds to that.  How likely those who are still to
play win it instead is told by the backs of their hands and by the cards that have not been seen.  Nothing
else is read of a position: a hand of another seat as its backs, the draw pile as the back on its top.
"""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Final, NamedTuple, TypeAlias, final

from engines.game import Seat
from engines.position import Policy
from engines.stella_quest.cards import (
    BACK_NAMES,
    BACK_OF,
    BREAK_BACK,
    BREAK_CARD,
    DECK,
    JEWELS_OF,
    NAMES,
    NO_BACK,
    NUMBERS,
)
from engines.stella_quest.moves import DRAW, FIRST_TAKE, FIRST_TOP
from engines.stella_quest.players import DUMMY_CODE, followers
from engines.stella_quest.rounds import NO_WINNER, winning_place
from engines.stella_quest.table import DRAWN, HAND
from engines.stella_quest.turns import PLAY, TAKE, Turns


class Style(NamedTuple):
    """What counts for how much, in points at the end of the match."""

    hope: float
    """For every number held, times how many they are: all six win the match."""
    fear: float
    """Divided by the lights left, doubled when none is left: that loses the match."""
    star: float
    """Against having the Black Star: the next round won will cost a light."""
    envy: float
    """Against each point that the others gain, shared out among them."""
    patience: float
    """New cards must promise so much more than their light costs: other rounds will come."""


STYLES: Final = {
    "greedy": Style(hope=0.1, fear=8.0, star=1.2, envy=0.8, patience=2.0),
    # burns lights and wins round after round, for the six numbers
    "bold": Style(hope=0.4, fear=4.0, star=0.5, envy=0.3, patience=1.0),
    # sits on its lights, and lets others have the Black Star
    "careful": Style(hope=0.0, fear=20.0, star=2.5, envy=0.8, patience=5.0),
}
_WON: Final = 12.0
"""For all six numbers, on top of what they are worth."""
_THRIFT: Final = 0.1
"""For each number on a card that stays in hand."""
_SIX: Final = 6
"""How many numbers there are, from 1."""
_BREAK_NUMBER: Final = 7
"""A Break Card in hand is better than any number: it may always be played and never wins."""
_NUMBER_OF: Final[list[int]] = [NUMBERS.get(name, _BREAK_NUMBER) for name in NAMES]
_COPIES: Final[list[int]] = [DECK.count(name) for name in NAMES]
_JEWELS_ON: Final[list[int]] = [JEWELS_OF[_NUMBER_OF.index(number)] for number in range(1, _SIX + 1)]
"""The jewels on the cards of each number; the list begins with number 1, as all lists by number do."""
_NOTHING: Final = [0.0] * _SIX
_ONE_OF: Final[list[int]] = [1 << 4 * number for number in _NUMBER_OF]
"""By card, the integer of a collection with this card alone: four bits for each number count its cards."""
_END_OF: Final[list[int]] = [
    max([card for card in range(len(NAMES)) if BACK_OF[card] == back]) + 1 for back in range(len(BACK_NAMES))
]
"""By back, the code after its last card: cards with one back follow each other, the higher number later."""


_Gains: TypeAlias = dict[int, list[float]]
"""What _Look.set_gains found in one style, by all that it follows from.  Seats have little: these are few."""


def greedy(style: Style) -> Policy:
    """Return the policy that plays in *style*."""
    known: _Gains = {}
    return partial(_choose, style, known)


def _choose(style: Style, known: _Gains, state: Turns, seat: Seat, rng: Random) -> int:
    """Return what *seat* plays; of equal options the first."""
    options = state.options_of(seat)
    if len(options) == 1:
        return options[0]
    if state.stage == PLAY:
        return _play(_Look(state, seat, style, known), state, options)
    if state.stage == TAKE:
        gains = _Collector(state, seat, style).gains(state.lights[seat])
        values = [gains[_NUMBER_OF[option - FIRST_TAKE] - 1] for option in options]
    else:  # that card becomes trump under which the own hand leads best
        look = _Look(state, seat, style, known)
        look.lead_next()
        hand = state.hands[seat]
        if not hand:  # neither hand nor pile had a card left: there is nothing to compare
            return options[0]
        values = [max([look.outlook(card, option - FIRST_TOP) for card in hand]) for option in options]
    return options[_first_best(values)]


POLICIES: Final[Mapping[str, Policy]] = {f"{name}-1": greedy(style) for name, style in STYLES.items()}
"""The policies by name and version.  They never change: bots name them, and so do frozen sets of bots."""


def _play(look: "_Look", state: Turns, options: list[int]) -> int:
    """Play the card with the best outlook; or burn a light, if the cards for it promise enough."""
    cards = [option for option in options if option != DRAW]
    outlooks = [look.outlook(card, state.top) for card in cards]
    best = _first_best(outlooks)
    if len(cards) < len(options) and look.burns(outlooks[best]):
        return DRAW
    return cards[best]


def _first_best(values: list[float]) -> int:
    return values.index(max(values))


@final
class _Collector:
    """What a seat has, and what it is worth."""

    __slots__ = ("held", "jewels", "lights", "numbers", "style")
    style: Style
    lights: int
    held: list[int]
    """How many cards of each number it has taken."""
    numbers: int
    """How many numbers it has."""
    jewels: int

    def __init__(self, state: Turns, seat: Seat, style: Style) -> None:
        self.style = style
        self.lights = state.lights[seat]
        self.held = [0] * _SIX
        for card in state.collections[seat]:
            self.held[_NUMBER_OF[card] - 1] += 1
        self.numbers = self.jewels = 0
        for number, times in enumerate(self.held):
            if times:
                self.numbers += 1
            if times == 1:
                self.jewels += _JEWELS_ON[number]

    def worth(self, lights: int, more: int, jewels: int) -> float:
        """Return what the seat is worth with so many *lights*, so many *more* numbers, and *jewels* more."""
        style, numbers = self.style, self.numbers + more
        if lights <= 0:
            return -2.0 * style.fear
        points = float(lights + self.jewels + jewels)
        if numbers == _SIX:
            points += _WON
        return points + style.hope * float(numbers * numbers) - style.fear / float(lights)

    def gains(self, lights: int) -> list[float]:
        """Return what each number adds, if it is taken with so many *lights*."""
        now = self.worth(self.lights, 0, 0)
        gains: list[float] = []
        for number, jewels in enumerate(_JEWELS_ON):
            times = self.held[number]
            if times == 0:
                gains.append(self.worth(lights, 1, jewels) - now)
            else:  # it costs lights, and the jewels of both, if it was there once, no longer count
                gains.append(self.worth(lights - jewels, 0, -jewels if times == 1 else 0) - now)
        return gains


@final
class _Look:
    """A round as a seat sees it that plays next."""

    __slots__ = (
        *("after", "backs", "by", "cards", "gains", "known", "lead"),
        *("me", "others", "state", "style", "unseen", "unseen_backs"),
    )
    state: Turns
    style: Style
    me: Seat
    others: float
    """How many the other seats are."""
    cards: list[int]
    """The cards on the table."""
    by: list[int]
    """Who played each of them."""
    lead: int
    """The leading colour, as a back, or NO_BACK."""
    after: list[int]
    """The players still to come."""
    unseen: list[int]
    """By card, the copies that the seat has not seen; empty until they are counted."""
    unseen_backs: list[int]
    """The same by back."""
    backs: list[list[int]]
    """By player still to come, the backs of its hand.  The Dummy has one card, and nothing to gain."""
    gains: list[list[float]]
    """By player, what it brings to win the round and take each number.  No list of them is changed."""
    known: _Gains

    def __init__(self, state: Turns, seat: Seat, style: Style, known: _Gains) -> None:
        self.state = state
        self.style = style
        self.known = known
        self.me = seat
        seats = len(state.lights)
        self.others = float(seats - 1)
        self.cards, self.by, self.lead = state.table, state.by, state.lead
        self.expect(followers(seats, state.leader, seat))
        self.unseen = []
        self.unseen_backs = []
        self.gains = [_NOTHING] * (DUMMY_CODE + 1)
        for other in range(seats):
            self.set_gains(other, state.marker, state.lights[other])

    def expect(self, after: list[int]) -> None:
        """Let the players *after* still come."""
        state = self.state
        self.after = after
        self.backs = [[] for _ in range(DUMMY_CODE + 1)]
        for who in after:
            if who != DUMMY_CODE:
                self.backs[who] = [BACK_OF[card] for card in state.hands[who]]
            elif state.pile:
                self.backs[DUMMY_CODE] = [BACK_OF[state.pile[-1]]]

    def count_unseen(self) -> None:
        """Count the cards that the seat has not seen, unless that is done."""
        if self.unseen:
            return
        state, unseen, unseen_backs = self.state, _COPIES.copy(), [0] * len(BACK_NAMES)
        for cards in (state.hands[self.me], state.discards, *state.collections, state.table):
            for card in cards:
                unseen[card] -= 1
        for card, copies in enumerate(unseen):
            unseen_backs[BACK_OF[card]] += copies
        self.unseen, self.unseen_backs = unseen, unseen_backs

    def set_gains(self, other: Seat, marker: int, lights: int) -> None:
        """Set what *other* gains with this number of *lights*, if *marker* has the Black Star."""
        key = lights * 2 + int(marker == other)
        for card in self.state.collections[other]:
            key += _ONE_OF[card]
        gains = self.known.get(key)
        if gains is None:
            collector = _Collector(self.state, other, self.style)
            collector.lights = lights
            gains = collector.gains(lights - 1 if marker == other else lights)
            gains = self.known[key] = [gain - self.style.star for gain in gains]
        self.gains[other] = gains

    def lead_next(self) -> None:
        """Look at the round that comes, which the seat leads with the Black Star."""
        state = self.state
        self.cards, self.by, self.lead = [], [], NO_BACK
        self.expect(followers(len(state.lights), self.me, self.me))
        for other, lights in enumerate(state.lights):
            self.set_gains(other, self.me, lights)

    def outlook(self, card: int, trump: int) -> float:
        """Return what the round brings if *card* is played, on average over what is played after it."""
        cards = [*self.cards, card]
        best = winning_place(trump, cards)
        value = 0.0
        if best != NO_WINNER:
            who = self.by[best] if best < len(self.by) else self.me
            value = self.felt(who, self.gain(who, cards))
        if self.after:
            lead = BACK_OF[card] if self.lead == NO_BACK and card != BREAK_CARD else self.lead
            shares = self.shares(cards, trump, best)
            for who in self.after:
                gain = self.gain(who, cards)
                value += self.chance(who, gain > 0.0, lead, shares) * (self.felt(who, gain) - value)
        return value - _THRIFT * float(_NUMBER_OF[card])

    def gain(self, who: int, cards: list[int]) -> float:
        """Return what *who* gains by winning *cards*: the best of them, or some card if there are only XX."""
        gains = self.gains[who]
        best, is_known = 0.0, False
        for card in cards:
            if card != BREAK_CARD and (not is_known or gains[_NUMBER_OF[card] - 1] > best):
                best, is_known = gains[_NUMBER_OF[card] - 1], True
        if is_known:
            return best
        total = 0.0
        for gain in gains:
            total += gain
        return total / float(_SIX)

    def felt(self, who: int, gain: float) -> float:
        """Return what it means to the own seat that *who* has that *gain*."""
        return gain if who == self.me else -self.style.envy * gain / self.others

    def shares(self, cards: list[int], trump: int, best: int) -> list[float]:
        """Return for each back the share of unseen cards that win over *cards*; now that at *best* wins."""
        self.count_unseen()
        unseen, strong = self.unseen, BACK_OF[trump]
        if best == NO_WINNER:  # nothing is led yet, so every card wins that is no Break Card
            won = self.unseen_backs.copy()
            won[BREAK_BACK] = 0
        else:
            won = [0] * len(BACK_NAMES)
            best_card = cards[best]
            best_back = BACK_OF[best_card]
            is_super = best_card == trump or cards.index(best_card) < best
            if not is_super:
                if strong not in (best_back, BREAK_BACK):
                    won[strong] = self.unseen_backs[strong]
                for card in range(best_card + 1, _END_OF[best_back]):
                    won[best_back] += unseen[card]
            supers = [*cards, trump]  # the last of them wins, of whatever colour and number it is
            for at, card in enumerate(supers):
                back = BACK_OF[card]
                is_counted = not is_super and (card > best_card if back == best_back else back == strong)
                if card != BREAK_CARD and not is_counted and supers.index(card) == at:
                    won[back] += unseen[card]
        return [float(copies) / float(max(1, self.unseen_backs[back])) for back, copies in enumerate(won)]

    def chance(self, who: int, wants: bool, lead: int, shares: list[float]) -> float:
        """Return how likely *who* wins: whoever wants to does so with any card, the others if they must."""
        backs = self.backs[who]
        if not backs:
            return 0.0
        must_follow, chance = any(back == lead for back in backs), 1.0
        for back in backs:
            if not must_follow or back in (lead, BREAK_BACK):
                chance *= 1.0 - shares[back] if wants else shares[back]
        return 1.0 - chance if wants else chance

    def burns(self, now: float) -> bool:
        """Return whether cards for a light promise enough more than *now*, the best outlook.

        From then on this looks as a seat that has burned a light: no other question is asked of it.
        """
        state, hand = self.state, self.state.hands[self.me]
        me = _Collector(state, self.me, self.style)
        price = me.worth(me.lights, 0, 0) - me.worth(me.lights - 1, 0, 0) + self.style.patience
        if max(self.gains[self.me]) - now < price:
            return False  # no card is worth it
        self.set_gains(self.me, state.marker, me.lights - 1)
        self.count_unseen()
        must_follow = self.lead in [BACK_OF[card] for card in hand]
        outlooks: list[tuple[float, int]] = []
        for card, copies in enumerate(self.unseen):
            if copies > 0 and (not must_follow or BACK_OF[card] == self.lead or BACK_OF[card] == BREAK_BACK):
                outlooks.append((self.outlook(card, state.top), copies))
        draws = min(DRAWN, HAND - len(hand))
        return _promise(outlooks, sum(self.unseen_backs), draws, now) > price


def _promise(outlooks: list[tuple[float, int]], cards: int, draws: int, now: float) -> float:
    """Return how much better than *now* the best of some *draws* from *cards* cards is, on average.

    *outlooks* are those of the cards that may be played, each with its number of copies.
    """
    left, more = cards, 0.0
    for outlook, copies in sorted(outlooks, reverse=True):
        if outlook <= now:
            break
        best = (left / cards) ** draws - ((left - copies) / cards) ** draws  # how likely it is the best
        more += best * (outlook - now)
        left -= copies
    return more
