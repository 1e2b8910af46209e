"""Measure the engines alone, on states and dictionaries, as programs in Python and replays use them.

Random playouts, with and without views, choices and events encoded.  playout_speed.py measures positions.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from engines import GAMES
from engines.game import Game
from ladder.dev.benchmark.figure import Figure, at_most

PLAYOUTS = 60
"""Matches per round."""

_encode = msgspec.json.Encoder().encode


def engine_figures(rounds: int) -> Iterator[Figure]:
    """Measure random playouts of every game: the rules alone, and with views, choices and events encoded.

    A game's figure is the median over its table sizes and rounds; then come the medians over the games.
    """
    of_all: list[tuple[float, float]] = []
    for name, game in GAMES.items():
        alone: list[float] = []
        told: list[float] = []
        sizes: list[int] = []
        for _ in range(rounds):
            for seats in game.seats:
                alone.append(_playout_us(game, seats, None))
                told.append(_playout_us(game, seats, sizes))
        of_all.append((statistics.median(alone), statistics.median(told)))
        for what, us in zip(("rules", "rules, view and encoding"), of_all[-1], strict=True):
            yield Figure(f"{name}: {what}", us, "us/decision")
            yield Figure(f"{name}: {what}", 1e6 / us, "decisions/s")
        yield Figure(f"{name}: an act line, median", statistics.median(sizes), "bytes")
    rules, with_view = (statistics.median(column) for column in zip(*of_all, strict=True))
    yield at_most("median of the games: rules", rules, "us/decision", 15)
    yield at_most("median of the games: rules, view and encoding", with_view, "us/decision", 45)


def _playout_us(game: Game[Any], seats: int, sizes: list[int] | None) -> float:
    """Return the microseconds per decision of random playouts; with *sizes*, encode and collect sizes."""
    rng = Random(7)
    starts = [game.start(game.deal(seats, rng), seats).state for _ in range(PLAYOUTS)]
    decisions = 0
    began = time.process_time_ns()
    for state in starts:
        while choices := game.choices(state):
            decisions += len(choices)
            if sizes is not None:
                for seat, choice in choices.items():
                    sizes.append(170 + len(_encode(choice.to_json())) + len(_encode(game.view(state, seat))))
            state, events = game.play(state, {seat: choice.sample(rng) for seat, choice in choices.items()})
            if sizes is not None:
                for event in events:
                    _encode(event.seen_by(None))
    return (time.process_time_ns() - began) / 1000 / decisions
