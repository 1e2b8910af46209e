"""Does a judge flatter its own kind?  Error rates of bots under judges that play on by different policies.

`python tests/programs/judge_styles.py stella-quest 20` lets greedy, careful and `search` meet at two seats on
20 deals, each from both seats, and judges every third of their decisions three times: by the judge of the
game, which plays on by greedy's moves, and by the same judge with careful's and bold's.  It needs engines
that are not compiled, for it changes the policy of a judge.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest import mock

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from engines import GAMES, Json, find_policy
from engines.position import read_view
from ladder.replay.review.effort import COARSE
from ladder.replay.review.estimate import estimate
from ladder.replay.review.summary import Mean, mean_by_blocks
from ladder.replay.review.worlds import WorldSource
from programs.search_duels import chooser

PLAYERS = ("greedy", "careful", "search")
JUDGES = ("greedy-1", "careful-1", "bold-1")
WORK = 0.25
"""The part of its work that `search` does here."""


class Decision(NamedTuple):
    """What a player chose among several options, by what its seat saw."""

    player: str
    seat: int
    view: Mapping[str, Json]
    option: int


def play(game: str, deal: Mapping[str, Json], players: Sequence[str], rng: Random) -> Iterator[Decision]:
    """Yield the decisions of a match of *players*, by seat."""
    rules = GAMES[game]
    position = rules.begin(deal, len(players))
    while not position.over:
        options, seat = position.options(), position.seat
        if len(options) == 1:
            position.play(options[0])
            continue
        player, view = players[seat], read_view(position, seat)
        if player == "search":
            option = position.option_of(seat, chooser(game)(view, rng, WORK))
        else:
            option = find_policy(rules, f"{player}-1")(position, seat, rng)
        yield Decision(player, seat, view, option)
        position.play(option)


def judge_deal(game: str, number: int) -> dict[tuple[str, str], tuple[float, int]]:
    """Return the sum of losses, and of how many decisions, by player and judge, in matches of one deal."""
    rules: Any = GAMES[game]
    module = import_module(type(rules.judge(2)).__module__)
    deal = rules.deal(2, Random(f"styles/{number}"))
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for pair in combinations(PLAYERS, 2):
        for players in (pair, pair[::-1]):
            for made in play(game, deal, players, Random(f"{number}/{players}")):
                view = json.dumps(made.view).encode()
                if WorldSource(rules, rules.judge(2), view, made.seat, asked=True).is_in_sample(
                    COARSE.sample
                ):
                    for style in JUDGES:
                        with mock.patch.object(module, "_GREEDY", find_policy(rules, style)):
                            judge = rules.judge(2)
                            source = WorldSource(rules, judge, view, made.seat, asked=True)
                            loss = estimate(source, judge, made.seat, made.option, COARSE).loss
                        found[made.player, style].append(loss)
    return {key: (sum(losses), len(losses)) for key, losses in found.items()}


def main(game: str, deals: int) -> None:
    """Print the error rate of each player under each judge, in percent of a win."""
    with ProcessPoolExecutor() as pool:
        found = [*pool.map(partial(judge_deal, game), range(deals))]
    print(f"{game}, {deals} deals: % lost a decision, under the judge that plays on as")
    print(f"{'':10}" + "".join(f"{style:>16}" for style in JUDGES))
    for player in PLAYERS:
        rates = [mean_by_blocks([each.get((player, style), (0.0, 0)) for each in found]) for style in JUDGES]
        print(f"{player:10}" + "".join(f"{tell(rate):>16}" for rate in rates))


def tell(rate: Mean) -> str:
    """Return *rate* in percent with its margin."""
    return f"{100 * (rate.value or 0.0):.2f} +- {100 * (rate.margin or 0.0):.2f}"


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
