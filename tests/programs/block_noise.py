"""How much chance there is in a deal between house bots: the figures of ladder/run/tournament/noise.py.

`python tests/programs/block_noise.py` plays 300 deals at each table size of each game, each from every seat,
and prints them; it takes some ten minutes.
"""

import sys
from itertools import cycle, islice
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from support.house_play import ranks_of_block

from engines import GAMES
from ladder.contest.keys import Keys, secret_of_seed
from ladder.run.tournament.noise import pool_deviation

STYLES = {
    "stellar": ("greedy", "bold", "careful"),
    "stella-quest": ("greedy", "careful", "bold"),
    "starry-sky": ("greedy", "rival", "careful", "bold"),
}
"""House bots that are near each other; at larger tables some play twice.  Stella has none."""
BLOCKS = 300


def deviation_of(game: str, seats: int, blocks: int) -> float:
    """Return the standard deviation of the score of a block, as find_noise does from stored matches."""
    styles = tuple(islice(cycle(STYLES[game]), seats))
    keys = Keys(secret_of_seed(31))
    scores: list[list[float]] = [[] for _ in styles]
    for block in range(blocks):
        ranks = ranks_of_block(game, styles, keys, block)
        for bot, mine in enumerate(scores):
            beaten = [
                sum([(other > match[bot]) + (other == match[bot]) / 2 for other in match]) - 0.5
                for match in ranks
            ]
            mine.append(sum(beaten) / len(ranks) / (seats - 1))
    found = pool_deviation(scores[:1] if seats == 2 else scores)
    assert found is not None, "none of the bots is near the others"
    return found.deviation


if __name__ == "__main__":
    for name in STYLES:
        for size in GAMES[name].seats:
            print(f'    ("{name}", {size}): {deviation_of(name, size, BLOCKS):.3f},', flush=True)
