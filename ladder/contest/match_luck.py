"""The luck of a match: how much the draws gave to one seat, as the game estimates it.

The expectation of a game's estimate is 0 whatever the bots do, because it compares what was drawn with what
could have been drawn as well.  A result less its luck has therefore the mean of the result; it varies less.

That holds for matches with faults as well.  They must not be left out: a bot may fail when it is unlucky.
"""

import math
from collections.abc import Sequence
from typing import Any, cast

import msgspec

from engines import GAMES
from engines.game import Move, Seat, TellsLuck
from ladder.contest.keys import Keys
from results.record import LUCK_UNITS, Match

_decode = msgspec.json.Decoder(list[list[list[Any]]]).decode


def most_luck(game: str) -> int:
    """Return the most luck of a match of *game*, in units of 1 / LUCK_UNITS; 0 if it has no estimate."""
    return math.floor(LUCK_UNITS * getattr(GAMES[game], "most_luck", 0.0))


def luck_of(match: Match, state: Any, keys: Keys, before: bool = False) -> int:
    """Return the luck of seat 0 in *match*, which started with *state*, in units of 1 / LUCK_UNITS.

    It is rounded up or down at random, so that rounding leaves its expectation as it is.  With *before*, as
    earlier versions of the game computed it, if it says how.  Raises ValueError if the game's estimate is
    out of its own bounds.
    """
    game, rng = cast("TellsLuck[Any]", GAMES[match.game]), keys.luck(match.number)
    estimate = getattr(game, "luck_before", game.luck) if before else game.luck
    luck = estimate(state, [moves_of(moves) for moves in _decode(match.moves)], rng)
    if not abs(luck) <= game.most_luck:
        raise ValueError(f"{match.game} has the bounds of luck +-{game.most_luck:g}, but returned {luck!r}")
    return math.floor(LUCK_UNITS * luck + rng.random())


def moves_of(step: Sequence[Sequence[Any]]) -> dict[Seat, Move]:
    return {move[0]: tuple(move[1]) if type(move[1]) is list else move[1] for move in step}
