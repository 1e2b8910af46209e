"""What an adaptive epoch plays: the worth of a match, whom it asks, floor, cap and fill."""

from collections import Counter
from itertools import combinations, cycle, groupby
from math import exp, inf, pi, sqrt
from statistics import NormalDist

import pytest

from ladder.run.adaptive import Gap, OpenOrder, adaptive_tables, find_gap

BETA = 25 / 6
TOLD = 0.02
"""What a match tells of a difference, in 1 / points^2."""


def an_order(errors, lead=0.0, bots=None):
    """Return what is known of bots in the order of their numbers, given the errors of some gaps."""
    numbers = sorted({bot for pair in errors for bot in pair}) if bots is None else range(bots)
    return OpenOrder(numbers, {pair: Gap(lead, error, TOLD) for pair, error in errors.items()})


def tables_of(bots, seats, count, known, played=None, floor=0.0, cap=inf, owed=None):
    round_robin = cycle(combinations(range(bots), seats))
    return adaptive_tables(
        range(bots),
        seats,
        count,
        played or {},
        dict.fromkeys(range(bots), floor) | (owed or {}),
        min(cap, 10**9),
        known,
        round_robin,
    )


def asked(bots, seats, count, known, **limits):
    """Return the tables of an epoch behind those of the round robin, which are an eighth."""
    assert not count % 7
    return tables_of(bots, seats, count // 7 * 8, known, **limits)[count // 7 :]


# -- the worth of a match


@pytest.mark.parametrize(("difference", "error"), [(0.0, 1.0), (1.0, 0.5), (-3.0, 4.0), (12.0, 9.0), (30, 8)])
def test_a_match_is_worth_the_chance_of_the_other_order_times_the_error_times_what_it_tells(
    difference, error
):
    normal = NormalDist()
    y = difference / (sqrt(2) * BETA)
    told = (exp(-y * y / 2) / sqrt(2 * pi)) ** 2 / (normal.cdf(y) * normal.cdf(-y)) / (2 * BETA**2)
    gap = find_gap(difference, error, BETA)
    assert told == pytest.approx(gap.told, rel=1e-9)
    assert normal.cdf(-abs(difference) / error) * error * told == pytest.approx(gap.weight, rel=1e-9)


def worth(difference, error):
    return find_gap(difference, error, BETA).weight


def test_a_worth_falls_with_the_difference_and_rises_with_the_error():
    assert worth(0, 1) > worth(1, 1) > worth(2, 1) > worth(20, 1) > 0
    assert worth(1, 2) > worth(1, 1) > worth(1, 0.2)
    assert worth(1, 2) == worth(-1, 2)


@pytest.mark.parametrize("difference", [200.0, 1e4, 1e9])
def test_of_bots_that_are_hopelessly_apart_nothing_is_open(difference):
    assert 0.0 == worth(difference, 0.1) == worth(-difference, 0.1)


def test_matches_make_a_gap_as_much_surer_as_they_tell():
    gap = Gap(1.0, 2.0, 0.25)
    assert Gap(1.0, 1.0, 0.25) == gap.after(3)


# -- whom it asks


def test_each_block_is_for_the_neighbours_whose_match_is_worth_most_then():
    """Of gaps without a lead the error decides, and every block of two matches makes it smaller."""
    errors = {(0, 1): 4.0, (1, 2): 3.0, (2, 3): 1.0}
    left, expected = dict(errors), []
    for _ in range(14):
        pair = max(left, key=lambda pair: left[pair])
        expected.append(pair)
        left[pair] = 1 / sqrt(left[pair] ** -2 + 2 * TOLD)
    found = asked(4, 2, 14, an_order(errors))
    assert Counter(expected) == Counter(found)
    assert [(0, 1), (1, 2)] == [table for table, _ in groupby(found)], "equal tables are in a row"


def test_of_gaps_that_are_alike_the_one_of_the_first_bots_is_asked_first():
    errors = {(0, 1): 1.0, (1, 2): 1.0, (2, 3): 1.0}
    assert Counter({(0, 1): 3, (1, 2): 2, (2, 3): 2}) == Counter(asked(4, 2, 7, an_order(errors)))


def test_only_neighbours_are_asked():
    errors = {(0, 1): 1.0, (0, 2): 9.0, (1, 2): 1.0}
    assert (0, 2) not in asked(3, 2, 7, an_order(errors))
    turned = OpenOrder((1, 0, 2), an_order(errors).gaps)
    assert (0, 2) in asked(3, 2, 7, turned)


def test_bots_that_do_not_play_have_no_place_between_neighbours():
    errors = {(0, 1): 1.0, (1, 2): 1.0, (0, 2): 1.0}
    known = OpenOrder((0, 1, 2), an_order(errors).gaps)
    round_robin = cycle([(0, 2)])
    assert {(0, 2)} == {*adaptive_tables((0, 2), 2, 8, {}, {}, 100, known, round_robin)}


@pytest.mark.parametrize("known", [OpenOrder((), {}), an_order({(0, 1): 1.0}, lead=1e9, bots=4)])
def test_where_nothing_is_open_the_round_robin_goes_on(known):
    assert list(combinations(range(4), 2)) * 2 == tables_of(4, 2, 12, known)


def test_an_eighth_of_an_epoch_rounded_up_is_a_round_robin():
    known = an_order({(1, 3): 1.0}, bots=4)
    known = OpenOrder((0, 2, 1, 3), known.gaps)
    assert [(0, 1), (0, 2), *[(1, 3)] * 7] == tables_of(4, 2, 9, known)


# -- floor and cap


def test_bots_below_the_floor_play_first_against_each_other_as_long_as_there_are_two():
    known = an_order({(0, 1): 3.0, (1, 2): 2.0, (3, 4): 1.0}, bots=5)
    found = tables_of(5, 2, 6, known, played={0: 9, 1: 9, 2: 4, 3: 5, 4: 9}, floor=7)
    assert [(2, 3), (2, 3), (1, 2)] == found[:3]
    assert [(0, 1)] == found[3:4], "an eighth of what is left, rounded up, is a round robin"
    assert [(0, 1), (0, 1)] == found[4:], "the others ask neighbours"


def test_what_a_bot_at_the_cap_cannot_play_is_for_the_next_neighbours():
    known = an_order({(0, 1): 9.0, (1, 2): 0.2, (2, 3): 0.1})
    found = asked(4, 2, 7, known, cap=4)  # the round robin before has given bots 0 and 1 a block
    assert Counter({(0, 1): 3, (2, 3): 4}) == Counter(found)


def test_if_all_are_at_the_cap_those_with_the_fewest_blocks_play():
    known = an_order({(0, 1): 1.0, (1, 2): 1.0})
    found = tables_of(3, 2, 2, known, played={0: 9, 1: 7, 2: 8}, cap=3)
    assert [(1, 2)] == found[1:]


# -- larger tables


def test_a_table_is_filled_with_the_bots_whose_matches_with_those_seated_are_worth_most():
    errors = {(0, 1): 9.0, (0, 2): 0.1, (1, 2): 0.1, (0, 3): 0.15, (2, 4): 0.3}
    known = an_order(errors)
    assert [(0, 1, 2)] * 7 == asked(5, 3, 7, known), "0.2 for bot 2, 0.15 for bot 3, 0 for bot 4"
    assert (0, 1, 2, 4) in asked(5, 4, 7, known), "with 2 at the table, 4 has more than 3"


def test_of_bots_with_equal_worth_the_one_with_the_fewest_blocks_fills_a_table():
    found = tables_of(5, 3, 2, an_order({(0, 1): 1.0}, bots=5), played={2: 3, 3: 1, 4: 2})
    assert [(0, 1, 3)] == found[1:]


@pytest.mark.parametrize(("bots", "seats"), [(3, 3), (5, 3), (9, 4), (7, 6)])
def test_every_table_is_full_and_the_number_of_tables_is_right_whatever_the_cap(bots, seats):
    errors = {(i, j): 1 / (1 + abs(i - j)) for i, j in combinations(range(bots), 2)}
    for cap in (1, 7, 30, inf):
        found = tables_of(bots, seats, 40, an_order(errors), floor=3, cap=cap)
        assert 40 == len(found)
        assert all(seats == len(set(table)) and list(table) == sorted(table) for table in found)
