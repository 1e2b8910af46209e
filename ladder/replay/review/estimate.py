"""The loss of one decision: what the best option promises more than the one that was played.

The option that looks best in some worlds looks better there than it is: the highest of many noisy means is
noise in part.  So the worlds are cut into two halves that share nothing.  Each half finds its best options by
sequential halving (Karnin, Koren, Somekh 2013) and chooses among them by all its worlds; how much better its
choice is than the option which was played is measured in the worlds of the other half.  All options of a
world share their luck.

What was chosen in one half and measured in the other seems worse than the best option is, because a half may
choose another one; what is highest in all worlds seems better.  So the estimate is the mean of both, as that
of the weighted double estimator is (Zhang, Pan, Kochenderfer 2017).
"""

from collections.abc import Sequence
from itertools import chain, zip_longest
from math import sqrt
from typing import Any, Final, NamedTuple

from engines.game import Seat
from engines.judge import Judge, Prospects
from ladder.replay.review.effort import Effort
from ladder.replay.review.loss_names import Z, is_open
from ladder.replay.review.worlds import World, WorldSource

METHOD: Final = "finalists-2"
"""How losses are estimated; another name wherever the same worlds may give another estimate."""
_FEWEST: Final = 2
"""Worlds of a half: one alone has no spread."""
_FINALISTS: Final = 2
"""The number of options, besides the one that was played, that are tried in all worlds of a half."""
_LAST: Final = 4
"""Finalists are tried in at least this many times as many worlds as all options are."""


class OptionValue(NamedTuple):
    """What one option promises the seat that decided."""

    option: int
    result: float
    """The share of the others that the seat may expect to beat, less the optimism of the judge."""
    worlds: int
    """In how many worlds it was tried."""


class Estimate(NamedTuple):
    """What is known of the loss of one decision."""

    best: int
    """The option that promises most; the one that was played, if none is better."""
    loss: float
    """The expected result of the best option less that of the played one; noise may bring it below 0."""
    se: float
    """The standard error of the loss."""
    points: float
    """The same in points."""
    points_se: float
    worlds: int
    """In how many worlds the played option was tried."""
    options: tuple[OptionValue, ...]
    """All that were tried, those that promise most first."""
    gain: tuple[float, float] = (0.0, 0.0)
    """If asked for, what the played option promised more than what the judge would choose; its error."""


class _Half:
    """Half of the worlds: what was tried there, and what turned out best."""

    def __init__(self, source: WorldSource, judge: Judge[Any], seat: Seat, first: int) -> None:
        self._source = source
        self._judge = judge
        self._seat = seat
        self._next = first
        self.worlds: list[World] = []
        self.values: dict[int, list[Prospects]] = {}
        """By option, what was found in each world, in the order of the worlds."""
        self.left: list[int] = []
        """The options that may still be the best, and the one that was played."""
        self.best = self.rival = -1
        """What turned out best, and the best beside the one that was played."""

    def extend(self, count: int) -> None:
        """Let there be *count* worlds.  Each half has every other number."""
        while len(self.worlds) < count:
            self.worlds.append(self._source.world(self._next))
            self._next += 2

    def order(self) -> list[int]:
        """Return how the judge orders the options in the first world: what is promising may depend on it."""
        self.extend(1)
        return [*self._judge.promising(self.worlds[0].position)]

    def try_option(self, option: int) -> list[Prospects]:
        """Try *option* in every world where it was not tried; return what was found, world by world."""
        found = self.values.setdefault(option, [])
        for world in self.worlds[len(found) :]:
            found.append(world.after(option, self._judge))
        return found

    def rank(self, options: Sequence[int]) -> list[int]:
        """Return *options*, those with the highest mean result first."""
        seat = self._seat
        means = {
            option: sum([each.results[seat] for each in self.values[option]]) / len(self.values[option])
            for option in options
        }
        return sorted(options, key=lambda option: (-means[option], option))

    def halve(self, options: Sequence[int], played: int, count: int) -> None:
        """Halve *options*, tried in *count* worlds, then in twice as many, to few; the *played* one stays."""
        left, last = [*options], _LAST * count
        while len(left) > _FINALISTS + 1:
            self.extend(count)
            for option in left:
                self.try_option(option)
            left = self.rank(left)[: max(_FINALISTS + 1, (len(left) + 1) // 2)]
            if played not in left:
                left[-1] = played
            count *= 2
        self.extend(max(count, last))
        self.left = left

    def choose(self, played: int) -> None:
        """Choose among what is left by all worlds, and leave out what is surely worse."""
        for option in self.left:
            self.try_option(option)
        ranked = self.rank(self.left)
        self.best = ranked[0]
        self.rival = next(option for option in ranked if option != played)
        self.left = [
            option
            for option in ranked
            if option in (played, self.best, self.rival) or not self._is_surely_worse(option)
        ]

    def gains(self, option: int, other: int) -> list[float]:
        """Return, world by world, what *option* promises more than the *other* one."""
        pairs = zip(self.try_option(option), self.try_option(other), strict=True)
        return [one.results[self._seat] - another.results[self._seat] for one, another in pairs]

    def _is_surely_worse(self, option: int) -> bool:
        """Return whether *option* is worse than the best one by more than noise explains."""
        loss, se = mean_difference(self.gains(self.best, option))
        return loss > Z * se


def _first_worlds(judge: Judge[Any], effort: Effort) -> int:
    """Return in how many worlds a half tries all options."""
    return max(_FEWEST, round(judge.worlds * effort.share))


def _candidates(judge: Judge[Any], halves: Sequence[_Half], *more: int) -> list[int]:
    """Return the options to try: the first of *halves*, in turns, and *more*.  Raises ValueError for one."""
    in_turns = chain.from_iterable(zip_longest(*[half.order() for half in halves]))
    options = [*dict.fromkeys(option for option in in_turns if option is not None)][: judge.width]
    options += [option for option in more if option not in options]
    if len(options) < 2:
        raise ValueError("expected several options: a forced move has no loss")
    return options


class _Gap(NamedTuple):
    """How much more an option promises than the played one, in worlds of the half that did not choose it."""

    loss: float
    se: float
    points: float
    points_se: float


def estimate(
    source: WorldSource, judge: Judge[Any], seat: Seat, played: int, effort: Effort, *, gain: bool = False
) -> Estimate:
    """Return what is known of the loss of *seat*, which *played* this option in the view of *source*.

    And of its *gain*, if that is asked for.  Raises ValueError if the seat had no other option.
    """
    one, other = halves = (_Half(source, judge, seat, 0), _Half(source, judge, seat, 1))
    count = _first_worlds(judge, effort)
    options = _candidates(judge, halves, played)
    for half in halves:
        half.halve(options, played, count)
    gap = _measure(one, other, seat, played)
    while len(one.worlds) < effort.most * count and is_open(gap.loss, gap.se):
        chosen = {one.best, other.best}  # either half may have left out too soon what is best
        for half in halves:
            half.left += sorted(chosen.difference(half.left))
            half.extend(2 * len(half.worlds))
        gap = _measure(one, other, seat, played)
    values = {option: _value(halves, seat, option) for option in {**one.values, **other.values}}
    contest = sorted(
        {played, one.best, other.best}, key=lambda option: (-values[option].result, option != played)
    )
    return Estimate(
        contest[0],
        *gap,
        len(one.worlds) + len(other.worlds),
        tuple(
            value._replace(result=source.temper(value.result))
            for value in sorted(values.values(), key=lambda value: (-value.result, value.option))
        ),
        _gain(halves, played, source.answer()) if gain else (0.0, 0.0),
    )


def _gain(halves: Sequence[_Half], played: int, answer: int) -> tuple[float, float]:
    """Return what the option that was *played* promises more than *answer*, and the standard error.

    Both are valued after the move: in some games a judge looks further ahead from there than from before it.
    """
    if played == answer:
        return 0.0, 0.0
    return mean_difference([gain for half in halves for gain in half.gains(played, answer)])


def _gap(here: _Half, chooser: _Half, seat: Seat, played: int) -> _Gap:
    pairs = zip(here.values[chooser.best], here.values[played], strict=True)
    loss, se = mean_difference(here.gains(chooser.best, played))
    points, points_se = mean_difference([a.points[seat] - b.points[seat] for a, b in pairs])
    if chooser.best == played:
        # Nothing seemed better, so the loss is 0; how much it may be after all, the best rival says.
        rival, se = mean_difference(here.gains(chooser.rival, played))
        se = max(0.0, rival / Z + se)
    return _Gap(loss, se, points, points_se)


def mean_difference(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and standard error of *values*, as wide for few as the t-distribution says."""
    count = len(values)
    mean = sum(values) / count
    freedom = max(1, count - 3)
    return mean, sqrt(sum([(value - mean) ** 2 for value in values]) / freedom / count)


def _measure(one: _Half, other: _Half, seat: Seat, played: int) -> _Gap:
    """Return how much better the best option is than what was *played*, by all that the halves find.

    Each choice is measured where it was not made, which finds too little; what is highest in all worlds
    finds too much.  The truth lies between: half of the distance is added, and is an error, too.  Where the
    halves chose differently, at most one of them chose what is best: half of how much their choices differ
    is another.
    """
    both = one, other
    for half in both:
        half.choose(played)
    for half in both:  # what is compared and shown is tried in all worlds
        for option in (played, one.best, other.best):
            half.try_option(option)
    first, second = _gap(other, one, seat, played), _gap(one, other, seat, played)
    value = {option: _value(both, seat, option).result for option in (played, one.best, other.best)}
    loss = (first.loss + second.loss) / 2
    beyond = max(0.0, max(value.values()) - value[played] - loss) / 2
    apart = (value[one.best] - value[other.best]) / 2
    return _Gap(
        loss + beyond,
        sqrt((first.se**2 + second.se**2) / 4 + apart**2 + beyond**2),
        (first.points + second.points) / 2,
        sqrt(first.points_se**2 + second.points_se**2) / 2,
    )


def _value(halves: tuple[_Half, _Half], seat: Seat, option: int) -> OptionValue:
    """Return what *option* promises over the worlds of both *halves* in which it was tried."""
    found = [each.results[seat] for half in halves for each in half.values.get(option, ())]
    return OptionValue(option, sum(found) / len(found), len(found))
