"""What decides between equal scores."""
# the expected value stands on the left, in every test

from collections import Counter
from fractions import Fraction

from ladder.pairing.event_table import EventTable, HeardBlock, score_match
from ladder.pairing.score_rows import rank_scores


def table(entrants, *places, points=()):
    found = EventTable("swiss/1/1", entrants, blocks=1, sizes=(len(entrants),))
    found.hear(HeardBlock(tuple(entrants), places, points))
    return found


def test_places_are_scored_and_ties_shared():
    assert [1, Fraction(1, 2), 0] == score_match([1, 2, 3])
    assert [Fraction(3, 4), Fraction(3, 4), 0] == score_match([1, 1, 3])
    assert [Fraction(1, 2)] * 4 == score_match([1, 1, 1, 1])


def test_a_block_is_the_mean_of_its_matches():
    assert {7: Fraction(3, 4), 8: Fraction(1, 4)} == HeardBlock((7, 8), ((1, 2), (1, 1))).scores


def test_scores_of_opponents_decide_first():
    """0 has beaten 3, who has nothing; 1 has beaten 0."""
    tables = [table((0, 1), (2, 1)), table((2, 3), (1, 2)), table((0, 3), (1, 2)), table((1, 2), (2, 1))]
    rows = rank_scores(range(4), tables, Counter())
    assert [(2, 2, 1), (1, 1, 3), (0, 1, 1), (3, 0, 3)] == [
        (row.entrant, row.score, row.opponents) for row in rows
    ]


def test_meetings_decide_between_those_who_are_equal_otherwise():
    """Three have one win and one loss each: a circle, which the seeds cut.  Two of four do not."""
    circle = [table((0, 1), (2, 1)), table((0, 2), (1, 2)), table((1, 2), (1, 2))]
    assert [1, 0, 2] == [row.entrant for row in rank_scores(range(3), circle, Counter())]
    met = {(0, 1): (2, 1), (0, 2): (1, 2), (0, 3): (1, 2), (1, 2): (1, 2), (1, 3): (2, 1), (2, 3): (1, 2)}
    rows = rank_scores(range(4), [table(pair, places) for pair, places in met.items()], Counter())
    assert [(1, 2, 1), (0, 2, -1), (2, 1, 1), (3, 1, -1)] == [
        (row.entrant, row.score, row.direct) for row in rows
    ]


def test_points_decide_next_and_seeds_last():
    tie = ((1, 1),)
    tables = [table((0, 1), *tie, points=((Fraction(3), Fraction(5)),)), table((2, 3), *tie)]
    assert [1, 2, 3, 0] == [row.entrant for row in rank_scores(range(4), tables, Counter())]


def test_a_bye_counts_as_an_opponent_of_the_own_score():
    (row,) = rank_scores([0], [], Counter({0: 2}))
    assert (1, 2, 2) == (row.score, row.opponents, row.byes)
