"""TrueSkill ratings: one match at a time, and the fold over all matches in the order of their numbers.

A rating belongs to a bot's version in one game. The order of matches, the order of tied seats and the
arithmetic are fixed, so the same matches give the same ratings to the last bit, wherever they were played.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from copy import copy
from itertools import pairwise
from math import inf, isfinite
from operator import eq
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec.structs import asdict

from results.rating.update import Skill, update_skills
from results.record import Block, Json, Run, Seat
from results.storage.finishes import Finishes, finishes_of

if TYPE_CHECKING:
    from results.storage.schema import Table

from results.rating.parameters import NEW, Parameters, Rating

__all__ = ["Fold", "Standing", "rate"]

logger = logging.getLogger(__name__)

BATCH_BLOCKS = 256
"""At most this many blocks wait to be rated together, because long columns are quick."""

METHOD = "trueskill, free for all, 1"
"""The method of rating.  A cache made by another method is not continued."""


# --- one match

Engine: TypeAlias = Callable[[Sequence[Skill], Sequence[bool], float, float], list[Skill]]
"""A function like results.rating.update.update_skills."""


def rate(
    ratings: Sequence[Skill], seats: Sequence[Seat], of: Parameters, engine: Engine = update_skills
) -> list[Rating]:
    """Return the ratings of *seats* after a match, given their *ratings* before it.

    After a tie of three or more the ratings depend on the order of the tied seats, which is by bot and
    version.  Raises ArithmeticError or ValueError if no rating can be computed.
    """
    order = sorted(range(len(seats)), key=lambda i: (seats[i].rank, seats[i].bot, seats[i].version))
    ties = [seats[i].rank == seats[j].rank for i, j in pairwise(order)]
    rated = _update_checked([ratings[i] for i in order], ties, of, engine)
    return [Rating(*rated[order.index(i)]) for i in range(len(seats))]


def _update_checked(
    skills: Sequence[Skill], ties: Sequence[bool], of: Parameters, engine: Engine
) -> list[Skill]:
    """Return the skills after a match.  Seats are in order of rank; tied seats by bot and version.

    Raises FloatingPointError for a result that is not a rating.
    """
    after = engine(skills, ties, of.beta, of.draw_probability[len(skills)])
    for mu, sigma in after:
        if not (isfinite(mu) and 0.0 < sigma < inf):
            raise FloatingPointError(f"no rating: mu {mu}, sigma {sigma}")
    return after


# --- all matches


Key: TypeAlias = tuple[str, str, str]
"""Game, bot and version."""


class Standing(msgspec.Struct, gc=False):
    """The rating and the counts of a bot's version in one game, over its standing matches so far."""

    game: str
    bot: str
    version: str
    mu: float = NEW.mu
    sigma: float = NEW.sigma
    matches: int = 0
    unrated: int = 0
    """Matches after which no rating could be computed.  They count in everything else."""
    wins: int = 0
    """Wins, draws and losses count matches of two seats."""
    draws: int = 0
    losses: int = 0
    rank_sum: int = 0
    """The sum of the ranks in matches of more than two seats."""
    scored: int = 0
    """Matches that ended by the rules, with points."""
    score_sum: int = 0
    faults: dict[str, int] = {}
    """The number of matches that ended for the bot by a fault, by kind."""
    decisions: int = 0
    think_us: int = 0
    cpu_us: int = 0
    through_run: int = 0
    """The run and the number of the last match counted."""
    through_match: int = 0

    @property
    def rating(self) -> Rating:
        """The bot's rating."""
        return Rating(self.mu, self.sigma)

    @property
    def ranked(self) -> int:
        """The number of matches of more than two seats."""
        return self.matches - self.wins - self.draws - self.losses


def _compare(winner: Standing, loser: Standing, tie: bool) -> None:
    """Count a win and a loss, or a draw, in a match of two seats."""
    if tie:
        winner.draws += 1
        loser.draws += 1
    else:
        winner.wins += 1
        loser.losses += 1


class Before(msgspec.Struct, frozen=True):
    """The standings before a run.  Stored with the ratings, because a resumed run starts from them."""

    unrated: int = 0
    standings: list[Standing] = []


class Fold:
    """The standings, computed from matches that are added in order.

    Blocks are added in number order, run after run.
    """

    def __init__(self, engine: Engine = update_skills) -> None:
        """Begin before the first block of run 1."""
        self._engine = engine
        self._standings: dict[Key, Standing] = {}
        self._unrated = 0
        self._waiting: list[Block] = []
        """Blocks that were added and are not rated yet."""
        self.run = 1
        self.block = 0
        """The run and the block to add next."""
        self._parameters: dict[str, Parameters] = {}
        self._before: Before | None = None
        """The standings before the current run."""

    @property
    def standings(self) -> dict[Key, Standing]:
        """A copy of the current standings."""
        self._catch_up()
        return {key: copy(standing) for key, standing in self._standings.items()}

    @property
    def unrated(self) -> int:
        """The number of matches after which no rating could be computed."""
        self._catch_up()
        return self._unrated

    def begin(self, run: Run) -> None:
        """Start *run* and use its rating parameters.  Raises ValueError unless it is the next run."""
        if run.run != self.run:
            raise ValueError(f"expected run {self.run}, got: run {run.run}")
        self._catch_up()
        self._parameters = {game: Parameters.read(numbers) for game, numbers in run.ratings.items()}
        if self.block == 0:
            self._before = self._now()

    def add(self, block: Block) -> None:
        """Add the standing matches of *block*.  Raises ValueError if a later block was added before."""
        self._go_on(range(block.number, block.number + 1))
        self._waiting.append(block)
        if len(self._waiting) >= BATCH_BLOCKS:
            self._catch_up()

    def add_finished(self, finishes: Finishes) -> None:
        """Add the *finishes* of several blocks.  Raises ValueError if a later block was added before."""
        self._go_on(finishes.blocks)
        self._catch_up()
        self._add(finishes.seats)

    def finish(self) -> None:
        """Go on to the next run."""
        self._catch_up()
        self.run, self.block, self._parameters = self.run + 1, 0, {}

    def rating(self, game: str, bot: str, version: str) -> Rating:
        """Return the rating of a bot's version; NEW if it has not played."""
        self._catch_up()
        found = self._standings.get((game, bot, version))
        return NEW if found is None else found.rating

    def before_run(self) -> Fold:
        """Return the fold as it was before the current run."""
        fold = Fold(self._engine)
        fold.run = self.run
        fold._start(self._before if self._before and self.block else self._now())
        return fold

    def _now(self) -> Before:
        """Return the current standings as those before the next run."""
        return Before(self.unrated, list(self.standings.values()))

    def _start(self, before: Before) -> None:
        """Start from the standings *before*."""
        self._unrated = before.unrated
        self._standings = {(s.game, s.bot, s.version): copy(s) for s in before.standings}

    def _go_on(self, blocks: range) -> None:
        """Move on to the block after *blocks*.  Raises ValueError if a later block was added before."""
        if blocks.start < self.block:
            raise ValueError(f"expected block {self.block} or a later one, got: block {blocks.start}")
        self.block = blocks.stop

    def _catch_up(self) -> None:
        """Rate and count the waiting blocks."""
        if self._waiting:
            blocks, self._waiting = self._waiting, []
            self._add(finishes_of(blocks).seats)

    def _add(self, seats: Table) -> None:
        """Rate and count matches; *seats* is Finishes.seats."""
        import pyarrow.compute as pc

        from results.storage.schema import read_values

        columns = [seats.column(name) for name in ("game", "bot", "version")]
        names = pc.binary_join_element_wise(*columns, "\0").combine_chunks().dictionary_encode()
        keys: list[Key] = [tuple(name.split("\0")) for name in names.dictionary.to_pylist()]
        standings = [self._standings.setdefault(key, Standing(*key)) for key in keys]
        self._rate(standings, read_values(names.indices), seats)
        self._count(seats)

    def _rate(self, standings: Sequence[Standing], who: Sequence[int], seats: Table) -> None:
        """Rate the matches in order; in those of two seats, count wins, draws and losses.

        *who* holds, for each row of *seats*, its index in *standings*.
        """
        from results.storage.schema import read_values

        numbers, sizes, ranks = (read_values(seats.column(name)) for name in ("number", "size", "rank"))
        ties = [*map(eq, ranks, ranks[1:])]
        skills: list[Skill] = [(standing.mu, standing.sigma) for standing in standings]
        games = [standing.game for standing in standings]
        of = [self._parameters.get(game) or Parameters() for game in games]
        end = 0
        while end < len(who):
            start, end = end, end + sizes[end]
            table = who[start:end]
            if len(table) == 2:
                winner, loser = table
                _compare(standings[winner], standings[loser], ties[start])
            try:
                after = _update_checked(
                    [skills[i] for i in table], ties[start : end - 1], of[table[0]], self._engine
                )
            except (ArithmeticError, ValueError) as error:
                self._unrated += 1
                logger.warning("match %d/%d stays unrated: %s", self.run, numbers[start], error)
                for i in table:
                    standings[i].unrated += 1
            else:
                for i, skill in zip(table, after, strict=True):
                    skills[i] = skill
        for standing, (mu, sigma) in zip(standings, skills, strict=True):
            standing.mu, standing.sigma = mu, sigma

    def _count(self, seats: Table) -> None:
        """Add up everything except unrated matches, wins, draws and losses, by bot's version."""
        import pyarrow.compute as pc

        larger = pc.greater(seats.column("size"), 2)
        seats = seats.append_column("rank_at_larger", pc.if_else(larger, seats.column("rank"), 0))
        by_version = seats.group_by(["game", "bot", "version"])
        summed = ("rank_at_larger", "score", "decisions", "think_us", "cpu_us")
        counts = [("number", "count"), ("number", "max"), ("score", "count")]
        for row in by_version.aggregate([*counts, *((name, "sum") for name in summed)]).to_pylist():
            standing = self._standings[row["game"], row["bot"], row["version"]]
            standing.matches += row["number_count"]
            standing.rank_sum += row["rank_at_larger_sum"]
            standing.scored += row["score_count"]
            standing.score_sum += row["score_sum"] or 0
            standing.decisions += row["decisions_sum"]
            standing.think_us += row["think_us_sum"]
            standing.cpu_us += row["cpu_us_sum"] or 0
            standing.through_run, standing.through_match = self.run, row["number_max"]
        faulted = seats.filter(pc.is_valid(seats.column("fault")))
        by_kind = faulted.group_by(["game", "bot", "version", "fault"])
        for row in by_kind.aggregate([("fault", "count")]).to_pylist():
            standing, kind = self._standings[row["game"], row["bot"], row["version"]], row["fault"]
            standing.faults = {**standing.faults, kind: standing.faults.get(kind, 0) + row["fault_count"]}

    # --- as a table

    def table(self) -> Table:
        """Return the standings as a table of the schema RATINGS, in the order of game, bot and version."""
        import pyarrow as pa

        from results.storage.schema import RATINGS

        standings = self.standings
        rows = [asdict(standings[key]) for key in sorted(standings)]
        for row in rows:
            row["faults"] = sorted(row["faults"].items())
        return pa.Table.from_pylist(rows, schema=RATINGS)

    def made_from(self, runs: Sequence[Run]) -> Json:
        """Return the origin of the standings in *runs*, which is stored with their table."""
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
        """Return the fold that made *table*, or None if it was not made from *runs*."""
        fold = cls()
        try:
            fold.run, fold.block, unrated = (made_from[key] for key in ("run", "block", "unrated"))
            fold._before = msgspec.convert(made_from["before"], Before | None)
        except (TypeError, KeyError, msgspec.ValidationError):
            return None
        rows = [Standing(**{**row, "faults": dict(row["faults"])}) for row in table.to_pylist()]
        fold._start(Before(unrated, rows))
        return fold if fold.made_from(runs) == made_from else None
