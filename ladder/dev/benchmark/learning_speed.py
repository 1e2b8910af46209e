"""Measure the decisions of programs that learn, at random: on positions alone, and through environments."""

import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import median
from typing import Any, Final

from engines import GAMES
from engines.game import Game
from ladder.dev.benchmark.figure import Figure, at_least
from ladder.dev.benchmark.playout_speed import SEED
from ladder.dev.doctor import is_compiled

DECISIONS: Final = 10_240
"""How many decisions a round plays in each way, and against greedy a tenth."""
BASE: Final = "positions with numbers"
FEATURES: Final = "ends of rounds of greedy as features"
"""What bots/LEARNING.md learns from."""
AIMS: Final = {"LadderEnv": 0.25, "Tables of 256": 0.75}
"""The decisions per second of the compiled build / those of positions with numbers, at the slowest table."""


def learning_figures(rounds: int) -> Iterator[Figure]:
    """Measure the smallest and largest tables of games with `greedy-1`; only positions without `learn`."""
    shares: dict[str, list[float]] = {way: [] for way in AIMS}
    for game in [game for game in GAMES.values() if "greedy-1" in game.policies()]:
        for seats in sorted({game.seats[0], game.seats[-1]}):
            ways = _ways(game, seats)
            times = [{way: _us(play) for way, play in ways.items()} for _ in range(rounds)]
            us = {way: median(each[way] for each in times) for way in ways}
            for way in ways:
                unit = "rows/s" if way == FEATURES else "decisions/s"
                yield Figure(f"{game.name}, {seats} seats: {way}", 1e6 / us[way], unit)
            for way in AIMS.keys() & us:
                shares[way].append(us[BASE] / us[way])
    for way, found in shares.items():
        if found:
            yield at_least(f"slowest table: {way} / {BASE}", min(found), "", AIMS[way] * is_compiled())


def _us(play: Callable[[], int]) -> float:
    """Return the microseconds of CPU time for each decision."""
    began = time.process_time_ns()
    decisions = play()
    return (time.process_time_ns() - began) / 1000 / decisions


def _ways(game: Game[Any], seats: int) -> dict[str, Callable[[], int]]:
    """Return what plays at random in each way, and returns how many decisions it made."""
    rng, row = Random(SEED), array("f", bytes(4 * len(game.columns(seats))))

    def pick(actions: Sequence[int]) -> int:
        return actions[int(rng.random() * len(actions))]

    def play_positions() -> int:
        played = 0
        while played < DECISIONS:
            position = game.begin(game.deal(seats, rng), seats)
            while not position.over:
                position.numbers(position.seat, row)
                position.play(pick(position.options()))
                played += 1
        return played

    try:
        from ladder.learn import Encoder, LadderEnv, SeatEnv, Tables
    except ImportError:
        return {BASE: play_positions}
    every, own, tables = LadderEnv(game, seats), SeatEnv(game, seats), Tables(game, seats, 256, seed=SEED)

    def play_every() -> int:
        played = 0
        while played < DECISIONS:
            every.reset()
            while not every.last()[2]:
                every.step(pick(every.match.legal()))
                played += 1
        return played

    def play_own() -> int:
        for _ in range(DECISIONS // 10):
            if own.is_over:
                own.reset()
            own.step(pick(own.match.legal()))
        return DECISIONS // 10

    def play_tables() -> int:
        for _ in range(DECISIONS // 256):
            tables.observe()
            tables.step([pick(match.legal()) for match in tables.matches])
        return DECISIONS

    encoder, greedy = Encoder(game, seats), game.policies()["greedy-1"]

    def play_rounds() -> int:
        rows = list[Any]()
        while len(rows) < DECISIONS // 10:
            world = game.begin(game.deal(seats, rng), seats)
            while not (world := world.play_on(rng, greedy)).over:
                for seat in range(seats):
                    rows.append(row[:])
                    world.numbers(seat, rows[-1])
        encoder(rows)
        return len(rows)

    environments = {"LadderEnv": play_every, "SeatEnv against greedy": play_own, "Tables of 256": play_tables}
    return {BASE: play_positions, **environments, FEATURES: play_rounds}
