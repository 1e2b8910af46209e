"""Do the notes below a leaderboard name worlds that one rating a bot cannot describe, and no others?"""

import math
from bisect import bisect
from collections.abc import Callable
from itertools import combinations, cycle, islice
from random import Random
from statistics import NormalDist, fmean

import pytest
from support.counted import add_block
from support.skill_worlds import bots_named
from support.worlds import PARAMETERS, World, add_pairs, draw_block, pairs_held, scale_count, two_seats

from results.rating.changes import find_changes, find_machine_gaps
from results.rating.fit import fit
from results.rating.misfit import find_misfit, find_size_gaps
from results.rating.outcomes import Counts
from results.rating.stretches import STRETCHES, Stretch

pytestmark = pytest.mark.slow

WORLD = World(3.0)
Beats = Callable[[int, int], float]
"""The probability that one bot beats another, by their places."""


def mostly(share, count):
    """Return the least number of *count* ladders with a note that this share of all has, less two errors."""
    return math.floor(count * share - 2 * math.sqrt(count * share * (1 - share)))


def at_most(share, count):
    """Return the most of *count* ladders with a note that chance gives this share, and two errors."""
    return math.ceil(count * share + 2 * math.sqrt(count * share * (1 - share)))


def by_chance(beats, number, meetings, rng):
    """Return the counts of a round robin of *number* bots, each two of which play this many matches."""
    counts, bots = Counts(), bots_named(number)
    for one, other in combinations(range(number), 2):
        for _ in range(meetings // 2):
            results = [0 if rng.random() < beats(one, other) else 2 for _ in "12"]
            add_block(counts, [two_seats(bots[one], bots[other], result) for result in results])
    return counts


def in_a_circle(one, other):
    """Bots in steps, but that the best three beat each other in a circle, each in 70 %."""
    if max(one, other) < 3:
        return 0.7 if other == (one + 1) % 3 else 0.3
    return NormalDist().cdf(0.3 * (other - one))


def test_a_circle_among_the_best_is_named_with_its_bots():
    ladders, found = scale_count(12, 100), 0
    for seed in range(ladders):
        counts = by_chance(in_a_circle, 8, 240, Random(f"circle/{seed}"))
        circle = find_misfit(fit(counts, PARAMETERS), counts, {}, PARAMETERS).cycle
        found += circle is not None and {*circle.bots} == {*bots_named(8)[:3]}
    assert mostly(0.9, ladders) <= found


# -- drift, and machines


def parts_of(skills_at, blocks, rng):
    """Return a round robin in parts, in each of which bots have skills of their own."""
    total, parts = Counts(), list[Stretch]()
    for skills in skills_at:
        counts, stretch = Counts(), Stretch()
        add_pairs(counts, skills, islice(cycle(combinations(skills, 2)), blocks), rng, WORLD)
        for outcome, number in counts.outcomes.items():
            one, other = outcome.bots
            place = 1 if outcome.ties[0] else 0 if one < other else 2
            stretch.setdefault((min(one, other), max(one, other), 2), [0, 0, 0])[place] += number
        total.update(counts)
        parts.append({at: stretch[at] for at in sorted(stretch)})
    return total, parts


def steady(rng):
    return {bot: rng.gauss(25, 3) for bot in bots_named(8)}


def one_of_eight(world, seed):
    """Return the random generator of a *world*, the skills of its bots, and one of the bots."""
    rng = Random(f"{world}/{seed}")
    skills = steady(rng)
    return rng, skills, bots_named(8)[rng.randrange(8)]


def test_a_bot_that_learns_is_named_and_no_other():
    ladders, found = scale_count(12, 100), 0
    for seed in range(ladders):
        rng, skills, learner = one_of_eight("learner", seed)
        at = [{**skills, learner: skills[learner] + 3 * (step - 4.5) / 4.5} for step in range(10)]
        counts, parts = parts_of(at, 28 * 6, rng)
        changes = find_changes(parts, fit(counts, PARAMETERS), {}, PARAMETERS)
        found += [learner] == [each.bot for each in changes]
    assert mostly(0.9, ladders) <= found


def test_a_bot_that_is_weaker_on_one_machine_is_named_with_it():
    ladders, found = scale_count(12, 100), 0
    for seed in range(ladders):
        rng, skills, bot = one_of_eight("slow", seed)
        counts, parts = parts_of([skills, {**skills, bot: skills[bot] - 3}, skills], 28 * 30, rng)
        by_name = dict(zip(("attic", "slow", "tower"), parts, strict=True))
        gaps = find_machine_gaps(by_name, fit(counts, PARAMETERS), {}, PARAMETERS)
        found += [(bot, "slow")] == [(each.bot, each.machine) for each in gaps]
    assert mostly(0.9, ladders) <= found


def test_bots_that_stay_as_they_are_are_named_in_one_game_of_a_hundred():
    ladders, changed, gaps = scale_count(16, 600), 0, 0
    for seed in range(ladders):
        rng = Random(f"steady/{seed}")
        counts, parts = parts_of([steady(rng)] * 4, 28 * 10, rng)
        known = fit(counts, PARAMETERS)
        changed += bool(find_changes(parts, known, {}, PARAMETERS))
        gaps += bool(find_machine_gaps(dict(zip("abcd", parts, strict=True)), known, {}, PARAMETERS))
    assert max(changed, gaps) <= at_most(0.01, ladders)


def in_order(blocks):
    """Return the counts of *blocks*, and their results by stretch of a run."""
    counts, parts = Counts(), dict[int, Stretch]()
    for number, block in enumerate(blocks):
        add_block(counts, block)
        part = parts.setdefault(bisect(STRETCHES, number), Stretch())
        for bots, ties in block:
            for i, j in combinations(range(len(bots)), 2):
                result = 1 if all(ties[i:j]) else 0 if bots[i] < bots[j] else 2
                part.setdefault((*sorted((bots[i], bots[j])), len(bots)), [0, 0, 0])[result] += 1
    return counts, [{at: part[at] for at in sorted(part)} for _, part in sorted(parts.items())]


@pytest.mark.parametrize(("sizes", "of_deal"), [((2,), 0.0), ((2,), 0.5), ((2, 3), 0.0)])
def test_a_gain_of_3_points_in_420_matches_of_each_half_is_named(sizes, of_deal):
    ladders, found, counted = scale_count(10, 200), 0, []
    for seed in range(ladders):
        rng, skills, learner = one_of_eight(f"gain/{sizes}/{of_deal}", seed)
        blocks, played = [], 0
        for seats in cycle(sizes):
            now = {**skills, learner: skills[learner] + 3 * (played >= 420)}
            table = rng.sample([*skills], seats)
            blocks.append(draw_block(table, now, rng, World(3.0, of_deal=of_deal, seats=seats)))
            played += seats * (learner in table)
            if played >= 840:
                break
        counts, parts = in_order(blocks)
        changes = find_changes(parts, fit(counts, PARAMETERS), fits_by_size(counts), PARAMETERS)
        found += [learner] == [each.bot for each in changes]
        counted += [each.matches for each in changes if each.bot == learner]
    print(f"{sizes}, {of_deal}: {found} of {ladders}")
    assert mostly(0.85, ladders) <= found
    assert all(300 < matches < 540 for matches in counted)


# -- table sizes


def fits_by_size(counts):
    """Return the fits of the table sizes of *counts*, if there are several."""
    sizes = counts.sizes if counts.sizes[1:] else ()
    return {seats: fit(counts.at_tables_of(seats), PARAMETERS) for seats in sizes}


@pytest.mark.parametrize("sizes", [(2, 4), (3, 2)])
@pytest.mark.parametrize("alike", [0.7, 0.9, 1.0])
def test_where_sizes_follow_each_other_nobody_is_said_to_change(alike, sizes):
    """Expected by one fit for all sizes, a bot seemed to change in 32 % of such fields."""
    ladders, changed, misfits, gaps = scale_count(2, 100), 0, 0, 0
    for seed in range(ladders):
        rng, blocks = Random(f"in turn/{alike}/{sizes}/{seed}"), []
        common = [rng.gauss(0, 3) for _ in range(6)]
        for seats in sizes:
            own = [math.sqrt(alike) * each + math.sqrt(1 - alike) * rng.gauss(0, 3) for each in common]
            skills = {bot: 25 + skill for bot, skill in zip(bots_named(6), own, strict=True)}
            tables = [rng.sample([*skills], seats) for _ in range(1_600 // seats)]
            blocks += [draw_block(table, skills, rng, World(3.0, seats=seats)) for table in tables]
        counts, parts = in_order(blocks)
        known, by_size = fit(counts, PARAMETERS), fits_by_size(counts)
        changed += bool(find_changes(parts, known, by_size, PARAMETERS))
        misfits += find_misfit(known, counts, by_size, PARAMETERS).is_wrong
        machines = {"old": parts[: len(parts) // 2], "new": parts[len(parts) // 2 :]}
        by_name = {name: add_up(stretches) for name, stretches in machines.items()}
        gaps += bool(find_machine_gaps(by_name, known, by_size, PARAMETERS))
    print(f"{alike}, {sizes}: of {ladders}, {changed} changes, {misfits} misfits, {gaps} machines")
    assert max(changed, misfits, gaps) <= at_most(0.01, ladders)


def add_up(stretches):
    """Return the results of *stretches* as those of one."""
    total = Stretch()
    for at, results in (each for stretch in stretches for each in stretch.items()):
        total[at] = [a + b for a, b in zip(total.get(at, [0, 0, 0]), results, strict=True)]
    return {at: total[at] for at in sorted(total)}


def test_two_bots_that_are_exchanged_at_larger_tables_have_one_note():
    """Three notes were told of it."""
    ladders, named = scale_count(2, 60), 0
    for seed in range(ladders):
        rng, bots = Random(f"exchanged/{seed}"), bots_named(4)
        two = dict(zip(bots, (21.0, 24.0, 26.0, 29.0), strict=True))
        four = {**two, bots[1]: two[bots[2]], bots[2]: two[bots[1]]}
        blocks = [draw_block(pair, two, rng, WORLD) for pair in [*combinations(bots, 2)] * 50]
        blocks += [draw_block(bots, four, rng, World(3.0, seats=4)) for _ in range(150)]
        counts, parts = in_order(blocks)
        known, by_size = fit(counts, PARAMETERS), fits_by_size(counts)
        assert () == find_changes(parts, known, by_size, PARAMETERS)
        assert not find_misfit(known, counts, by_size, PARAMETERS).is_wrong
        named += bool(find_size_gaps(by_size))
    assert mostly(0.5, ladders) <= named


def at_two_sizes(alike, rng, at_two=1.0):
    """Return matches at 2 and at 4 seats of ten bots, whose skills there have the correlation *alike*.

    At 2 seats they are *at_two* times as far apart.
    """
    common, counted = [rng.gauss(0, 3) for _ in range(10)], {}
    for seats, times in ((2, at_two), (4, 1.0)):
        own = [times * (math.sqrt(alike) * each + math.sqrt(1 - alike) * rng.gauss(0, 3)) for each in common]
        skills = {bot: 25 + skill for bot, skill in zip(bots_named(10), own, strict=True)}
        counts, world = Counts(), World(3.0, seats=seats)
        for _ in range(1_200 // seats):
            table = rng.sample([*skills], seats)
            add_block(counts, draw_block(table, skills, rng, world))
        counted[seats] = counts
    return counted


def fits_of(counted):
    return {seats: fit(counts, PARAMETERS) for seats, counts in counted.items()}


@pytest.mark.parametrize(("alike", "share"), [(0.0, 0.95), (0.7, 0.6)])
def test_skills_that_depend_on_the_table_size_are_named(alike, share):
    ladders = scale_count(6, 60)
    named = [find_size_gaps(fits_of(at_two_sizes(alike, Random(f"sizes/{seed}")))) for seed in range(ladders)]
    assert mostly(share, ladders) <= sum(map(bool, named))


@pytest.mark.parametrize("at_two", [1.0, 0.0, 0.05])
def test_orders_that_do_not_depend_on_it_are_named_in_at_most_5_percent(at_two):
    """Also where bots are alike, or nearly so, at one size: with ten bots, a difference of 20 is common."""
    ladders = scale_count(8, 150)
    worlds = (at_two_sizes(1.0, Random(f"same/{seed}"), at_two) for seed in range(ladders))
    named = [find_size_gaps(fits_of(counted)) for counted in worlds]
    assert sum(map(bool, named)) <= at_most(0.05, ladders)


# -- unequal numbers


def test_pairs_are_held_where_some_bots_have_played_a_hundred_times_as_often():
    ladders, held = scale_count(40, 400), list[bool]()
    for seed in range(ladders):
        rng, counts = Random(f"unequal/{seed}"), Counts()
        skills = {bot: rng.gauss(25, 4) for bot in bots_named(10)}
        often, seldom = [*skills][:5], [*skills][5:]
        tables = [(a, b) for a, b in islice(cycle(combinations(often, 2)), 2_500)]
        tables += [(bot, rng.choice(often)) for bot in seldom for _ in range(10)]
        add_pairs(counts, skills, tables, rng, WORLD)
        held += pairs_held(fit(counts, PARAMETERS), skills)
    assert 0.93 < fmean(held) < 0.97
