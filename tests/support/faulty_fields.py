"""Fields of bots whose skills and reliability are known."""

from collections.abc import Mapping
from itertools import combinations
from random import Random

from results.record import Block
from support.records import a_match, a_seat

BETA = 25 / 6


def a_field(
    skills: Mapping[str, float], faults: Mapping[str, float], rounds: int, seed: int = 1
) -> list[Block]:
    """Return *rounds* blocks of each two bots: who faults is last, else the better performance wins."""
    rng, blocks = Random(seed), list[Block]()
    for pair in [*combinations(skills, 2)] * rounds:
        matches = []
        for rotation, seated in enumerate((pair, pair[::-1])):
            worth = {bot: rng.gauss(skills[bot], BETA) for bot in seated}
            failed = {bot: rng.random() < faults.get(bot, 0.0) for bot in seated}
            best = max(seated, key=lambda bot: (not failed[bot], worth[bot]))
            seats = [
                a_seat(bot, 1 if bot is best else 2, **({"fault": "timeout", "score": None} if bad else {}))
                for bot, bad in failed.items()
            ]
            number = 2 * len(blocks) + rotation
            matches.append(a_match(number, seats=seats, block=len(blocks), rotation=rotation))
        blocks.append(Block(len(blocks), matches, []))
    return blocks
