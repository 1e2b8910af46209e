"""How surely the best of a field wins a tournament: before it, by playing it many times with made-up results.

Beside it stands what an ordinary run of as many matches would say, with the same skills.

The skills are drawn from the ratings, the results from the skills and the measured noise.  The stages are
those of ladder.pairing; only rounds are paired and ranked in simpler ways, which take far less time.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from ladder.pairing.event_table import EventTable, HeardBlock
from ladder.pairing.pairing import Meetings, PairedRound, UnpairedRound, pair_of
from ladder.pairing.score_rows import BYE, EventSetup, ScoreRow
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

WIDEST: Final = 0.4
"""A range of probabilities that is wider says nothing."""
SURE: Final = 3.0
"""Standard errors from which the run is said to order bots better."""

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

    @classmethod
    def of(cls, true: int, times: int) -> "Certainty":
        """Return the probability of what was *true* in some of as many *times*."""
        # one more of each: else few simulations of a sure event would have no error
        part = (true + 1) / (times + 2)
        return cls(true / times, math.sqrt(part * (1 - part) / times))


class Chance(NamedTuple):
    """A probability; or a range, by how far bots without ratings may be apart."""

    low: float
    high: float
    error: float
    """The standard error of each, at most."""

    @classmethod
    def over(cls, found: Sequence[Certainty]) -> "Chance | None":
        """Return the range of what was *found*, one for each spread; None if it says nothing."""
        parts = [part for part, _ in found]
        low, high = min(parts), max(parts)
        return cls(low, high, max(error for _, error in found)) if high - low <= WIDEST else None

    def as_json(self) -> dict[str, float | None]:
        """Return it for programs: the *part*, which is null where there are two ends."""
        if self.low == self.high:
            return {"part": self.low, "error": self.error}
        return {"part": None, "error": self.error, "low": self.low, "high": self.high}


class EventChances(NamedTuple):
    """What is expected of a tournament, and of an ordinary run of as many matches."""

    best_wins: Certainty
    """How surely the best of the field wins the tournament."""
    run_names: Certainty
    """How surely it has the best score in the run."""
    run_orders: bool
    """Whether fewer pairs of the others are in the wrong order after the run."""


def expect_score(gap: float, beta: float) -> float:
    """Return how often a bot is above another one whose skill is lower by *gap*."""
    return 0.5 * (1.0 + math.erf(gap / (2.0 * beta)))


def noise_at(form: EventForm, seats: int) -> float:
    """Return the standard deviation of the score of a block at tables of *seats*.

    Other sizes than the one that was measured differ from it as where each order of the seats is equally
    likely.
    """
    return form.deviation * math.sqrt(chance_variance(seats) / chance_variance(form.seats))


def find_certainty(
    form: EventForm,
    field: Sequence[SkillBelief],
    seed: object = 0,
    *,
    matches: int | None = None,
    shares: int = 1,
) -> EventChances:
    """Return what is expected of a tournament of *form*; the order of *field* is that of seeds.

    *matches*: those of the run; by default as many as the tournament has if each series is played whole.
    *shares*: how many such simulations share the time.  The same *seed* gives the same answer.
    """
    luck = Random(f"certainty {seed}")
    sample = _DrawnEvent(form, [mu for mu, _ in field], luck)
    sample.play()
    times = max(FEWEST, min(MOST, SEATINGS // shares // max(1, sample.count_seats())))
    won = named = 0
    fewer = []
    for _ in range(times):
        skills = [luck.gauss(mu, sigma) for mu, sigma in field]
        event = _DrawnEvent(form, skills, luck)
        places = event.play()
        scores = event.draw_run(matches or event.matches)
        best, *others = sorted(range(len(field)), key=skills.__getitem__, reverse=True)
        won += places[best] == 0
        named += scores[best] == max(scores)
        wrong = _count_wrong([places[each] for each in others])
        fewer.append(wrong - _count_wrong([-scores[each] for each in others]))
    total, squares = sum(fewer), sum([each * each for each in fewer])
    return EventChances(
        Certainty.of(won, times), Certainty.of(named, times), total > 0 and total**2 > SURE**2 * squares
    )


def _count_wrong(places: Sequence[float]) -> float:
    """Return how many pairs of *places*, which should rise, are in the wrong order; equal ones are half."""
    return sum([(one > other) + (one == other) / 2 for one, other in combinations(places, 2)])


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
        self._scores: dict[str, dict[int, float]] = {}
        """Of each table that has been played."""
        self.matches = 0
        """Of all tables that have been played."""
        super().__init__(
            form.stages,
            EventSetup(
                ("",) * len(skills),
                form.sizes,
                form.seats,
                form.round_blocks,
                form.series_blocks,
                extra_blocks=0,
                luck=lambda name: luck,
                pair=pair_plainly,
                rank=self._rank,
            ),
        )

    def count_seats(self) -> int:
        """Return how many seats the tables had that were played, pairs of others weighed in."""
        return sum(len(scores) ** 2 for scores in self._scores.values())

    def play(self) -> list[int]:
        """Play to the end; return the place of each entrant: 0, and for each other how many are before it.

        Of equal winners the first has it.  Those whom no stage has taken share the last place.
        """
        while not self.over:
            for table in [table for played in self._played[-1].rounds for table in played.tables]:
                if not table.is_over:
                    self._play_table(table)
            self._advance()
        standing = self.standing()
        places = [len(standing)] * len(self._skills)
        places[standing[0].entrant] = 0
        for each in standing[1:]:
            places[each.entrant] = max(1, each.place - 1)
        return places

    def draw_run(self, matches: int) -> list[float]:
        """Draw the scores after a run of *matches* in which each meets each equally often."""
        skills, beta, count = self._skills, self._form.beta, len(self._skills)
        means, spread_out = [0.0] * count, [0.0] * count
        for one, other in combinations(range(count), 2):
            chance = expect_score(skills[one] - skills[other], beta)
            means[one] += chance / (count - 1)
            means[other] += (1 - chance) / (count - 1)
            for each in (one, other):
                spread_out[each] += chance * (1 - chance) / (count - 1)
        # a block has as many matches as seats, so each bot plays in this many blocks
        noise = 2 * noise_at(self._form, self._form.seats) / math.sqrt(matches / count)
        return [
            self._luck.gauss(mean, noise * math.sqrt(spread))
            for mean, spread in zip(means, spread_out, strict=True)
        ]

    def _play_table(self, table: EventTable) -> None:
        """Play all blocks of *table* as one block, which has the noise of their mean."""
        scores = self._scores[table.name] = self._draw(table.entrants, table.blocks)
        self.matches += table.blocks * len(table.entrants)
        table.blocks = 1
        exact = {entrant: _round(score) for entrant, score in scores.items()}
        table.hear(_DrawnBlock(table.entrants, (), (), exact))

    def _draw(self, seated: Sequence[int], blocks: int) -> dict[int, float]:
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


def pair_plainly(asked: UnpairedRound) -> PairedRound:
    """Pair a round as `pair_round` does, but fast: the best meets the nearest that it has not met, and so on.

    The last ones may meet again even if other pairs above them would have avoided it.  Authors and rounds to
    come do not count.
    """
    shape = share_tables(len(asked.standing), asked.sizes, asked.seats)
    waiting = list(asked.standing)
    if asked.scores[waiting[0]] == asked.scores[waiting[-1]]:  # as before the first result
        asked.luck.shuffle(waiting)
    out = []
    for _ in range(shape.byes):
        out.append(min(reversed(waiting), key=asked.byes.__getitem__))
        waiting.remove(out[-1])
    tables = []
    for size in shape.tables:
        table = [waiting.pop(0)]
        while len(table) < size:
            table.append(waiting.pop(_find_nearest(waiting, table, asked.meetings)))
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
