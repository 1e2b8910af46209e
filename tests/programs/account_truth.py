"""How true accounts of matches are: sums, what greedy gains over itself, what planted blunders cost.

`python tests/programs/account_truth.py` measures all tables on all cores and prints a line for each, 40
matches of greedy alone and 40 with a random move in ten; with names behind it, such as `stella-quest/2`, only
those.  Installed engines are compiled.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, Final, NamedTuple

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[2]))  # last: engines that are installed are compiled
    sys.path.append(str(Path(__file__).resolve().parents[1]))

from support.random_matches import random_record

from engines import GAMES, find_policy
from engines.judge import beaten_by
from ladder.machine.cores import usable_cores
from ladder.replay.review.account import Account, account_of
from ladder.replay.review.effort import FULL, Effort
from ladder.replay.review.match_review import judge_for, review_match
from ladder.replay.review.worlds import WorldSource

TABLES: Final = [
    ("stellar", 2),
    ("stella-quest", 2),
    ("stella-quest", 3),
    ("stella-quest", 4),
    ("starry-sky", 3),
    ("starry-sky", 4),
    ("starry-sky", 5),
]
MATCHES, PLANTED = 40, 0.1
COSTED, ELSEWHERE = 100, 10**6
"""In how many worlds the cost of a blunder is measured, and the number of the first: reviews have others."""


class SeatAccount(NamedTuple):
    """The account of a seat, beside what is known of it."""

    seat: int
    account: Account
    off: float
    """By how much the terms miss the result."""
    cost: float
    """What its planted blunders cost, beside what greedy would have played."""

    @property
    def largest(self) -> float:
        """The largest term, whatever its sign."""
        each = self.account
        return max(map(abs, (each.start, each.luck, each.own, each.others, each.hidden or 0.0)))


def play_planted(game: str, seats: int, number: int, share: float) -> tuple[dict[str, Any], list[float]]:
    """Return the record of a match of greedy with a *share* of random moves, and what they cost each seat."""
    rules, rng = GAMES[game], Random(f"account/{game}/{seats}/{number}/{share}")
    judge, greedy, deal = rules.judge(seats), find_policy(rules, "greedy-1"), rules.deal(seats, rng)
    assert judge is not None
    position, moves, costs = rules.begin(deal, seats), [], [0.0] * seats
    while not position.over:
        step, asked = [], [*position.seats()]
        for seat in asked:
            options = position.options()
            option = best = greedy(position, seat, rng)
            if len(asked) == 1 and rng.random() < share:
                option = options[int(rng.random() * len(options))]
            if option != best:
                source = WorldSource(rules, judge, position.write_view(seat), seat, asked=True)
                for world in map(source.world, range(ELSEWHERE, ELSEWHERE + COSTED)):
                    values = [world.after(each, judge).results[seat] for each in (best, option)]
                    costs[seat] += (values[0] - values[1]) / COSTED
            step.append([seat, position.move_of(option)])
            position.play(option)
        moves.append(step)
    ranks = list(position.outcome().ranks)
    record = random_record(game, seats, options=deal["options"], deal=deal, moves=moves, ranks=ranks)
    return record, costs


def account_match(game: str, seats: int, effort: Effort, share: float, number: int) -> list[SeatAccount]:
    """Return the account of each seat of a match, reviewed with this *effort*."""
    record, costs = play_planted(game, seats, number, share)
    rows = review_match(record, judge_for(record), effort)
    found = []
    for seat, result in enumerate(beaten_by(record["ranks"])):
        account = account_of(rows, seat)
        assert account is not None
        start = next(row.chance_open or 0.0 for row in rows if row.seat == seat)
        off = start + account.luck + account.own + account.others + (account.hidden or 0.0) - result
        found.append(SeatAccount(seat, account, off, costs[seat]))
    return found


def mean_with_error(values: list[float]) -> tuple[float, float]:
    """Return the mean of *values* and its standard error."""
    return mean(values), stdev(values) / sqrt(len(values))


def tell(found: list[SeatAccount]) -> str:
    """Return what *found* shows, in percent of a result."""
    own = [
        "{:+.1f} +- {:.1f}".format(
            *mean_with_error([100 * each.account.own for each in found if each.seat == s])
        )
        for s in sorted({each.seat for each in found})
    ]
    sizes = [
        f"{name} {100 * mean(abs(getattr(each.account, name) or 0.0) for each in found):.0f}"
        for name in ("luck", "own", "others", "hidden")
    ]
    errors = [
        sum(getattr(each.account, name) for each in found) / len(found) for name in ("luck_se", "own_se")
    ]
    rest, noise = mean_with_error([100 * (each.account.own + each.cost) for each in found])
    return (
        f"{len(found)} seats: sums off by at most {max(abs(each.off) for each in found):.0e}; own by seat"
        f" {', '.join(own)}; sizes {', '.join(sizes)}; standard errors {100 * errors[0]:.1f} (luck),"
        f" {100 * errors[1]:.1f} (own); blunders cost {100 * mean(each.cost for each in found):.1f},"
        f" own and cost leave {rest:+.1f} +- {noise:.1f};"
        f" above 100 %: {100 * mean(each.largest > 1 for each in found):.0f} % of seats"
    )


def main(wanted: list[str]) -> None:
    """Measure the *wanted* tables, or all."""
    with ProcessPoolExecutor(len(usable_cores())) as pool:
        for game, seats in TABLES:
            if wanted and f"{game}/{seats}" not in wanted:
                continue
            for share in (0.0, PLANTED):
                parts = pool.map(partial(account_match, game, seats, FULL, share), range(MATCHES))
                found = [each for part in parts for each in part]
                print(f"{game}/{seats}, {share:.0%} random: {tell(found)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
