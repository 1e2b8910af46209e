"""Measure what each step of a program that learns costs, and write the table in bots/SEARCH.md anew.

    python tests/programs/learning_costs.py

Each figure is the least of some rounds, in microseconds of CPU time: the mean over positions of random
matches.  The compiled build is measured where it is installed; the table says which build it was.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[2]))  # last: engines that are installed are compiled

from engines import GAMES, find_policy
from engines.game import Game
from engines.judge import valuing
from engines.many import write_masks, write_rows
from ladder.dev.benchmark.figure import describe_machine

TABLES = (
    *(("stellar", 2), ("stella-quest", 2), ("stella-quest", 4)),
    *(("starry-sky", 3), ("starry-sky", 5), ("stella", 4)),
)
POSITIONS = 200
ROUNDS = 5
STEPS = ("copy", "numbers", "mask", "imagine", "greedy", "round", "prospects", "value")
PAGE = Path(__file__).resolve().parents[2] / "bots" / "SEARCH.md"
BEGINS, ENDS = "| us | columns |", "\n\n"


def positions_of(game: Game[Any], seats: int, rng: Random, count: int = POSITIONS) -> list[Any]:
    """Return a tenth of the positions of random matches, before the end."""
    found: list[Any] = []
    while len(found) < count:
        position = game.begin(game.deal(seats, rng), seats)
        while not position.over:
            if rng.random() < 0.1:
                found.append(position.copy())
            options = position.options()
            position.play(options[int(rng.random() * len(options))])
    return found[:count]


def steps_of(game: Game[Any], seats: int, positions: list[Any]) -> dict[str, Callable[[], object]]:
    """Return what makes each of STEPS for all *positions*; those that the game lacks are left out."""
    rng, greedy = Random(7), find_policy(game, "greedy-1")
    views = [game.view(position, position.seat) for position in positions]
    words = game.vocabulary(seats)
    places = None if game.options_are_places else {word: at for at, word in enumerate(words)}
    rows = table_of("f", 4, len(positions), len(game.columns(seats)))
    masks = table_of("b", 1, len(positions), len(words))
    steps: dict[str, Callable[[], object]] = {
        "copy": lambda: [position.copy() for position in positions],
        "numbers": lambda: write_rows(positions, rows),
        "mask": lambda: write_masks(positions, masks, places),
        "imagine": lambda: [game.imagine(view, rng) for view in views],
        "greedy": lambda: [greedy(position, position.seat, rng) for position in positions],
        "round": lambda: [position.play_on(rng, greedy) for position in positions],
    }
    if game.judge(seats) is not None:
        steps["prospects"] = lambda: judge_all(lambda judge, position: judge.prospects(position, rng))
        steps["value"] = lambda: judge_all(lambda judge, position: judge.value(position))

    def judge_all(ask: Callable[[Any, Any], object]) -> object:
        judge = valuing(game.judge(seats), game.name)  # a new one, which remembers nothing
        return [ask(judge, position) for position in positions]

    return steps


def table_of(kind: Any, size: int, rows: int, columns: int) -> memoryview:
    """Return a buffer of two dimensions."""
    return memoryview(bytearray(size * rows * columns)).cast(kind, (rows, columns))


def row_of(name: str, seats: int, positions: int = POSITIONS, rounds: int = ROUNDS) -> str:
    """Return the row of a table in Markdown."""
    game = GAMES[name]
    steps = steps_of(game, seats, found := positions_of(game, seats, Random(seats), positions))
    cells = [f"{len(game.columns(seats)):,}"]
    for step in STEPS:
        us = min(measure(steps[step]) for _ in range(rounds)) / len(found) if step in steps else None
        cells.append("-" if us is None else f"{us:.1f}" if us < 10 else f"{us:.0f}")
    return f"| {game.name} {seats} | {' | '.join(cells)} |"


def measure(run: Callable[[], object]) -> float:
    """Return the microseconds of CPU time that *run* takes."""
    began = time.process_time_ns()
    run()
    return (time.process_time_ns() - began) / 1000


def replaced(page: str, rows: list[str], machine: str) -> str:
    """Return *page* with the table of these *rows*."""
    before, _, rest = page.partition(BEGINS)
    after = rest.partition(ENDS)[2].partition(ENDS)[2]
    head = f"{BEGINS} {' | '.join(STEPS)} |\n|---|{'---|' * (1 + len(STEPS))}"
    return "\n".join([f"{before}{head}", *rows]) + f"{ENDS}Measured on {machine}.{ENDS}{after}"


def main() -> None:
    """Measure, and write the page."""
    rows = [row_of(*table) for table in TABLES]
    print(*rows, sep="\n")
    PAGE.write_text(replaced(PAGE.read_text("utf-8"), rows, describe_machine()), "utf-8")


if __name__ == "__main__":
    main()
