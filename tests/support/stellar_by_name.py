"""Stellar with states told in names, so that a test can read them and write them by hand."""

from engines import replay
from engines.game import OneOf
from engines.stellar import Stellar, draws, playouts, scoring
from engines.stellar.cards import CODES, codes_of
from engines.stellar.luck import complete_deal
from engines.stellar.moves import MOVES, lay_option
from engines.stellar.state import new_state
from engines.stellar.turns import PLACE
from support.told import by_name

CHOSEN = {0: "M3.2@T1", 1: "A3.2@T1"}  # so P3.2 and C3.2 lie in the notebooks
DECK_TOP = "C2.3 P6.0  B2.3 M6.0  P1.3 A2.3 S3 C4.1 B5.0  A1.3 M5.0 P2.2"  # hands, row, draw pile


class ByName(by_name(Stellar)):
    """The rules of Stellar, on states told in names."""

    def luck(self, state, moves, rng):
        return super().luck(state.state, moves, rng)

    def luck_before(self, state, moves, rng):
        return super().luck_before(state.state, moves, rng)


STELLAR = ByName()


def dealt(deck=DECK_TOP, **more):
    return complete_deal({"starters": ["M3.2", "P3.2", "A3.2", "C3.2", "B3.2"], "deck": deck.split()} | more)


def after(deal, *moves):
    """Return the last step of a match in which *moves* follow the choice of the starters."""
    *_, step = replay(STELLAR, deal, 2, [CHOSEN, *moves])
    return step


def asked(state):
    return {seat: [*choice.options] for seat, choice in STELLAR.choices(state).items()}


def place_choice(telescope, card):
    """Return the choice of where to lay *card* in *telescope*."""
    state = new_state(0, False, [])
    state.stage, state.waiting = PLACE, CODES[card]
    for slot, lies in telescope.items():
        state.lay(0, lay_option(slot, lies))
    return OneOf(tuple(MOVES[option] for option in state.options()))


def breakdown(state):
    """Return the points of both seats, as engines.stellar.scoring counts them."""
    return scoring.breakdown(state.state)


def play_out(state, cards):
    """Play *state* to its end with *cards*, as engines.stellar.playouts does."""
    return playouts.play_out(state.state, codes_of(cards))


def finish(state, rng):
    """Play *state* to its end, as engines.stellar.playouts does."""
    return playouts.finish(state.state, rng)


def luck_of_draw(state, moves, after, rng):
    """Return the luck of a draw, as engines.stellar.draws tells it."""
    return draws._luck_of_draw(state.state, moves, after.state, rng)
