"""The luck of a match: making a deal, and refusing one that cannot happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engines.game import Event, Json, Seat, Step, below, shuffled
from engines.stella_quest.cards import BACKS, DECK
from engines.stella_quest.piles import next_back
from engines.stella_quest.rounds import asked_next
from engines.stella_quest.state import LIGHTS, ORDERS, Luck, Piles, Player, Round, State

__all__ = ["completed", "deal", "started"]

_DEALT: Final = 5
"""The cards dealt to a hand."""
_RESHUFFLES: Final = 8
_SORTED: Final = list(DECK)
_KEYS: Final = {"options", "first", "deck", "reshuffles"}


def deal(seats: int, rng: Random, options: Mapping[str, Json]) -> dict[str, Json]:
    """Return a random deal."""
    _check_seats(seats)
    _check_options(options)
    return {
        "options": {},
        "first": below(seats, rng),
        "deck": shuffled(DECK, rng),
        "reshuffles": [shuffled(DECK, rng) for _ in range(_RESHUFFLES)],
    }


def completed(part: Mapping[str, Json]) -> dict[str, Json]:
    """Return the deal that begins like *part*, written by hand: "deck" may hold only its first cards.

    All that is missing follows in the order of the names; seat 0 begins.
    """
    deck = list(part.get("deck", ()))
    left = Counter(DECK) - Counter(deck)
    fixed = {"options": {}, "first": 0, "reshuffles": [list(DECK)]}
    return fixed | dict(part) | {"deck": deck + sorted(left.elements())}


def started(deal: Mapping[str, Json], seats: int) -> Step[State]:
    """Return the first state of a match on *deal*; raise ValueError for an impossible one (Q1)."""
    _check_seats(seats)
    _check_keys(deal)
    _check_options(deal.get("options", {}))
    first, deck, orders = deal["first"], deal["deck"], deal["reshuffles"]
    if type(first) is not int or first not in range(seats):
        raise ValueError(f"expected first to be a seat from 0 to {seats - 1}, got: {first!r}")
    _check_cards("deck", deck)
    if not isinstance(orders, (list, tuple)) or not orders:
        raise ValueError("expected at least one order in reshuffles")
    for k, order in enumerate(orders):
        _check_cards(f"reshuffles[{k}]", order)

    hands = [tuple(sorted(deck[_DEALT * seat : _DEALT * (seat + 1)])) for seat in range(seats)]
    top, *pile = deck[_DEALT * seats :]
    luck = Luck(first, top, tuple([tuple(order) for order in orders]))
    return _begun(luck, hands, tuple(pile))


def _begun(luck: Luck, hands: Sequence[tuple[str, ...]], pile: tuple[str, ...]) -> Step[State]:
    """Return the first state: all lights alight, the marker with nobody (SQ1, SQ2)."""
    first, top, _ = luck
    backs = [tuple(BACKS[card] for card in hand) for hand in hands]
    players = tuple(
        Player(hand, back, LIGHTS, (), hand, back, ()) for hand, back in zip(hands, backs, strict=True)
    )
    piles = Piles(pile, top, (top,), (), (), ())
    round_ = Round(1, first, "", (), (), ORDERS[len(hands)][first])
    state = State(luck, "play", first, round_, None, piles, players, None, {})
    public = {
        "options": {},
        "first": first,
        "top": top,
        "backs": [[*back] for back in backs],
        "back": next_back(pile),
    }
    private: dict[Seat, dict[str, Json]] = {seat: {"hand": [*hand]} for seat, hand in enumerate(hands)}
    return asked_next(state, round_.after, [Event("start", public, private)])


def _check_seats(seats: int) -> None:
    if seats not in ORDERS:
        raise ValueError(f"stella-quest is played by 2 to 4, got seats: {seats!r}")


def _check_keys(deal: Mapping[str, Json]) -> None:
    if strange := sorted(deal.keys() - _KEYS):
        raise ValueError(f"expected the keys {sorted(_KEYS)}, got also: {strange[0]!r}")
    if missing := sorted(_KEYS - deal.keys() - {"options"}):
        raise ValueError(f"expected a deal with {missing[0]!r}")


def _check_options(options: Json) -> None:
    if not isinstance(options, Mapping):
        raise ValueError(f"expected options as an object, got: {options!r}")
    if options:
        raise ValueError(f"expected no options, for stella-quest has none, got: {min(options)!r}")


def _check_cards(what: str, cards: Json) -> None:
    """Raise ValueError, naming a card, unless *cards* are the whole deck in any order."""
    if _is_deck(cards):
        return
    if not isinstance(cards, (list, tuple)) or not all(isinstance(card, str) for card in cards):
        raise ValueError(f"expected {what} as a list of card names, got: {cards!r:.80}")
    have, need = Counter(cards), Counter(DECK)
    if many := sorted(have - need):
        raise ValueError(f"expected {what} to hold {need[many[0]]} of {many[0]!r}, got {have[many[0]]}")
    few = min(need - have)
    raise ValueError(f"expected {what} to hold {need[few]} of {few!r}, got {have[few]}")


def _is_deck(cards: Json) -> bool:
    try:
        return sorted(cards) == _SORTED
    except TypeError:  # not a list, or of things that cannot be compared
        return False
