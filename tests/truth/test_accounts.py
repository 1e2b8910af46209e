"""Whether accounts of matches add up, charge no one who plays as the judge, and find what blunders cost.

A sample at three tables; with LADDER_TRUTH=full 40 matches of each kind at all tables.  The program
`tests/programs/account_truth.py` does the same with whole reviews, and prints figures.
"""

from math import hypot, inf
from statistics import mean

import pytest
from programs.account_truth import PLANTED, TABLES, account_match, mean_with_error
from support.worlds import FULL, scale_count

from ladder.replay.review import effort

EXACT = 1e-9
_LESS = effort.FULL._replace(share=0.25, most=0, line=1)
EFFORTS = {"stella-quest": effort.FULL._replace(most=0), "stellar": _LESS, "starry-sky": _LESS}
"""Less work than a whole review: terms are means all the same."""
GATE = {("stella-quest", 2): 3, ("starry-sky", 3): 1, ("stellar", 2): 1}
"""How many matches of each kind the gate looks at."""
SAMPLE = {"starry-sky": 10**9}
"""Where accounts are made with open cards alone, no decision need be judged."""


def accounts(game, seats, share, matches):
    work = EFFORTS[game]._replace(sample=SAMPLE.get(game, 1))
    return [each for number in range(matches) for each in account_match(game, seats, work, share, number)]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("game", "seats"), TABLES if FULL else GATE)
def test_accounts_add_up_and_own_moves_are_what_a_seat_did(game, seats):
    matches = scale_count(GATE.get((game, seats), 1), 40)
    plain, planted = (accounts(game, seats, share, matches) for share in (0.0, PLANTED))
    assert all(abs(each.off) <= EXACT for each in [*plain, *planted])
    beyond = mean(each.largest > 1 for each in [*plain, *planted])
    assert beyond <= (0.1 if FULL else 0.2)
    for seat in range(seats):
        own = [each.account.own for each in plain if each.seat == seat]
        middle, error = mean_with_error(own) if len(own) > 1 else (own[0], inf)
        assert abs(middle) <= 3 * error + EXACT, "greedy gains nothing over itself"
    cost = mean(each.cost for each in planted)
    without, noise_without = mean_with_error([each.account.own for each in plain])
    left, noise = mean_with_error([each.account.own + each.cost for each in planted])
    assert cost > 0
    slack = (2 if FULL else 3) * hypot(noise, noise_without)
    assert abs(left - without) <= 0.2 * cost + slack, "a blunder lowers own moves by what it costs"
