"""Measure random matches played on positions: what a searching bot and the referee use of a game.

Three ways to play them: each match to its end in one call; move by move, as a search does; and with the
choice and the view of every decision written as JSON, as the referee does.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

from engines import GAMES, onwards
from engines.game import Game
from engines.position import Position
from ladder.dev.benchmark.figure import Figure, at_least
from ladder.dev.doctor import is_compiled

MATCHES: Final = 100
"""How many matches a round plays at each table size: some milliseconds, as a search does with warm caches."""
SEED: Final = 7
"""The seed of the dice of every round."""
AIMS: Final = {
    "random playout": (1_000_000, 400_000),
    "playout with choice and view as JSON": (240_000, 100_000),
}
"""Decisions per second of the compiled build: of Stellar, and of the slowest other game."""
NO_AIM: Final = (0, 0)


class RandomMatches(NamedTuple):
    """The starts of random matches."""

    starts: list[Position]
    decisions: int
    """How many decisions their playouts take, one after another, with the dice of play_whole."""


def random_matches(game: Game[Any], seats: int, matches: int = MATCHES) -> RandomMatches:
    """Return the starts of *matches* random matches of *game* with *seats* seats."""
    rng, dice = Random(SEED), Random(SEED)
    starts, decisions = [], 0
    for _ in range(matches):
        deal = game.deal(seats, rng)
        starts.append(game.begin(deal, seats))
        # a playout is the match that the states make with the same dice: a contract test says so
        steps = onwards(game, game.start(deal, seats).state, dice)
        decisions += sum(len(step.moves) for step in steps)
    return RandomMatches(starts, decisions)


def _play_whole(matches: RandomMatches) -> int:
    """Play every match in one call; return the number of decisions."""
    dice = Random(SEED)
    for start in matches.starts:
        start.playout(dice)
    return matches.decisions


def _play_moves(matches: RandomMatches) -> int:
    """Play every match move by move; return the number of decisions."""
    decisions, random = 0, Random(SEED).random
    for start in matches.starts:
        position = start.copy()
        while not position.over:
            options = position.options()
            position.play(options[int(random() * len(options))])
            decisions += 1
    return decisions


def _play_and_write(matches: RandomMatches) -> int:
    """Play every match move by move, choices and views as JSON; return the number of decisions."""
    decisions, random = 0, Random(SEED).random
    for start in matches.starts:
        position = start.copy()
        while not position.over:
            seat = position.seat
            position.write_choice(seat)
            position.write_view(seat)
            options = position.options_of(seat)
            position.play(options[int(random() * len(options))])
            decisions += 1
    return decisions


WAYS: Final[dict[str, Callable[[RandomMatches], int]]] = {
    "random playout": _play_whole,
    "playout, move by move": _play_moves,
    "playout with choice and view as JSON": _play_and_write,
}
"""The ways to play random matches."""


def match_us(play: Callable[[RandomMatches], int], matches: RandomMatches) -> float:
    """Return the microseconds of CPU time per decision."""
    began = time.process_time_ns()
    decisions = play(matches)
    return (time.process_time_ns() - began) / 1000 / decisions


def playout_figures(rounds: int) -> Iterator[Figure]:
    """Measure random matches of every game: Stellar, then the others, then the slowest of the others.

    A game's figure is the median over its table sizes and rounds.  The aims are for the compiled build.
    """
    rates = {name: _rates(game, rounds) for name, game in GAMES.items()}
    others = [of_game for name, of_game in rates.items() if name != "stellar"]
    for what in WAYS:
        aim, aim_of_others = AIMS.get(what, NO_AIM) if is_compiled() else NO_AIM
        for name, of_game in rates.items():
            yield at_least(f"{name}: {what}", of_game[what], "decisions/s", aim if name == "stellar" else 0)
        if others:
            slowest = min(of_game[what] for of_game in others)
            yield at_least(f"slowest other game: {what}", slowest, "decisions/s", aim_of_others)


def _rates(game: Game[Any], rounds: int) -> dict[str, float]:
    """Return the decisions per second in each of the WAYS."""
    tables = [random_matches(game, seats) for seats in game.seats]
    return {
        what: 1e6 / statistics.median(match_us(play, matches) for _ in range(rounds) for matches in tables)
        for what, play in WAYS.items()
    }
