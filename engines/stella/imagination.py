"""Sample a state that fits a view: unseen crosses, future cards and future words are drawn at random."""

from collections.abc import Mapping
from random import Random
from typing import Final

from engines.dice import below, shuffled
from engines.game import Json, Seat
from engines.stella.cards import Cards, Grid, Luck, cards_of
from engines.stella.deck import DEFAULT, Pair, trusted_deck
from engines.stella.grid import BIT_OF, ROUNDS, SEATS_IN, places_of_round, seat_set
from engines.stella.state import State, new_state
from engines.stella.table import SEAT_BITS, Past
from engines.stella.turns import OVER, STEPS
from engines.stella.view import IN_SEATS

_DEFAULT: Final = cards_of(DEFAULT)


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that is consistent with *view*; all such states are equally likely."""
    options = view["options"]
    cards = cards_of(trusted_deck(options["deck"])) if "deck" in options else _DEFAULT
    grids = [_grid(told["cards"], cards) for told in view["rounds"]]
    stage = STEPS.index(view["step"])
    if stage != OVER:
        grids.append(_grid([card["id"] for card in view["grid"]], cards))
    state = new_state(_luck(view, cards, grids, rng))
    state.number, state.stage, state.seat = view["round"], stage, view["scout"] or 0
    state.past = [
        _past(told, grid, own, rng)
        for told, grid, own in zip(view["rounds"], grids, _own_crosses(view), strict=False)
    ]
    grid = grids[-1]
    shown = _find_shown(view["shown"], grid)
    if stage == OVER:
        crosses = state.past[-1].crosses
    else:
        own = (view["seat"], view["crosses"]) if "seat" in view else None
        crosses = _crosses(view["counts"], grid, shown, own, rng)
    stars, sparks = [*view["stars"]], [*view["sparks"]]
    state.restore_round(grid, view["flipped"], crosses, shown, seat_set(view["fallen"]), stars, sparks)
    state.scores = [*view["scores"]]
    return state


def _grid(names: list[str], cards: Cards) -> Grid:
    codes = cards.codes
    return Grid([codes[name] for name in names], cards)


def _past(told: Mapping[str, Json], grid: Grid, own: tuple[Seat, list[str]] | None, rng: Random) -> Past:
    """Return a finished round as *told*."""
    shown = _find_shown(told["shown"], grid)
    crosses = _crosses(told["counts"], grid, shown, own, rng)
    fallen, stars, scores = seat_set(told["fallen"]), [*told["stars"]], [*told["scores"]]
    return Past(grid, told["flipped"], crosses, shown, fallen, stars, scores)


def _find_shown(told: Mapping[str, list[Seat]], grid: Grid) -> list[int]:
    """Return the cards that were shown, as Table.shown keeps them."""
    places = grid.names
    return [places.index(name) << SEAT_BITS | seat_set(crossed) for name, crossed in told.items()]


def _own_crosses(view: Mapping[str, Json]) -> list[tuple[Seat, list[str]] | None]:
    """Return for every earlier round the seat whose crosses are known, and its crosses."""
    if "seat" not in view:
        return [None] * len(view["rounds"])
    return [(view["seat"], crosses) for crosses in view["past_crosses"]]


def _luck(view: Mapping[str, Json], cards: Cards, grids: list[Grid], rng: Random) -> Luck:
    """Return what is fixed before the match: the cards of *grids*, in their order, then random ones."""
    options = view["options"]
    order = [grid.cards[place] for number, grid in enumerate(grids, 1) for place in places_of_round(number)]
    seen = set(order)
    order += shuffled([card for card in range(len(cards.names)) if card not in seen], rng)
    words = cards.deck.discovery if options["first_game"] else _words(view, cards, rng)
    word_vote, first_game = options["word_vote"], options["first_game"]
    return Luck(view["seats"], view["first"], word_vote, first_game, cards, order, words)


def _words(view: Mapping[str, Json], cards: Cards, rng: Random) -> tuple[Pair, ...]:
    """Return the word cards: first those with a known word, then random ones."""
    deck_words = cards.deck.words
    known = [*view["rounds"]] if view["step"] in ("vote", "over") else [*view["rounds"], view]
    words = [_card_with(told["word"], told["flipped"], cards, rng) for told in known]
    if view["step"] == "vote":
        top, upside_down = view["words"]
        words.append((top, upside_down))
    left = [*deck_words]
    for pair in words:
        while pair in left:
            left.remove(pair)
    while len(words) < ROUNDS:
        words.append(left.pop(below(len(left), rng)) if left else deck_words[0])
    return tuple(words)


def _card_with(word: str, flipped: bool, cards: Cards, rng: Random) -> Pair:
    """Return a word card with *word* on the right side; an unknown word gets a card with *word* on both."""
    fitting = cards.word_cards[flipped].get(word)
    return fitting[below(len(fitting), rng)] if fitting else (word, word)


def _crosses(
    counts: list[int], grid: Grid, shown: list[int], own: tuple[Seat, list[str]] | None, rng: Random
) -> list[int]:
    """Return the crosses of a round: random ones, except those on cards shown and those of *own*."""
    known, hidden = [0] * len(counts), BIT_OF.copy()
    for card in shown:
        bit = BIT_OF[card >> SEAT_BITS]
        hidden.remove(bit)
        for seat in SEATS_IN[card & IN_SEATS]:
            known[seat] |= bit
    if own and counts:
        places = grid.names
        known[own[0]] = sum([BIT_OF[places.index(name)] for name in own[1]])
    return [
        crosses | _more(hidden, count - crosses.bit_count(), rng)
        for crosses, count in zip(known, counts, strict=True)
    ]


def _more(left: list[int], number: int, rng: Random) -> int:
    """Return *number* random crosses among the places in *left*, each of them a set."""
    if not number:
        return 0
    places, crosses = left.copy(), 0
    for _ in range(number):
        crosses |= places.pop(below(len(places), rng))
    return crosses
