"""Systems of equations are solved as exact fractions solve them."""

import random
from fractions import Fraction

import pytest

from results.rating.linear import factorize, improve, invert, sandwich, solve


def a_matrix(size, seed=1, weight=1.0):
    """Return a random positive definite matrix."""
    rng = random.Random(seed)
    half = [[rng.gauss(0, 1) for _ in range(size)] for _ in range(size)]
    return [
        [weight * sum(a * b for a, b in zip(x, y, strict=True)) + (i == j) for j, y in enumerate(half)]
        for i, x in enumerate(half)
    ]


def numbers(size):
    return [*map(random.Random(2).gauss, [0.0] * size, [1.0] * size)]


def exactly(matrix, right):
    """Return the solution by Gauss's elimination in fractions."""
    rows = [[*map(Fraction, row), Fraction(value)] for row, value in zip(matrix, right, strict=True)]
    for i, row in enumerate(rows):
        for j, other in enumerate(rows):
            if i != j:
                share = other[i] / row[i]
                rows[j] = [a - share * b for a, b in zip(other, row, strict=True)]
    return [float(row[-1] / row[i]) for i, row in enumerate(rows)]


@pytest.mark.parametrize("size", [1, 2, 3, 12])
def test_the_solution_is_that_of_exact_fractions(size):
    matrix, right = a_matrix(size), numbers(size)
    wanted = exactly(matrix, right)
    lower = factorize(matrix)
    assert wanted == pytest.approx(solve(lower, right), abs=1e-9)
    assert wanted == pytest.approx(improve(matrix, lower, right, 3), abs=1e-9)
    for j, column in enumerate(invert(lower)):
        assert column == pytest.approx(exactly(matrix, [float(i == j) for i in range(size)]), abs=1e-9)


def test_the_inverse_is_symmetric_to_the_last_bit():
    inverse = invert(factorize(a_matrix(9)))
    assert inverse == [list(column) for column in zip(*inverse, strict=True)]


def test_the_factor_of_a_similar_matrix_is_good_enough():
    matrix, other = a_matrix(30), a_matrix(30, weight=1.3)
    right = numbers(30)
    wanted = solve(factorize(matrix), right)
    assert wanted == pytest.approx(improve(matrix, factorize(other), right, 20), rel=1e-7, abs=1e-9)


def test_a_matrix_that_is_nearly_diagonal_needs_no_factor():
    matrix = a_matrix(30, weight=0.002)
    right = numbers(30)
    wanted = solve(factorize(matrix), right)
    assert wanted == pytest.approx(improve(matrix, None, right, 12), rel=1e-7, abs=1e-9)
    assert improve(a_matrix(30), None, right, 12) is None


def test_too_few_rounds_find_nothing():
    matrix, other = a_matrix(30), a_matrix(30, seed=5)
    assert improve(matrix, factorize(other), [1.0] * 30, 2) is None


def test_nothing_is_solved_by_nothing():
    assert ([], [], []) == (factorize([]), solve([], []), invert([]))
    matrix = a_matrix(3)
    assert [0.0] * 3 == improve(matrix, factorize(matrix), [0.0] * 3, 1)


def test_a_matrix_that_is_not_positive_definite_has_no_factor():
    with pytest.raises(ValueError, match="positive definite matrix"):
        factorize([[1.0, 2.0], [2.0, 1.0]])


def test_a_sandwich_is_the_product_of_three_matrices():
    outer, inner = [[2.0, 1.0], [1.0, 3.0]], [[1.0, -1.0], [-1.0, 4.0]]
    assert [[4.0, 7.0], [7.0, 31.0]] == sandwich(outer, inner)
