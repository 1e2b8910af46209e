"""How surely the best of a field wins a tournament: before it, by playing it many times with made-up results.

The skills are drawn from the ratings, the results from the skills and the measured noise.  The stages are
those of ladder.pairing; only rounds are paired and ranked in simpler ways, which take far less time.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple, TypeAlias

from ladder.pairing.event_table import EventTable, HeardBlock
from ladder.pairing.pairing import Meetings, PairedRound, pair_of
from ladder.pairing.score_rows import BYE, ScoreRow
from ladder.pairing.stages import Stage
from ladder.pairing.table_sizes import share_tables
from ladder.pairing.tournament import Tournament
from ladder.run.tournament.noise import chance_variance

MOST: Final = 600
"""Simulations, at most."""
FEWEST: Final = 30
"""Simulations, at least."""
SEATINGS: Final = 100_000
"""About how many seats are simulated, each weighed with those of its table: this takes about a second."""

_GRID: Final = 1 << 12
"""Drawn scores are rounded to this part of one."""
_NONE: Final = Fraction()


class SkillBelief(NamedTuple):
    """What is known of a skill: a normal distribution."""

    mu: float
    sigma: float


@dataclass(frozen=True)
class EventForm:
    """What a tournament is, without its bots."""

    stages: tuple[Stage, ...]
    sizes: tuple[int, ...]
    """The table sizes of the game."""
    seats: int
    """The size that is wanted."""
    round_blocks: int
    series_blocks: int
    beta: float
    """The luck of one match, in units of skill."""
    deviation: float
    """The standard deviation of the score of a block between near bots, at tables of *seats*."""


class Certainty(NamedTuple):
    """A probability, as far as simulations tell it."""

    part: float
    error: float
    """Its standard error."""


def expect_score(gap: float, beta: float) -> float:
    """Return how often a bot is above another one whose skill is lower by *gap*."""
    return 0.5 * (1.0 + math.erf(gap / (2.0 * beta)))


def noise_at(form: EventForm, seats: int) -> float:
    """Return the standard deviation of the score of a block at tables of *seats*.

    Other sizes than the one that was measured differ from it as where each order of the seats is equally
    likely.
    """
    return form.deviation * math.sqrt(chance_variance(seats) / chance_variance(form.seats))


def find_certainty(form: EventForm, field: Sequence[SkillBelief], seed: object = 0) -> Certainty:
    """Return how surely the best of *field*, whose order is that of seeds, wins a tournament of *form*.

    The same *seed* gives the same answer.
    """
    luck = Random(f"certainty {seed}")
    sample = _DrawnEvent(form, [mu for mu, _ in field], luck)
    sample.play()
    times = max(FEWEST, min(MOST, SEATINGS // max(1, sample.count_seats())))
    won = 0
    for _ in range(times):
        skills = [luck.gauss(mu, sigma) for mu, sigma in field]
        won += skills[_DrawnEvent(form, skills, luck).play()] == max(skills)
    # one more of each: else few simulations of a sure event would have no error
    part = (won + 1) / (times + 2)
    return Certainty(won / times, math.sqrt(part * (1 - part) / times))


Scores: TypeAlias = dict[int, float]


@dataclass(frozen=True)
class _DrawnBlock(HeardBlock):
    """A block whose scores are drawn, not taken from matches."""

    drawn: dict[int, Fraction] = field(default_factory=dict)

    @property
    def scores(self) -> dict[int, Fraction]:
        return self.drawn


class _DrawnEvent(Tournament):
    """A tournament with made-up results."""

    def __init__(self, form: EventForm, skills: Sequence[float], luck: Random) -> None:
        self._form = form
        self._skills = skills
        self._luck = luck
        self._scores: dict[str, Scores] = {}
        """Of each table that has been played."""
        super().__init__(
            form.stages,
            [""] * len(skills),
            sizes=form.sizes,
            seats=form.seats,
            round_blocks=form.round_blocks,
            series_blocks=form.series_blocks,
            extra_blocks=0,
            luck=lambda name: luck,
            pair=pair_plainly,
            rank=self._rank,
        )

    def count_seats(self) -> int:
        """Return how many seats the tables had that were played, pairs of others weighed in."""
        return sum(len(scores) ** 2 for scores in self._scores.values())

    def play(self) -> int:
        """Play to the end; return the winner, by seed."""
        while not self.over:
            for table in [table for played in self._played[-1].rounds for table in played.tables]:
                if not table.is_over:
                    self._play_table(table)
            self._advance()
        return self._played[-1].standing()[0][0]

    def _play_table(self, table: EventTable) -> None:
        """Play all blocks of *table* as one block, which has the noise of their mean."""
        scores = self._scores[table.name] = self._draw(table.entrants, table.blocks)
        table.blocks = 1
        exact = {entrant: _round(score) for entrant, score in scores.items()}
        table.hear(_DrawnBlock(table.entrants, (), (), exact))

    def _draw(self, seated: Sequence[int], blocks: int) -> Scores:
        """Draw the scores at a table of *seated*: means of *blocks* blocks."""
        skills, beta, count = self._skills, self._form.beta, len(seated)
        gauss = self._luck.gauss
        means = [
            sum([expect_score(skills[one] - skills[other], beta) for other in seated if other != one])
            / (count - 1)
            for one in seated
        ]
        spread_out = sum([mean * (1 - mean) for mean in means]) / count
        noise = 2 * math.sqrt(max(0.0, spread_out) / blocks * count / (count - 1))
        noise *= noise_at(self._form, count)
        chance = [gauss(0.0, noise) for _ in seated]
        middle = sum(chance) / count
        return {bot: mean + one - middle for bot, mean, one in zip(seated, means, chance, strict=True)}

    def _rank(
        self, entrants: Sequence[int], tables: Sequence[EventTable], byes: Counter[int]
    ) -> list[ScoreRow]:
        """Return the standing by scores alone, since drawn ones are hardly ever equal."""
        totals = {entrant: float(BYE) * byes.get(entrant, 0) for entrant in entrants}
        for table in tables:
            for entrant, score in self._scores[table.name].items():
                totals[entrant] += score
        return [
            ScoreRow(entrant, _round(totals[entrant]), _NONE, _NONE, _NONE, byes[entrant])
            for entrant in sorted(entrants, key=totals.__getitem__, reverse=True)
        ]


def _round(score: float) -> Fraction:
    return Fraction(round(_GRID * score), _GRID)


def pair_plainly(
    standing: Sequence[int],
    scores: Mapping[int, Fraction],
    *,
    meetings: Meetings,
    authors: Sequence[str],
    byes: Counter[int],
    sizes: Collection[int],
    seats: int,
    luck: Random,
    rounds: int = 0,
) -> PairedRound:
    """Pair a round as `pair_round` does, but fast: the best meets the nearest that it has not met, and so on.

    The last ones may meet again even if other pairs above them would have avoided it.  Authors and
    *rounds* to come do not count.
    """
    shape = share_tables(len(standing), sizes, seats)
    waiting = list(standing)
    if scores[waiting[0]] == scores[waiting[-1]]:  # as before the first result
        luck.shuffle(waiting)
    out = []
    for _ in range(shape.byes):
        out.append(min(reversed(waiting), key=lambda entrant: byes.get(entrant, 0)))
        waiting.remove(out[-1])
    tables = []
    for size in shape.tables:
        table = [waiting.pop(0)]
        while len(table) < size:
            table.append(waiting.pop(_find_nearest(waiting, table, meetings)))
        tables.append(tuple(table))
    return PairedRound(tuple(tables), tuple(reversed(out)))


def _find_nearest(waiting: Sequence[int], table: Sequence[int], meetings: Meetings) -> int:
    """Return the index of the first of *waiting* that has met none of *table*, or of the first at all."""
    fresh = (
        index
        for index, entrant in enumerate(waiting)
        if not any(pair_of(entrant, other) in meetings for other in table)
    )
    return next(fresh, 0)
