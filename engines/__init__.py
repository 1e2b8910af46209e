"""The games: rules as pure functions on frozen states.  Nothing here needs more than the standard library."""

from __future__ import annotations

from typing import Any, Final

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
from engines.playout import PlayoutStep, canonical, deal_digest, onwards, playout, plays, replay, rotations
from engines.starry_sky import StarrySky
from engines.stella import Stella
from engines.stella_quest import StellaQuest
from engines.stellar import Stellar

__all__ = [
    "GAMES",
    "Choice",
    "Event",
    "Game",
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
    "canonical",
    "deal_digest",
    "onwards",
    "playout",
    "plays",
    "replay",
    "rotations",
]

GAMES: Final[dict[str, Game[Any]]] = {
    game.name: game for game in (StellaQuest(), StarrySky(), Stellar(), Stella())
}
"""Every game by its name."""
