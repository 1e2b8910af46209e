"""Stellar with states told in names, so that a test can read them and write them by hand."""

from __future__ import annotations

from engines.game import OneOf
from engines.stellar import Stellar, draws, playouts, scoring
from engines.stellar.cards import codes_of
from engines.stellar.moves import MOVES
from engines.stellar.named import Discards, Luck, NamedState, Player, state_of, told
from support.by_name import ToldInNames

__all__ = ["ByName", "breakdown", "finish", "luck_of_draw", "place_choice", "play_out"]


class ByName(ToldInNames, Stellar):
    """The rules of Stellar, on states such as engines.stellar.named tells them."""

    def _state(self, named):
        return state_of(named)

    def _told(self, state):
        return told(state)

    def luck(self, state, moves, rng):
        return super().luck(state_of(state), moves, rng)

    def luck_before(self, state, moves, rng):
        return super().luck_before(state_of(state), moves, rng)


def place_choice(telescope, card):
    """Return the choice of where to lay *card* in *telescope*."""
    player = Player((), (), (), telescope)
    luck = Luck(0, "printed", ())
    state = state_of(NamedState(luck, 0, "place", False, card, (None,) * 5, (), Discards(), (player, player)))
    return OneOf(tuple(MOVES[option] for option in state.options()))


def breakdown(state):
    """Return the points of both seats, as engines.stellar.scoring counts them."""
    return scoring.breakdown(state_of(state))


def play_out(state, cards):
    """Play *state* to its end with *cards*, as engines.stellar.playouts does."""
    return playouts.play_out(state_of(state), codes_of(cards))


def finish(state, rng):
    """Play *state* to its end, as engines.stellar.playouts does."""
    return playouts.finish(state_of(state), rng)


def luck_of_draw(state, moves, after, rng):
    """Return the luck of a draw, as engines.stellar.draws tells it."""
    return draws._luck_of_draw(state_of(state), moves, state_of(after), rng)
