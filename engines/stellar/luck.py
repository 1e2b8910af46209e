"""The luck of a match: making a deal, and refusing one that cannot happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engines.game import Event, Json, Step, below, shuffled
from engines.stellar.cards import DECK, STARTERS
from engines.stellar.moves import starter_choice
from engines.stellar.state import EMPTY, Discards, Luck, Player, State

__all__ = ["OPTIONS", "completed", "deal", "started"]

OPTIONS: Final[dict[str, tuple[str, ...]]] = {"face_down_number": ("printed", "three")}
"""The rule options and their values, the default first."""
_RESHUFFLES: Final = 3
_KEYS: Final = {"options", "first", "starters", "deck", "reshuffles"}


def deal(seats: int, rng: Random, options: Mapping[str, Json]) -> dict[str, Json]:
    """Return a random deal."""
    _check_seats(seats)
    chosen = _complete(options)
    first = below(2, rng)
    starters = shuffled(STARTERS, rng)
    deck = list(DECK)
    for card in starters[:4]:
        deck.remove(card)
    return {
        "options": chosen,
        "first": first,
        "starters": starters,
        "deck": shuffled(deck, rng),
        "reshuffles": [shuffled(DECK, rng) for _ in range(_RESHUFFLES)],
    }


def completed(part: Mapping[str, Json]) -> dict[str, Json]:
    """Return the deal that begins like *part*, written by hand: "deck" may hold only its first cards.

    All that is missing follows in the order of the names; seat 0 begins.
    """
    starters = list(part.get("starters", STARTERS))
    deck = list(part.get("deck", ()))
    left = Counter(DECK) - Counter(starters[:4]) - Counter(deck)
    fixed = {"options": {}, "first": 0, "reshuffles": [list(DECK)]}
    return fixed | dict(part) | {"starters": starters, "deck": deck + sorted(left.elements())}


def started(deal: Mapping[str, Json], seats: int) -> Step[State]:
    """Return the first state of a match on *deal*; raise ValueError for an impossible one (A15)."""
    _check_seats(seats)
    _check_keys(deal)
    options = _complete(deal.get("options", {}))
    first, starters, deck = deal["first"], deal["starters"], deal["deck"]
    if type(first) is not int or first not in range(2):
        raise ValueError(f"expected first to be 0 or 1, got: {first!r}")
    _check_cards("starters", starters, STARTERS)
    _check_cards("starters[0:4] and deck", [*starters[:4], *_names("deck", deck)], DECK)
    orders = deal["reshuffles"]
    if not isinstance(orders, (list, tuple)) or not orders:
        raise ValueError("expected at least one order in reshuffles")
    for k, order in enumerate(orders):
        _check_cards(f"reshuffles[{k}]", order, DECK)

    luck = Luck(first, options["face_down_number"], tuple(tuple(order) for order in orders))
    hands = tuple(sorted(starters[0:2])), tuple(sorted(starters[2:4]))
    one, other = (Player(hand, (), (), EMPTY) for hand in hands)
    asked = {seat: starter_choice(hand) for seat, hand in enumerate(hands)}
    state = State(luck, 0, "starter", False, None, (None,) * 5, tuple(deck), Discards(), (one, other), asked)
    private = {seat: {"hand": list(hand)} for seat, hand in enumerate(hands)}
    return Step(state, (Event("start", {"options": options, "first": first}, private),))


def _check_seats(seats: int) -> None:
    if seats != 2:
        raise ValueError(f"stellar is played by 2, got seats: {seats!r}")


def _check_keys(deal: Mapping[str, Json]) -> None:
    if strange := sorted(deal.keys() - _KEYS):
        raise ValueError(f"expected the keys {sorted(_KEYS)}, got also: {strange[0]!r}")
    if missing := sorted(_KEYS - deal.keys() - {"options"}):
        raise ValueError(f"expected a deal with {missing[0]!r}")


def _complete(options: Json) -> dict[str, str]:
    """Return *options* with the defaults filled in; raise ValueError for one that stellar does not have."""
    if not isinstance(options, Mapping):
        raise ValueError(f"expected options as an object, got: {options!r}")
    for key, value in options.items():
        if key not in OPTIONS:
            raise ValueError(f"expected an option of {list(OPTIONS)}, got: {key!r}")
        if value not in OPTIONS[key]:
            raise ValueError(f"expected {key} to be one of {list(OPTIONS[key])}, got: {value!r}")
    return {key: options.get(key, values[0]) for key, values in OPTIONS.items()}


def _names(what: str, cards: Json) -> Sequence[str]:
    if not isinstance(cards, (list, tuple)) or not all(isinstance(card, str) for card in cards):
        raise ValueError(f"expected {what} as a list of card names, got: {cards!r:.80}")
    return cards


def _check_cards(what: str, cards: Json, expected: Sequence[str]) -> None:
    """Raise ValueError, naming a card, unless *cards* are the *expected* ones in any order."""
    if sorted(_names(what, cards)) == list(expected):
        return
    have: Counter[str] = Counter(cards)
    need: Counter[str] = Counter(expected)
    if many := sorted(have - need):
        raise ValueError(f"expected {what} to hold {need[many[0]]} of {many[0]!r}, got {have[many[0]]}")
    few = min(need - have)
    raise ValueError(f"expected {what} to hold {need[few]} of {few!r}, got {have[few]}")
