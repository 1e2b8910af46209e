"""Who is suspended, who is on probation, and what that means for the schedule."""

from collections import Counter
from itertools import combinations

import pytest

from ladder.contest.keys import Keys, secret_of_seed
from ladder.run.adaptive import Gap, OpenOrder
from ladder.run.discipline import Conduct, Notice
from ladder.run.run_schedule import RunSchedule
from ladder.run.schedule import KnownResults
from results.record import Contest

RAT = ("rat", "rat-1")


def conduct(*faults):
    """Return what is held against rat after matches that ended for it with *faults*."""
    of = Conduct()
    for fault in faults:
        of.add(RAT, fault)
        of.add(("mole", "mole-1"), None)
    return of


def test_three_matches_in_a_row_that_a_bot_could_not_start_suspend_it():
    assert {RAT} == conduct("start", "start", "start").suspended
    assert set() == conduct("start", "start", None, "start", "start", "crash", "start").suspended


def test_a_suspended_bot_stays_so():
    assert {RAT} == conduct("start", "start", "start", None, None).suspended


def test_who_faulted_in_more_than_half_of_its_last_twenty_matches_is_on_probation():
    assert set() == conduct(*["crash"] * 10).on_probation
    assert {RAT} == conduct(*["crash"] * 11).on_probation
    assert {RAT} == conduct(*["crash"] * 11, *[None] * 9).on_probation
    assert set() == conduct(*["crash"] * 11, *[None] * 10).on_probation


def test_a_bot_is_noticed_with_the_match_that_suspends_it_or_puts_it_on_probation_and_once():
    assert [Notice(RAT, "suspended", 3, "start")] == conduct(
        "start", "start", "start", "crash"
    ).take_notices()
    assert [] == conduct(*["crash"] * 10).take_notices()
    eleven = conduct(*["crash"] * 10, "exit")
    assert [Notice(RAT, "probation", 11, "exit")] == eleven.take_notices()
    for fault in (*[None] * 20, *["crash"] * 20):
        eleven.add(RAT, fault)
    assert [] == eleven.take_notices()


def drawn(kind, bots=5, seats=2, totals=200, **held):
    contest = Contest("stellar", seats, {}, tuple(range(bots)))
    schedule = RunSchedule([contest], Keys(secret_of_seed(1)), kind, [totals], [10])
    gaps = dict.fromkeys(combinations(range(bots), 2), Gap(0.5, 1.0, 0.02))
    known = KnownResults({0: OpenOrder(range(bots), gaps)}, **held)
    epochs = [schedule.next_epoch(), schedule.next_epoch()]
    while not schedule.over:
        epochs.append(schedule.next_epoch(known))
    return schedule, epochs


@pytest.mark.parametrize("kind", ["adaptive", "round-robin"])
def test_a_bot_on_probation_gets_the_floor_and_no_more(kind):
    _, epochs = drawn(kind, on_probation={2})
    blocks = Counter(bot for epoch in epochs for block in epoch for bot in block.bots)
    assert 25 <= blocks[2] <= 25 + 4, "what is drawn in one epoch may go beyond"
    assert min(blocks[bot] for bot in (0, 1, 3, 4)) > 60


@pytest.mark.parametrize("kind", ["adaptive", "round-robin"])
def test_a_contest_with_too_few_bots_left_is_over(kind):
    schedule, epochs = drawn(kind, bots=4, seats=3, suspended={0, 1})
    assert 20 == sum(map(len, epochs))
    assert 60 == schedule.count_planned()
