"""Policies play the same moves for ever: bots name them with their versions, and so do frozen sets of bots.

The records were made by the house bots of the release before policies.  A policy that is new is recorded with
`pytest --regold tests/engines/test_recorded_decisions.py`; one that is recorded is never written again.
"""

import json
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from engines import GAMES, canonical, find_policy

RECORDED = Path(__file__).with_name("recorded_decisions.json")
MATCHES = {"stellar": 12, "stella-quest": 6, "starry-sky": 3, "stella": 2}
"""How many matches are recorded for each policy and table size."""
CASES = [
    (game.name, seats, policy)
    for game in map(GAMES.__getitem__, MATCHES)
    for policy in game.policies()
    for seats in game.seats
]


def line_of(game, seats, policy, number):
    """Return the number of decisions of a match in which *policy* has all seats, and a digest of them."""
    rules, chooses = GAMES[game], find_policy(GAMES[game], policy)
    position, rng, moves = rules.begin(rules.deal(seats, Random(number)), seats), Random(number), []
    while not position.over:
        option = chooses(position, position.seat, rng)
        moves.append(position.move_of(option))
        position.play(option)
    return f"{len(moves)} {sha256(canonical(moves).encode()).hexdigest()[:12]}"


def recorded():
    found: dict[str, list[str]] = json.loads(RECORDED.read_text("utf-8"))
    return found


@pytest.mark.parametrize(("game", "seats", "policy"), CASES)
def test_a_policy_plays_as_it_was_recorded(game, seats, policy, request):
    name = f"{game} {seats} {policy}"
    lines = [line_of(game, seats, policy, number) for number in range(MATCHES[game])]
    if request.config.getoption("--regold") and name not in recorded():
        every = recorded() | {name: lines}
        text = ",\n".join(f"  {json.dumps(name)}: {json.dumps(every[name])}" for name in every)
        RECORDED.write_text(f"{{\n{text}\n}}\n", "utf-8")
    assert recorded()[name] == lines


def test_no_policy_is_gone():
    assert recorded().keys() == {f"{game} {seats} {policy}" for game, seats, policy in CASES}
