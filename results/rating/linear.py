"""Solve symmetric, positive definite systems of equations with plain floats, in a fixed order.

Libraries such as BLAS add up in an order that depends on the machine, so their last digits differ.  A matrix
is a list of its rows.
"""

from collections.abc import Iterable
from math import sqrt

ENOUGH = 1e-20
"""The share of the squared error that may be left."""


def add_up(values: Iterable[float]) -> float:
    """Return the sum; the built-in one rounds otherwise in other versions of Python."""
    total = 0.0
    for value in values:
        total += value
    return total


def dot(a: list[float], b: list[float]) -> float:
    """Return the sum of the products, as far as the shorter of the two goes."""
    total = 0.0
    for x, y in zip(a, b):  # noqa: B905 - the shorter one ends it
        total += x * y
    return total


def factorize(matrix: list[list[float]]) -> list[list[float]]:
    """Return the rows of the lower Cholesky factor of *matrix*.  Raises ValueError if there is none."""
    lower: list[list[float]] = []
    for i, row in enumerate(matrix):
        new: list[float] = []
        for j in range(i):
            above = lower[j]
            new.append((row[j] - dot(new, above)) / above[j])
        pivot = row[i] - dot(new, new)
        if not pivot > 0.0:
            raise ValueError(f"expected a positive definite matrix, got: pivot {pivot} in row {i}")
        new.append(sqrt(pivot))
        lower.append(new)
    return lower


def solve(lower: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of the system that *lower* is the factor of."""
    found: list[float] = []
    for i, row in enumerate(lower):
        found.append((right[i] - dot(found, row)) / row[i])
    for i in range(len(lower) - 1, -1, -1):
        row = lower[i]
        value = found[i] / row[i]
        found[i] = value
        for j in range(i):
            found[j] -= value * row[j]
    return found


def _approach(matrix: list[list[float]], lower: list[list[float]] | None, right: list[float]) -> list[float]:
    """Return the solution of a similar system: that of *lower*, or that of the diagonal alone."""
    if lower is not None:
        return solve(lower, right)
    return [right[i] / matrix[i][i] for i in range(len(right))]


def improve(
    matrix: list[list[float]], lower: list[list[float]] | None, right: list[float], rounds: int
) -> list[float] | None:
    """Return the solution of a system by conjugate gradients; None if *rounds* are not enough.

    *lower* is the factor of a similar matrix, if there is one (Hestenes and Stiefel, 1952, preconditioned).
    """
    found = [0.0] * len(right)
    rest = list(right)
    near = _approach(matrix, lower, rest)
    towards = list(near)
    error = dot(rest, near)
    goal = error * ENOUGH
    for _ in range(rounds):
        if error <= goal:
            return found
        image = [dot(row, towards) for row in matrix]
        length = error / dot(towards, image)
        for i in range(len(right)):
            found[i] += length * towards[i]
            rest[i] -= length * image[i]
        near = _approach(matrix, lower, rest)
        before, error = error, dot(rest, near)
        turn = error / before
        for i in range(len(right)):
            towards[i] = near[i] + turn * towards[i]
    return None


def invert(lower: list[list[float]]) -> list[list[float]]:
    """Return the inverse of the matrix that *lower* is the factor of."""
    size = len(lower)
    columns: list[list[float]] = []  # of the inverse of the factor, from the diagonal down
    for j in range(size):
        column = [1.0 / lower[j][j]]
        for i in range(j + 1, size):
            column.append(-dot(column, lower[i][j:]) / lower[i][i])
        columns.append(column)
    inverse = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i, size):
            inverse[i][j] = inverse[j][i] = dot(columns[j], columns[i][j - i :])
    return inverse


def sandwich(outer: list[list[float]], inner: list[list[float]]) -> list[list[float]]:
    """Return *outer* times *inner* times the transpose of *outer*; *inner* is symmetric."""
    size = len(outer)
    columns = [[dot(row, each) for each in inner] for row in outer]
    found = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i, size):
            found[i][j] = found[j][i] = dot(columns[i], outer[j])
    return found
