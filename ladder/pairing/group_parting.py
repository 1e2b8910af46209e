"""Part those who come from one group: in the bracket that follows, they meet as late as possible."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from ladder.pairing.bracket import Bracket


class GroupPlace(NamedTuple):
    """Where an entrant of a bracket comes from."""

    place: int
    """In its group; 0 is the best."""
    group: int


def part_groups(entrants: Sequence[int], origins: Mapping[int, GroupPlace], bracket: Bracket) -> list[int]:
    """Return *entrants*, best first, in an order of seeds in which those of one group meet late.

    Entrants change their seeds only with those of the same place in another group, so no second gets the
    seed of a winner.  Orders are compared by how many pairs of one group may meet in the first round, then
    in the second, and so on, then by how far entrants are from the seeds of their scores.  Swaps go on until
    none helps.
    """
    order = list(entrants)
    rounds = _first_meetings(bracket)
    seed_of = {entrant: seed for seed, entrant in enumerate(order)}

    def cost() -> tuple[list[int], int]:
        meetings = [0] * (len(bracket.rounds) + 1)
        seeds = defaultdict(list)
        for seed, entrant in enumerate(order):
            seeds[origins[entrant].group].append(seed)
        for mine in seeds.values():
            for pair in combinations(mine, 2):
                meetings[rounds.get(pair, len(bracket.rounds))] += 1
        return meetings, sum([abs(seed - seed_of[entrant]) for seed, entrant in enumerate(order)])

    swaps = [
        (one, other)
        for one, other in combinations(range(len(order)), 2)
        if origins[order[one]].place == origins[order[other]].place
    ]
    least, helps = cost(), True
    while helps:
        helps = False
        for one, other in swaps:
            order[one], order[other] = order[other], order[one]
            if (found := cost()) < least:
                least, helps = found, True
            else:
                order[one], order[other] = order[other], order[one]
    return order


def _first_meetings(bracket: Bracket) -> dict[tuple[int, int], int]:
    """Return for pairs of seeds, the better one first, the number of the first round where they may meet."""
    round_of = {table: number for number, planned in enumerate(bracket.rounds) for table in planned.tables}
    comers: list[set[int]] = []
    """The seeds that may come to each table."""
    found: dict[tuple[int, int], int] = {}
    for number, planned in enumerate(bracket.tables):
        mine: set[int] = set()
        for feed in planned.feeds:
            mine |= {feed.place} if feed.table is None else comers[feed.table]
        comers.append(mine)
        for pair in combinations(sorted(mine), 2):
            found[pair] = min(found.get(pair, round_of[number]), round_of[number])
    return found
