"""How surely the best of a field wins a tournament: before it, by playing it many times with made-up results.

The skills are drawn from what the ratings say, the results from the skills and the measured noise.  The
rounds are paired more simply than by ladder.pairing: by score, and none twice where that is possible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple, TypeAlias, assert_never

from ladder.pairing.bracket import Bracket, Unfillable, plan_double, plan_knockout
from ladder.pairing.seeding import spread
from ladder.pairing.stages import (
    DoubleKnockout,
    FinalTable,
    Groups,
    Knockout,
    RoundRobin,
    Stage,
    Swiss,
)
from ladder.pairing.table_sizes import share_tables
from ladder.run.tournament.noise import chance_variance

MOST: Final = 2000
"""Simulations, at most."""
FEWEST: Final = 40
"""Simulations, at least."""
SEATINGS: Final = 600_000
"""About how many seats of tables are simulated in all: this takes less than a second."""


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

    @property
    def usable(self) -> tuple[int, ...]:
        """The table sizes of its rounds."""
        return (2,) if self.seats == 2 else self.sizes


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
    rounds = _Rounds(form, len(field), luck)
    times = max(FEWEST, min(MOST, SEATINGS // max(1, rounds.count_seats())))
    won = 0
    for _ in range(times):
        skills = [luck.gauss(mu, sigma) for mu, sigma in field]
        won += skills[rounds.play(skills)] == max(skills)
    # one more of each: else few simulations of a sure event would have no error
    part = (won + 1) / (times + 2)
    return Certainty(won / times, math.sqrt(part * (1 - part) / times))


Scores: TypeAlias = dict[int, float]


class _Rounds:
    """Plays tournaments of one form with made-up skills."""

    def __init__(self, form: EventForm, entrants: int, luck: Random) -> None:
        self._form = form
        self._entrants = entrants
        self._luck = luck
        self._noise = {size: noise_at(form, size) for size in {2, *form.sizes}}
        self._skills: Sequence[float] = ()

    def count_seats(self) -> int:
        """Return about how many seats of tables a tournament has, pairs of others weighed in."""
        there, seats = self._entrants, 0
        for stage in self._form.stages:
            match stage:
                case Swiss():
                    seats += there * stage.rounds_for(there) * self._form.seats
                case RoundRobin():
                    seats += there * (there - 1) * 2
                case Groups(groups, take):
                    seats += there * (there // groups) * 2
                    there = groups * take
                case Knockout(number) | DoubleKnockout(number):
                    there = min(there, number)
                    seats += 4 * there * self._form.seats
                case FinalTable(number, _):
                    there = min(there, number)
                    seats += there * there
                case _:
                    assert_never(stage)
        return seats

    def play(self, skills: Sequence[float]) -> int:
        """Return the winner of a tournament of bots with these *skills*, by seed."""
        self._skills = skills
        there = list(range(len(skills)))
        for stage in self._form.stages:
            match stage:
                case Swiss():
                    there = _rank(self._swiss(there, stage.rounds_for(len(there))), there)
                case RoundRobin():
                    there = _rank(self._round_robin(there), there)
                case Groups():
                    there = self._groups(there, stage)
                case FinalTable(seats, blocks):
                    sizes = [size for size in self._form.sizes if size <= min(len(there), seats)]
                    there = there[: max(sizes, default=len(there))]
                    there = _rank(self._table(there, blocks), there)
                case Knockout() | DoubleKnockout():
                    there = self._bracket(there[: stage.entrants], isinstance(stage, DoubleKnockout))
                case _:
                    assert_never(stage)
        return there[0]

    def _table(self, seated: Sequence[int], blocks: int) -> Scores:
        """Return the scores at a table of *seated*: means of *blocks* blocks."""
        skills, beta, count = self._skills, self._form.beta, len(seated)
        gauss = self._luck.gauss
        if count == 2:
            one, other = seated
            expected = expect_score(skills[one] - skills[other], beta)
            noise = 2 * math.sqrt(max(0.0, expected * (1 - expected)) / blocks) * self._noise[2]
            score = expected + gauss(0.0, noise)
            return {one: score, other: 1 - score}
        means = [
            sum([expect_score(skills[one] - skills[other], beta) for other in seated if other != one])
            / (count - 1)
            for one in seated
        ]
        spread_out = sum([mean * (1 - mean) for mean in means]) / count
        noise = 2 * math.sqrt(max(0.0, spread_out) / blocks * count / (count - 1)) * self._noise[count]
        chance = [gauss(0.0, noise) for _ in seated]
        middle = sum(chance) / count
        return {bot: mean + one - middle for bot, mean, one in zip(seated, means, chance, strict=True)}

    def _swiss(self, there: Sequence[int], rounds: int, *, is_even: bool = False) -> Scores:
        """Return the scores after *rounds*; *is_even*: all are paired as if they had equal scores."""
        totals = dict.fromkeys(there, 0.0)
        met: dict[int, set[int]] = {bot: {bot} for bot in there}
        had_bye: set[int] = set()
        for _ in range(rounds):
            order = list(there)
            self._luck.shuffle(order)
            if not is_even:
                order.sort(key=totals.__getitem__, reverse=True)
            sizes, byes, _ = share_tables(len(order), self._form.usable, self._form.seats)
            for _ in range(byes):
                out = next((bot for bot in reversed(order) if bot not in had_bye), order[-1])
                had_bye.add(out)
                totals[out] += 0.5
                order.remove(out)
            for table in _seat(order, sizes, met):
                for bot, score in self._table(table, self._form.round_blocks).items():
                    totals[bot] += score
        return totals

    def _round_robin(self, there: Sequence[int]) -> Scores:
        """Return the scores of a round robin."""
        count, seats = len(there), self._form.seats
        if seats > 2:
            return self._swiss(there, math.ceil((count - 1) / (seats - 1)), is_even=True)
        totals = dict.fromkeys(there, 0.0)
        for index, one in enumerate(there):
            for other in there[:index]:
                for bot, score in self._table((one, other), self._form.round_blocks).items():
                    totals[bot] += score
        return totals

    def _groups(self, there: Sequence[int], stage: Groups) -> list[int]:
        """Return those who go on from groups: the winners first, then the seconds, and so on."""
        groups = max(1, min(stage.groups, len(there) // min(self._form.usable)))
        sizes = [len(there) // groups + (group < len(there) % groups) for group in range(groups)]
        ranked = []
        for group in spread(there, sizes):
            scores = self._round_robin(group)
            ranked.append([(scores[bot] / len(group), bot) for bot in _rank(scores, group)])
        return [
            bot
            for place in range(stage.take)
            for _, bot in sorted((of[place] for of in ranked if place < len(of)), reverse=True)
        ]

    def _bracket(self, there: Sequence[int], is_double: bool) -> list[int]:
        """Return those of a bracket: who falls later stands higher."""
        bracket = _plan(len(there), self._form.usable, self._form.seats, is_double)
        if bracket is None:
            return list(there)
        ranked: list[list[int]] = []
        seated: list[int] = []
        for planned in bracket.tables:
            if planned.is_reset and ranked[-1][0] == seated[0]:
                break  # the winner of the final has never fallen
            seated = [
                there[feed.place] if feed.table is None else ranked[feed.table][feed.place]
                for feed in planned.feeds
            ]
            ranked.append(_rank(self._table(seated, self._form.series_blocks), seated))
        last_first = [bot for table in reversed(ranked) for bot in table]
        return list(dict.fromkeys(last_first))


def _rank(scores: Scores, there: Sequence[int]) -> list[int]:
    return sorted(there, key=scores.__getitem__, reverse=True)


def _seat(order: Sequence[int], sizes: Sequence[int], met: Mapping[int, set[int]]) -> list[list[int]]:
    """Return the tables of a round, cut from the *order*, and add those who meet to *met*."""
    waiting = list(order)
    tables = []
    for size in sizes:
        table = [waiting.pop(0)]
        while len(table) < size:
            known = set().union(*(met[bot] for bot in table))
            table.append(waiting.pop(next((i for i, bot in enumerate(waiting) if bot not in known), 0)))
        for bot in table:
            met[bot].update(table)
        tables.append(table)
    return tables


@lru_cache(maxsize=16)
def _plan(entrants: int, sizes: tuple[int, ...], seats: int, is_double: bool) -> Bracket | None:
    """Return the bracket of this number of *entrants*; None if they cannot play one."""
    plan: Callable[[int, tuple[int, ...], int], Bracket] = plan_double if is_double else plan_knockout
    try:
        return plan(entrants, sizes, seats)
    except Unfillable:
        return None
