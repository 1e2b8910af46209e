"""Results of real matches: the house bots, played in one process, and kept with the tests.

`python tests/support/recorded_blocks.py` plays them again, in minutes, and writes the same files.  Some of
the bots are `greedy` with a share of random moves, so that the ladder has steps.
"""

import json
import sys
from collections.abc import Iterator
from itertools import combinations, cycle, islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from engines import GAMES, playout
from results.rating.outcomes import Bot, Counts, FinishOrder
from support.counted import add_block
from support.house_play import house_move
from support.worlds import two_seats

FOLDER = Path(__file__).resolve().parents[1] / "truth" / "recorded"
CONTESTS = {"stellar": 10_000, "stella-quest": 2_000}
"""The games, and the number of blocks of two matches."""
BOTS = {
    "greedy": 0.0,
    "bold": 0.0,
    "careful": 0.0,
    "random": 1.0,
    "mix10": 0.1,
    "mix25": 0.25,
    "mix50": 0.5,
    "mix75": 0.75,
}
"""The bots, each with its share of random moves."""
CODES = "wdl"
"""The result of a match for the first bot of its pair: a win, a draw or a loss."""


class RecordedBlock(NamedTuple):
    """A block of two matches, one from each seat."""

    pair: tuple[str, str]
    results: str
    """Two letters of CODES."""

    @property
    def outcomes(self) -> list[FinishOrder]:
        """The outcomes of its matches."""
        return [two_seats(key(self.pair[0]), key(self.pair[1]), CODES.index(code)) for code in self.results]


def key(name: str) -> Bot:
    """Return the version of the bot with this name."""
    return (name, "1")


def counts_of(*meetings: tuple[str, str, str]) -> Counts:
    """Return the counts of blocks of two matches: of two bots, with a letter of CODES for each match."""
    counts = Counts()
    for first, second, results in meetings:
        for block in zip(results[::2], results[1::2], strict=True):
            add_block(counts, [two_seats(key(first), key(second), CODES.index(each)) for each in block])
    return counts


def recorded_blocks(game: str) -> Iterator[RecordedBlock]:
    """Yield the recorded blocks of *game*, the pairs by turns, as a round robin plays them."""
    pairs = json.loads((FOLDER / f"{game}.json").read_text())
    left = {name: iter(results) for name, results in pairs.items()}
    while left:
        for name in [*left]:
            results = "".join(islice(left[name], 2))
            if results:
                first, second = name.split("/")
                yield RecordedBlock((first, second), results)
            else:
                del left[name]


def play_blocks(game: str, blocks: int) -> dict[str, str]:
    """Play *blocks* blocks of *game*; return the results of each pair, a letter of CODES a match."""
    results = {f"{a}/{b}": "" for a, b in combinations(BOTS, 2)}
    for number, name in enumerate(islice(cycle(results), blocks)):
        deal = GAMES[game].deal(2, Random(f"deal/{number}"))
        first, second = name.split("/")
        for rotation, seats in enumerate([(first, second), (second, first)]):
            ranks = _play_match(game, deal, seats, Random(f"match/{number}/{rotation}"))
            ours, theirs = ranks[rotation], ranks[1 - rotation]
            results[name] += CODES[1 + (ours > theirs) - (ours < theirs)]
    return results


def _play_match(game: str, deal: dict[str, Any], seats: tuple[str, str], rng: Random) -> tuple[int, ...]:
    """Return the ranks of the *seats* after a match."""
    rules = GAMES[game]

    def policy(state: Any, seat: int, choice: Any) -> Any:
        bot = seats[seat]
        if rng.random() < BOTS[bot]:
            return rng.choice(
                [move for move in choice.options if not move.endswith(" down")] or choice.options
            )
        style = "greedy" if bot.startswith("mix") else bot
        return house_move(game, style, state, seat)

    *_, last = playout(rules, deal, 2, policy)
    return rules.outcome(last.state).ranks


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for contest, count in CONTESTS.items():
        text = json.dumps(play_blocks(contest, count), indent=0)
        (FOLDER / f"{contest}.json").write_text(text + "\n")
