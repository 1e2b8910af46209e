"""Sample a state that fits a view: unseen crosses, future cards and future words are drawn at random."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from engines.game import Json, Seat, below, shuffled
from engines.stella.cards import Cards, Grid, Luck, cards_of, new_grid, new_luck
from engines.stella.deck import DEFAULT, Deck, Pair, trusted_deck
from engines.stella.grid import BIT_OF, ROUNDS, places_of_round, seat_set
from engines.stella.state import State, new_state
from engines.stella.table import SEAT_BITS, Past, new_past
from engines.stella.turns import OVER, STEPS

__all__ = ["imagine"]


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that is consistent with *view*; all such states are equally likely."""
    luck = _luck(view, rng)
    cards = luck.cards
    state = new_state(luck)
    state.past = [
        _past(told, own, cards, rng) for told, own in zip(view["rounds"], _own_crosses(view), strict=True)
    ]
    state.number, state.stage = view["round"], STEPS.index(view["step"])
    state.seat = view["scout"] or 0
    if state.stage == OVER:
        grid, crosses = state.past[-1].grid, state.past[-1].crosses
    else:
        own = (view["seat"], view["crosses"]) if "seat" in view else None
        grid = _grid([card["id"] for card in view["grid"]], cards)
        crosses = _crosses(view, grid, own, cards, rng)
    shown, fallen = _shown(view, grid, cards), seat_set(view["fallen"])
    stars, sparks = [*view["stars"]], [*view["sparks"]]
    state.restore_round(grid, view["flipped"], crosses, shown, fallen, stars, sparks)
    state.scores = [*view["scores"]]
    return state


def _past(told: Mapping[str, Json], own: tuple[Seat, list[str]] | None, cards: Cards, rng: Random) -> Past:
    """Return a finished round as *told*."""
    grid = _grid(told["cards"], cards)
    crosses = _crosses(told, grid, own, cards, rng)
    shown, fallen = _shown(told, grid, cards), seat_set(told["fallen"])
    return new_past(grid, told["flipped"], crosses, shown, fallen, [*told["stars"]], [*told["scores"]])


def _grid(names: list[str], cards: Cards) -> Grid:
    codes = cards.codes
    return new_grid([codes[name] for name in names], cards)


def _shown(told: Mapping[str, Json], grid: Grid, cards: Cards) -> list[int]:
    """Return the cards that were shown, as Table.shown keeps them."""
    codes, places = cards.codes, grid.cards
    return [
        places.index(codes[name]) << SEAT_BITS | seat_set(crossed) for name, crossed in told["shown"].items()
    ]


def _own_crosses(view: Mapping[str, Json]) -> list[tuple[Seat, list[str]] | None]:
    """Return for every earlier round the seat whose crosses are known, and its crosses."""
    if "seat" not in view:
        return [None] * len(view["rounds"])
    return [(view["seat"], crosses) for crosses in view["past_crosses"]]


def _luck(view: Mapping[str, Json], rng: Random) -> Luck:
    options = view["options"]
    deck = trusted_deck(options["deck"]) if "deck" in options else DEFAULT
    pictures = cards_of(deck)
    grids = [past["cards"] for past in view["rounds"]]
    if view["step"] != "over":
        grids.append([card["id"] for card in view["grid"]])
    cards = [grid[place] for number, grid in enumerate(grids, 1) for place in places_of_round(number)]
    seen = set(cards)
    cards += shuffled([card for card in deck.pictures if card not in seen], rng)
    words = deck.discovery if options["first_game"] else _words(view, deck, rng)
    order = [pictures.codes[card] for card in cards]
    word_vote, first_game = options["word_vote"], options["first_game"]
    return new_luck(view["seats"], view["first"], word_vote, first_game, pictures, order, words)


def _words(view: Mapping[str, Json], deck: Deck, rng: Random) -> tuple[Pair, ...]:
    """Return the word cards: first those with a known word, then random ones."""
    known = [*view["rounds"]] if view["step"] in ("vote", "over") else [*view["rounds"], view]
    words = [_card_with(told["word"], told["flipped"], deck, rng) for told in known]
    if view["step"] == "vote":
        top, upside_down = view["words"]
        words.append((top, upside_down))
    left = [pair for pair in deck.words if pair not in words]
    while len(words) < ROUNDS:
        words.append(left.pop(below(len(left), rng)) if left else deck.words[0])
    return tuple(words)


def _card_with(word: str, flipped: bool, deck: Deck, rng: Random) -> Pair:
    """Return a word card with *word* on the right side; an unknown word gets a card with *word* on both."""
    fitting = [pair for pair in deck.words if pair[flipped] == word]
    return fitting[below(len(fitting), rng)] if fitting else (word, word)


def _crosses(
    told: Mapping[str, Json], grid: Grid, own: tuple[Seat, list[str]] | None, cards: Cards, rng: Random
) -> list[int]:
    """Return the crosses of a round as *told*: random ones, except those of *own*, which are known."""
    counts: list[int] = told["counts"]
    codes, places = cards.codes, grid.cards
    known, hidden = [0] * len(counts), BIT_OF.copy()
    for name, crossed in told["shown"].items():
        bit = BIT_OF[places.index(codes[name])]
        hidden.remove(bit)
        for seat in crossed:
            known[seat] |= bit
    if own and counts:
        known[own[0]] = sum([BIT_OF[places.index(codes[name])] for name in own[1]])
    return [
        crosses | _more(hidden, count - crosses.bit_count(), rng)
        for crosses, count in zip(known, counts, strict=True)
    ]


def _more(left: list[int], number: int, rng: Random) -> int:
    """Return *number* random crosses among the places in *left*, each of them a set."""
    places, crosses = left.copy(), 0
    for _ in range(number):
        crosses |= places.pop(below(len(places), rng))
    return crosses
