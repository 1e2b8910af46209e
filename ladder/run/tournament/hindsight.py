"""How surely the winner of a tournament is the best of its field: from its own results and the ratings.

Skills have the normal distributions of the ratings before.  Each table adds its mean scores, with the noise
of as many blocks.  Around the likeliest skills all is taken as normal, and a probability is the share of
draws from that in which the winner is the best.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from ladder.pairing.event_report import StageReport
from ladder.pairing.event_table import BANNED, FORFEIT
from ladder.run.tournament.certainty import Certainty, EventForm, SkillBelief, expect_score, noise_at
from results.rating.linear import factorize, solve

STEPS: Final = 12
"""Steps towards the likeliest skills, at most."""
NEAR: Final = 1e-3
"""Steps end when no skill moves by more than this, in units of beta."""
LEAST_NOISE: Final = 0.1
"""The least share of the variance of near bots that is left where one bot wins nearly all."""
DRAWS: Final = 3000
"""Draws, at most..."""
TERMS: Final = 6_000_000
"""...and as many that they have about this many terms: this takes less than a second."""


class TableScores(NamedTuple):
    """The mean scores at a table, over some blocks."""

    entrants: tuple[int, ...]
    scores: tuple[float, ...]
    blocks: int


def scores_of_tables(report: Iterable[StageReport]) -> Iterator[TableScores]:
    """Yield the tables that say something of skills: those that were played, and that no entrant has left."""
    for table in (table for stage in report for each in stage.rounds for table in each.tables):
        has_left = any(note.kind in (BANNED, FORFEIT) for note in table.notes)
        scores = tuple(float(score) for score in table.scores if score is not None)
        entrants = tuple(entrant for entrant in table.entrants if entrant is not None)
        if table.blocks and not has_left and len(scores) == len(entrants):
            yield TableScores(entrants, scores, table.blocks)


def believe_best(
    form: EventForm,
    field: Sequence[SkillBelief],
    tables: Sequence[TableScores],
    winner: int,
    seed: object = 0,
) -> Certainty:
    """Return how surely *winner* is best of *field*, by beliefs and *tables*; the same for one *seed*."""
    skills, lower = _fit(form, field, tables)
    luck, count = Random(f"hindsight {seed}"), len(field)
    draws = max(200, min(DRAWS, TERMS // (count * count)))
    best = 0
    for _ in range(draws):
        drawn = _draw(lower, luck)
        mine = skills[winner] + drawn[winner]
        best += all(skill + more <= mine for skill, more in zip(skills, drawn, strict=True))
    return Certainty.of(best, draws)


def _draw(lower: list[list[float]], luck: Random) -> list[float]:
    """Return normal numbers whose precision is that of which *lower* is the factor."""
    drawn = [luck.gauss(0.0, 1.0) for _ in lower]
    for i in range(len(lower) - 1, -1, -1):
        row = lower[i]
        value = drawn[i] = drawn[i] / row[i]
        for j in range(i):
            drawn[j] -= value * row[j]
    return drawn


def _fit(
    form: EventForm, field: Sequence[SkillBelief], tables: Sequence[TableScores]
) -> tuple[list[float], list[list[float]]]:
    """Return the likeliest skills, and the factor of their precision there."""
    skills = [mu for mu, _ in field]
    for _ in range(STEPS):
        precision = [[0.0] * len(field) for _ in field]
        pull = [0.0] * len(field)
        for i, (mu, sigma) in enumerate(field):
            precision[i][i] += sigma**-2
            pull[i] += (mu - skills[i]) * sigma**-2
        for table in tables:
            _add(form, table, skills, precision, pull)
        lower = factorize(precision)
        steps = solve(lower, pull)
        largest = max(map(abs, steps))
        scale = min(1.0, form.beta / largest) if largest else 1.0  # far away, the slopes are others
        skills = [skill + scale * step for skill, step in zip(skills, steps, strict=True)]
        if largest < NEAR * form.beta:
            break
    return skills, lower


def _add(
    form: EventForm,
    table: TableScores,
    skills: Sequence[float],
    precision: list[list[float]],
    pull: list[float],
) -> None:
    """Add what *table* says: the scores follow from the gaps of the skills, with noise that sums up to 0."""
    seated, count = table.entrants, len(table.entrants)
    slopes = [[0.0] * count for _ in seated]
    means = [0.0] * count
    for i, one in enumerate(seated):
        for j, other in enumerate(seated):
            if i != j:
                gap = (skills[one] - skills[other]) / form.beta
                means[i] += expect_score(gap, 1.0) / (count - 1)
                slope = math.exp(-gap * gap / 4) / (2 * math.sqrt(math.pi) * form.beta * (count - 1))
                slopes[i][i] += slope
                slopes[i][j] -= slope
    spread_out = max(LEAST_NOISE, 4 * sum([mean * (1 - mean) for mean in means]) / count)
    weight = table.blocks * (count - 1) / count / (spread_out * noise_at(form, count) ** 2)
    for j, one in enumerate(seated):
        column = [row[j] for row in slopes]
        pull[one] += weight * sum(
            [slope * (score - mean) for slope, score, mean in zip(column, table.scores, means, strict=True)]
        )
        for k, other in enumerate(seated):
            precision[one][other] += weight * sum([row[j] * row[k] for row in slopes])
