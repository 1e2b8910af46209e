"""Deals: make a random one, and check one that comes from outside."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, NamedTuple

from engines.deals import check_first, check_keys, check_order, check_seats, complete_options
from engines.dice import below, shuffled
from engines.game import Json
from engines.stella.cards import Luck, cards_of
from engines.stella.deck import DEFAULT, Deck, Pair, checked_deck, options_json
from engines.stella.grid import ROUNDS
from engines.stella.state import State, new_state
from engines.stella.turns import JUST_BEGUN

SEATS: Final[range] = range(3, 7)
OPTIONS: Final[dict[str, tuple[bool, ...]]] = {"word_vote": (True, False), "first_game": (False, True)}
"""The values of every rule option, the default first."""
CUSTOM: Final[dict[str, Callable[[Json], Deck]]] = {"deck": checked_deck}
"""The option that holds a user's own deck."""
_KEYS: Final = ("first", "cards", "words")


class _Options(NamedTuple):
    word_vote: bool
    first_game: bool
    deck: Deck = DEFAULT


def deal(seats: int, rng: Random, options: Mapping[str, Json]) -> dict[str, Json]:
    check_seats("stella", SEATS, seats)
    chosen = _read_options(options)
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


def complete_deal(part: Mapping[str, Json]) -> dict[str, Json]:
    """Complete a deal of the first cards only: the others follow in the order of the deck; seat 0 begins."""
    options = part.get("options", {})
    deck = _read_options(options).deck
    cards = list(part.get("cards", ()))
    words = [[*pair] for pair in deck.words[:ROUNDS]]
    rest = [card for card in deck.pictures if card not in cards]
    return {"options": options, "first": 0, "words": words} | dict(part) | {"cards": cards + rest}


def begin(deal: Mapping[str, Json], seats: int) -> State:
    """Return the first state of a match.  Raises ValueError for a deal that cannot happen (D1, D2)."""
    check_seats("stella", SEATS, seats)
    check_keys(deal, _KEYS)
    word_vote, first_game, deck = _read_options(deal.get("options", {}))
    first, cards = deal["first"], deal["cards"]
    check_first(first, seats)
    check_order("cards", cards, [*deck.pictures])
    words = _words(deal["words"])
    if first_game and words != deck.discovery:
        raise ValueError("expected words to be the discovery word cards in a first_game, got others")
    pictures = cards_of(deck)
    order = [pictures.codes[card] for card in cards]
    state = new_state(Luck(seats, first, word_vote, first_game, pictures, order, words))
    state.begin_round()
    state.last_stage = JUST_BEGUN
    return state


def _read_options(options: Json) -> _Options:
    """Return *options* with defaults.  Raises ValueError for an option that stella does not have."""
    chosen = _Options(**complete_options("stella", OPTIONS, options, CUSTOM))
    if chosen.first_game and not chosen.deck.discovery:
        raise ValueError("expected discovery word cards in the deck of a first_game: its words come without")
    return chosen


def _words(words: Json) -> tuple[Pair, ...]:
    if not isinstance(words, (list, tuple)) or len(words) != ROUNDS:
        raise ValueError(f"expected words as a list of {ROUNDS} pairs, got: {words!r:.80}")
    for k, pair in enumerate(words):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ValueError(f"expected words[{k}] as a pair of texts, got: {pair!r:.80}")
        if not all(isinstance(word, str) and word for word in pair):
            raise ValueError(f"expected words[{k}] to hold texts that are not empty, got: {pair!r:.80}")
    return tuple((top, upside_down) for top, upside_down in words)
