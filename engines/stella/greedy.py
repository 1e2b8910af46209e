"""Stella by reading: how near a picture is to the word, who else will cross it, what that company is worth.

Nothing here knows what words mean.  A picture is near a word that stands among its tags or in its sentence,
less near if the words only begin alike, and a little if it shares signs with pictures that are near.  That is
not much, but whoever reads by the same signs crosses the same pictures, and in this game the crowd is right.
Nothing is read but what the view of the seat says.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from math import exp
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias, final

from engines.game import Json, Move, Seat
from engines.position import Policy
from engines.stella.cards import Grid
from engines.stella.deck import Deck
from engines.stella.grid import SEATS_IN
from engines.stella.moves import MOST
from engines.stella.scoring import SPARK, SUPER_SPARK
from engines.stella.state import State
from engines.stella.table import SEAT_BITS
from engines.stella.turns import STEPS
from engines.stella.view import IN_SEATS

_USUAL: Final = 5.5
"""The crosses of a seat that has not made any yet: halfway from 1 to 10."""
_BLUR: Final = 2.0
"""The places by which two readers differ in the order of the pictures."""
_SLIP: Final = 0.1
"""How often a reader leaves out the nearest picture, or crosses the farthest."""
_RESCUE: Final = 1.5
"""The stars that a seat still fills because somebody else has its card and it does not fall."""
_OWN_SHOWS: Final = 0.5
"""The risk of an own show for each place in the order, times seats: others show my cards as well."""
_FIRST: Final = 3
"""Words are alike only if this many of their first letters are the same."""
_COMMON: Final = 0.01
"""How near a picture of the most common signs is to any word: all that a strange word leaves."""


class Style(NamedTuple):
    """How a player reads, and what it wants: costs are in stars."""

    tags: float = 1.0
    """The weight of what the tags say."""
    sentence: float = 0.5
    """The weight of what the sentence says."""
    kin: float = 1.0
    """The weight of sharing signs with pictures that are near."""
    envy: float = 1.0
    """What it costs that each of the others fills a star."""
    leader: float = 0.0
    """The share of the envy that is for the one in the lead, and not for all alike."""
    doubt: float = 0.0
    """The cost of a cross that no other seat shares."""
    dread: float = 1.0
    """What the dark takes for each card from a seat that falls: 1 by the rules."""
    nerve: float = 4.0
    """What a scout loses by falling."""
    fewest: int = 2
    """Crosses, however little they promise."""
    most: int = MOST


STYLES: Final = {
    "greedy": Style(),
    "bold": Style(envy=0.5, dread=0.7, nerve=1.0, fewest=6),
    "careful": Style(doubt=1.0, dread=2.0, nerve=10.0, most=7),
    "rival": Style(envy=1.5, leader=1.0, nerve=1.0),
    "dreamer": Style(tags=0.3, sentence=1.0),
}
_View: TypeAlias = Mapping[str, Json]
_Round: TypeAlias = tuple[list[str], list[int], dict[str, Sequence[Seat]]]
"""The cards of a round, the nearest first, the crosses of each seat, and who had crossed the cards shown."""


def _choose(style: Style, state: State, seat: Seat, rng: Random) -> int:
    """Return what *seat* plays; of equal options the first."""
    view = _read(state, seat)
    move: Move
    if view["step"] == "vote":
        move = _vote(view, style)
    elif view["step"] == "associate":
        move = _associate(view, style)
    else:
        move = _show(view, style, [state.move_of(option) for option in state.options_of(seat)])
    return state.find_option(move)


POLICIES: Final[Mapping[str, Policy]] = {
    f"{name}-1": partial(_choose, style) for name, style in STYLES.items()
}
"""The policies by name and version.  They never change: bots name them, and so do frozen sets of bots."""


def _read(state: State, seat: Seat) -> _View:
    """Return what the view of *seat* says of what is needed here; by way of JSON it takes long."""
    luck, grid = state.luck, state.grid
    past = [
        {
            "cards": round_.grid.names,
            "word": luck.words[number][round_.flipped],
            "counts": round_.counts,
            "shown": _read_shown(round_.grid, round_.shown),
        }
        for number, round_ in enumerate(state.past)
    ]
    words = luck.words[state.number - 1]
    return {
        "seat": seat,
        "seats": luck.seats,
        "deck": luck.cards.deck,
        "step": STEPS[state.stage],
        "cards": grid.names,
        "words": words,
        "word": words[state.flipped],
        "counts": state.counts,
        "shown": _read_shown(grid, state.shown),
        "fallen": SEATS_IN[state.fallen],
        "stars": state.stars,
        "scores": state.scores,
        "rounds": past,
    }


def _read_shown(grid: Grid, shown: list[int]) -> dict[str, Sequence[Seat]]:
    """Return the cards that were shown, each with the seats that had crossed it."""
    return {grid.names[card >> SEAT_BITS]: SEATS_IN[card & IN_SEATS] for card in shown}


def _vote(view: _View, style: Style) -> str:
    """Flip the word card if the other word says more of the grid."""
    near = [_nearness(view["deck"], word, style) for word in view["words"]]
    keep, flip = (sum([of_word[card] for card in view["cards"]]) for of_word in near)
    return "flip" if flip > keep else "keep"


def _associate(view: _View, style: Style) -> tuple[str, ...]:
    """Cross the pictures of most worth, as many as make the round worth most."""
    table = _Table(view, style)
    order = sorted(view["cards"], key=table.worth, reverse=True)[: style.most]
    values = table.values(order)
    best = max(range(style.fewest, len(order) + 1), key=lambda number: values[number - 1])
    return tuple(order[:best])


def _show(view: _View, style: Style, options: Sequence[Any]) -> Move:
    """Show the cross that promises most for the risk of being alone on it."""
    table = _Table(view, style)
    best: Move = max(options, key=lambda option: table.promise(option.removeprefix("show ")))
    return best


@final
class _Table:
    """How likely each of the other seats has crossed, or will cross, each picture that nobody has shown."""

    __slots__ = ("chances", "counts", "envy", "readers", "seats", "style")

    def __init__(self, view: _View, style: Style) -> None:
        deck, me = view["deck"], view["seat"]
        self.style = style
        self.seats: int = view["seats"]
        grid = _rank(view["cards"], _nearness(deck, view["word"], style))
        past = [
            (_rank(told["cards"], _nearness(deck, told["word"], style)), told["counts"], told["shown"])
            for told in view["rounds"]
        ]
        rounds = [*past, (grid, view["counts"], view["shown"])]
        others = [seat for seat in range(self.seats) if seat != me]
        self.counts = {seat: _expected_count(seat, rounds) for seat in others}
        self.readers = {seat: _reader(seat, rounds) for seat in others}
        hidden = [card for card in grid if card not in view["shown"]]
        chances = [self.crosses(seat, len(hidden), view["shown"]) for seat in others]
        by_card = [[*zip(others, of_card, strict=True)] for of_card in zip(*chances, strict=True)]
        self.chances = dict(zip(hidden, by_card, strict=True))  # seats and how likely they have crossed it
        lead = max(others, key=lambda seat: view["scores"][seat] + view["stars"][seat])
        even = (1 - style.leader) / len(others)
        self.envy = {
            seat: style.envy * (even + style.leader * (seat == lead))
            for seat in others
            if seat not in view["fallen"]
        }

    def crosses(self, seat: Seat, hidden: int, shown: Mapping[str, list[Seat]]) -> list[float]:
        """Return how likely *seat*, which may read or throw dice, has crossed each of *hidden* pictures."""
        left = self.counts[seat] - sum([seat in crossed for crossed in shown.values()])
        sight = [_reach(left, rank) for rank in range(hidden)]
        # a reader makes exactly its count of crosses, so the chances by rank are scaled to add up to it
        scale, dice, reads = left / sum(sight), left / hidden, self.readers[seat]
        return [reads * min(scale * p, 1.0) + (1 - reads) * dice for p in sight]

    def company(self, card: str, without: Seat | None = None) -> tuple[float, float, float]:
        """Return how likely none, one and more of the others have crossed *card*."""
        none, one = 1.0, 0.0
        for seat, p in self.chances[card]:
            if seat != without:
                alone = 1 - p
                # the others are taken to cross independently: what a seat crosses tells nothing of the rest
                none, one = none * alone, one * alone + none * p
        return none, one, 1 - none - one

    def stars(self, card: str) -> float:
        """Return the stars that a cross on *card* promises me, less its doubt."""
        none, one, more = self.company(card)
        return SUPER_SPARK * one + SPARK * more - self.style.doubt * none

    def cost(self, card: str) -> float:
        """Return what it costs that a cross on *card* saves others from being alone, but spoils pairs."""
        cost = 0.0
        for seat, chance in self.chances[card]:
            if envy := self.envy.get(seat):
                none, one, _ = self.company(card, without=seat)
                stars = none * (SUPER_SPARK + _RESCUE) - one * (SUPER_SPARK - SPARK)
                cost += envy * chance * stars
        return cost

    def worth(self, card: str) -> float:
        """Return what a cross on *card* is worth."""
        return self.stars(card) - self.cost(card)

    def promise(self, card: str) -> float:
        """Return what showing *card* is worth."""
        return self.worth(card) - self.style.nerve * self.company(card)[0]

    def values(self, order: Sequence[str]) -> list[float]:
        """Return what the round is worth with the first of *order* crossed, the first two, and so on.

        Later ones are shown later, when one may have fallen; and the more they are, the darker it gets.
        """
        values, total, sparks, standing, safe = [], 0.0, 0.0, 1.0, 1.0
        for number, card in enumerate(order, 1):
            shared = 1 - self.company(card)[0]
            total += standing * self.stars(card) - self.cost(card)
            sparks += standing * shared
            # each card may end my round, and with it the shows to come; others show a part of my cards for me
            standing *= shared ** (_OWN_SHOWS / self.seats)
            safe *= shared
            values.append(total - self.style.dread * sparks * self.in_the_dark(number) * (1 - safe))
        return values

    def in_the_dark(self, number: int) -> float:
        """Return how likely *number* crosses are more than any other seat makes."""
        likely = 1.0
        for seat, count in self.counts.items():
            by_habit, by_dice = _step(number - 0.5 - count), (number - 1) / MOST
            likely *= self.readers[seat] * by_habit + (1 - self.readers[seat]) * by_dice
        return likely


def _expected_count(seat: Seat, rounds: Sequence[_Round]) -> float:
    """Return how many crosses *seat* has made, or will make if it goes on as before."""
    *past, (_, counts, _) = rounds
    if counts:
        return counts[seat]
    return (_USUAL + sum(counts[seat] for _, counts, _ in past)) / (1 + len(past))


def _reader(seat: Seat, rounds: Sequence[_Round]) -> float:
    """Return how likely *seat* reads as I do and throws no dice: Bayes' rule, on the cards shown so far."""
    odds = 1.0
    for order, counts, shown in rounds:
        for card, crossed in shown.items():
            sight, dice = _reach(counts[seat], order.index(card)), counts[seat] / len(order)
            # even odds before any card is shown
            odds *= sight / dice if seat in crossed else (1 - sight) / (1 - dice)
    return odds / (1 + odds)


@lru_cache(maxsize=4096)
def _reach(count: float, rank: int) -> float:
    """Return how likely a reader's *count* crosses reach the picture of this *rank*, 0 for the nearest."""
    return _SLIP + (1 - 2 * _SLIP) * _step((count - rank - 0.5) / _BLUR)


def _step(x: float) -> float:
    """Return a smooth step from 0 to 1, which is halfway at 0."""
    return 1 / (1 + exp(-x))


def _rank(cards: Iterable[str], near: Mapping[str, float]) -> list[str]:
    """Return *cards*, the nearest first, equally near ones in the order of the grid."""
    return sorted(cards, key=near.__getitem__, reverse=True)


@lru_cache(maxsize=1024)
def _nearness(deck: Deck, word: str, style: Style) -> dict[str, float]:
    """Return how near each picture of *deck* is to *word*."""
    asked, total = _words_of(word), [0.0] * len(deck.pictures)
    for weight, signs in zip((style.tags, style.sentence), _signs_of(deck), strict=True):
        near = signs.likeness(asked)
        for card, more in enumerate(signs.kinship(near)):
            total[card] += weight * (near[card] + style.kin * more)
    return dict(zip(deck.pictures, total, strict=True))


@lru_cache(maxsize=16)
def _signs_of(deck: Deck) -> tuple["_Signs", "_Signs"]:
    """Return the signs of the tags of *deck*, and those of its sentences."""
    pictures = deck.pictures.values()
    return _Signs([" ".join(picture.tags) for picture in pictures]), _Signs([each.text for each in pictures])


@final
class _Signs:
    """Signs, each with the pictures that bear it, by their places in the deck."""

    __slots__ = ("alike", "bearers", "shared")

    def __init__(self, texts: Sequence[str]) -> None:
        places: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            for sign in _words_of(text):
                places.setdefault(sign, []).append(place)
        self.bearers = [*places.values()]
        self.alike: dict[str, list[tuple[int, str]]] = {}
        """The signs, with their numbers, by their first letters: no others are alike."""
        for number, sign in enumerate(places):
            self.alike.setdefault(sign[:_FIRST], []).append((number, sign))
        self.shared = [1] * len(texts)
        """How often each picture shares a sign, and once more."""
        for them in self.bearers:
            if len(them) > 1:
                for place in them:
                    self.shared[place] += 1

    def likeness(self, asked: Sequence[str]) -> list[float]:
        """Return how much of what is *asked* stands on each picture, from 0 to 1."""
        near = [0.0] * len(self.shared)
        found = {sign for one in asked for sign in self.alike.get(one[:_FIRST], ())}
        for number, sign in sorted(found):
            like = sum([_alike(one, sign) for one in asked]) / max(1, len(asked))
            for place in self.bearers[number]:
                near[place] = min(near[place] + like, 1.0)
        return near

    def kinship(self, near: list[float]) -> list[float]:
        """Return how *near* the pictures are that each picture shares signs with, on average."""
        sums = [0.0] * len(near)
        for them in self.bearers:
            if len(them) > 1:
                mean = (sum([near[place] for place in them]) + _COMMON * len(them)) / (1 + len(them))
                for place in them:
                    sums[place] += mean
        return [total / shared for total, shared in zip(sums, self.shared, strict=True)]


def _alike(one: str, other: str) -> float:
    """Return 1 for equal words, less if they begin alike, by four letters or by all that the shorter has."""
    if one == other or one[:_FIRST] != other[:_FIRST]:
        return float(one == other)
    shorter = min(len(one), len(other))
    same = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    return same / max(len(one), len(other)) if same >= min(4, shorter) else 0.0


def _words_of(text: str) -> list[str]:
    """Return the words of *text*, each once."""
    return sorted(set(re.findall(r"\w+", text.casefold())))
