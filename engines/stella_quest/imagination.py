"""Sample a state that fits a view: unseen cards are dealt again, to the places where they may be.

Every card of a period went to a hand, to the Dummy or, in the last period, is still in the pile.  A seat has
played or still holds what it received.  So first each card that another seat played is assigned to a period
in which the seat may have received it.  Then the remaining cards of each period fill the remaining places
with the same backs.

A seat receives a card before it plays it.  All cards of earlier periods were there; of the same period only
as many as the seat had received by then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Final, NamedTuple

from engines.game import Json, OneOf, Seat, shuffled
from engines.stella_quest.cards import BACKS, BREAK, DECK
from engines.stella_quest.moves import play_choice, take_choice, top_choice
from engines.stella_quest.state import ORDERS, Ending, Luck, Period, Piles, Player, Round, State

__all__ = ["imagine"]

_RESHUFFLES: Final = 2
_BACKS: Final = tuple(dict.fromkeys(BACKS.values()))
_ATTEMPTS: Final = 10_000
"""The most attempts.  No view of a real match needs nearly as many."""


class _Source(NamedTuple):
    """A period: its cards that have no place yet, and the places for them in the hands."""

    cards: dict[str, int]
    left: dict[str, int]
    """The number of remaining cards by back."""
    room: list[dict[str, int]]
    """For every seat, the number of open places by back."""
    hands: list[list[str]]
    """For every seat, the cards assigned to it."""
    in_time: dict[tuple[Seat, str], list[int]]
    """By seat and back, for each assigned card that was played in the same period: the number of cards with
    that back that the seat had received by then.
    """


class _UndatedPlay(NamedTuple):
    """A card that another seat played after a reshuffle: the period in which it came is not known."""

    period: int
    seat: Seat
    card: str
    came: int
    """The number of cards with its back that the seat had received in that period by then."""


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that is consistent with *view*.

    Every such state may come up; before the first reshuffle all are equally likely.
    """
    sources = _place_played_cards(view, rng)
    pile = _fill_places(sources, view["back"], rng)
    *past, now = [_period(seen, source) for seen, source in zip(view["periods"], sources, strict=True)]
    orders = tuple([tuple(shuffled(DECK, rng)) for _ in range(_RESHUFFLES)])
    players = _players(view, [*past, now])
    step, turn, ending = view["step"], view["turn"], view.get("ending")
    round_ = _round(view)
    return State(
        Luck(view["first"], view["opening"], orders),
        step,
        turn,
        round_,
        view["marker"],
        Piles(pile, view["top"], tuple(view["discards"]), tuple(past), now.cards, now.dummy),
        players,
        Ending(ending["why"], ending["seat"]) if ending else None,
        {} if turn is None else {turn: _choice(step, players[turn], round_, pile)},
    )


def _place_played_cards(view: Mapping[str, Json], rng: Random) -> list[_Source]:
    """Return all periods, with every card that was played assigned to the hand that played it."""
    sources = _sources(view)
    plays = _plays(view, sources)
    for _ in range(_ATTEMPTS):
        if all(_give(sources, play, rng) for play in plays):
            return sources
        sources = _sources(view)
    raise ValueError("expected a view of stella-quest, got one that fits no match")


def _sources(view: Mapping[str, Json]) -> list[_Source]:
    """Return all periods, with only the cards assigned whose period is certain."""
    sources = []
    for number, period in enumerate(view["periods"]):
        cards: dict[str, int] = Counter(period["cards"] or DECK)
        _spend(cards, period.get("dummy", ()) if number else [*period.get("dummy", ()), view["opening"]])
        hands, room = [], []
        for seat, parts in enumerate(period["received"]):
            hand = _certain(view, number, seat)
            places: dict[str, int] = Counter(chain.from_iterable(parts))
            _spend(cards, hand)
            _spend(places, [BACKS[card] for card in hand])
            hands.append(hand)
            room.append(places)
        left = dict.fromkeys(_BACKS, 0)
        for card, count in cards.items():
            left[BACKS[card]] += count
        sources.append(_Source(cards, left, room, hands, {}))
    return sources


def _spend(counts: dict[str, int], items: Iterable[str]) -> None:
    for item in items:
        counts[item] -= 1


def _certain(view: Mapping[str, Json], number: int, seat: Seat) -> list[str]:
    """Return the cards that *seat* certainly received in period *number*."""
    if seat == view.get("seat"):
        return [*view["drawn"][number]]
    period = view["periods"][number]
    played = [] if number else [card for part in period["played"][seat] for card in part if card != BREAK]
    return [BREAK] * sum([part.count(BREAK) for part in period["received"][seat]]) + played


def _plays(view: Mapping[str, Json], sources: Sequence[_Source]) -> list[_UndatedPlay]:
    """Return the cards whose period is not certain, those with the fewest possible periods first."""
    plays = [
        play
        for number, period in enumerate(view["periods"])
        for seat, parts in enumerate(period["played"])
        if number and seat != view.get("seat")
        for play in _plays_of(number, seat, period["received"][seat], parts)
    ]
    return sorted(plays, key=lambda play: sum([chance > 0 for chance in _chances(sources, play)]))


def _plays_of(number: int, seat: Seat, received: Json, played: Json) -> list[_UndatedPlay]:
    """Return the cards that *seat* played in a period, without Break Cards."""
    came: dict[str, int] = Counter()
    plays = []
    for backs, cards in zip(received, played, strict=True):
        came.update(backs)
        plays += [_UndatedPlay(number, seat, card, came[BACKS[card]]) for card in cards if card != BREAK]
    return plays


def _chances(sources: Sequence[_Source], play: _UndatedPlay) -> list[float]:
    """Return for each period the expected copies of the card at its seat if the rest is dealt at random."""
    period, seat, card, came = play
    back = BACKS[card]
    chances = []
    for source in sources[: period + 1]:
        room = source.room[seat].get(back, 0)
        if source is sources[period]:
            room = min(room, _room_in_time(source.in_time.get((seat, back), ()), came))
        copies = source.cards.get(card, 0) * room
        chances.append(copies / source.left[back] if copies else 0.0)
    return chances


def _room_in_time(given: Sequence[int], came: int) -> int:
    """Return how many of the first *came* cards with a back in a period can be the card that is played now.

    *given* has for each assigned card the number that had come when it was played.  0 means that this card
    cannot come from the same period: one of them would have been played before it came.
    """
    deadlines = sorted([*given, came])
    if any(deadline < number for number, deadline in enumerate(deadlines, 1)):
        return 0
    return came - sum([deadline <= came for deadline in given])


def _give(sources: Sequence[_Source], play: _UndatedPlay, rng: Random) -> bool:
    """Assign the card of *play* to its seat, from a random possible period; return whether there is one."""
    period, seat, card, came = play
    chances = _chances(sources, play)
    at = rng.random() * sum(chances)
    for number, chance in enumerate(chances):
        if at < chance:
            source, back = sources[number], BACKS[card]
            source.cards[card] -= 1
            source.left[back] -= 1
            source.room[seat][back] -= 1
            source.hands[seat].append(card)
            if number == period:
                source.in_time.setdefault((seat, back), []).append(came)
            return True
        at -= chance
    return False


def _fill_places(sources: Sequence[_Source], back: str | None, rng: Random) -> tuple[str, ...]:
    """Fill the open places at random; return the other cards as the draw pile, which shows *back*."""
    by_back: dict[str, list[str]] = {}
    for cards, _, room, hands, _ in sources:
        by_back = {seen: [] for seen in _BACKS}
        for card in shuffled([card for card, count in cards.items() for _ in range(count)], rng):
            by_back[BACKS[card]].append(card)
        for hand, places in zip(hands, room, strict=True):
            for seen, count in places.items():
                for _ in range(count):
                    hand.append(by_back[seen].pop())
    if back is None:
        return ()
    first = by_back[back].pop()
    return (first, *shuffled([card for loose in by_back.values() for card in loose], rng))


def _period(seen: Mapping[str, Json], source: _Source) -> Period:
    return Period(
        tuple(seen["cards"] or ()),
        tuple([tuple(sorted(hand)) for hand in source.hands]),
        tuple([tuple(map(tuple, parts)) for parts in seen["received"]]),
        tuple([tuple(map(tuple, parts)) for parts in seen["played"]]),
        tuple(seen.get("dummy", ())),
    )


def _players(view: Mapping[str, Json], periods: Sequence[Period]) -> tuple[Player, ...]:
    now = periods[-1]
    players = []
    for seat, (lights, collection) in enumerate(zip(view["lights"], view["collections"], strict=True)):
        held = [card for period in periods for card in period.received[seat]]
        for period in periods:
            for card in chain.from_iterable(period.played[seat]):
                held.remove(card)
        hand = tuple(sorted(held))
        backs = tuple([BACKS[card] for card in hand])
        of_now = now.received[seat], now.backs[seat], now.played[seat]
        players.append(Player(hand, backs, lights, tuple(collection), *of_now))
    return tuple(players)


def _round(view: Mapping[str, Json]) -> Round:
    leader = view["leader"]
    order = ORDERS[view["seats"]][leader]
    after = order[order.index(view["turn"]) + 1 :] if view["step"] == "play" else ()
    cards, by = [tuple([laid[part] for laid in view["table"]]) for part in (1, 0)]
    return Round(view["round"], leader, view["lead"] or "", cards, by, after)


def _choice(step: str, player: Player, round_: Round, pile: tuple[str, ...]) -> OneOf:
    if step == "play":
        return play_choice(player, round_.lead, pile)
    return take_choice(round_.cards) if step == "take" else top_choice(round_.cards)
