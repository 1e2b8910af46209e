"""One match: the published numbers.  The fold: one match after another."""

import math
import subprocess
import sys
from itertools import pairwise, permutations

import pytest
from support.records import a_block, a_match, a_run, a_seat
from support.stores import keep_run

from results.rating.fold import Fold, fold_all
from results.rating.parameters import NEW, Draws, Parameters, Rating
from results.rating.update import update_skills
from results.record import Block
from results.storage.finishes import finishes_of

TABLE = Parameters(draw_probability=Draws.of(0.1))
DRIFT = 25 / 300  # the published numbers let each skill drift by this much before a match; ours do not


def drifted(mu=25.0, sigma=25 / 3):
    return Rating(mu, math.hypot(sigma, DRIFT))


def seats(*ranks):
    return [a_seat(f"bot{seat}", rank) for seat, rank in enumerate(ranks)]


def rate(ratings, seats, of):
    """Return the ratings of *seats* after a match; tied ones are taken by their bots."""
    order = sorted(range(len(seats)), key=lambda i: (seats[i].rank, seats[i].bot))
    ties = [seats[i].rank == seats[j].rank for i, j in pairwise(order)]
    after = update_skills([ratings[i] for i in order], ties, of.beta, of.draw_probability[len(seats)])
    return [Rating(*after[order.index(i)]) for i in range(len(seats))]


# printed to three digits wherever TrueSkill is explained, and in the package's own tests
PUBLISHED = [
    ([drifted()] * 2, (1, 2), [(29.396, 7.171), (20.604, 7.171)]),
    ([drifted()] * 2, (1, 1), [(25.0, 6.458), (25.0, 6.458)]),
    ([drifted(), drifted(50, 12.5)], (1, 1), [(31.662, 7.137), (35.010, 7.910)]),
    ([drifted()] * 3, (1, 2, 3), [(31.675, 6.656), (25.0, 6.208), (18.325, 6.656)]),
    ([drifted()] * 4, (1, 2, 3, 4), [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)]),
    (
        [drifted()] * 5,
        (1, 2, 3, 4, 5),
        [(34.363, 6.136), (29.058, 5.536), (25.0, 5.420), (20.942, 5.536), (15.637, 6.136)],
    ),
]


@pytest.mark.parametrize(("before", "ranks", "expected"), PUBLISHED)
def test_a_match_gives_the_published_ratings(before, ranks, expected):
    after = rate(before, seats(*ranks), TABLE)
    assert [pytest.approx(numbers, abs=1e-3) for numbers in expected] == [tuple(rating) for rating in after]


def test_a_match_changes_no_rating_by_drift_alone():
    assert NEW.sigma > max(rating.sigma for rating in rate([NEW, NEW], seats(1, 2), TABLE))
    certain = [Rating(40.0, 0.5), Rating(10.0, 0.5)]
    assert [pytest.approx(rating, abs=1e-4) for rating in certain] == rate(certain, seats(1, 2), TABLE)


@pytest.mark.parametrize("probability", [1e-2, 1e-4, 1e-6, 1e-8])
def test_a_tie_of_equals_makes_both_surer_however_rare_ties_are(probability):
    after = rate([NEW, NEW], seats(1, 1), Parameters(draw_probability=Draws.of(probability)))
    assert [(pytest.approx(25.0), pytest.approx(6.455, abs=2e-3))] * 2 == after


def test_tied_seats_are_rated_the_same_wherever_they_sit():
    before = {bot: Rating(25 + 3 * bot, 3.0) for bot in range(4)}
    ranks = {0: 1, 1: 2, 2: 2, 3: 2}
    results = set()
    for order in permutations(range(4)):
        at_table = [a_seat(f"bot{bot}", ranks[bot]) for bot in order]
        after = rate([before[bot] for bot in order], at_table, TABLE)
        results.add(tuple(after[order.index(bot)] for bot in range(4)))
    assert 1 == len(results)


# --- the fold


def folded(*runs, engine=update_skills):
    fold = Fold(engine)
    for run, blocks in runs:
        fold.add(finishes_of(blocks).seats, run)
    return fold


def test_a_rating_that_cannot_be_computed_is_left_out_and_counted(caplog):
    fold = folded((a_run(), [Block(0, [a_match(6)], [])]), engine=never_surprised)
    before = dict(fold.ratings)
    fold.add(finishes_of([Block(1, [a_match(7, bots=("beta", "alpha"))], [])]).seats, a_run())
    assert before == fold.ratings
    assert 1 == fold.unrated
    assert "match 1/7 stays unrated: never" in caplog.text


def never_surprised(skills, ties, beta, draw_probability):
    if skills[0] < skills[1]:
        raise FloatingPointError("never")
    return update_skills(skills, ties, beta, draw_probability)


def test_each_run_is_folded_by_its_own_parameters():
    lucky = a_run(ratings={"stellar": {"beta": 20.0, "draw_probability": {"2": 0.02}}})
    key = ("stellar", "beta", "beta-1")
    one, other = (folded((run, [a_block(0)])).ratings[key] for run in (a_run(), lucky))
    assert one.sigma < other.sigma


def test_the_fold_of_a_store_is_that_of_its_matches_in_order(store):
    with store.lock():
        runs = [(a_run(run), [a_block(number, run=run) for number in range(6)]) for run in (1, 2)]
        for run, blocks in runs:
            keep_run(store, blocks, run.run)
    expected = folded(*runs)
    assert expected.ratings == fold_all(store.contents()).ratings


@pytest.mark.process
def test_the_package_is_loaded_without_a_warning():
    code = "import results.rating.fit"
    command = [sys.executable, "-B", "-W", "error", "-X", "pycache_prefix=/nonexistent", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stderr)
