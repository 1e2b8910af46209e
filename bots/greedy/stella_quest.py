"""One round ahead in Stella Quest: every card that may be played, who then wins the round, and what is taken.

A seat is worth its points, and a little for what may come of it: hope for the sixth number, fear for the last
light.  To win a round is worth what the best of its cards adds to that.  How likely those who are still to
play win it instead is told by the backs of their hands and by the cards that have not been seen.
"""

from collections import Counter
from itertools import chain
from math import prod
from typing import NamedTuple

from engines.stella_quest.cards import (
    BACK_CODES,
    BACK_OF,
    BREAK_BACK,
    BREAK_CARD,
    CODES,
    DECK,
    JEWELS,
    NAMES,
    NO_BACK,
    NUMBERS,
    codes_of,
)
from engines.stella_quest.players import DUMMY, ORDERS
from engines.stella_quest.rounds import NO_WINNER, winning_place
from engines.stella_quest.table import DRAWN, HAND


class Style(NamedTuple):
    """What counts for how much, in points at the end of the match."""

    hope: float  # for every number held, times how many they are: all six win the match
    fear: float  # divided by the lights left, doubled when none is left: that loses the match
    star: float  # against having the Black Star: the next round won will cost a light
    envy: float  # against each point that the others gain, shared out among them
    patience: float  # new cards must promise so much more than their light costs: other rounds will come


STYLES = {
    "greedy": Style(hope=0.1, fear=8.0, star=1.2, envy=0.8, patience=2.0),
    # burns lights and wins round after round, for the six numbers
    "bold": Style(hope=0.4, fear=4.0, star=0.5, envy=0.3, patience=1.0),
    # sits on its lights, and lets others have the Black Star
    "careful": Style(hope=0.0, fear=20.0, star=2.5, envy=0.8, patience=5.0),
}
WON = 12.0  # for all six numbers, on top of what they are worth
THRIFT = 0.1  # for each number on a card that stays in hand
BREAK_NUMBER = 7  # a Break Card in hand is better than any number: it may always be played and never wins
NUMBER_OF = [NUMBERS.get(name, BREAK_NUMBER) for name in NAMES]
COPIES = [DECK.count(name) for name in NAMES]
JEWELS_ON = {NUMBERS[card]: jewels for card, jewels in JEWELS.items()}


def chooser(style):
    """Return what chooses in *style*."""

    def choose(act):
        view, options = act.view, act.choice.options
        return options[0] if len(options) == 1 else STEPS[view["step"]](view, options, STYLES[style])

    return choose


def play(view, options, style):
    """Play the card with the best outlook; or burn a light, if the cards for it promise enough."""
    position, trump = Position(view, style), CODES[view["top"]]
    outlooks = {option: position.outlook(CODES[option[5:]], trump) for option in options if option != "draw"}
    best = max(outlooks, key=outlooks.get)
    return "draw" if "draw" in options and position.burns(outlooks[best]) else best


def take(view, options, style):
    """Take the card that adds most."""
    collector = Collector(view, view["seat"], style)
    gains = collector.gains(collector.lights)
    return max(options, key=lambda option: gains[NUMBERS[option[5:]]])


def top(view, options, style):
    """Make that card trump under which the own hand leads best."""
    me, table = view["seat"], [card for _, card in view["table"]]
    ahead = {"leader": me, "marker": me, "table": [], "discards": [*view["discards"], *table]}
    position = Position({**view, **ahead, "lead": None}, style)
    hand = codes_of(view["hand"])
    return max(options, key=lambda option: max(position.outlook(card, CODES[option[4:]]) for card in hand))


STEPS = {"play": play, "take": take, "top": top}


class Collector:
    """What a seat has, and what it is worth."""

    def __init__(self, view, seat, style):
        self.style = style
        self.lights = view["lights"][seat]
        self.held = Counter([NUMBERS[card] for card in view["collections"][seat]])
        self.jewels = sum([JEWELS_ON[number] for number, times in self.held.items() if times == 1])

    def worth(self, lights, more=0, jewels=0):
        """Return what the seat is worth with so many *lights*, so many *more* numbers, and *jewels* more."""
        numbers = len(self.held) + more
        if lights <= 0:
            return -2 * self.style.fear
        points = lights + self.jewels + jewels + (WON if numbers == len(JEWELS_ON) else 0)
        return points + self.style.hope * numbers**2 - self.style.fear / lights

    def gains(self, lights):
        """Return what each number adds, if it is taken with so many *lights*."""
        now = self.worth(self.lights)
        gains = {}
        for number, jewels in JEWELS_ON.items():
            times = self.held[number]
            if times == 0:
                gains[number] = self.worth(lights, 1, jewels) - now
            else:  # it costs lights, and the jewels of both, if it was there once, no longer count
                gains[number] = self.worth(lights - jewels, 0, -jewels if times == 1 else 0) - now
        return gains


class Position:
    """A round under way, when it is the own seat's turn to play.  Cards and backs are codes."""

    def __init__(self, view, style):
        self.view = view
        self.style = style
        self.me = view["seat"]
        self.cards = [CODES[card] for _, card in view["table"]]
        self.lead = BACK_CODES[view["lead"]] if view["lead"] else NO_BACK
        order = ORDERS[view["seats"]][view["leader"]]
        self.after = order[order.index(self.me) + 1 :]
        unseen = COPIES.copy()
        for card in chain(view["hand"], view["discards"], *view["collections"]):
            unseen[CODES[card]] -= 1
        for card in self.cards:
            unseen[card] -= 1
        self.unseen = [(card, copies) for card, copies in enumerate(unseen) if copies > 0]
        self.unseen_backs = [0] * len(BACK_CODES)
        for card, copies in self.unseen:
            self.unseen_backs[BACK_OF[card]] += copies
        self.backs = {seat: [BACK_CODES[back] for back in backs] for seat, backs in enumerate(view["backs"])}
        self.gains = {}  # for everybody, what it brings to win the round and take a number
        for seat in self.backs:
            collector = Collector(view, seat, style)
            gains = collector.gains(collector.lights - (view["marker"] == seat))
            self.gains[seat] = {number: gain - style.star for number, gain in gains.items()}
        # the Dummy is a seat with one card and nothing to gain
        self.backs[DUMMY] = [BACK_CODES[view["back"]]] if view["back"] else []
        self.gains[DUMMY] = dict.fromkeys(JEWELS_ON, 0.0)

    def outlook(self, card, trump):
        """Return what the round brings if *card* is played, on average over what is played after it."""
        cards = [*self.cards, card]
        best = winning_place(trump, cards)
        value = 0.0
        if best != NO_WINNER:
            who = self.view["table"][best][0] if best < len(self.cards) else self.me
            value = self.felt(who, self.gain(who, cards))
        if self.after:
            lead = BACK_OF[card] if self.lead == NO_BACK and card != BREAK_CARD else self.lead
            shares = self.shares(cards, trump, lead)
            for who in self.after:
                gain = self.gain(who, cards)
                value += self.chance(who, gain > 0, lead, shares) * (self.felt(who, gain) - value)
        return value - THRIFT * NUMBER_OF[card]

    def gain(self, who, cards):
        """Return what *who* gains by winning *cards*: the best of them, or some card if there are only XX."""
        gains = self.gains[who]
        known = [gains[NUMBER_OF[card]] for card in cards if card != BREAK_CARD]
        return max(known) if known else sum(gains.values()) / len(gains)

    def felt(self, who, gain):
        """Return what it means to the own seat that *who* has that *gain*."""
        return gain if who == self.me else -self.style.envy * gain / (self.view["seats"] - 1)

    def shares(self, cards, trump, lead):
        """Return for each back the share of unseen cards that win over *cards*."""
        won, strong = [0] * len(BACK_CODES), (lead, BACK_OF[trump])
        for card, copies in self.unseen:
            # other colours win as a Super Trump, or where nothing is led yet
            back = BACK_OF[card]
            if (lead == NO_BACK or back in strong or card in cards) and (
                winning_place(trump, [*cards, card]) == len(cards)
            ):
                won[back] += copies
        return [copies / max(1, unseen) for copies, unseen in zip(won, self.unseen_backs, strict=True)]

    def chance(self, who, wants, lead, shares):
        """Return how likely *who* wins: whoever wants to does so with any card, the others if they must."""
        backs = self.backs[who]
        if lead in backs:
            backs = [back for back in backs if back in (lead, BREAK_BACK)]
        if wants:
            return 1 - prod([1 - shares[back] for back in backs])
        return prod([shares[back] for back in backs]) if backs else 0.0

    def burns(self, now):
        """Return whether cards for a light promise enough more than *now*, the best outlook."""
        view, me = self.view, Collector(self.view, self.me, self.style)
        price = me.worth(me.lights) - me.worth(me.lights - 1) + self.style.patience
        if max(self.gains[self.me].values()) - now < price:
            return False  # no card is worth it
        lights = [left - (seat == self.me) for seat, left in enumerate(view["lights"])]
        poorer = Position({**view, "lights": lights}, self.style)
        legal = (self.lead, BREAK_BACK) if self.lead in self.backs[self.me] else range(len(BACK_CODES))
        trump = CODES[view["top"]]
        outlooks = [
            (poorer.outlook(card, trump), copies) for card, copies in self.unseen if BACK_OF[card] in legal
        ]
        draws = min(DRAWN, HAND - len(view["hand"]))
        return promise(outlooks, sum(self.unseen_backs), draws, now) > price


def promise(outlooks, cards, draws, now):
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
