"""Tables for tests of environments: all games that have numbers, a plug-in's template among them."""

from engines import GAMES
from engines.template import Toy
from support.games import TABLES

NUMBERED = [(game, seats) for game, seats in TABLES if game.name in {*GAMES, Toy.name}]
IDS = [f"{game.name}-{seats}" for game, seats in NUMBERED]


def policy_for(game):
    """Return greedy, or for a game without policies one that plays the first option."""
    return "greedy-1" if game.policies() else play_first


def play_first(position, seat, rng):
    """Return the first option."""
    return position.options()[0]
