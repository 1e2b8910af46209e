"""Sample a state that fits a view: unseen cards are dealt again, to the places where they may be.

Every card of a period went to a hand, to the Dummy or, in the last period, is still in the pile.  A seat has
played or still holds what it received.  So first each card that another seat played is assigned to a period
in which the seat may have received it.  Then the remaining cards of each period fill the remaining places
with the same backs.
"""

from collections.abc import Mapping
from random import Random
from typing import Final, final

from engines.dice import shuffled
from engines.game import Json, Seat
from engines.stella_quest.cards import (
    BACK_CODES,
    BACK_NAMES,
    BACK_OF,
    BREAK_BACK,
    BREAK_CARD,
    CODES,
    DECK,
    NAMES,
    NO_BACK,
    codes_of,
)
from engines.stella_quest.periods import Parts, end_period
from engines.stella_quest.players import NOBODY, PLAYERS
from engines.stella_quest.state import State, new_state
from engines.stella_quest.turns import ENDS, OVER, STEPS


@final
class CardSource:
    """A period: its cards that have no place yet, and the places for them in the hands.

    A seat receives a card before it plays it.  All cards of earlier periods were there; of the same period
    only as many as the seat had received by then.
    """

    __slots__ = ("cards", "hands", "in_time", "left", "room")

    def __init__(self, seats: int, cards: list[int]) -> None:
        self.cards: list[int] = [0] * len(NAMES)
        """The number of remaining cards, by card."""
        for card in cards:
            self.cards[card] += 1
        self.left: list[int] = [0] * len(BACK_NAMES)
        """The number of remaining cards, by back."""
        self.room: list[list[int]] = [[0] * len(BACK_NAMES) for _ in range(seats)]
        """For every seat, the number of open places, by back."""
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        """For every seat, the cards assigned to it."""
        self.in_time: dict[tuple[int, int], list[int]] = {}
        """By seat and back, for each assigned card that was played in the same period: the number of cards
        with that back that the seat had received by then.  Most have none.
        """


@final
class UndatedPlay:
    """A card that another seat played after a reshuffle: the period in which it came is not known."""

    __slots__ = ("came", "card", "period", "seat")

    def __init__(self, period: int, seat: Seat, card: int, came: int) -> None:
        self.period = period
        self.seat = seat
        self.card = card
        self.came = came
        """The number of cards with its back that the seat had received in that period by then."""


def _chances_of(sources: list[CardSource], play: UndatedPlay) -> list[float]:
    """Return for each period the expected copies of the card at its seat if the rest is dealt at random."""
    back = BACK_OF[play.card]
    chances: list[float] = []
    for number in range(play.period + 1):
        source = sources[number]
        room = source.room[play.seat][back]
        if number == play.period:
            given = source.in_time.get((play.seat, back))
            room = min(room, play.came if given is None else _room_in_time(given, play.came))
        # each of its `left` cards with this back is as likely as another to lie on one of the `room` places
        copies = source.cards[play.card] * room
        chances.append(copies / source.left[back] if copies else 0.0)
    return chances


def _room_in_time(given: list[int], came: int) -> int:
    """Return how many of the first *came* cards with a back in a period can be the card that is played now.

    *given* has for each assigned card the number that had come when it was played.  0 means that this card
    cannot come from the same period: one of them would have been played before it came.
    """
    # Jobs with deadlines: there is an order that keeps them all if, and only if, for every n the n-th
    # deadline, the earliest first, leaves room for n cards.
    deadlines = sorted([*given, came])
    for number, deadline in enumerate(deadlines):
        if deadline <= number:
            return 0
    # the cards that must have come by then, too, are certainly among the first `came`
    return came - len([deadline for deadline in given if deadline <= came])


def _give_card(sources: list[CardSource], play: UndatedPlay, rng: Random) -> bool:
    """Assign the card of *play* to its seat, from a random possible period; return whether there is one."""
    chances = _chances_of(sources, play)
    at = rng.random() * sum(chances)
    for number, chance in enumerate(chances):
        if at < chance:
            source, back = sources[number], BACK_OF[play.card]
            source.cards[play.card] -= 1
            source.left[back] -= 1
            source.room[play.seat][back] -= 1
            source.hands[play.seat].append(play.card)
            if number == play.period:
                source.in_time.setdefault((play.seat, back), []).append(play.came)
            return True
        at -= chance
    return False


_RESHUFFLES: Final = 2
_ATTEMPTS: Final = 10_000
"""The most attempts.  No view of a real match needs nearly as many."""
_DECK: Final[list[int]] = codes_of(DECK)


@final
class _Seen:
    """What a view says of a period, in codes."""

    __slots__ = ("backs", "cards", "drawn", "dummy", "played")

    def __init__(self, view: Mapping[str, Json], number: int) -> None:
        period = view["periods"][number]
        self.cards: list[int] = codes_of(period["cards"] or ())
        self.backs: list[Parts] = [_encode_parts(BACK_CODES, parts) for parts in period["received"]]
        self.played: list[Parts] = [_encode_parts(CODES, parts) for parts in period["played"]]
        self.dummy: list[int] = codes_of(period.get("dummy", ()))
        self.drawn: list[int] = codes_of(view["drawn"][number]) if "seat" in view else []
        """The cards that the own seat received."""


def _encode_parts(codes: dict[str, int], parts: list[list[str]]) -> Parts:
    return [[codes[name] for name in part] for part in parts]


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that is consistent with *view*.

    Every such state may come up; before the first reshuffle all are equally likely.
    """
    periods = [_Seen(view, number) for number in range(len(view["periods"]))]
    own: int = view.get("seat", NOBODY)
    opening = CODES[view["opening"]]
    sources = _place_played_cards(periods, own, opening, rng)
    back = view["back"]
    pile = _fill_places(sources, NO_BACK if back is None else BACK_CODES[back], rng)
    orders = [shuffled(_DECK, rng) for _ in range(_RESHUFFLES)]
    state = new_state(view["seats"], view["first"], opening, orders)
    _lay_table(state, view)
    state.pile = pile
    _fill_hands(state, periods, sources)
    return state


def _place_played_cards(periods: list[_Seen], own: int, opening: int, rng: Random) -> list[CardSource]:
    """Return all periods, with every card that was played assigned to the hand that played it."""
    sources = _sources(periods, own, opening)
    plays = _plays(periods, own, sources)
    # Plays are placed one by one, and an early one may take the last place of a later one.  Then all begin
    # again: taking back only the last few would favour the worlds beside a dead end.
    for _ in range(_ATTEMPTS):
        if all(_give_card(sources, play, rng) for play in plays):
            return sources
        sources = _sources(periods, own, opening)
    raise ValueError("expected a view of stella-quest, got one that fits no match")


def _sources(periods: list[_Seen], own: int, opening: int) -> list[CardSource]:
    """Return all periods, with only the cards assigned whose period is certain."""
    sources: list[CardSource] = []
    for number, period in enumerate(periods):
        # until the first reshuffle the pile is the whole deck, which no view lists
        source = CardSource(len(period.backs), period.cards or _DECK)
        for card in period.dummy:
            source.cards[card] -= 1
        if number == 0:
            source.cards[opening] -= 1
        for seat, parts in enumerate(period.backs):
            room = source.room[seat]
            for part in parts:
                for back in part:
                    room[back] += 1
            # the own seat has seen its cards as they came, also those that it has not played
            hand = period.drawn.copy() if seat == own else _certain(period, number, seat)
            for card in hand:
                source.cards[card] -= 1
                room[BACK_OF[card]] -= 1
            source.hands[seat] = hand
        for card, count in enumerate(source.cards):
            source.left[BACK_OF[card]] += count
        sources.append(source)
    return sources


def _certain(period: _Seen, number: int, seat: Seat) -> list[int]:
    """Return the cards that *seat*, another one, certainly received in period *number*."""
    cards: list[int] = []
    for part in period.backs[seat]:  # a Break Card's back is no other card's
        cards += [BREAK_CARD] * part.count(BREAK_BACK)
    if number == 0:  # nothing came before, so what was played had come in this period
        for part in period.played[seat]:
            cards += [card for card in part if card != BREAK_CARD]
    return cards


def _plays(periods: list[_Seen], own: int, sources: list[CardSource]) -> list[UndatedPlay]:
    """Return the cards whose period is not certain, those with the fewest possible periods first."""
    plays: list[UndatedPlay] = []
    for number, period in enumerate(periods):
        for seat, parts in enumerate(period.played):
            if number and seat != own:
                _add_plays(plays, number, seat, period.backs[seat], parts)
    # a play with one possible period must find its place there, before others that have a choice
    ranks: list[tuple[int, int]] = []
    for at, play in enumerate(plays):
        ranks.append((len([chance for chance in _chances_of(sources, play) if chance > 0]), at))
    ranks.sort()
    return [plays[at] for _, at in ranks]


def _add_plays(plays: list[UndatedPlay], number: int, seat: Seat, received: Parts, played: Parts) -> None:
    """Add the cards that *seat* played in a period, without Break Cards."""
    came = [0] * len(BACK_NAMES)
    for at, cards in enumerate(played):
        for back in received[at]:
            came[back] += 1
        plays += [
            UndatedPlay(number, seat, card, came[BACK_OF[card]]) for card in cards if card != BREAK_CARD
        ]


def _fill_places(sources: list[CardSource], back: int, rng: Random) -> list[int]:
    """Fill the open places at random; return the other cards as the draw pile, which shows *back*."""
    by_back: list[list[int]] = []
    for source in sources:
        loose: list[int] = []
        for card, count in enumerate(source.cards):
            loose += [card] * count
        by_back = [[] for _ in BACK_NAMES]  # that of the last period is needed below: its pile is not used up
        for card in shuffled(loose, rng):
            by_back[BACK_OF[card]].append(card)
        for seat, hand in enumerate(source.hands):
            for seen, count in enumerate(source.room[seat]):
                for _ in range(count):
                    hand.append(by_back[seen].pop())
    if back == NO_BACK:
        return []
    first = by_back[back].pop()  # the next card is known by its back, so it is drawn before the rest
    rest: list[int] = []
    for cards in by_back:
        rest += cards
    pile = shuffled(rest, rng)
    pile.reverse()
    pile.append(first)
    return pile


def _lay_table(state: State, view: Mapping[str, Json]) -> None:
    """Lay the cards that all see in the middle, and say whose decision it is."""
    state.stage = STEPS.index(view["step"])
    if state.stage == OVER:
        ending = view["ending"]
        state.seat, state.ending = 0, ENDS.index(ending["why"])
        state.ended_by = NOBODY if ending["seat"] is None else ending["seat"]
    else:
        state.seat = view["turn"]
    state.number, state.leader = view["round"], view["leader"]
    state.lead = BACK_CODES[view["lead"]] if view["lead"] else NO_BACK
    state.table = codes_of([card for _, card in view["table"]])
    state.by = [PLAYERS.index(who) for who, _ in view["table"]]
    state.marker = NOBODY if view["marker"] is None else PLAYERS.index(view["marker"])
    state.top, state.discards = CODES[view["top"]], codes_of(view["discards"])
    state.lights = [*view["lights"]]
    state.collections = [codes_of(cards) for cards in view["collections"]]


def _fill_hands(state: State, periods: list[_Seen], sources: list[CardSource]) -> None:
    """Give each seat what it received in all *periods* and has not played since."""
    for number, source in enumerate(sources):
        period = periods[number]
        for seat, cards in enumerate(source.hands):
            hand = state.hands[seat] + cards  # a card may be played some periods after it came
            for part in period.played[seat]:
                for card in part:
                    hand.remove(card)
            state.hands[seat] = sorted(hand)
    now = periods[-1]
    state.past = [
        end_period(seen.cards, source.hands, seen.backs, seen.played, seen.dummy)
        for seen, source in zip(periods[:-1], sources, strict=False)
    ]
    state.made_of, state.dummy = now.cards, now.dummy
    state.received, state.backs, state.played = sources[-1].hands, now.backs, now.played
