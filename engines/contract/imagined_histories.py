"""Imagined worlds, held against all that a seat has seen.

A world is possible if there are a deal and moves that lead to it and show the seat, from the first event to
the last, just what it was shown.  `Known.past` makes them from the world; the engine plays.
What no seat learns and no world holds, such as a secret vote, stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engines.contract.known import Impossible, Match
from engines.contract.subject import Subject
from engines.playout import replay


def check_history(
    subject: Subject, deal: Mapping[str, Any], match: Match, seat: int | None, rng: Random
) -> None:
    """Assert that a world imagined by *seat* after *match* contradicts nothing that it has seen."""
    game = subject.game
    world = game.imagine(game.view(match[-1].state, seat), rng)
    assert _contradiction(subject, deal, match, seat, world) == ""


def _contradiction(
    subject: Subject, deal: Mapping[str, Any], match: Match, seat: int | None, world: Any
) -> str:
    """Return why *world* cannot be true for *seat*, which has seen *match*; empty: it can."""
    game = subject.game
    seats = game.view(world, None)["seats"]
    try:
        other_deal, moves = subject.known.past(deal, match, world, seat)
        again = list(replay(game, other_deal, seats, moves))
    except (Impossible, ValueError) as error:
        return f"no match leads there: {error}"
    for step, (told, retold) in enumerate(zip(match, again, strict=True)):
        if [e.seen_by(seat) for e in told.events] != [e.seen_by(seat) for e in retold.events]:
            return f"step {step} shows other events"
    state = again[-1].state
    return "" if subject.known.later(world, state) == state else "the match leads to another state"
