"""Those of one group meet as late as possible, and no second gets the seed of a winner."""

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest
from support.tournaments import begin

from ladder.pairing.bracket import plan_double, plan_knockout
from ladder.pairing.round_stages import GroupPlace, part_groups


def deal_origins(groups, take, luck):
    """Return the origins of entrants by their scores: the winners of groups, then the seconds."""
    origins = []
    for place in range(take):
        origins += [GroupPlace(place, group) for group in luck.sample(range(groups), groups)]
    return dict(enumerate(origins))


def meetings_of(bracket, order, origins):
    """Return how many pairs of one group can first meet in each round, by following each seed on its own."""
    ways = []
    for seed in range(len(order)):
        reached = {}
        for number, planned_round in enumerate(bracket.rounds):
            for table in planned_round.tables:
                if any(
                    feed.place == seed if feed.table is None else feed.table in reached
                    for feed in bracket.tables[table].feeds
                ):
                    reached[table] = number
        ways.append(reached)
    found = Counter()
    for one in range(len(order)):
        for other in range(one):
            if origins[order[one]].group == origins[order[other]].group:
                found[min(ways[one][table] for table in ways[one] if table in ways[other])] += 1
    return [found[number] for number in range(len(bracket.rounds))]


@pytest.mark.parametrize(("groups", "take"), [(2, 2), (3, 2), (4, 2), (2, 3), (2, 4)])
@pytest.mark.parametrize("seats", [2, 4])
def test_no_order_parts_groups_better(groups, take, seats):
    origins = deal_origins(groups, take, Random(groups + 10 * take))
    bracket = plan_knockout(groups * take, (2, 3, 4), seats)
    order = part_groups([*origins], origins, bracket)
    tiers = [range(groups * place, groups * (place + 1)) for place in range(take)]
    assert [[*tier] for tier in tiers] == [sorted(order[tier.start : tier.stop]) for tier in tiers]
    best = min(
        meetings_of(bracket, [entrant for tier in each for entrant in tier], origins)
        for each in product(*(permutations(tier) for tier in tiers))
    )
    assert best == meetings_of(bracket, order, origins)


@pytest.mark.parametrize("groups", [4, 8, 16])
def test_the_two_best_of_a_group_meet_in_the_final_at_the_earliest(groups):
    for seed in range(5):
        origins = deal_origins(groups, 2, Random(seed))
        bracket = plan_knockout(2 * groups, (2,), 2)
        order = part_groups([*origins], origins, bracket)
        assert [0] * (len(bracket.rounds) - 1) + [groups] == meetings_of(bracket, order, origins)


def test_nothing_changes_where_nothing_helps():
    origins = {entrant: GroupPlace(0, entrant) for entrant in range(8)}
    assert [*range(8)] == part_groups(range(8), origins, plan_double(8, (2,), 2))


def test_a_bracket_after_groups_parts_them():
    event = begin("groups:4,2+knockout:8", 16)
    while len(event.report()) < 2:
        for due in event.due():
            one, other = due.entrants
            places = (1, 2) if (7 * one) % 16 < (7 * other) % 16 else (2, 1)
            event.hear(due.table, [places, places])
    groups, knockout = event.report()
    group_of = {
        entrant: played.name.split("/")[1]
        for played in groups.rounds
        for table in played.tables
        for entrant in table.entrants
    }
    for table in knockout.rounds[0].tables:
        assert 2 == len({group_of[entrant] for entrant in table.entrants})
