"""The games.  A deal and moves come in; states, views, events and outcomes go out.

The methods of a game never change a state; a position is played on in place.  They need only the standard
library.
"""

from engines.game import (
    Choice,
    Event,
    Game,
    IllegalMove,
    InvalidMove,
    Json,
    Move,
    OneOf,
    Outcome,
    Seat,
    Some,
    Step,
)
from engines.games import GAMES, GameNotLoaded
from engines.playout import (
    PlayoutStep,
    can_replay,
    canonical,
    deal_digest,
    decide,
    find_policy,
    onwards,
    playout,
    replay,
)

__all__ = [
    "GAMES",
    "Choice",
    "Event",
    "Game",
    "GameNotLoaded",
    "IllegalMove",
    "InvalidMove",
    "Json",
    "Move",
    "OneOf",
    "Outcome",
    "PlayoutStep",
    "Seat",
    "Some",
    "Step",
    "can_replay",
    "canonical",
    "deal_digest",
    "decide",
    "find_policy",
    "onwards",
    "playout",
    "replay",
]
