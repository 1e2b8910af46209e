"""How much chance there is in a block of a game, and how many blocks a round needs to tell two bots apart.

The score of a bot in a block is the mean share of the others that it beats, over the matches of the block.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import attrgetter
from statistics import NormalDist
from typing import Final, Literal, NamedTuple

from results.storage.contents import Contents
from results.storage.finishes import Finish

_MOST: Final = 20_000
"""Matches that are read, those of the newest runs: more of them would change no number of blocks by much."""
_FEWEST: Final = 50
"""Blocks with which the noise of a home is taken from its own matches."""
_EQUAL: Final = (0.35, 0.65)
"""Scores of bots that are near each other.  Where one nearly always wins, there is little chance."""
_EDGE: Final = 0.05
"""A bot that is expected to score so much more than half..."""
_SURE: Final = 0.8
"""...scores more than half in a round with this probability."""


HOUSE_DEALS: Final = 300
HOUSE: Final[Mapping[tuple[str, int], float]] = {
    ("stellar", 2): 0.342,
    ("stella-quest", 2): 0.353,
    ("stella-quest", 3): 0.229,
    ("stella-quest", 4): 0.186,
    ("starry-sky", 3): 0.217,
    ("starry-sky", 4): 0.172,
    ("starry-sky", 5): 0.152,
}
"""The deviation between house bots that are near each other, by game and seats, in HOUSE_DEALS deals each.

Those of Stella play alike or are far apart.  Measured by tests/programs/block_noise.py."""


class Noise(NamedTuple):
    """How much the score of a block varies by chance, between bots that are near each other."""

    deviation: float
    """The standard deviation."""
    source: Literal["home", "house", "chance"]
    """Where it was measured: here, or between house bots; "chance": it is that of matches without skill."""
    blocks: int
    """In how many blocks it was measured."""


def blocks_needed(noise: Noise) -> int:
    """Return the blocks for a bot of 55 wins in 100 to score above half in 80 % of cases (normal mean)."""
    return max(1, math.ceil((NormalDist().inv_cdf(_SURE) * noise.deviation / _EDGE) ** 2))


def find_noise(contents: Contents, game: str, seats: int) -> Noise:
    """Return the noise of *game* at tables of *seats*, by its newest matches between similar bots.

    If they are too few, return the noise between house bots.  For a game without such figures, return that of
    blocks of *seats* matches in which each order of the seats is equally likely.  Most games have less noise
    than this, because each seat gets the favourable cards in turn; so rounds come out too long rather than
    too short.
    """
    scores: dict[object, list[float]] = defaultdict(list)
    matches = 0
    for finishes in chain.from_iterable(contents.finishes(run.run) for run in reversed(contents.runs)):
        rows = (row for row in finishes.at_tables_of(seats).rows() if row.game == game)
        for block in _score_blocks(rows):
            matches += seats
            bots = sorted(block)
            for bot in bots[:1] if seats == 2 else bots:  # at two seats, one score says both
                scores[(*bots,) if seats == 2 else bot].append(block[bot])
        if matches >= _MOST:  # a run of a million matches is not read to its end
            break
    if found := pool_deviation(scores.values()):
        return found
    if (game, seats) in HOUSE:
        return Noise(HOUSE[game, seats], "house", HOUSE_DEALS)
    return Noise(math.sqrt(chance_variance(seats)), "chance", 0)


def chance_variance(seats: int) -> float:
    """Return the variance of the score of a block of matches of pure chance, at a table of *seats*."""
    return (seats + 1) / (12 * (seats - 1)) / seats


def pool_deviation(scores: Iterable[Sequence[float]]) -> Noise | None:
    """Return the noise within *scores* of near bots, or pairs, of a home; None if they are too few."""
    near = [found for found in scores if _EQUAL[0] <= sum(found) / len(found) <= _EQUAL[1]]
    freedom = sum([len(found) - 1 for found in near])
    if freedom < _FEWEST:
        return None
    squares = sum([sum([(score - sum(found) / len(found)) ** 2 for score in found]) for found in near])
    return Noise(math.sqrt(squares / freedom), "home", sum(map(len, near)))


def _score_blocks(rows: Iterable[Finish]) -> Iterator[dict[tuple[str, str], float]]:
    """Yield the score of each bot in each block of *rows*, which are in number order."""
    for _, block in groupby(rows, attrgetter("block")):
        total: dict[tuple[str, str], float] = defaultdict(float)
        matches = [[*match] for _, match in groupby(block, attrgetter("number"))]
        for ends in matches:
            ranks = [end.rank for end in ends]
            for end in ends:
                beaten = sum([rank > end.rank for rank in ranks]) + (ranks.count(end.rank) - 1) / 2
                total[end.bot] += beaten / (len(ranks) - 1)
        yield {bot: score / len(matches) for bot, score in total.items()}
