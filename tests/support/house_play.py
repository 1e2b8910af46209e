"""Blocks between policies of the house bots, played in this process: without pipes, clocks and faults.

`python tests/support/house_play.py` plays the blocks of CONTESTS again, which takes minutes, and writes how
many had each result, for tests/truth/test_duel.py.  With `copies` behind it, it plays the duels of a bot and
its copy again, for tests/truth/test_duel_verdicts.py, and writes the result of each block.  With `ladders`,
it plays round robins of all styles at Stella, for tests/truth/test_thin_worlds.py.
"""

import json
import sys
from collections.abc import Sequence
from itertools import combinations, cycle, islice, pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from engines import GAMES, find_policy
from engines.game import Json, Move, Seat
from engines.position import chosen_by
from ladder.contest.keys import Keys, deal_rng, secret_of_seed
from results.rating.duel_tally import BlockResult, Tally
from results.rating.outcomes import Bot, FinishOrder

RECORDED = Path(__file__).resolve().parents[1] / "truth" / "recorded" / "duels.json"
COPIES = RECORDED.with_name("copies.json")
LADDERS = RECORDED.with_name("stella.json")
LADDER_STYLES = ("bold", "careful", "dreamer", "greedy", "random", "rival")
LADDER_BLOCKS = {3: 800, 4: 300, 5: 150}
"""Blocks of Stella by table size."""
COPY_SEEDS = range(1, 21)
COPY_BLOCKS = 2_000
RANDOM = "random"
"""The style of a bot whose moves are all equally likely."""


class HouseDuel(NamedTuple):
    """A duel of the first two *styles*; the others are the field."""

    game: str
    styles: tuple[str, ...]
    blocks: int


CONTESTS = {
    "stellar-2": HouseDuel("stellar", ("greedy", "bold"), 2000),
    "stella-quest-4": HouseDuel("stella-quest", ("greedy", "bold", "careful", RANDOM), 800),
    "starry-sky-3": HouseDuel("starry-sky", ("rival", "bold", "greedy"), 500),
    "stella-4": HouseDuel("stella", ("careful", "dreamer", "greedy", "rival"), 600),
}
"""For each game a close pair of the house bots, as far as it has one."""


def house_move(game: str, style: str, state: Any, seat: Seat) -> Move:
    """Return the move of *seat*, which is asked in *state*, by the first version of the policy of *style*."""
    policy = find_policy(GAMES[game], f"{style}-1")
    move: Move = state.move_of(policy(state, seat, Random(0)))  # it throws no dice
    return move


def ranks_of_block(game: str, styles: Sequence[str], keys: Keys, block: int) -> list[tuple[int, ...]]:
    """Play *block*, one deal once per rotation; return the rank of each of *styles* in each match.

    As in the ladder, style (s + r) modulo the number of seats takes seat s in rotation r.
    """
    seats = len(styles)
    deal = GAMES[game].deal(seats, deal_rng(keys.deal(block)), {})
    ranks = []
    for rotation in range(seats):
        table = [(seat + rotation) % seats for seat in range(seats)]
        found = _ranks(game, deal, [styles[bot] for bot in table], keys, block * seats + rotation)
        ranks.append(tuple(found[table.index(bot)] for bot in range(seats)))
    return ranks


def tally_of(duel: HouseDuel, blocks: int) -> Tally:
    """Play *blocks* blocks of *duel*."""
    keys, tally = Keys(secret_of_seed(13)), Tally(len(duel.styles))
    for block in range(blocks):
        ranks = ranks_of_block(duel.game, duel.styles, keys, block)
        tally.add([(first, second) for first, second, *_ in ranks])
    return tally


def copy_results(seed: int, blocks: int) -> str:
    """Play a bot and its copy at Stellar, by the secret of *seed*; return a digit for each block.

    It is three times the matches that the first of the two won, and those that it lost.
    """
    keys, digits = Keys(secret_of_seed(seed)), []
    for block in range(blocks):
        ranks = ranks_of_block("stellar", (RANDOM, RANDOM), keys, block)
        wins, losses = (sum(sign * (second - first) > 0 for first, second in ranks) for sign in (1, -1))
        digits.append(str(3 * wins + losses))
    return "".join(digits)


def ladder_results(seats: int, blocks: int) -> dict[str, list[str]]:
    """Play a round robin of LADDER_STYLES at Stella; return the blocks of each table.

    A block is the ranks of all matches, one digit a bot, in the order of the bots in the table's name.
    """
    keys, found = Keys(secret_of_seed(29)), dict[str, list[str]]()
    tables = islice(cycle(combinations(LADDER_STYLES, seats)), blocks)
    for block, styles in enumerate(tables):
        ranks = ranks_of_block("stella", styles, keys, block)
        found.setdefault("/".join(styles), []).append(" ".join("".join(map(str, each)) for each in ranks))
    return found


def recorded_ladder(seats: int) -> list[list[FinishOrder]]:
    """Return the recorded blocks of Stella at tables of *seats*, table by table."""
    found = []
    for table, blocks in json.loads(LADDERS.read_text("utf-8"))[str(seats)].items():
        bots = [(style, "1") for style in table.split("/")]
        found += [[_finish_order(bots, [*map(int, ranks)]) for ranks in block.split()] for block in blocks]
    return found


def _finish_order(bots: Sequence[Bot], ranks: Sequence[int]) -> FinishOrder:
    order = sorted(zip(ranks, bots, strict=True))
    return FinishOrder(
        tuple(bot for _, bot in order), tuple(one[0] == next_[0] for one, next_ in pairwise(order))
    )


def recorded_copies() -> dict[int, str]:
    """Return what copy_results gives for COPY_BLOCKS blocks of each of COPY_SEEDS."""
    return {int(seed): digits for seed, digits in json.loads(COPIES.read_text("utf-8")).items()}


def recorded_tally(contest: str) -> Tally:
    """Return the recorded blocks of one of CONTESTS."""
    rows = json.loads(RECORDED.read_text("utf-8"))[contest]
    counts = {BlockResult(*result): count for *result, count in rows}
    return Tally(len(CONTESTS[contest].styles), counts)


def _ranks(game: str, deal: Json, styles: Sequence[str], keys: Keys, match: int) -> tuple[int, ...]:
    """Play a match and return the rank of each seat."""
    rules = GAMES[game]
    dice = [Random(keys.bot(match, seat)) for seat in range(len(styles))]
    policies = [None if style == RANDOM else find_policy(rules, f"{style}-1") for style in styles]
    position = rules.begin(deal, len(styles))
    while not position.over:
        seat = position.seat
        policy = policies[seat]
        if policy:
            option = chosen_by(policy, position, dice[seat])
        else:
            option = position.option_of(seat, rules.choices(position)[seat].sample(dice[seat]))
        position.play(option)
    return position.outcome().ranks


def record() -> None:
    """Write how many blocks of each of CONTESTS had each result: wins, draws, losses, count."""
    lines = []
    for contest, duel in CONTESTS.items():
        counts = sorted(tally_of(duel, duel.blocks).counts.items())
        lines.append(f"  {json.dumps(contest)}: {json.dumps([[*result, count] for result, count in counts])}")
    RECORDED.parent.mkdir(parents=True, exist_ok=True)
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["ladders"]:
            by_size = {seats: ladder_results(seats, blocks) for seats, blocks in LADDER_BLOCKS.items()}
            LADDERS.write_text(json.dumps(by_size, indent=0) + "\n", "utf-8")
        case ["copies"]:
            by_seed = {seed: copy_results(seed, COPY_BLOCKS) for seed in COPY_SEEDS}
            COPIES.write_text(json.dumps(by_seed, indent=0) + "\n", "utf-8")
        case _:
            record()
