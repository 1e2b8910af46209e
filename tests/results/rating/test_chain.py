"""The chain is TrueSkill's: beside the package and numerical quadrature."""

import math
import random
from statistics import NormalDist

import pytest
import trueskill
from support.skill_worlds import gradient_of

from results.rating.chain import FAR, TAIL, differentiate, pass_messages, weigh_tie, weigh_win
from results.rating.update import draw_margin

BETA = 25 / 6
NOISE = BETA * BETA


def cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def chain(skills, ties, margin):
    """Return gradient and curvature by the skills."""
    messages = [0.0] * (2 * len(ties))
    pass_messages(skills, ties, NOISE, margin, messages)
    return differentiate(skills, NOISE, messages)


@pytest.mark.parametrize("seats", range(2, 7))
def test_it_is_the_package_where_skills_are_almost_certain(seats, monkeypatch):
    """The step of mu over sigma^2 is the gradient; the package passes 10 rounds, so the chain does, too."""
    monkeypatch.setattr("results.rating.chain.ROUNDS", 10)
    environment = trueskill.TrueSkill(beta=BETA, tau=0.0, draw_probability=0.05)
    rng, sigma = random.Random(seats), 0.004
    for _ in range(20):
        skills = [rng.gauss(25, 4) for _ in range(seats)]
        ties = tuple(rng.random() < 0.3 for _ in range(seats - 1))
        ranks = [0]
        for tie in ties:
            ranks.append(ranks[-1] + (not tie))
        groups = [(environment.create_rating(skill, sigma),) for skill in skills]
        rated = environment.rate(groups, ranks=ranks, min_delta=1e-12)
        gradient = gradient_of(skills, ties, BETA, draw_margin(0.05, BETA))
        for skill, slope, (after,) in zip(skills, gradient, rated, strict=True):
            assert slope == pytest.approx((after.mu - skill) / sigma**2, abs=1e-5)


def by_quadrature(skills, ties, margin):
    """Return the gradient of the log-likelihood of three seats, integrated over the middle performance."""

    def likelihood(skills):
        total, step = 0.0, BETA / 200
        for k in range(-1600, 1601):
            middle = skills[1] + k * step
            if ties[0]:
                above = cdf((middle + margin - skills[0]) / BETA) - cdf((middle - margin - skills[0]) / BETA)
            else:
                above = cdf((skills[0] - middle - margin) / BETA)
            if ties[1]:
                below = cdf((middle + margin - skills[2]) / BETA) - cdf((middle - margin - skills[2]) / BETA)
            else:
                below = cdf((middle - margin - skills[2]) / BETA)
            total += math.exp(-0.5 * (k / 200) ** 2) * above * below
        return math.log(total)

    found = []
    for seat in range(3):
        up, down = list(skills), list(skills)
        up[seat] += 1e-3
        down[seat] -= 1e-3
        found.append((likelihood(up) - likelihood(down)) / 2e-3)
    return found


@pytest.mark.parametrize("ties", [(False, False), (True, False), (False, True), (True, True)])
def test_the_gradient_at_three_seats_is_near_that_of_quadrature(ties):
    rng, margin = random.Random(3), draw_margin(0.1, BETA)
    for _ in range(5):
        skills = [rng.gauss(25, 4) for _ in range(3)]
        wanted = by_quadrature(skills, ties, margin)
        assert wanted == pytest.approx(gradient_of(skills, ties, BETA, margin), abs=0.02 / BETA)


@pytest.mark.parametrize("seats", range(3, 7))
def test_the_curvature_leaves_the_covariance_of_the_performances(seats):
    """I / beta^2 - C / beta^4 with C = (I / beta^2 + D' diag(pi) D)^-1, as the specification writes it."""
    rng, margin = random.Random(seats), draw_margin(0.1, BETA)
    for _ in range(10):
        skills = [rng.gauss(25, 6) for _ in range(seats)]
        ties = tuple(rng.random() < 0.3 for _ in range(seats - 1))
        messages = [0.0] * (2 * len(ties))
        pass_messages(skills, ties, NOISE, margin, messages)
        precision = [[(i == j) / NOISE for j in range(seats)] for i in range(seats)]
        for k in range(seats - 1):
            for i, j in ((k, k), (k + 1, k + 1), (k, k + 1), (k + 1, k)):
                precision[i][j] += messages[2 * k] * (1 if i == j else -1)
        gradient, curvature = chain(skills, ties, margin)
        left = [[(i == j) * NOISE - NOISE**2 * curvature[i][j] for j in range(seats)] for i in range(seats)]
        for i in range(seats):
            for j in range(seats):
                product = sum(precision[i][k] * left[k][j] for k in range(seats))
                assert float(i == j) == pytest.approx(product, abs=1e-9)
        expected = [skill + NOISE * slope for skill, slope in zip(skills, gradient, strict=True)]
        for i in range(seats):
            shift = messages[2 * i + 1] if i < seats - 1 else 0.0
            shift -= messages[2 * i - 1] if i else 0.0
            mean = sum(precision[i][j] * expected[j] for j in range(seats))
            assert skills[i] / NOISE + shift == pytest.approx(mean, abs=1e-8)


def test_messages_that_are_at_rest_stay():
    skills, ties, margin = [30.0, 20.0, 26.0, 22.0], (False, True, False), draw_margin(0.1, BETA)
    messages = [0.0] * 6
    assert 1 < pass_messages(skills, ties, NOISE, margin, messages) < 30
    kept = list(messages)
    assert 1 == pass_messages(skills, ties, NOISE, margin, messages)
    assert kept == pytest.approx(messages, rel=1e-9)


def test_corrections_are_those_of_the_package():
    environment = trueskill.TrueSkill(backend=(lambda x, *_: cdf(x), lambda x, *_: NormalDist().pdf(x), None))
    for x in (-8.0, -3.0, -0.5, 0.0, 0.5, 3.0, 6.0):
        v, w, rest = weigh_win(x - 0.3)
        assert (environment.v_win(x, 0.3), environment.w_win(x, 0.3)) == pytest.approx((v, w), abs=1e-9)
        assert 1 - w == pytest.approx(rest, abs=1e-15)
    for mean in (-4.0, -1.0, 0.0, 0.7, 3.0):
        for margin in (0.05, 0.4, 1.5):
            v, w, rest = weigh_tie(mean, margin)
            wanted = environment.v_draw(mean, margin), environment.w_draw(mean, margin)
            assert wanted == pytest.approx((v, w), abs=1e-9)
            assert 1 - w == pytest.approx(rest, abs=1e-15)


def test_a_tie_at_a_narrow_margin_leaves_a_third_of_its_square():
    _, _, rest = weigh_tie(0.0, 1e-6)
    assert rest == pytest.approx(1e-12 / 3, rel=1e-9)
    assert (0.0, 1.0) == pytest.approx(weigh_tie(0.0, 1e-6)[:2], abs=1e-11)


def test_the_tails_join_what_is_computed_near_by():
    for far, digits in ((TAIL, 1e-9), (FAR, 5e-3)):
        for margin in (0.3, 2.0):
            for sign in (1, -1):
                inside, outside = (weigh_tie(sign * (far + margin + d), margin) for d in (-1e-13, 1e-13))
                assert inside == pytest.approx(outside, rel=digits)
                assert (sign < 0) == (outside[0] > 0)
    inside, outside = (weigh_win(-TAIL - d) for d in (-1e-13, 1e-13))
    assert inside == pytest.approx(outside, rel=1e-10)


def test_a_win_against_all_odds_moves_the_difference_to_the_margin():
    for x in (-40.0, -1e3, -1e8):
        v, w, rest = weigh_win(x)
        assert v == pytest.approx(-x, rel=1e-3)
        assert rest == pytest.approx(1 / x**2, rel=1e-2)
        assert w <= 1.0


def test_no_outcome_is_too_surprising():
    rng = random.Random(8)
    for _ in range(200):
        seats = rng.randint(2, 6)
        skills = [rng.gauss(0, 10 ** rng.uniform(0, 5)) for _ in range(seats)]
        ties = tuple(rng.random() < 0.5 for _ in range(seats - 1))
        margin = draw_margin(rng.choice([0.0005, 0.1, 0.9]), BETA)
        gradient = gradient_of(skills, ties, BETA, margin)
        assert all(map(math.isfinite, gradient))
        assert 0.0 == pytest.approx(math.fsum(gradient), abs=1e-9 * max(map(abs, gradient)))
        if seats > 2:
            assert all(math.isfinite(value) for row in chain(skills, ties, margin)[1] for value in row)
