"""TrueSkill ratings: one match at a time, and the fold over all matches in the order of their numbers.

A rating belongs to a bot's version in one game. The order of matches, the order of tied seats and the
arithmetic are fixed, so the same matches give the same ratings to the last bit, wherever they were played.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from results.free_for_all import Skill, updated
from results.record import Block, Json, Match, Run, Seat

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
        defaults = asdict(PARAMETERS.get(game, Parameters()))
        chosen[game] = asdict(Parameters(**{**defaults, **(overrides or {}).get(game, {})}))
    return chosen


# --- one match

Engine: TypeAlias = Callable[[Sequence[Skill], Sequence[bool], float, float], list[Skill]]
"""What computes the skills after a match: see results.free_for_all.updated."""


def rate(
    ratings: Sequence[Rating], seats: Sequence[Seat], of: Parameters, engine: Engine = updated
) -> list[Rating]:
    """Return the ratings of *seats* after a match that they began with *ratings*.

    What becomes of a tie of three or more depends on the order of the tied seats: it is by bot and version.
    Raises ArithmeticError or ValueError where nothing can be computed.
    """
    order = sorted(range(len(seats)), key=lambda i: (seats[i].rank, seats[i].bot, seats[i].version))
    ties = [seats[i].rank == seats[j].rank for i, j in pairwise(order)]
    rated = engine([ratings[i] for i in order], ties, of.beta, of.draw_probability)
    after = list(ratings)
    for i, (mu, sigma) in zip(order, rated, strict=True):
        if not (math.isfinite(mu) and 0 < sigma < math.inf):
            raise FloatingPointError(f"no rating: mu {mu}, sigma {sigma}")
        after[i] = Rating(mu, sigma)
    return after


# --- all matches


Key: TypeAlias = tuple[str, str, str]
"""Game, bot and version."""


class Standing(msgspec.Struct, frozen=True, gc=False):
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

    def after(self, match: Match, seat: Seat, rating: Rating | None, rivals: Sequence[int]) -> Standing:
        """Return the standing after *match*, played in *seat* against rivals of these ranks.

        *rating* is None where it could not be computed.
        """
        rank = seat.rank or 0
        duel = len(rivals) == 1
        faults = self.faults
        if seat.fault is not None:
            faults = {**faults, seat.fault: faults.get(seat.fault, 0) + 1}
        mu, sigma = rating or self.rating
        return Standing(
            self.game,
            self.bot,
            self.version,
            mu,
            sigma,
            self.matches + 1,
            self.unrated + (rating is None),
            self.wins + (duel and rank < rivals[0]),
            self.draws + (duel and rank == rivals[0]),
            self.losses + (duel and rank > rivals[0]),
            self.rank_sum + (0 if duel else rank),
            self.scored + (seat.score is not None),
            self.score_sum + (seat.score or 0),
            faults,
            self.decisions + len(seat.think_us),
            self.think_us + sum(seat.think_us),
            self.cpu_us + (seat.cpu_us or 0),
            match.run,
            match.number,
        )


class Fold:
    """The standings, and how far in the matches of all runs they have come.

    Blocks are added in number order, run after run. Standings are values, so `dict(fold.standings)` keeps
    those of a moment.
    """

    def __init__(self, engine: Engine = updated) -> None:
        """Begin before the first block of run 1."""
        self._engine = engine
        self.standings: dict[Key, Standing] = {}
        self.unrated = 0
        """How many matches have no part in the ratings, because none could be computed."""
        self.run = 1
        self.block = 0
        """The run and the block from which on blocks are still to be added."""
        self._parameters: dict[str, Parameters] = {}

    def begin(self, run: Run) -> None:
        """Rate by the parameters of *run* from now on.  Raises ValueError unless its turn has come."""
        if run.run != self.run:
            raise ValueError(f"expected run {self.run}, got: run {run.run}")
        self._parameters = {game: Parameters(**numbers) for game, numbers in run.ratings.items()}

    def add(self, block: Block) -> None:
        """Add the standing matches of *block*.  Raises ValueError if it comes too late to be added."""
        if block.number < self.block:
            raise ValueError(f"expected block {self.block} or a later one, got: block {block.number}")
        for match in sorted(block.matches, key=lambda match: match.number):
            if not match.void:
                self._add(match)
        self.block = block.number + 1

    def finish(self) -> None:
        """Go on to the next run."""
        self.run, self.block, self._parameters = self.run + 1, 0, {}

    def rating(self, game: str, bot: str, version: str) -> Rating:
        """Return a rating, NEW if there is none."""
        standing = self.standings.get((game, bot, version))
        return NEW if standing is None else standing.rating

    def _add(self, match: Match) -> None:
        standings = [
            self.standings.get((match.game, seat.bot, seat.version))
            or Standing(match.game, seat.bot, seat.version)
            for seat in match.seats
        ]
        before = [standing.rating for standing in standings]
        of = self._parameters.get(match.game) or PARAMETERS.get(match.game, Parameters())
        after: Sequence[Rating | None]
        try:
            after = rate(before, match.seats, of, self._engine)
        except (ArithmeticError, ValueError) as error:
            after = [None] * len(before)
            self.unrated += 1
            logger.warning("match %d/%d stays unrated: %s", match.run, match.number, error)
        ranks = [seat.rank or 0 for seat in match.seats]
        for index, (standing, seat) in enumerate(zip(standings, match.seats, strict=True)):
            rivals = ranks[:index] + ranks[index + 1 :]
            key = match.game, seat.bot, seat.version
            self.standings[key] = standing.after(match, seat, after[index], rivals)

    # --- as a table

    def table(self) -> Table:
        """Return the standings as a table of the schema RATINGS, in the order of game, bot and version."""
        import pyarrow as pa

        from results.schema import RATINGS

        rows = [msgspec.structs.asdict(self.standings[key]) for key in sorted(self.standings)]
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
        }

    @classmethod
    def resume(cls, table: Table, made_from: Json, runs: Sequence[Run]) -> Fold | None:
        """Return the fold that made *table*, or None if it was made from something else than *runs*."""
        fold = cls()
        try:
            fold.run, fold.block, fold.unrated = (made_from[key] for key in ("run", "block", "unrated"))
        except (TypeError, KeyError):
            return None
        if fold.made_from(runs) != made_from:
            return None
        for row in table.to_pylist():
            standing = Standing(**{**row, "faults": dict(row["faults"])})
            fold.standings[standing.game, standing.bot, standing.version] = standing
        return fold
