"""How true reviews are: single losses beside those of 2,000 other worlds, planted blunders, promised gains.

`python tests/programs/review_truth.py` measures all tables on all cores, in half an hour, and prints a line
for each; with names behind it, such as `stella-quest/2`, only those.  With `gains` among the names it plays
on from the worst decisions instead.  Installed engines are compiled.
"""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import hypot
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[2]))  # last: engines that are installed are compiled

from engines import GAMES, find_policy
from engines.judge import beaten_by
from ladder.machine.cores import usable_cores
from ladder.replay.review.effort import FULL
from ladder.replay.review.estimate import estimate
from ladder.replay.review.loss_names import Z, verdict_of
from ladder.replay.review.worlds import WorldSource

MATCHES = {
    ("stellar", 2): 40,
    ("stella-quest", 2): 60,
    ("stella-quest", 3): 40,
    ("stella-quest", 4): 30,
    ("starry-sky", 3): 30,
    ("starry-sky", 4): 20,
    ("starry-sky", 5): 16,
}
WORLDS = 2000
"""The number of worlds that tell the true loss."""
FIRST = 250
"""The number of worlds before them, in which all options are tried; then the best four are left."""
ELSEWHERE = 10**6
"""The number of the first of them: reviews have others."""
PLANTED, TRIED = 0.1, 0.25
"""How often a random option is played, and which part of the decisions is judged twice."""
LARGE, NONE = 0.08, 0.01
"""A loss that must be named, and one that must not."""
WORST, PLAYED_ON = 5, 200
"""From how many decisions of a match it is played on to the end, and in how many worlds."""


class Judged(NamedTuple):
    """A decision that was judged twice."""

    planted: bool
    loss: float
    se: float
    true: float


class Gain(NamedTuple):
    """What was promised for another option in place of the played one, and what it gained."""

    promised: float
    promised_se: float
    gained: float
    gained_se: float


def true_loss(source: WorldSource, judge: Any, seat: int, played: int) -> float:
    """Return how much less *played* promises than the best of all options, in many worlds of no review."""
    options = source.world(ELSEWHERE).position.options()
    sums = dict.fromkeys(options, 0.0)
    for number in range(FIRST):
        world = source.world(ELSEWHERE + number)
        for option in options:
            sums[option] += world.after(option, judge).results[seat]
    best = sorted(options, key=sums.__getitem__)[-4:]
    left = {*best, played}
    sums = dict.fromkeys(left, 0.0)  # anew: those that were chosen looked better than they are
    for number in range(FIRST, FIRST + WORLDS):
        world = source.world(ELSEWHERE + number)
        for option in left:
            sums[option] += world.after(option, judge).results[seat]
    return (max(sums.values()) - sums[played]) / WORLDS


def decisions(game: str, seats: int, rng: Random) -> Iterator[tuple[WorldSource, int, int, bool]]:
    """Yield the decisions of a match that greedy plays, with a random option in ten.

    Each is what its seat saw, the seat, the option that it plays, and whether that is a random one.
    """
    rules = GAMES[game]
    judge, greedy = rules.judge(seats), find_policy(rules, "greedy-1")
    assert judge is not None
    position = rules.begin(rules.deal(seats, rng), seats)
    while not position.over:
        seat, options = position.seat, position.options()
        planted = rng.random() < PLANTED
        option = options[int(rng.random() * len(options))] if planted else greedy(position, seat, rng)
        if len(options) > 1 and len(position.seats()) == 1:
            source = WorldSource(rules, judge, position.write_view(seat), seat, asked=True)
            yield source, seat, option, planted
        position.play(option)


def judge_match(game: str, seats: int, number: int) -> list[Judged]:
    """Return some decisions of a match that greedy plays, with a random option in ten."""
    rng, judge = Random(f"{game}/{seats}/{number}"), GAMES[game].judge(seats)
    found = []
    for source, seat, option, planted in decisions(game, seats, rng):
        if planted or rng.random() < TRIED * PLANTED:
            each = estimate(source, judge, seat, option, FULL)
            found.append(Judged(planted, each.loss, each.se, true_loss(source, judge, seat, option)))
    return found


def tell(found: list[Judged]) -> Iterator[str]:
    """Yield what *found* shows."""
    # 2,000 worlds leave an error, too: about a quarter of a percent
    held = [abs(each.loss - each.true) <= Z * each.se + 0.005 for each in found]
    yield f"{len(found)} decisions, intervals hold {100 * sum(held) / len(held):.0f} %"
    for what, chosen in (
        (f"of those that lose {LARGE:.0%} or more", [each for each in found if each.true >= LARGE]),
        (f"of those that lose less than {NONE:.0%}", [each for each in found if each.true < NONE]),
    ):
        named = sum(bool(verdict_of(each.loss, each.se)) for each in chosen)
        yield f"{named} {what} are named, of {len(chosen)}"
    bias = sum(each.loss - each.true for each in found) / len(found)
    yield f"losses are {100 * bias:+.2f} % from the true ones at the mean"


def play_on(game: str, seats: int, number: int) -> list[Gain]:
    """Return what the best option gains at the worst decisions of a match in which one in ten is random.

    From worlds that no review has seen, greedy plays on for all seats to the end.
    """
    rules, rng = GAMES[game], Random(f"gains/{game}/{seats}/{number}")
    judge, greedy = rules.judge(seats), find_policy(rules, "greedy-1")
    found = []
    for source, seat, option, _ in decisions(game, seats, rng):
        each = estimate(source, judge, seat, option, FULL)
        found.append((each.loss - Z * each.se, each, option, seat, source))
    found.sort(key=lambda entry: entry[0])
    gains = []
    for _, each, option, seat, source in found[-WORST:]:
        differences = []
        for world in map(source.world, range(ELSEWHERE, ELSEWHERE + PLAYED_ON)):
            results = []
            for tried in (each.best, option):
                after = world.position.copy()
                after.play(tried)
                end = after if after.over else after.play_on(Random(world.luck), greedy, 999)
                results.append(beaten_by(end.outcome().ranks)[seat])
            differences.append(results[0] - results[1])
        gains.append(Gain(each.loss, each.se, mean(differences), stdev(differences) / PLAYED_ON**0.5))
    return gains


def tell_gains(found: list[Gain]) -> Iterator[str]:
    """Yield what *found* shows."""
    held = [abs(each.promised - each.gained) <= Z * hypot(each.promised_se, each.gained_se) for each in found]
    promised, gained = mean(each.promised for each in found), mean(each.gained for each in found)
    margin = Z * hypot(*(each.promised_se for each in found)) / len(found)
    noise = Z * hypot(*(each.gained_se for each in found)) / len(found)
    yield f"{len(found)} decisions promise {100 * promised:.1f} +- {100 * margin:.1f} % each"
    yield f"playing on gains {100 * gained:.1f} +- {100 * noise:.1f} %"
    yield f"within the interval of both in {100 * mean(held):.0f} %"


def main(wanted: list[str]) -> None:
    """Measure the *wanted* tables, or all; promised gains if `gains` is among the words."""
    tables = [word for word in wanted if word != "gains"]
    work: Callable[..., list[Any]] = judge_match if tables == wanted else play_on
    told: Callable[[list[Any]], Iterator[str]] = tell if tables == wanted else tell_gains
    with ProcessPoolExecutor(len(usable_cores())) as pool:
        for (game, seats), matches in MATCHES.items():
            if tables and f"{game}/{seats}" not in tables:
                continue
            parts = pool.map(partial(work, game, seats), range(matches))
            found = [each for part in parts for each in part]
            print(f"{game}/{seats}: {'; '.join(told(found))}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
