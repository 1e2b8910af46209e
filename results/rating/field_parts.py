"""The parts of a field: the sets of bots that all reach each other.

A bot *reaches* another by a chain of results in each of which one ranked before the next, or level with it.
Only then is the first known to be at most so much worse: the difference of two bots has a lower end if the
first reaches the second, and an upper one if the second reaches the first (Ford, 1957: see one_sided).  So
inside a part all differences have both ends, and between two parts they have one at most.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from results.rating.linear import add_up
from results.rating.one_sided import Lean, bots_in


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a field, and which of them reach others."""

    of: tuple[int, ...]
    """By bot: the number of its part."""
    below: tuple[frozenset[int], ...]
    """By part: the other parts that it reaches."""

    def reaches(self, i: int, j: int) -> bool:
        """Return whether bot *i* reaches bot *j*; each reaches itself."""
        return self.of[i] == self.of[j] or self.of[j] in self.below[self.of[i]]

    def among(self, kept: Sequence[int]) -> "Parts":
        """Return the parts of the bots *kept* alone, as all bots know them."""
        return Parts(tuple([self.of[i] for i in kept]), self.below)


def find_parts(better: Sequence[int], worse: Sequence[int]) -> Parts:
    """Return the parts of a field, numbered by their first bots.

    *better* has for each bot the set of those that reach it, *worse* that of those it reaches; it is in both.
    """
    of, first = [-1] * len(better), list[int]()
    for i in range(len(better)):
        if of[i] < 0:
            for bot in bots_in(better[i] & worse[i]):
                of[bot] = len(first)
            first.append(i)
    below = [frozenset(of[j] for j in bots_in(worse[i])) - {part} for part, i in enumerate(first)]
    return Parts(tuple(of), tuple(below))


class Distance(NamedTuple):
    """The distance of a bot to the core of its group."""

    core: int
    """One of the core."""
    error: float
    """The standard error of the distance to their mean; towards the end that it has, where it has but one."""


def find_own(
    parts: Parts,
    groups: Sequence[Sequence[int]],
    weights: Sequence[float],
    skills: Sequence[float],
    anchor: int | None,
    leans: Sequence[Lean | None],
    covariance: Sequence[Sequence[float]],
) -> tuple[Distance, ...]:
    """Return the distance of each bot to the core of its group, whose mean its rating is a distance to.

    The core is the part with most weight in the zero point, of equal ones the higher rated: most matches are
    among those bots, so distances to their mean are known best.  In the group of an *anchor* it is that bot
    alone.  *covariance* is that of the differences to the zero point, which has these *weights*.
    """
    found: dict[int, Distance] = {}
    for group in groups:
        by_part: dict[int, list[int]] = {}
        for i in group:
            by_part.setdefault(parts.of[i], []).append(i)
        core = [i for i in group if i == anchor] or max(
            by_part.values(),
            key=lambda part: (add_up(weights[i] for i in part), max(skills[i] for i in part)),
        )
        total = add_up(weights[i] for i in core)
        share = {i: weights[i] / total if total > 0.0 else 1.0 / len(core) for i in core}
        if len(core) == len(skills):
            errors = {i: sqrt(max(0.0, covariance[i][i])) for i in group}  # it is the zero point itself
        else:
            errors = _errors(share, group, parts, leans, covariance)
        found |= {i: Distance(core[0], error) for i, error in errors.items()}
    return tuple([found[i] for i in range(len(skills))])


def _errors(
    core: Mapping[int, float],
    group: Sequence[int],
    parts: Parts,
    leans: Sequence[Lean | None],
    covariance: Sequence[Sequence[float]],
) -> dict[int, float]:
    """Return the standard errors of distances to the mean of a *core*, by the rules of Fit.difference."""
    first = next(iter(core))
    towards = leans[first]
    scales = [lean.scale if lean else 1.0 for lean in leans]
    near = {
        alike: [(j, weight * (1.0 if alike else scales[j])) for j, weight in core.items()]
        for alike in (True, False)
    }
    spread = {
        alike: add_up(one * other * covariance[j][k] for j, one in of for k, other in of)
        for alike, of in near.items()
    }
    found = {}
    for i in group:
        lean = leans[i]
        is_one_way = lean is not None and towards is not None and lean.side == towards.side
        alike = is_one_way or parts.of[i] == parts.of[first]
        own = 1.0 if alike else scales[i]
        common = add_up(weight * covariance[i][j] for j, weight in near[alike])
        error = sqrt(max(0.0, own * (own * covariance[i][i] - 2.0 * common) + spread[alike]))
        if lean and is_one_way and parts.of[i] != parts.of[first]:
            is_held = parts.reaches(first, i) if lean.side > 0 else parts.reaches(i, first)
            error *= scales[first if is_held else i]
        found[i] = error
    return found


def mirror(sets: Sequence[int]) -> list[int]:
    """Return the same relation the other way round."""
    found = [0] * len(sets)
    for i, others in enumerate(sets):
        for j in bots_in(others):
            found[j] |= 1 << i
    return found


def reaching(sets: Sequence[int]) -> list[int]:
    """Return for each bot all that *sets* name for it, and for these, and so on; and itself."""
    found = [0] * len(sets)
    for i, first in enumerate(sets):
        reached = 1 << i
        new = first & ~reached
        while new:
            lowest = new & -new
            j = lowest.bit_length() - 1
            # What follows from one that is done is known at once, so all take hardly longer than one.
            reached |= found[j] or lowest
            new = (new | (0 if found[j] else sets[j])) & ~reached
        found[i] = reached
    return found
