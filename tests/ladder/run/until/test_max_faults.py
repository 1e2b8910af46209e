"""The number of faults that ends a run."""

import pytest

from ladder.run.until.max_faults import MaxFaults
from ladder.run.until.rule import RatedBlocks


def limited(most, *bots):
    """Return whether faults of *bots*, in this order, have reached the limit *most* with each of them."""
    rule, reached = MaxFaults(most), []
    for number, bot in enumerate(bots):
        rule.hear(RatedBlocks(number + 1, 1, [((bot, "1"), "exit"), ((bot, "1"), None)], tuple))
        reached.append(rule.end is not None)
    return reached


def test_a_limit_on_faults_is_reached_with_that_fault():
    assert [False, False, True] == limited(3, "a", "b", "a")


def test_the_run_ends_after_the_block_of_that_fault_whatever_comes_later():
    rule = MaxFaults(2)
    for end, bot in ((3, "a"), (7, "b"), (9, "c")):
        rule.hear(RatedBlocks(end, 1, [((bot, "1"), "exit")], tuple))
    assert 7 == rule.end


@pytest.mark.parametrize("most", [2, 3, 20, 21, 100])
def test_no_bot_reaches_a_limit_on_faults_alone(most):
    assert not any(limited(most, *"a" * 1_000))


def test_of_one_bot_twenty_faults_count():
    assert 1_000 + 10 == limited(30, *"a" * 1_000, *"b" * 10).index(True) + 1
