"""Measurements against the reference set without processes: drawn from the model, or played by policies."""

from collections.abc import Callable, Iterator
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from engines import GAMES, find_policy
from ladder.contest.keys import Keys, deal_rng
from ladder.machine.toml import read_toml
from ladder.reference.reference_set import FOLDER, PREFIX, ReferenceContest
from ladder.reference.set_match import is_worse
from ladder.run.run_plan import ReferenceSchedule
from results.rating.reference_score import DealResult
from results.record import Contest, ReferenceTerms

Mover = Callable[[Any, int, Random], int]


class Measured(NamedTuple):
    """A measurement without faults, of which all matches were judged."""

    of: ReferenceContest
    bots: list[str]
    deals: list[DealResult]

    def is_worse_than(self, public: "Measured") -> bool:
        """Return whether the bot would be marked."""
        return is_worse(self.of, self.bots, self.deals, public.deals)


def tables(of: ReferenceContest, bots: list[str], blocks: int, secret: bytes) -> Iterator[list[int]]:
    """Yield the bots of each block, from 1 on; 0 is the one that is measured."""
    contest = Contest(of.game, of.seats, {}, tuple(range(1 + len(bots))))
    terms = ReferenceTerms(name="R1", digest="", little=len(bots), blocks=blocks)
    schedule = ReferenceSchedule(contest, Keys(secret), terms, blocks)
    while not schedule.over:
        yield from ([*block.bots] for block in schedule.next_epoch())


def draw_measurement(
    of: ReferenceContest, rating: float, blocks: int, rng: Random, of_deal: float = 0.5
) -> Measured:
    """Draw one of a bot with *rating*; *of_deal* of the variance lies in the seats of the deal."""
    bots = [*of.little]
    ratings = [rating, *(of.recorded.ratings[bot] for bot in bots)]
    deals = []
    for table in tables(of, bots, blocks, rng.randbytes(16)):
        luck = [rng.gauss(0, of.beta * sqrt(of_deal)) for _ in table]
        pairs = []
        for turn in range(of.seats):
            done = {
                bot: ratings[bot] + luck[(seat + turn) % of.seats] + rng.gauss(0, of.beta * sqrt(1 - of_deal))
                for seat, bot in enumerate(table)
            }
            pairs += [(bot - 1, float(done[0] > done[bot])) for bot in table if bot]
        deals.append(tuple(pairs))
    return Measured(of, bots, deals)


def play_measurement(
    of: ReferenceContest, blocks: int, secret: bytes, move: Mover, leave_out: str = "search"
) -> Measured:
    """Play one of a bot that moves by *move*, without the bots of the set that search."""
    bots = [bot for bot in of.little if leave_out not in bot]
    movers = [move, *(mover(of.game, bot) for bot in bots)]
    rules, keys, deals = GAMES[of.game], Keys(secret), []
    for number, table in enumerate(tables(of, bots, blocks, secret)):
        deal, pairs = rules.deal(of.seats, deal_rng(keys.deal(number))), []
        for turn in range(of.seats):
            seated, rng = table[turn:] + table[:turn], Random(f"{secret.hex()}/{number}/{turn}")
            position = rules.begin(deal, of.seats)
            while not position.over:
                position.play(movers[seated[position.seat]](position, position.seat, rng))
            ranks = dict(zip(seated, position.outcome().ranks, strict=True))
            pairs += [
                (bot - 1, (1 + (ranks[0] < ranks[bot]) - (ranks[0] > ranks[bot])) / 2) for bot in table if bot
            ]
        deals.append(tuple(pairs))
    return Measured(of, bots, deals)


def mover(game: str, bot: str) -> Mover:
    """Return what *bot* of the set plays by, as a function of a position."""
    config = read_toml(FOLDER / f"{PREFIX}{bot}.toml").get("config", {})
    policy = find_policy(GAMES[game], config["policy"]) if "policy" in config else None

    def choose(position: Any, seat: int, rng: Random) -> int:
        if policy is None or rng.random() >= config.get("share", 1):
            return rng.choice(position.options())
        return policy(position, seat, rng)

    return choose


def carry(game: str, most: int = 6) -> Mover:
    """Return the moves of a bot that knows the deal: of *most* options, the one that ends best for it."""
    policy = find_policy(GAMES[game], "greedy-1")

    def choose(position: Any, seat: int, rng: Random) -> int:
        options = [*position.options()]
        if len(options) == 1:
            return options[0]
        first = policy(position, seat, rng)
        others = [option for option in options if option != first]
        found = {first: 0.0}
        for option in [first, *rng.sample(others, min(most - 1, len(others)))]:
            world = position.copy()
            world.play(option)
            end = world.play_on(Random(1), policy, 99).outcome()
            found[option] = -end.ranks[seat] + end.scores[seat] / 1000
        return max(found, key=found.__getitem__)

    return choose
