"""How well judges foretell results of matches that none of their numbers was fitted to.

`python tests/programs/judge_calibration.py` plays matches of the house bots at all tables, with deals of its
own, and prints for each what `ladder leaderboard --show judges` prints of reviewed matches; with names behind
it, such as `stella-quest/2`, only those tables.  A number among them is that of matches.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[2]))  # last: engines that are installed are compiled

from engines import GAMES, find_policy
from engines.judge import beaten_by
from ladder.cli.show_document import show_document
from ladder.machine.cores import usable_cores
from ladder.replay.review.effort import FULL
from ladder.replay.review.foretelling import Foretold, Tenth
from ladder.replay.review.review_document import foretold_section
from ladder.replay.review.worlds import WorldSource
from results.reports.document import Document

TABLES = [(game, seats) for game in ("stellar", "stella-quest", "starry-sky") for seats in GAMES[game].seats]
MATCHES = 200
STEP = 5
"""Of so many decisions one is looked at: chances that follow each other say the same."""
HOUSE = ("greedy-1", "bold-1", "careful-1")


def foretell(game: str, seats: int, number: int) -> list[tuple[float, float]]:
    """Return what the seats of a match expected by what they saw, each with its result."""
    rules, rng = GAMES[game], Random(f"calibration/{game}/{seats}/{number}")
    judge = rules.judge(seats)
    assert judge is not None
    line = FULL.line_for(judge)
    policies = [find_policy(rules, HOUSE[int(rng.random() * len(HOUSE))]) for _ in range(seats)]
    position = rules.begin(rules.deal(seats, rng), seats)
    expected: list[tuple[int, float]] = []
    step = number % STEP
    while not position.over:
        if step % STEP == 0 and len(position.seats()) == 1:
            for seat in range(seats):
                source = WorldSource(
                    rules, judge, position.write_view(seat), seat, asked=seat == position.seat
                )
                expected.append((seat, source.expect(line)))
        position.play(policies[position.seat](position, position.seat, rng))
        step += 1
    results = beaten_by(position.outcome().ranks)
    return [(chance, results[seat]) for seat, chance in expected]


def sum_up(game: str, seats: int, matches: int, pairs: list[tuple[float, float]]) -> Foretold:
    """Return what *pairs* of chances and results show."""
    judge, parts = GAMES[game].judge(seats), []
    assert judge is not None
    for part in range(10):
        here = [pair for pair in pairs if min(9, int(10 * pair[0])) == part]
        if here:
            expected, happened = (sum(column) / len(here) for column in zip(*here, strict=True))
            parts.append(Tenth(len(here), expected, happened))
    brier = sum((chance - result) ** 2 for chance, result in pairs) / len(pairs)
    return Foretold(game, seats, judge.name, matches, brier, tuple(parts))


def main(words: list[str]) -> None:
    """Measure the tables among *words*, or all."""
    tables = [word for word in words if "/" in word]
    matches = next((int(word) for word in words if word.isdigit()), MATCHES)
    with ProcessPoolExecutor(len(usable_cores())) as pool:
        for game, seats in TABLES:
            if tables and f"{game}/{seats}" not in tables:
                continue
            found = pool.map(partial(foretell, game, seats), range(matches))
            pairs = [pair for part in found for pair in part]
            document = Document("Judges", [foretold_section(sum_up(game, seats, matches, pairs))])
            show_document(document, {})


if __name__ == "__main__":
    main(sys.argv[1:])
