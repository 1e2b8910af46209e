"""What the judge and the policies say never changes: reviews are compared, and bots name policies."""

from hashlib import sha256
from random import Random

import pytest

from engines import GAMES
from engines.stella_quest.turns import TOP

QUEST = GAMES["stella-quest"]
POLICIES = QUEST.policies()
FOUND = {2: "fbc40d402d13835c", 3: "037fd4d7b984ab80", 4: "b3a3d33d57e43400"}
"""By table size, the digest of what was said in 12 matches when this judge and these policies were made."""


def positions(seats, matches=12):
    """Yield all positions of *matches*: in some all moves are random, in some none."""
    styles = sorted(POLICIES)
    for number in range(matches):
        rng, policy, share = Random(f"{seats}/{number}"), POLICIES[styles[number % 3]], number % 4 / 3
        position = QUEST.begin(QUEST.deal(seats, rng, {}), seats)
        while not position.over:
            yield position
            is_random = rng.random() < share
            position.play(position.sample(rng.random) if is_random else policy(position, position.seat, rng))
        yield position


@pytest.mark.parametrize("seats", QUEST.seats)
def test_what_judge_and_policies_say_never_changes(seats):
    judge, said = QUEST.judge(seats), sha256()
    for position in positions(seats):
        results, points = judge.prospects(position, Random(0))
        asked = [] if position.over else POLICIES.values()
        options = [policy(position, position.seat, Random(0)) for policy in asked]
        # libraries of C may differ in the last digit of an exponential
        said.update(repr(([f"{result:.9f}" for result in results], points, options)).encode())
    assert FOUND[seats] == said.hexdigest()[:16]


@pytest.mark.parametrize("seats", QUEST.seats)
def test_the_choice_of_trump_changes_nothing_that_is_judged_after_it(seats):
    """So the judge makes any choice: nothing of the next round is played."""
    seen = 0
    for position in positions(seats):
        if position.stage == TOP and position.hands[position.seat]:
            seen += 1
            assert 1 == len({judged_of(position, option) for option in position.options()})
    assert seen


def judged_of(position, option):
    after = position.copy()
    after.play(option)
    return repr((after.hands, after.lights, after.collections, after.marker, after.over, after.standing()))
