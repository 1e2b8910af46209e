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

from results.rating.bot_sets import bots_in
from results.rating.linear import add_up
from results.rating.one_sided import Z_95, Cuts


class OpenGap(NamedTuple):
    """How a set of bots, moved together, is known against all others, none of which ever ranked before it."""

    variance: float
    """That of the move, as the curvature gives it."""
    scale: float
    """The distance to the end that the results set, over that of a symmetrical interval of this variance."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a field, and how the differences between them are known."""

    of: tuple[int, ...]
    """By bot: the number of its part."""
    below: tuple[frozenset[int], ...]
    """By part: the other parts that it reaches."""
    up: tuple[OpenGap | None, ...]
    """By part: the gap between all that reach it, itself included, and the others; None without results."""
    down: tuple[OpenGap | None, ...]
    """By part: the gap between all that it reaches, itself included, and the others."""

    def reaches(self, i: int, j: int) -> bool:
        """Return whether bot *i* reaches bot *j*; each reaches itself."""
        return self.of[i] == self.of[j] or self.of[j] in self.below[self.of[i]]

    def deviation(self, i: int, j: int, variance: float) -> float:
        """Return the standard deviation of the difference of *i* and *j*, towards the end that it has.

        *variance* is that of a symmetrical interval.
        """
        one, other = self.of[i], self.of[j]
        if one in self.below[other]:
            one, other = other, one
        elif other not in self.below[one]:
            return sqrt(max(0.0, variance))
        gaps = [gap for gap in (self.up[one], self.down[other]) if gap]
        # Without a part between the two, both are the same gap, and the one with fewer results against
        # others says it better.
        if len(gaps) > 1 and not any(other in self.below[part] for part in self.below[one]):
            gaps = [max(gaps)]
        # Each distance by itself, and all together as in the "method of variance estimates recovery" (Zou and
        # Donner, Construction of confidence limits about effect measures, 2008).
        inside = variance - add_up(gap.variance for gap in gaps)
        return sqrt(max(0.0, inside) + add_up(gap.scale**2 * gap.variance for gap in gaps))

    def among(self, kept: Sequence[int]) -> "Parts":
        """Return the parts of the bots *kept* alone, as all the bots know them."""
        return Parts(tuple([self.of[i] for i in kept]), self.below, self.up, self.down)


def one_part(bots: int) -> Parts:
    """Return a field in which all differences have both ends."""
    return Parts((0,) * bots, (frozenset(),), (None,), (None,))


def find_parts(
    better: Sequence[int],
    worse: Sequence[int],
    cuts: Cuts,
    known: Mapping[int, tuple[OpenGap | None, OpenGap | None]],
) -> Parts:
    """Return the parts of a field.

    *better* has for each bot the set of those that reach it, *worse* that of those it reaches; it is in both.
    *known* are the gaps above and below bots by matches that are not among the results.
    """
    of = [-1] * len(better)
    members: list[list[int]] = []
    for i in range(len(better)):
        if of[i] < 0:
            here = [*bots_in(better[i] & worse[i])]
            for bot in here:
                of[bot] = len(members)
            members.append(here)
    everything = (1 << len(better)) - 1

    def gap_of(moved: int, earlier: Sequence[OpenGap | None]) -> OpenGap | None:
        end, scales = cuts.end_of(moved, everything ^ moved), [gap.scale for gap in earlier if gap]
        if end is None and not scales:
            return None
        variance = cuts.variance_of(moved, everything ^ moved)
        if end is not None:
            scales.append(end / (Z_95 * sqrt(variance)))
        # A scale hardly depends on the number of matches, so that of earlier ones holds with those of now.
        return OpenGap(variance, min(scales))

    sides = [[[known[i][side] for i in here if i in known] for side in (0, 1)] for here in members]
    return Parts(
        tuple(of),
        tuple([frozenset(of[j] for j in bots_in(worse[here[0]])) - {n} for n, here in enumerate(members)]),
        tuple([gap_of(better[here[0]], side[0]) for here, side in zip(members, sides, strict=True)]),
        tuple([gap_of(worse[here[0]], side[1]) for here, side in zip(members, sides, strict=True)]),
    )


def find_core(
    parts: Parts,
    groups: Sequence[Sequence[int]],
    weights: Sequence[float],
    skills: Sequence[float],
    covariance: Sequence[Sequence[float]],
    anchor: int | None,
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return for each bot one of its core, and the deviation of its distance to that, towards the end it has.

    The core is the part of its group with most weight in the zero point, of equal ones the higher rated: most
    matches are among those bots, so distances to their mean are known best.  In the group of an *anchor* it
    is that bot alone.  *covariance* is that of the differences to the zero point, which has these *weights*.
    """
    core, own = [0] * len(skills), [0.0] * len(skills)
    for group in groups:
        by_part: dict[int, list[int]] = {}
        for i in group:
            by_part.setdefault(parts.of[i], []).append(i)
        chosen = [i for i in group if i == anchor] or max(
            by_part.values(),
            key=lambda part: (add_up(weights[i] for i in part), max(skills[i] for i in part)),
        )
        total = add_up(weights[i] for i in chosen)
        share = {i: weights[i] / total if total > 0.0 else 1.0 / len(chosen) for i in chosen}
        if len(chosen) == len(skills) or anchor in chosen:
            share = {}  # the covariance is that of these distances as it stands
        common = [
            add_up(weight * covariance[i][j] for j, weight in share.items()) for i in range(len(skills))
        ]
        twice = add_up(weight * common[j] for j, weight in share.items())
        for i in group:
            core[i] = chosen[0]
            own[i] = parts.deviation(i, chosen[0], covariance[i][i] - 2.0 * common[i] + twice)
    return tuple(core), tuple(own)
