"""The flat TrueSkill is that of the package, for every number of seats, with and without ties."""

import math
import random
import time

import pytest

from results.rating import trueskill_package
from results.rating.update import update_skills

BETA = 25 / 6
NEW = (25.0, 25 / 3)


def assert_same(skills, ties, beta=BETA, draw_probability=0.05):
    expected = trueskill_package.update_skills(skills, ties, beta, draw_probability)
    for wanted, found in zip(expected, update_skills(skills, ties, beta, draw_probability), strict=True):
        assert wanted == pytest.approx(found, rel=0, abs=1e-9)


@pytest.mark.parametrize("seats", range(2, 9))
def test_it_is_the_package_to_a_billionth_on_random_matches(seats):
    rng = random.Random(seats)
    for _ in range(60):
        skills = [(rng.gauss(25, 8), rng.uniform(0.3, 25 / 3)) for _ in range(seats)]
        ties = [rng.random() < 0.3 for _ in range(seats - 1)]
        assert_same(skills, ties, rng.uniform(1, 10), rng.uniform(0.001, 0.5))


@pytest.mark.parametrize(
    ("skills", "ties"),
    [
        ([NEW, NEW], [False]),
        ([NEW] * 6, [True] * 5),
        ([(0.0, 0.01), (50.0, 0.01)], [False]),
        ([(50.0, 0.01), (0.0, 0.01)], [False]),
        ([(25.0, 1e-3), (25.0, 100.0)], [True]),
        ([(-1000.0, 1.0), (-1001.0, 1.0), (-999.0, 1.0)], [False, True]),
        ([(30.0, 0.5), (20.0, 5.0), (28.0, 0.2), (22.0, 8.0)], [True, False, True]),
        ([(60.0, 0.4), NEW, (0.0, 0.4), NEW], [False] * 3),
    ],
)
def test_it_is_the_package_to_a_billionth_in_extreme_matches(skills, ties):
    assert_same(skills, ties)


@pytest.mark.parametrize("ties", [[False], [True]])
def test_what_is_too_surprising_for_the_numbers_is_refused_by_both(ties):
    skills = [(-500.0, 0.1), (500.0, 0.1)]
    for engine in (update_skills, trueskill_package.update_skills):
        with pytest.raises(ArithmeticError):
            engine(skills, ties, BETA, 0.05)


def test_every_number_it_gives_can_be_stored():
    rng = random.Random(9)
    for _ in range(300):
        seats = rng.randint(2, 6)
        skills = [(rng.gauss(0, 100), 10 ** rng.uniform(-3, 2)) for _ in range(seats)]
        try:
            after = update_skills(skills, [rng.random() < 0.5 for _ in range(seats - 1)], BETA, 0.02)
        except ArithmeticError:
            continue
        assert all(math.isfinite(mu) and 0 < sigma < math.inf for mu, sigma in after)


@pytest.mark.parametrize("seats", [2, 4])
def test_it_takes_less_than_a_tenth_of_the_packages_time(seats):
    rng = random.Random(seats)
    matches = [
        ([(rng.gauss(25, 5), rng.uniform(0.5, 5)) for _ in range(seats)], [False] * (seats - 1))
        for _ in range(20)
    ]
    ours, the_packages = zip(
        *[
            [cpu_ns(engine, matches) for engine in (update_skills, trueskill_package.update_skills)]
            for _ in range(5)
        ],
        strict=True,
    )
    assert 10 * min(ours) < min(the_packages)


def cpu_ns(engine, matches):
    began = time.process_time_ns()
    for skills, ties in matches:
        engine(skills, ties, BETA, 0.05)
    return time.process_time_ns() - began
