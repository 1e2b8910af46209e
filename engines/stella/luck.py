"""The luck of a match: making a deal, and refusing one that cannot happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from engines.game import Event, Json, Step, below, shuffled
from engines.stella.deck import DEFAULT, Deck, Pair, checked_deck, deck_json
from engines.stella.state import AFTER, CLEAN, ROUNDS, Luck, State
from engines.stella.turns import begun

__all__ = ["OPTIONS", "completed", "deal", "options_json", "started"]

OPTIONS: Final[dict[str, tuple[bool, ...]]] = {"word_vote": (True, False), "first_game": (False, True)}
"""The rule options and their values, the default first; besides, "deck" may be a user's own deck."""
_KEYS: Final = {"options", "first", "cards", "words"}


class _Options(NamedTuple):
    word_vote: bool
    first_game: bool
    deck: Deck


def deal(seats: int, rng: Random, options: Mapping[str, Json]) -> dict[str, Json]:
    """Return a random deal."""
    _check_seats(seats)
    chosen = _complete(options)
    deck = chosen.deck
    first = below(seats, rng)
    cards = shuffled([*deck.pictures], rng)
    left = [*deck.words]
    words = [left.pop(below(len(left), rng)) for _ in range(ROUNDS)]
    return {
        "options": options_json(*chosen),
        "first": first,
        "cards": cards,
        "words": [[*pair] for pair in (deck.discovery if chosen.first_game else words)],
    }


def completed(part: Mapping[str, Json]) -> dict[str, Json]:
    """Return the deal that begins like *part*, written by hand: "cards" may hold only the first ones.

    All that is missing follows in the order of the deck; seat 0 begins.
    """
    options = part.get("options", {})
    deck = _complete(options).deck
    cards = list(part.get("cards", ()))
    words = [[*pair] for pair in deck.words[:ROUNDS]]
    rest = [card for card in deck.pictures if card not in cards]
    return {"options": options, "first": 0, "words": words} | dict(part) | {"cards": cards + rest}


def started(deal: Mapping[str, Json], seats: int) -> Step[State]:
    """Return the first state of a match on *deal*; raise ValueError for an impossible one (D1, D2)."""
    _check_seats(seats)
    _check_keys(deal)
    word_vote, first_game, deck = _complete(deal.get("options", {}))
    first, cards = deal["first"], deal["cards"]
    if type(first) is not int or first not in range(seats):
        raise ValueError(f"expected first to be a seat, 0 to {seats - 1}, got: {first!r:.80}")
    _check_cards(cards, [*deck.pictures])
    words = _words(deal["words"])
    if first_game and words != deck.discovery:
        raise ValueError("expected words to be the discovery word cards in a first_game, got others")
    luck = Luck(seats, first, word_vote, first_game, deck, tuple(cards), words)
    news = {"seats": seats, "options": options_json(word_vote, first_game, deck), "first": first}
    return begun(luck, (), CLEAN[seats], (Event("start", news),))


def options_json(word_vote: bool, first_game: bool, deck: Deck) -> dict[str, Json]:
    """Return all rule options; the deck is among them if it is a user's own."""
    options: dict[str, Json] = {"word_vote": word_vote, "first_game": first_game}
    if deck is not DEFAULT and deck != DEFAULT:
        options["deck"] = deck_json(deck)
    return options


def _check_seats(seats: int) -> None:
    if type(seats) is not int or seats not in AFTER:
        raise ValueError(f"stella is played by 3 to 6, got seats: {seats!r:.80}")


def _check_keys(deal: Mapping[str, Json]) -> None:
    if strange := sorted(deal.keys() - _KEYS):
        raise ValueError(f"expected the keys {sorted(_KEYS)}, got also: {strange[0]!r:.80}")
    if missing := sorted(_KEYS - deal.keys() - {"options"}):
        raise ValueError(f"expected a deal with {missing[0]!r}")


def _complete(options: Json) -> _Options:
    """Return *options* with the defaults filled in; raise ValueError for one that stella does not have."""
    if not isinstance(options, Mapping):
        raise ValueError(f"expected options as an object, got: {options!r:.80}")
    for key, value in options.items():
        if key != "deck" and key not in OPTIONS:
            raise ValueError(f"expected an option of {[*OPTIONS, 'deck']}, got: {key!r:.80}")
        if key in OPTIONS and type(value) is not bool:
            raise ValueError(f"expected {key} to be true or false, got: {value!r:.80}")
    values = {key: options.get(key, values[0]) for key, values in OPTIONS.items()}
    deck = checked_deck(options["deck"]) if "deck" in options else DEFAULT
    if values["first_game"] and not deck.discovery:
        raise ValueError("expected discovery word cards in the deck of a first_game: its words come without")
    return _Options(**values, deck=deck)


def _check_cards(cards: Json, expected: Sequence[str]) -> None:
    """Raise ValueError, naming a card, unless *cards* are the *expected* ones in any order."""
    if not isinstance(cards, (list, tuple)) or not all(isinstance(card, str) for card in cards):
        raise ValueError(f"expected cards as a list of ids, got: {cards!r:.80}")
    have, need = Counter(cards), Counter(expected)
    if foreign := sorted(have.keys() - need.keys()):
        raise ValueError(f"expected cards of the deck only, got: {foreign[0]!r:.80}")
    if wrong := [card for card in expected if have[card] != 1]:
        raise ValueError(f"expected cards to hold {wrong[0]!r} once, got it {have[wrong[0]]} times")


def _words(words: Json) -> tuple[Pair, ...]:
    if not isinstance(words, (list, tuple)) or len(words) != ROUNDS:
        raise ValueError(f"expected words as a list of {ROUNDS} pairs, got: {words!r:.80}")
    for k, pair in enumerate(words):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ValueError(f"expected words[{k}] as a pair of texts, got: {pair!r:.80}")
        if not all(isinstance(word, str) and word for word in pair):
            raise ValueError(f"expected words[{k}] to hold texts that are not empty, got: {pair!r:.80}")
    return tuple((top, upside_down) for top, upside_down in words)
