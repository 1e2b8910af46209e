"""Duels of the house bot `search` with the other house bots, in this process: without pipes and clocks.

`python tests/programs/search_duels.py` plays all of them on fresh deals, on all cores, which takes an hour or
two, and prints a line for each; with names behind it, such as `stellar/2`, only those tables.  With `judge`
among the names, what plays is not `search` but the judge of the game, which takes the option it finds best,
and `search` is among the others.  A number, such as `10`, says on how many deals.
"""

import json
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[2]))  # last: engines that are installed are compiled

from engines import GAMES, Json, Move, Seat, find_policy
from engines.judge import Judge
from engines.position import read_view
from ladder.replay.review.effort import FULL, Effort
from ladder.replay.review.estimate import _candidates, _first_worlds, _Half
from ladder.replay.review.worlds import WorldSource

FOLDER = Path(__file__).resolve().parents[2] / "bots" / "search"
DEALS = {
    ("stellar", 2): 40,
    ("stella-quest", 2): 150,
    ("stella-quest", 3): 100,
    ("stella-quest", 4): 80,
    ("starry-sky", 3): 60,
    ("starry-sky", 4): 60,
    ("starry-sky", 5): 40,
}
"""The games in which `search` searches, and on how many deals it meets each of the others."""
SAMPLE = {"stellar": 3, "stella-quest": 10, "starry-sky": 3}


class SearchDuel(NamedTuple):
    """`search` with so much *work* at one seat, a policy at all others, each deal from every seat.

    Against a judge, `search` may be at all others.
    """

    game: str
    seats: int
    policy: str
    deals: int
    work: float = 1.0
    seed: int = 1
    player: str = "search"
    """Or `judge`."""


class Found(NamedTuple):
    """What a duel has shown."""

    beaten: float
    """The share of the other seats that search beat; a tie is half."""
    margin: float
    """Half of its 95 % interval, over deals."""
    own: float
    """The points of search, at the mean."""
    others: float
    """The points of the other seats, at the mean."""


def choose(source: WorldSource, judge: Judge[Any], seat: Seat, effort: Effort) -> int:
    """Return the option that *judge* finds best in the view of *source*, by the worlds of a whole review.

    Raises ValueError if the seat has only one.
    """
    half, count = _Half(source, judge, seat, 0), 2 * _first_worlds(judge, effort)
    options = _candidates(judge, [half, _Half(source, judge, seat, 1)])
    half.halve(options, options[0], count)
    half.choose(options[0])
    return half.best


def judged(game: str) -> Callable[[Mapping[str, Json], Random, float], Move]:
    """Return a function that plays *game* by its judge."""
    rules = GAMES[game]

    def play(view: Mapping[str, Json], rng: Random, work: float) -> Move:
        seat = view["seat"]
        judge = rules.judge(view["seats"], view["options"])
        source = WorldSource(rules, judge, json.dumps(view).encode(), seat, asked=True)
        world = source.world(0).position
        return world.move_of(choose(source, judge, seat, FULL._replace(share=work)))

    return play


def chooser(game: str) -> Callable[[Mapping[str, Json], Random, float], Move]:
    """Return the function of the program of *game*, as the bot loads it."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    choose: Callable[[Mapping[str, Json], Random, float], Move] = import_module(game.replace("-", "_")).choose
    return choose


def play_duel(duel: SearchDuel) -> Found:
    """Play *duel*: the same numbers on every machine whose mathematics rounds alike."""
    shares, own, others = [], 0, 0
    for number in range(duel.deals):
        deal = GAMES[duel.game].deal(duel.seats, Random(f"{duel.seed}/{number}"))
        beaten = 0.0
        for place in range(duel.seats):
            outcome = _play(duel, deal, place, Random(f"{duel.seed}/{number}/{place}"))
            rank, rivals = outcome.ranks[place], [seat for seat in range(duel.seats) if seat != place]
            won = sum((outcome.ranks[seat] > rank) + (outcome.ranks[seat] == rank) / 2 for seat in rivals)
            beaten += won / len(rivals)
            own += outcome.scores[place]
            others += sum(outcome.scores[seat] for seat in rivals)
        shares.append(beaten / duel.seats)
    mean = sum(shares) / len(shares)
    spread = sqrt(sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1))
    matches = duel.deals * duel.seats
    return Found(mean, 1.96 * spread / sqrt(len(shares)), own / matches, others / matches / (duel.seats - 1))


def _play(duel: SearchDuel, deal: Mapping[str, Json], place: int, rng: Random) -> Any:
    """Play a match with search at seat *place*; return its outcome."""
    search = chooser(duel.game) if duel.player == "search" else judged(duel.game)
    rival = chooser(duel.game) if duel.policy == "search" else None
    policy = None if rival else find_policy(GAMES[duel.game], duel.policy)
    position = GAMES[duel.game].begin(deal, duel.seats)
    while not position.over:
        options = position.options()
        if len(options) == 1:
            option = options[0]
        elif position.seat == place:
            view = read_view(position, place)
            option = position.option_of(place, search(view, rng, duel.work))
        elif rival:
            view = read_view(position, position.seat)
            option = position.option_of(position.seat, rival(view, rng, 1.0))
        else:
            option = policy(position, position.seat, rng)
        position.play(option)
    return position.outcome()


def main(wanted: list[str]) -> None:
    """Play the duels of the *wanted* tables, or all; those of judges if `judge` is among the words."""
    player = "judge" if "judge" in wanted else "search"
    tables = [word for word in wanted if "/" in word]
    fewer = [int(word) for word in wanted if word.isdigit()]
    duels = [
        SearchDuel(game, seats, policy, *(fewer or [deals]), player=player)
        for (game, seats), deals in DEALS.items()
        if not tables or f"{game}/{seats}" in tables
        for policy in [*GAMES[game].policies(), *(["search"] if player == "judge" else [])]
    ]
    with ProcessPoolExecutor() as pool:
        for duel, found in zip(duels, pool.map(play_duel, duels), strict=True):
            share = f"{100 * found.beaten:.1f} +- {100 * found.margin:.1f} % beaten"
            points = f"points {found.own:.1f} : {found.others:.1f}"
            matches = duel.deals * duel.seats
            print(
                f"{duel.game}/{duel.seats} {duel.policy}: {share} in {matches} matches, {points}", flush=True
            )


if __name__ == "__main__":
    main(sys.argv[1:])
