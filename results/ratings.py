"""TrueSkill ratings: one match at a time, and the fold over all matches in the order of their numbers.

A rating belongs to a bot's version in one game. The order of matches, the order of tied seats and the
arithmetic are fixed, so the same matches give the same ratings to the last bit, wherever they were played.
"""

from __future__ import annotations

import dataclasses
import logging
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import asdict

from results.finish import Finish, Place, finishes_of
from results.free_for_all import Skill, updated
from results.record import Block, Json, Run, Seat

if TYPE_CHECKING:
    from results.schema import Table

__all__ = [
    "NEW",
    "PARAMETERS",
    "Fold",
    "Key",
    "Parameters",
    "Rating",
    "Standing",
    "parameters",
    "rate",
]

logger = logging.getLogger(__name__)

AT_ONCE = 1024
"""All but the ratings is counted for so many blocks together, which takes a third of the time."""

METHOD = "trueskill, free for all, 1"
"""What computes ratings: a cache made by another method is not continued."""


class Rating(NamedTuple):
    """What is believed of a bot's skill: a normal distribution."""

    mu: float
    sigma: float

    @property
    def score(self) -> float:
        """The skill that the bot has almost surely: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


NEW = Rating(25.0, 25 / 3)
"""The rating of a bot that has not played."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What the rating of a game rests on."""

    beta: float = 25 / 6
    """The luck of one match: a bot whose mu is larger by beta wins 76 of 100, if it were for luck alone."""
    draw_probability: float = 0.02
    """How often two equal seats tie.  Never 0: a tie that cannot happen would break the ratings."""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers that no rating can be computed with."""
        if not 0 < self.draw_probability < 1:
            raise ValueError(f"expected a draw_probability above 0 and below 1, got: {self.draw_probability}")
        if not 0 < self.beta < math.inf:
            raise ValueError(f"expected a beta above 0, got: {self.beta}")


PARAMETERS: Mapping[str, Parameters] = {
    "stella-quest": Parameters(draw_probability=0.10),  # none at tables of two, 14 and 16 % at larger ones
    "starry-sky": Parameters(draw_probability=0.06),
    "stellar": Parameters(draw_probability=0.02),
    "stella": Parameters(draw_probability=0.05),
}
"""The parameters of each game, unless `[ratings]` in ladder.toml says otherwise.

The draw probabilities are how often neighbours in rank tied in matches of random moves.
"""


def parameters(
    games: Iterable[str], overrides: Mapping[str, Mapping[str, Json]] | None = None
) -> dict[str, Json]:
    """Return what a run stores as its rating parameters: those of *games*, with the *overrides* of some.

    Raises ValueError for a number that cannot be and TypeError for a name that is none.
    """
    chosen = {}
    for game in games:
        defaults = dataclasses.asdict(PARAMETERS.get(game, Parameters()))
        chosen[game] = dataclasses.asdict(Parameters(**{**defaults, **(overrides or {}).get(game, {})}))
    return chosen


# --- one match

Engine: TypeAlias = Callable[[Sequence[Skill], Sequence[bool], float, float], list[Skill]]
"""What computes the skills after a match: see results.free_for_all.updated."""


def rate(
    ratings: Sequence[Skill], seats: Sequence[Seat | Place], of: Parameters, engine: Engine = updated
) -> list[Rating]:
    """Return the ratings of *seats* after a match that they began with *ratings*.

    What becomes of a tie of three or more depends on the order of the tied seats: it is by bot and version.
    Raises ArithmeticError or ValueError where nothing can be computed.
    """
    order = sorted(range(len(seats)), key=lambda i: (seats[i].rank, seats[i].bot, seats[i].version))
    rated = _rated([ratings[i] for i in order], [seats[i].rank or 0 for i in order], of, engine)
    return [Rating(*rated[order.index(i)]) for i in range(len(seats))]


def _rated(skills: Sequence[Skill], ranks: Sequence[int], of: Parameters, engine: Engine) -> list[Skill]:
    """Return the skills after a match; seats stand by rank, tied ones by bot and version."""
    ties = [one == other for one, other in pairwise(ranks)]
    after = engine(skills, ties, of.beta, of.draw_probability)
    for mu, sigma in after:
        if not (math.isfinite(mu) and 0 < sigma < math.inf):
            raise FloatingPointError(f"no rating: mu {mu}, sigma {sigma}")
    return after


# --- all matches


Key: TypeAlias = tuple[str, str, str]
"""Game, bot and version."""


class Standing(msgspec.Struct, gc=False):
    """How a bot's version stands in one game, after all its standing matches so far."""

    game: str
    bot: str
    version: str
    mu: float = NEW.mu
    sigma: float = NEW.sigma
    matches: int = 0
    unrated: int = 0
    """Matches that count everywhere but in the rating, which could not be computed."""
    wins: int = 0
    """At tables of two, like draws and losses."""
    draws: int = 0
    losses: int = 0
    rank_sum: int = 0
    """The sum of ranks at larger tables."""
    scored: int = 0
    """Matches that ended by the rules, with points."""
    score_sum: int = 0
    faults: dict[str, int] = {}
    """How many matches ended for the bot by each kind of fault."""
    decisions: int = 0
    think_us: int = 0
    cpu_us: int = 0
    through_run: int = 0
    """The run and the number of the last match of these."""
    through_match: int = 0

    @property
    def rating(self) -> Rating:
        """What is believed of the bot's skill."""
        return Rating(self.mu, self.sigma)

    @property
    def ranked(self) -> int:
        """The number of matches at tables of more than two."""
        return self.matches - self.wins - self.draws - self.losses

    def count(self, places: Iterable[Place]) -> None:
        """Count matches that ended with *places*: all but who beat whom, and the ratings."""
        _, _, _, scores, faults, decisions, think_us, cpu_us = zip(*places, strict=True)
        scored = [score for score in scores if score is not None]
        self.matches += len(scores)
        self.scored += len(scored)
        self.score_sum += sum(scored)
        self.decisions += sum(decisions)
        self.think_us += sum(think_us)
        self.cpu_us += sum(filter(None, cpu_us))
        self.faults = dict(Counter(self.faults) + Counter(filter(None, faults)))


def _compare(standings: Sequence[Standing], ranks: Sequence[int]) -> None:
    """Count who beat whom at a table of two, and the ranks at a larger one; seats stand by rank."""
    if len(ranks) > 2:
        for standing, rank in zip(standings, ranks, strict=True):
            standing.rank_sum += rank
    elif ranks[0] == ranks[1]:
        standings[0].draws += 1
        standings[1].draws += 1
    else:
        standings[0].wins += 1
        standings[1].losses += 1


class Before(msgspec.Struct, frozen=True):
    """What there was before a run: kept beside the ratings, for a run that is continued begins with it."""

    unrated: int = 0
    standings: list[Standing] = []


class Fold:
    """The standings, and how far in the matches of all runs they have come.

    Blocks are added in number order, run after run.
    """

    def __init__(self, engine: Engine = updated) -> None:
        """Begin before the first block of run 1."""
        self._engine = engine
        self._standings: dict[Key, tuple[Standing, list[Place]]] = {}
        """Each with what is still to be counted."""
        self.unrated = 0
        """How many matches have no part in the ratings, because none could be computed."""
        self.run = 1
        self.block = 0
        """The run and the block from which on blocks are still to be added."""
        self._parameters: dict[str, Parameters] = {}
        self._before: Before | None = None
        """What there was before the run that is being added."""

    @property
    def standings(self) -> dict[Key, Standing]:
        """Return the standings of this moment."""
        self._count()
        return {key: copy(standing) for key, (standing, _) in self._standings.items()}

    def begin(self, run: Run) -> None:
        """Rate by the parameters of *run* from now on.  Raises ValueError unless its turn has come."""
        if run.run != self.run:
            raise ValueError(f"expected run {self.run}, got: run {run.run}")
        self._parameters = {game: Parameters(**numbers) for game, numbers in run.ratings.items()}
        if self.block == 0:
            self._before = self._now()

    def add(self, block: Block) -> None:
        """Add the standing matches of *block*.  Raises ValueError if it comes too late to be added."""
        self.add_finished(block.number, finishes_of(block))

    def add_finished(self, number: int, finishes: Iterable[Finish]) -> None:
        """Add what finishes_of says of block *number*.  Raises ValueError as add does."""
        if number < self.block:
            raise ValueError(f"expected block {self.block} or a later one, got: block {number}")
        for finish in finishes:
            self._add(finish)
        self.block = number + 1
        if self.block % AT_ONCE == 0:
            self._count()

    def finish(self) -> None:
        """Go on to the next run."""
        self.run, self.block, self._parameters = self.run + 1, 0, {}

    def rating(self, game: str, bot: str, version: str) -> Rating:
        """Return a rating, NEW if there is none."""
        found = self._standings.get((game, bot, version))
        return NEW if found is None else found[0].rating

    def before_run(self) -> Fold:
        """Return the fold as it was before the run that is being added to it."""
        fold = Fold(self._engine)
        fold.run = self.run
        fold._start(self._before if self._before and self.block else self._now())
        return fold

    def _now(self) -> Before:
        """Return what there is now, as what there was before whatever comes."""
        return Before(self.unrated, list(self.standings.values()))

    def _start(self, before: Before) -> None:
        """Go on from the standings of another fold."""
        self.unrated = before.unrated
        self._standings = {(s.game, s.bot, s.version): (copy(s), []) for s in before.standings}

    def _count(self) -> None:
        for standing, places in self._standings.values():
            if places:
                standing.count(places)
                places.clear()

    def _add(self, finish: Finish) -> None:
        run, number, game, seats = finish
        places = sorted(seats)
        standings, ranks = [], []
        for place in places:
            rank, bot, version, *_ = place
            found = self._standings.get(key := (game, bot, version))
            if found is None:
                found = self._standings[key] = Standing(*key), []
            standing, uncounted = found
            uncounted.append(place)
            standing.through_run, standing.through_match = run, number
            standings.append(standing)
            ranks.append(rank)
        _compare(standings, ranks)
        of = self._parameters.get(game) or PARAMETERS.get(game) or Parameters()
        try:
            after = _rated([(standing.mu, standing.sigma) for standing in standings], ranks, of, self._engine)
        except (ArithmeticError, ValueError) as error:
            self.unrated += 1
            logger.warning("match %d/%d stays unrated: %s", run, number, error)
            for standing in standings:
                standing.unrated += 1
        else:
            for standing, (mu, sigma) in zip(standings, after, strict=True):
                standing.mu, standing.sigma = mu, sigma

    # --- as a table

    def table(self) -> Table:
        """Return the standings as a table of the schema RATINGS, in the order of game, bot and version."""
        import pyarrow as pa

        from results.schema import RATINGS

        standings = self.standings
        rows = [asdict(standings[key]) for key in sorted(standings)]
        for row in rows:
            row["faults"] = sorted(row["faults"].items())
        return pa.Table.from_pylist(rows, schema=RATINGS)

    def made_from(self, runs: Sequence[Run]) -> Json:
        """Return what the standings were made from, of these *runs*: it is kept beside their table."""
        return {
            "method": METHOD,
            "run": self.run,
            "block": self.block,
            "unrated": self.unrated,
            "runs": [[run.run, run.started, run.ratings] for run in runs[: self.run - (self.block == 0)]],
            "before": msgspec.to_builtins(self._before) if self.block else None,
        }

    @classmethod
    def resume(cls, table: Table, made_from: Json, runs: Sequence[Run]) -> Fold | None:
        """Return the fold that made *table*, or None if it was made from something else than *runs*."""
        fold = cls()
        try:
            fold.run, fold.block, unrated = (made_from[key] for key in ("run", "block", "unrated"))
            fold._before = msgspec.convert(made_from["before"], Before | None)
        except (TypeError, KeyError, msgspec.ValidationError):
            return None
        rows = [Standing(**{**row, "faults": dict(row["faults"])}) for row in table.to_pylist()]
        fold._start(Before(unrated, rows))
        return fold if fold.made_from(runs) == made_from else None
