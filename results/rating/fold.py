"""The rating of one match at a time, and the fold: one pass over all matches in the order of their numbers.

The ladder does not rate like this any more: one pass depends on the order of matches, and claims too much.
`ladder home rate --engine` compares it, and the trueskill package, with the fit of all matches at once.
"""

import logging
from collections.abc import Callable, Sequence
from math import inf, isfinite
from operator import eq
from typing import TypeAlias

from results.rating.parameters import NEW, Parameters, Rating
from results.rating.standings import Key
from results.rating.update import Skill, update_skills
from results.record import Run
from results.storage.arrow import Table, pc
from results.storage.contents import Contents

logger = logging.getLogger(__name__)


Engine: TypeAlias = Callable[[Sequence[Skill], Sequence[bool], float, float], list[Skill]]
"""A function like results.rating.update.update_skills."""


class Fold:
    """The ratings after some matches, which are added in order, run after run."""

    def __init__(self, engine: Engine = update_skills) -> None:
        """Begin before the first match."""
        self.ratings: dict[Key, Rating] = {}
        self.unrated = 0
        """The number of matches after which no rating could be computed."""
        self._engine = engine

    def add(self, seats: Table, run: Run) -> None:
        """Rate matches of *run* in order; *seats* is Finishes.seats."""
        from results.storage.schema import read_values

        columns = [seats.column(name) for name in ("game", "bot", "version")]
        names = pc.binary_join_element_wise(*columns, "\0").combine_chunks().dictionary_encode()
        keys: list[Key] = [tuple(name.split("\0")) for name in names.dictionary.to_pylist()]
        who: list[int] = read_values(names.indices)
        numbers, sizes, ranks = (read_values(seats.column(name)) for name in ("number", "size", "rank"))
        ties = [*map(eq, ranks, ranks[1:])]
        skills: list[Skill] = [self.ratings.get(key, NEW) for key in keys]
        parameters = {game: Parameters.read(of) for game, of in run.ratings.items()}
        of = [parameters.get(game) or Parameters() for game, _, _ in keys]
        end = 0
        while end < len(who):
            start, end = end, end + sizes[end]
            table = who[start:end]
            by, seated = of[table[0]], [skills[i] for i in table]
            try:
                # Seats are in order of rank, tied ones by bot and version: after a tie of three or more the
                # skills depend on that order.
                after = self._engine(seated, ties[start : end - 1], by.beta, by.draw_probability[len(table)])
                for mu, sigma in after:
                    if not (isfinite(mu) and 0.0 < sigma < inf):
                        raise FloatingPointError(f"no rating: mu {mu}, sigma {sigma}")
            except (ArithmeticError, ValueError) as error:
                self.unrated += 1
                logger.warning("match %d/%d stays unrated: %s", run.run, numbers[start], error)
            else:
                for i, skill in zip(table, after, strict=True):
                    skills[i] = skill
        self.ratings |= {key: Rating(*skill) for key, skill in zip(keys, skills, strict=True)}


def fold_all(contents: Contents, engine: Engine = update_skills) -> Fold:
    """Return the fold of all matches of the season of *contents* that can be rated, by *engine*."""
    fold = Fold(engine)
    for run in contents.rated_runs:
        for finishes in contents.finishes(run.run):
            fold.add(finishes.seats, run)
    return fold
