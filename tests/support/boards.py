"""Rate made-up results, for tests of tables and totals."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from results.rating.rated import Rated, rate
from results.rating.tally import MatchTotals
from results.record import Block, Run
from results.storage.finishes import finishes_of
from support.records import a_match, a_run

Result: TypeAlias = tuple[tuple[str, ...], tuple[int, ...]]
"""The bots at a table, and their ranks."""


def record_wins(winner: str, loser: str, times: int = 1) -> list[Result]:
    """Return the results of matches in which *winner* beat *loser*."""
    return [((winner, loser), (1, 2))] * times


def record_draws(one: str, other: str, times: int = 1) -> list[Result]:
    """Return the results of matches that ended in a draw."""
    return [((one, other), (1, 1))] * times


def rate_results(results: Sequence[Result]) -> Rated:
    """Return the ratings after *results* of stellar; each match is a block of its own."""
    tally = MatchTotals()
    tally.begin(a_run())
    matches = [a_match(i, bots, ranks, block=i) for i, (bots, ranks) in enumerate(results)]
    tally.add_finished(finishes_of([Block(match.block, [match], []) for match in matches]))
    return rate(tally)["stellar"]


def tallied(*runs: tuple[Run, Iterable[Block]]) -> MatchTotals:
    """Return the totals of *runs*, of each of which the blocks are added one by one."""
    tally = MatchTotals()
    for run, blocks in runs:
        tally.begin(run)
        for block in blocks:
            tally.add(block)
    return tally
