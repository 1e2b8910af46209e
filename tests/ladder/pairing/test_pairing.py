"""Pairings cost as little as any other, and repeat no meeting that can be spared."""
# the expected value stands on the left, in every test

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from ladder.pairing.pairing import PAIRING_RULES, UnpairedRound, pair_of, pair_round


def partitions(entrants, sizes):
    """Yield all ways to seat *entrants* at tables of *sizes*."""
    if not sizes:
        yield []
        return
    for size in sorted(set(sizes)):
        rest_sizes = list(sizes)
        rest_sizes.remove(size)
        for others in combinations(entrants[1:], size - 1):
            table = (entrants[0], *others)
            rest = [entrant for entrant in entrants if entrant not in table]
            for more in partitions(rest, rest_sizes):
                yield [table, *more]


def costs_of(tables, scores, meetings, authors):
    """Return the three costs of a pairing."""
    pairs = [pair_of(*pair) for table in tables for pair in combinations(table, 2)]
    spreads = [
        max(scores[entrant] for entrant in table) - min(scores[entrant] for entrant in table)
        for table in tables
    ]
    return (
        sum(meetings[pair] for pair in pairs),
        sum(authors[one] != "" and authors[one] == authors[other] for one, other in pairs),
        sum(spread**2 for spread in spreads),
    )


def draw_history(luck, n, seats, rounds):
    """Return a field in the middle of an event: its standing, scores, meetings and authors."""
    scores = {entrant: Fraction(luck.randrange(4 * rounds + 1), 4) for entrant in range(n)}
    meetings = Counter()
    for _ in range(rounds):
        order = luck.sample(range(n), n)
        for start in range(0, n, seats):
            meetings.update(pair_of(*pair) for pair in combinations(order[start : start + seats], 2))
    authors = [luck.choice(["", "ada", "bob", "cyd"]) for _ in range(n)]
    standing = sorted(scores, key=lambda entrant: -scores[entrant])
    return standing, scores, meetings, authors


def pair(history, sizes, seats, luck, byes=(), rounds=0):
    standing, scores, meetings, authors = history
    asked = UnpairedRound(standing, scores, meetings, authors, Counter(byes), sizes, seats, luck, rounds)
    return pair_round(asked)


@pytest.mark.parametrize("n", [2, 4, 6, 8])
@pytest.mark.parametrize("seed", range(12))
def test_pairs_cost_as_little_as_any(n, seed):
    luck = Random(f"{n}/{seed}")
    history = draw_history(luck, n, 2, luck.randrange(n + 1))
    found = pair(history, (2,), 2, luck)
    least = min(costs_of(tables, *history[1:]) for tables in partitions(range(n), [2] * (n // 2)))
    assert least == costs_of(found.tables, *history[1:])


@pytest.mark.parametrize(
    ("n", "seats", "sizes"),
    [
        (6, 3, (3, 4)),
        (7, 4, (3, 4)),
        (7, 3, (2, 3)),
        (8, 4, (4,)),
        (8, 3, (2, 3)),
        (9, 3, (3,)),
        (9, 5, (4, 5)),
    ],
)
@pytest.mark.parametrize("seed", range(8))
def test_tables_of_at_most_nine_cost_as_little_as_any(n, seats, sizes, seed):
    luck = Random(f"{n}/{seats}/{seed}")
    history = draw_history(luck, n, seats, luck.randrange(4))
    found = pair(history, sizes, seats, luck)
    assert () == found.byes
    least = min(
        costs_of(tables, *history[1:]) for tables in partitions(range(n), list(map(len, found.tables)))
    )
    assert least == costs_of(found.tables, *history[1:])


@pytest.mark.parametrize(
    ("n", "seats", "tables"),
    [(5, 2, (2, 2)), (7, 2, (2, 2, 2)), (7, 3, (3, 3)), (8, 3, (3, 3)), (9, 4, (4, 4))],
)
@pytest.mark.parametrize("seed", range(8))
def test_of_those_who_sat_out_least_they_sit_out_who_cost_least_and_of_them_the_lowest(
    n, seats, tables, seed
):
    luck = Random(f"byes/{n}/{seats}/{seed}")
    history = draw_history(luck, n, seats, luck.randrange(4))
    byes = Counter({entrant: luck.randrange(2) for entrant in range(n)})
    found = pair(history, (seats,), seats, luck, byes)

    def all_costs(out, tables):
        again, authors, spread = costs_of(tables, *history[1:])
        from_below = sum(n - 1 - history[0].index(entrant) for entrant in out)
        return sum(byes[entrant] for entrant in out), again, authors, from_below, spread

    least = min(
        all_costs(out, cut)
        for out in combinations(range(n), n - sum(tables))
        for cut in partitions([entrant for entrant in range(n) if entrant not in out], tables)
    )
    assert least == all_costs(found.byes, found.tables)


@pytest.mark.parametrize("n", [20, 44])
def test_no_pair_meets_twice_while_another_pairing_exists(n):
    """Fewer rounds than n / 2 leave a pairing.  With 44, the search does not look at all pairs at first."""
    luck = Random(n)
    meetings: Counter = Counter()
    scores = dict.fromkeys(range(n), Fraction())
    for _ in range(n // 2 - 1):
        standing = sorted(scores, key=lambda entrant: -scores[entrant])
        found = pair((standing, scores, meetings, [""] * n), (2,), 2, luck)
        for one, two in found.tables:
            meetings[pair_of(one, two)] += 1
            scores[min(one, two)] += 1  # no surprise: those with equal scores have soon met
    assert {1} == set(meetings.values())


def test_an_author_is_kept_apart_until_that_takes_a_second_meeting():
    meetings = Counter({(0, 2): 1, (0, 3): 1, (1, 2): 1, (1, 3): 1})
    scores = dict.fromkeys(range(4), Fraction())
    found = pair((range(4), scores, meetings, ["ada", "ada", "", ""]), (2,), 2, Random(1))
    assert {(0, 1), (2, 3)} == set(found.tables)
    found = pair((range(4), scores, Counter(), ["ada", "ada", "", ""]), (2,), 2, Random(1))
    assert (0, 1) not in found.tables


def test_unknown_authors_are_not_equal():
    scores = {0: Fraction(2), 1: Fraction(2), 2: Fraction(1), 3: Fraction(1)}
    assert ((0, 1), (2, 3)) == pair((range(4), scores, Counter(), [""] * 4), (2,), 2, Random(1)).tables


def test_the_lowest_without_a_bye_sits_out():
    scores = dict.fromkeys(range(5), Fraction())
    history = (range(5), scores, Counter(), [""] * 5)
    assert (4,) == pair(history, (2,), 2, Random(1)).byes
    assert (2,) == pair(history, (2,), 2, Random(1), byes=(3, 4)).byes
    assert (4,) == pair(history, (2,), 2, Random(1), byes=range(5)).byes


def test_chance_decides_between_equal_pairings_and_is_always_the_same():
    scores = dict.fromkeys(range(24), Fraction())
    history = (range(24), scores, Counter(), [""] * 24)
    for sizes, seats in (((2,), 2), ((2, 3, 4), 4)):
        found = {pair(history, sizes, seats, Random(seed)).tables for seed in range(5)}
        assert 5 == len(found)
        assert found == {pair(history, sizes, seats, Random(seed)).tables for seed in range(5)}


def test_scores_of_one_table_are_close():
    scores = {entrant: Fraction(40 - entrant, 3) for entrant in range(40)}
    found = pair((range(40), scores, Counter(), [""] * 40), (2, 3, 4), 4, Random(1))
    assert tuple(tuple(range(start, start + 4)) for start in range(0, 40, 4)) == found.tables


# -- rounds to come


def hold_rounds(n, seats, sizes, rounds, luck, paired_before=()):
    """Pair rounds one after another with results of chance; return in how many pairs each had met before."""
    meetings, scores, again = Counter(), dict.fromkeys(range(n), Fraction()), []
    for tables in paired_before:
        meetings.update(pair_of(*pair) for table in tables for pair in combinations(table, 2))
    for left in range(rounds - len(paired_before) - 1, -1, -1):
        standing = sorted(scores, key=lambda entrant: -scores[entrant])
        found = pair((standing, scores, meetings, [""] * n), sizes, seats, luck, rounds=left)
        met = [pair_of(*pair) for table in found.tables for pair in combinations(table, 2)]
        again.append(sum(meetings[pair] > 0 for pair in met))
        meetings.update(met)
        for table in found.tables:
            for entrant in table:
                scores[entrant] += Fraction(luck.randrange(9), 8)
    return again


@pytest.mark.parametrize(
    ("n", "seats", "sizes", "rounds"),
    [(16, 4, (2, 3, 4), 5), (9, 3, (3, 4, 5), 4), (12, 3, (3, 4), 4), (6, 2, (2,), 5), (10, 2, (2,), 9)],
)
@pytest.mark.parametrize("seed", range(3))
def test_rounds_are_paired_so_that_those_to_come_need_no_second_meeting(n, seats, sizes, rounds, seed):
    assert [0] * rounds == hold_rounds(n, seats, sizes, rounds, Random(seed))


def test_a_round_too_many_has_all_second_meetings():
    """Sixteen at fours have all met after five."""
    assert [0, 0, 0, 0, 0, 24] == hold_rounds(16, 4, (2, 3, 4), 6, Random(1))


GRID = [[4 * row + column for column in range(4)] for row in range(4)]
COLUMNS = [list(column) for column in zip(*GRID, strict=True)]


@pytest.mark.parametrize(
    ("third", "again"),
    [
        (lambda row, column: row ^ column, [0, 0]),
        (lambda row, column: (row + column) % 4, None),  # this square has no other that is orthogonal to it
    ],
    ids=["open", "closed"],
)
def test_second_meetings_are_spared_where_the_first_rounds_still_allow_it(third, again):
    square = [[4 * r + c for r in range(4) for c in range(4) if third(r, c) == symbol] for symbol in range(4)]
    found = hold_rounds(16, 4, (2, 3, 4), 5, Random(3), [GRID, COLUMNS, square])
    assert again == found if again else min(found) > 0


def test_older_ladders_let_the_lowest_sit_out_even_if_others_meet_again():
    meetings = Counter({(0, 1): 1, (2, 3): 1, (0, 2): 1, (1, 3): 1, (0, 3): 1, (1, 2): 1})
    history = (range(5), dict.fromkeys(range(5), Fraction()), meetings, [""] * 5)
    for rule, out in (("before", 4), ("ahead", 3)):
        asked = UnpairedRound(*history, Counter(), (2,), 2, Random(1))
        assert (out,) == PAIRING_RULES[rule](asked).byes
