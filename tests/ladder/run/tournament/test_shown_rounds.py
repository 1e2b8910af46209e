"""A tournament of which some rounds are shown: made-up results, without workers."""

from collections import Counter
from random import Random

import pytest
from support.tournaments import begin, places_of

from ladder.run.tournament_schedule import TournamentSchedule, rounds_of
from results.record import Contest
from results.storage.finishes import Finish

KINDS = [
    ("swiss:3+knockout:4", 7, (2,), 2),
    ("groups:2,2+double-knockout:4", 8, (2,), 2),
    ("round-robin+final:2,3", 4, (2,), 2),
    ("swiss:2+knockout:8", 13, (3, 4), 4),
    ("double-knockout:6", 6, (2,), 2),
]


def played(stages, entrants, sizes, seats, *, shown=(), luck=0, later=0, gone=(), at_once=False):
    """Return the schedule of a tournament after its end.

    Tables of rounds that are *shown* have one luck, those of others may have another one.  *gone*: bots by
    number that leave, each with its first block without it.  *at_once*: whether an epoch is heard as a whole.
    """
    event = begin(stages, entrants, sizes, seats)
    contests = [Contest("stellar", size, {}, tuple(range(entrants))) for size in sizes]
    bots = [(f"b{number}", "1") for number in range(entrants)]
    schedule = TournamentSchedule(contests, bots, event, {bots[bot]: since for bot, since in gone})
    left, deals = dict(gone), Counter()
    while not schedule.over:
        blocks, rows = schedule.next_epoch(), []
        for block in blocks:
            table, there = schedule._planned[block.number]
            seed = luck if table.rpartition("/")[0] in shown or table in shown else later
            deals[table] += 1
            dice = Random(f"{seed} {table} {deals[table]}")
            if all(left.get(bot, block.number + 1) > block.number for bot in there):
                for match in range(len(there)):
                    ranks = places_of([dice.gauss(-bot / 4, 1) for bot in there])
                    number = block.first_match + match
                    rows += [
                        Finish(block.number, number, "stellar", bots[bot], rank, None)
                        for bot, rank in zip(there, ranks, strict=True)
                    ]
            if not at_once or block is blocks[-1]:
                schedule.hear(rows, block.number + 1)
                rows = []
    return schedule


def shown_of(schedule, kind, shown):
    """Return the event of *kind* with the results of the rounds that are *shown*."""
    event = begin(*kind, draws=set(shown).__contains__)
    schedule.tell_rounds(event, shown)
    return event


def names_of(event):
    return [each.name for each in rounds_of(event)]


@pytest.mark.parametrize("gone", [(), ((1, 6),), ((0, 3), (2, 9))], ids=["all", "one left", "two left"])
@pytest.mark.parametrize("kind", KINDS, ids=[kind[0] for kind in KINDS])
def test_each_round_is_shown_as_it_was_and_no_later_one(kind, gone):
    whole = played(*kind, gone=gone)
    rounds = rounds_of(whole.event)
    for count in range(len(rounds) + 1):
        shown = [each.name for each in rounds[:count]]
        event = shown_of(whole, kind, shown)
        seen = {each.name: each for each in rounds_of(event)}
        assert rounds[:count] == [seen[name] for name in shown]
        for later in seen.keys() - {*shown}:
            assert not later.startswith("swiss"), "nothing is paired that is not shown"
            assert all(table.blocks == 0 for table in seen[later].tables)
    assert whole.event.over
    assert whole.event.standing() == event.standing()
    assert whole.event.report() == event.report()


@pytest.mark.parametrize("kind", KINDS, ids=[kind[0] for kind in KINDS])
def test_later_results_change_nothing_of_what_is_shown(kind):
    names = names_of(played(*kind).event)
    for count in range(len(names)):
        shown = names[:count]
        others = [shown_of(played(*kind, shown=shown, later=later), kind, shown) for later in (1, 2)]
        assert 1 == len({str((event.report(), event.standing())) for event in others})


def test_the_rounds_of_groups_come_side_by_side():
    names = names_of(played("groups:2,1", 6, (2,), 2).event)
    assert ["groups/a/1", "groups/b/1", "groups/a/2", "groups/b/2"] == names[:4]


def test_a_bot_leaves_the_same_tables_however_many_results_come_at_once():
    for kind in KINDS:
        for since in range(12):
            one, many = (played(*kind, gone=[(0, since)], at_once=at_once) for at_once in (False, True))
            assert one.event.report() == many.event.report()
