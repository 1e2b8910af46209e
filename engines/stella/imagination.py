"""Sample a state that fits a view: unseen crosses, future cards and future words are drawn at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from engines.game import Choice, Json, Seat, below, shuffled
from engines.stella.deck import DEFAULT, Deck, Pair, trusted_deck
from engines.stella.moves import VOTE, cross_choice, show_choice
from engines.stella.state import EVERYWHERE, ROUNDS, Grid, Luck, Past, Round, State, places_of_round

__all__ = ["imagine"]


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that is consistent with *view*; all such states are equally likely."""
    luck = _luck(view, rng)
    past = tuple(
        Past(
            _round(number, told, Grid.of(tuple(told["cards"]), luck.deck), own, rng),
            _parse_shown(told),
            tuple(told["fallen"]),
            tuple(told["stars"]),
            tuple(told["scores"]),
        )
        for number, (told, own) in enumerate(zip(view["rounds"], _own_crosses(view), strict=True), 1)
    )
    if view["step"] == "over":
        round_ = past[-1].round
    else:
        own = (view["seat"], view["crosses"]) if "seat" in view else None
        round_ = _round(view["round"], view, Grid.of(_grid_cards(view), luck.deck), own, rng)
    hidden = EVERYWHERE & ~sum(round_.grid.bits[card] for card in view["shown"])
    return State(
        luck,
        view["step"],
        round_,
        hidden,
        _parse_shown(view),
        tuple(view["fallen"]),
        tuple(view["stars"]),
        tuple(view["sparks"]),
        tuple(view["scores"]),
        past,
        _choices(view, round_, hidden),
    )


def _grid_cards(view: Mapping[str, Json]) -> tuple[str, ...]:
    return tuple(card["id"] for card in view["grid"])


def _own_crosses(view: Mapping[str, Json]) -> list[tuple[Seat, list[str]] | None]:
    """Return for every earlier round the seat whose crosses are known, and its crosses."""
    if "seat" not in view:
        return [None] * len(view["rounds"])
    return [(view["seat"], crosses) for crosses in view["past_crosses"]]


def _parse_shown(told: Mapping[str, Json]) -> dict[str, tuple[Seat, ...]]:
    return {card: tuple(crossed) for card, crossed in told["shown"].items()}


def _luck(view: Mapping[str, Json], rng: Random) -> Luck:
    options = view["options"]
    deck = trusted_deck(options["deck"]) if "deck" in options else DEFAULT
    grids = [past["cards"] for past in view["rounds"]]
    if view["step"] != "over":
        grids.append(_grid_cards(view))
    cards = [grid[place] for number, grid in enumerate(grids, 1) for place in places_of_round(number)]
    seen = set(cards)
    cards += shuffled([card for card in deck.pictures if card not in seen], rng)
    words = deck.discovery if options["first_game"] else _words(view, deck, rng)
    return Luck(
        view["seats"],
        view["first"],
        options["word_vote"],
        options["first_game"],
        deck,
        tuple(cards),
        words,
    )


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


def _round(
    number: int, told: Mapping[str, Json], grid: Grid, own: tuple[Seat, list[str]] | None, rng: Random
) -> Round:
    """Return a round as *told*, with random crosses except those of *own*, which are known."""
    counts = tuple(told["counts"])
    known = [0] * len(counts)
    for card, crossed in told["shown"].items():
        for seat in crossed:
            known[seat] |= grid.bits[card]
    left = [bit for card, bit in grid.bits.items() if card not in told["shown"]]
    if own and counts:
        known[own[0]] = sum([grid.bits[card] for card in own[1]])
    crosses = [marks | _more(left, counts[seat] - marks.bit_count(), rng) for seat, marks in enumerate(known)]
    return Round(number, grid, told["word"], told["flipped"], tuple(crosses), counts, told["dark"])


def _more(left: Sequence[int], number: int, rng: Random) -> int:
    """Return *number* random crosses among the places in *left*."""
    places, crosses = [*left], 0
    for _ in range(number):
        crosses |= places.pop(below(len(places), rng))
    return crosses


def _choices(view: Mapping[str, Json], round_: Round, hidden: int) -> dict[Seat, Choice]:
    step, scout = view["step"], view["scout"]
    if step == "show":
        return {scout: show_choice(round_.grid, round_.crosses[scout] & hidden)}
    if step == "over":
        return {}
    return dict.fromkeys(range(view["seats"]), VOTE if step == "vote" else cross_choice(round_.grid))
