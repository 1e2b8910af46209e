"""A state told in names: to look at, to compare, and to write by hand in tests.  No match needs it."""

from __future__ import annotations

from typing import NamedTuple

from engines.game import Seat
from engines.stellar.cards import CODES, NAMES, NO_CARD, codes_of, names_of
from engines.stellar.moves import MOVES, PLAYS, lay_option
from engines.stellar.state import State, new_state
from engines.stellar.turns import FINAL, OVER, STARTER, STEPS

__all__ = ["Discards", "Luck", "NamedState", "Player", "Telescope", "state_of", "told"]


class Luck(NamedTuple):
    """Everything that is fixed before the match."""

    first: Seat
    face_down_number: str
    reshuffles: tuple[tuple[str, ...], ...]


class Discards(NamedTuple):
    """The discard pile, the number of its reshuffles, and the cards left over at the end, by seat."""

    cards: tuple[str, ...] = ()
    reshuffles: int = 0
    thrown: tuple[str, ...] = ()


class Telescope(NamedTuple):
    """The cards in twelve slots, in the order of play: "P4.1" or "P4.1 down"."""

    cards: dict[str, str]


class Player(NamedTuple):
    """The cards of one seat."""

    hand: tuple[str, ...]
    known: tuple[str, ...]
    notebook: tuple[str, ...]
    telescope: Telescope


class NamedState(NamedTuple):
    """A match that is being played or is over."""

    luck: Luck
    turn: int
    step: str
    satellite: bool
    waiting: str | None
    row: tuple[str | None, ...]
    pile: tuple[str, ...]
    """The draw pile, next card first."""
    discards: Discards
    players: tuple[Player, Player]


def told(state: State) -> NamedState:
    """Return *state* in names.  What its last step did is left out."""
    orders = tuple([tuple(names_of(order)) for order in state.orders])
    one, other = (
        Player(
            tuple(names_of(state.hands[seat])),
            tuple(names_of(state.known[seat])),
            tuple(names_of(state.notebooks[seat])),
            Telescope(
                {play.slot: play.lies for play in [PLAYS[MOVES[laid]] for laid in state.telescopes[seat]]}
            ),
        )
        for seat in (0, 1)
    )
    return NamedState(
        Luck(state.first, "three" if state.always_three else "printed", orders),
        state.turn,
        state.step,
        state.satellite,
        None if state.waiting == NO_CARD else NAMES[state.waiting],
        tuple([None if card == NO_CARD else NAMES[card] for card in state.row]),
        tuple(names_of(state.pile[::-1])),
        Discards(tuple(names_of(state.discards)), state.reshuffles, tuple(names_of(state.thrown))),
        (one, other),
    )


def state_of(named: NamedState) -> State:
    """Return the state that told() tells like this."""
    orders = [codes_of(order) for order in named.luck.reshuffles]
    state = new_state(named.luck.first, named.luck.face_down_number == "three", orders)
    state.turn, state.stage, state.satellite = named.turn, STEPS.index(named.step), named.satellite
    if state.stage not in (STARTER, FINAL, OVER):
        state.seat = (state.first + state.turn) % 2
    state.waiting = NO_CARD if named.waiting is None else CODES[named.waiting]
    state.row = codes_of(named.row)
    state.pile = codes_of(reversed(named.pile))
    state.discards = codes_of(named.discards.cards)
    state.reshuffles = named.discards.reshuffles
    state.thrown = codes_of(named.discards.thrown)
    for seat, player in enumerate(named.players):
        state.hands[seat] = codes_of(player.hand)
        state.known[seat] = codes_of(player.known)
        state.notebooks[seat] = codes_of(player.notebook)
        for slot, lies in player.telescope.cards.items():
            state.lay(seat, lay_option(slot, lies))
    return state
