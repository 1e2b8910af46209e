"""States of Stella told in names: to compare them, and to write them by hand."""

from __future__ import annotations

from typing import NamedTuple

from engines.game import Seat
from engines.stella.cards import Grid, cards_of, new_grid, new_luck
from engines.stella.deck import Deck, Pair
from engines.stella.grid import BIT_OF, SEATS_IN, seat_set
from engines.stella.scoring import NO_SEAT
from engines.stella.state import State, new_state
from engines.stella.table import SEAT_BITS, Past, Table, new_past
from engines.stella.turns import SHOW, STEPS
from engines.stella.view import IN_SEATS, crosses_names

__all__ = ["state_of", "told"]


class NamedLuck(NamedTuple):
    """Everything that is fixed before the match."""

    seats: int
    first: Seat
    word_vote: bool
    first_game: bool
    deck: Deck
    cards: tuple[str, ...]
    """All picture ids, in the order in which they come to the grid."""
    words: tuple[Pair, ...]


class Round(NamedTuple):
    """The part of a round that stays the same while scouts show cards."""

    number: int
    cards: tuple[str, ...]
    """The ids of the grid, row by row from the top."""
    word: str | None
    flipped: bool
    crosses: tuple[tuple[str, ...], ...]
    """The crosses of every seat, in the order of the grid; empty until all seats have chosen."""
    counts: tuple[int, ...]
    dark: Seat | None


class NamedPast(NamedTuple):
    """A round that is over."""

    round: Round
    shown: dict[str, tuple[Seat, ...]]
    fallen: tuple[Seat, ...]
    stars: tuple[int, ...]
    scores: tuple[int, ...]


class NamedState(NamedTuple):
    """A match that is being played or is over, between two steps."""

    luck: NamedLuck
    step: str
    scout: Seat | None
    round: Round
    shown: dict[str, tuple[Seat, ...]]
    """The cards shown in this round, in their order, each with all seats that had crossed it."""
    fallen: tuple[Seat, ...]
    stars: tuple[int, ...]
    sparks: tuple[int, ...]
    scores: tuple[int, ...]
    past: tuple[NamedPast, ...]


def told(state: State) -> NamedState:
    """Return *state* in names.  What its last step was is left out."""
    luck = state.luck
    names = luck.cards.names
    fixed = NamedLuck(
        luck.seats,
        luck.first,
        luck.word_vote,
        luck.first_game,
        luck.cards.deck,
        tuple([names[card] for card in luck.order]),
        luck.words,
    )
    return NamedState(
        fixed,
        state.step,
        state.seat if state.stage == SHOW else None,
        _round(state, state, state.number, state.word),
        _shown(state, state),
        tuple(SEATS_IN[state.fallen]),
        tuple(state.stars),
        tuple(state.sparks),
        tuple(state.scores),
        tuple([_past(state, number, past) for number, past in enumerate(state.past, 1)]),
    )


def _past(state: State, number: int, past: Past) -> NamedPast:
    return NamedPast(
        _round(state, past, number, state.luck.words[number - 1][past.flipped]),
        _shown(state, past),
        tuple(SEATS_IN[past.fallen]),
        tuple(past.stars),
        tuple(past.scores),
    )


def _round(state: State, played: Table | Past, number: int, word: str | None) -> Round:
    return Round(
        number,
        tuple(played.grid.names),
        word,
        played.flipped,
        tuple([tuple(crosses_names(played.grid, places)) for places in played.crosses]),
        tuple(played.counts),
        None if played.dark == NO_SEAT else played.dark,
    )


def _shown(state: State, played: Table | Past) -> dict[str, tuple[Seat, ...]]:
    names = played.grid.names
    return {names[card >> SEAT_BITS]: tuple(SEATS_IN[card & IN_SEATS]) for card in played.shown}


def state_of(named: NamedState) -> State:
    """Return the state that told() tells like this."""
    fixed = named.luck
    cards = cards_of(fixed.deck)
    order = [cards.codes[card] for card in fixed.cards]
    luck = new_luck(fixed.seats, fixed.first, fixed.word_vote, fixed.first_game, cards, order, fixed.words)
    state = new_state(luck)
    state.stage, state.number, state.seat = STEPS.index(named.step), named.round.number, named.scout or 0
    grid, crosses, shown, fallen = _codes_of(state, named.round, named.shown, named.fallen)
    stars, sparks = [*named.stars], [*named.sparks]
    state.restore_round(grid, named.round.flipped, crosses, shown, fallen, stars, sparks)
    state.scores = [*named.scores]
    state.past = [_past_of(state, past) for past in named.past]
    return state


def _past_of(state: State, past: NamedPast) -> Past:
    grid, crosses, shown, fallen = _codes_of(state, past.round, past.shown, past.fallen)
    return new_past(grid, past.round.flipped, crosses, shown, fallen, [*past.stars], [*past.scores])


def _codes_of(
    state: State, named: Round, shown: dict[str, tuple[Seat, ...]], fallen: tuple[Seat, ...]
) -> tuple[Grid, list[int], list[int], int]:
    """Return the grid, the crosses, the cards shown and the fallen seats of a round, in codes."""
    codes, places = state.luck.cards.codes, {card: place for place, card in enumerate(named.cards)}
    return (
        new_grid([codes[card] for card in named.cards], state.luck.cards),
        [sum([BIT_OF[places[card]] for card in crosses]) for crosses in named.crosses],
        [places[card] << SEAT_BITS | seat_set([*crossed]) for card, crossed in shown.items()],
        seat_set([*fallen]),
    )
