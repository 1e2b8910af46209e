"""What the matches of a run, and of those before it, say of the order of its bots."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from itertools import combinations, pairwise
from math import inf, sqrt
from typing import NamedTuple

from ladder.run.adaptive import Gap, OpenOrder, find_gap
from results.rating.fit import Fit, Quadratic, fit_pairs
from results.rating.outcomes import Bot, Counts, FinishOrder
from results.rating.pairs import Pairs, count_pairs
from results.rating.parameters import Parameters
from results.rating.skill_prior import SD
from results.record import Contest

GROWTH = 1.01
"""Fit again when the run has this many times the blocks that it had at the last fit.

A late fit costs orders: 44 % of 3,000 ladders of 20 bots in steps of 55 % were in order after 300 matches a
bot, with 1.02 41 %, with 1.05 35 %, with 1.1 27 % (matches as normal observations).
"""
BOTS_CUBED_PER_BLOCK = 10_000
"""Wait for at least the cube of the number of bots, over this, in blocks: the time of a fit grows so.

With 100 bots that is a tenth of a second every 100 blocks, with 1,000 bots a minute every 100,000 blocks.
"""
ENOUGH_BLOCKS = 10_000
"""The number of different blocks that say well enough what a block is worth; more would take long."""


class Evidence(NamedTuple):
    """Where the beliefs of a run come from."""

    contests: Sequence[Contest]
    bots: Sequence[Bot]
    """By their index in the run."""
    parameters: Mapping[str, Parameters]
    before: Mapping[str, Quadratic]
    """What earlier runs say of each game."""
    counts: Callable[[], Mapping[str, Counts]]
    """Returns the matches of this run that are rated by now."""


class Neighbours(NamedTuple):
    """Two bots of a game of which one follows the other in the order by mu."""

    game: str
    above: Bot
    below: Bot
    lead: float
    """By how many points the rating of the first one is higher."""
    error: float
    """The standard error of the lead; infinite if one of the two has not played."""


class Beliefs:
    """The beliefs of a run at the ends of its epochs."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._newest: Belief | None = None
        bots = max((len(contest.bots) for contest in evidence.contests), default=0)
        self._least = bots**3 / BOTS_CUBED_PER_BLOCK

    def at(self, end: int) -> "Belief":
        """Return the belief at the end of an epoch, when exactly the blocks before number *end* are rated.

        It is that of an earlier epoch until the run has grown by a hundredth.
        """
        newest = self._newest
        if newest is None or end >= max(GROWTH * newest.end, newest.end + self._least):
            newest = self._newest = Belief(end, self._evidence, newest)
        return newest


class Belief:
    """What is known when some blocks of a run are rated.  It is computed when it is first asked for.

    It rests on the results of pairs of bots, so it takes no longer in a long run: a run waits for it.
    """

    def __init__(self, end: int, evidence: Evidence, before: "Belief | None" = None) -> None:
        """Take the matches that are rated now; *before* is the belief before this one."""
        self.end = end
        """The number of the first block that it does not rest on."""
        self._evidence = evidence
        self._pairs: dict[str, Pairs] = {}
        """The results of the pairs of each game."""
        self._blocks: dict[str, Mapping[tuple[FinishOrder, ...], int]] = {}
        """The blocks that say what a block is worth: those of an early belief, if there are more by now."""
        for game, counts in evidence.counts().items():
            self._pairs[game] = count_pairs(counts.outcomes)
            early = before._blocks.get(game) if before and len(counts.blocks) > ENOUGH_BLOCKS else None
            self._blocks[game] = early or dict(counts.blocks)

    @cached_property
    def fits(self) -> dict[str, Fit]:
        """The fit of each game of the run."""
        before, of = self._evidence.before, self._evidence.parameters
        return {
            game: fit_pairs(self._pairs.get(game, {}), self._blocks.get(game, {}), of[game], before.get(game))
            for game in sorted({contest.game for contest in self._evidence.contests})
        }

    @cached_property
    def orders(self) -> dict[int, OpenOrder]:
        """What is known of the order of the bots of each contest."""
        return {index: self._order_in(contest) for index, contest in enumerate(self._evidence.contests)}

    def _order_in(self, contest: Contest) -> OpenOrder:
        of, beta = self.fits[contest.game], self._evidence.parameters[contest.game].beta
        places = {bot: place for place, bot in enumerate(of.bots)}
        place_of = {bot: places.get(self._evidence.bots[bot]) for bot in contest.bots}
        gaps: dict[tuple[int, int], Gap] = {}
        for one, other in combinations(sorted(contest.bots), 2):
            here, there = place_of[one], place_of[other]
            if here is None or there is None:
                # One of them has not played: it is as open as can be who is better, whatever the prior is.
                difference, error = 0.0, sqrt(2) * SD
            else:
                difference, error = of.difference(here, there)
            gaps[one, other] = find_gap(difference, error, beta)

        def by_rating(bot: int) -> tuple[float, int]:
            place = place_of[bot]
            return (inf, bot) if place is None else (-of.mu[place], bot)

        return OpenOrder(sorted(contest.bots, key=by_rating), gaps)

    def neighbours(self, left_out: Collection[int] = ()) -> list[Neighbours]:
        """Return the neighbours by mu in each game, without bots *left_out*, and the lead of the first."""
        return [pair for game in self.fits for pair in self._neighbours_in(game, left_out)]

    def _neighbours_in(self, game: str, left_out: Collection[int]) -> list[Neighbours]:
        of = self.fits[game]
        places = {bot: place for place, bot in enumerate(of.bots)}
        playing = {
            self._evidence.bots[bot]
            for contest in self._evidence.contests
            if contest.game == game
            for bot in contest.bots
            if bot not in left_out
        }
        order = sorted(playing & places.keys(), key=lambda bot: (-of.mu[places[bot]], bot))
        known = [Neighbours(game, a, b, *of.difference(places[a], places[b])) for a, b in pairwise(order)]
        new = sorted(playing - places.keys())
        return [*known, *(Neighbours(game, a, b, 0.0, inf) for a, b in pairwise([*order[-1:], *new]))]
