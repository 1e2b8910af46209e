"""Which blocks a measurement has: always the same, and fair."""

from collections import Counter

import pytest

from ladder.contest.keys import Keys
from ladder.run.run_plan import ReferenceSchedule
from results.record import Contest, ReferenceTerms

LITTLE, MORE = 8, 2


def blocks_of(seats, total, *, plain=96, secret=b"1" * 16):
    terms = ReferenceTerms(name="R1", digest="", little=LITTLE, blocks=plain)
    bots = range(1 + LITTLE + (MORE if total > plain else 0))
    contest = Contest("stella-quest", seats, {}, tuple(bots))
    schedule = ReferenceSchedule(contest, Keys(secret), terms, total)
    assert total * seats == schedule.count_planned()
    found = []
    while not schedule.over:
        found += schedule.next_epoch()
    assert list(range(total)) == [block.number for block in found]
    return found


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_measured_bot_sits_at_every_table_and_meets_all_others_about_equally_often(seats):
    blocks = blocks_of(seats, 96)
    met = Counter(bot for block in blocks for bot in block.bots)
    assert all(len(set(block.bots)) == seats for block in blocks)
    assert 96 == met.pop(0)
    assert set(range(1, LITTLE + 1)) == met.keys()
    assert max(met.values()) - min(met.values()) <= 0.25 * min(met.values())


def test_at_two_seats_all_others_are_met_equally_often():
    met = Counter(bot for block in blocks_of(2, 96) for bot in block.bots if bot)
    assert {12} == {*met.values()}


@pytest.mark.parametrize("seats", [2, 4])
def test_all_of_the_set_begins_as_those_that_do_little_work(seats):
    blocks = blocks_of(seats, 120)
    assert blocks_of(seats, 96) == blocks[:96]
    more = {LITTLE + 1, LITTLE + 2}
    assert all(more & {*block.bots} and 0 in block.bots for block in blocks[96:])
    assert all(len({*block.bots}) == seats for block in blocks[96:])


def test_secret_deals_have_another_order():
    assert blocks_of(3, 96) == blocks_of(3, 96)
    assert blocks_of(3, 96) != blocks_of(3, 96, secret=b"2" * 16)
