"""Whether a bot changes: the first half of its matches against the second, each machine against the others.

What is compared is its score less what the ratings expect, so that other opponents are no change.  Processes
may live on for many matches: they can learn, wear out, or meet a slower machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist

import msgspec

from results.rating.calibration import MeetingModel
from results.rating.fit import Fit
from results.rating.outcomes import Bot
from results.rating.parameters import Parameters
from results.rating.stretches import Stretch

__all__ = ["BotChange", "MachineGap", "find_changes", "find_machine_gaps"]

ERROR = 0.01
"""The probability that any bot of a game that plays evenly is said to change."""
LEAST_NOISE = 4.0
"""The least variance of the points in a half: with less they are not normal, and nothing is said."""


class BotChange(msgspec.Struct, frozen=True):
    """A bot that surely plays otherwise in one half of its matches than in the other."""

    bot: Bot
    first: float
    """Its score in a meeting less the expected one, in the first half of its matches..."""
    second: float
    """...and in the second."""
    z: float
    """The difference in standard errors."""


class MachineGap(msgspec.Struct, frozen=True):
    """A bot that surely plays otherwise on one machine than on the others."""

    bot: Bot
    machine: str
    there: float
    """Its score in a meeting less the expected one, on this machine..."""
    elsewhere: float
    """...and on all others together."""
    z: float
    """The difference in standard errors."""


_IsSecond = Callable[[Bot, int], bool]
"""Whether the stretch of this number belongs to the second half of a bot's matches."""


class _Half:
    """What a bot has done in some stretches."""

    def __init__(self) -> None:
        self.meetings = 0
        self.excess: list[float] = []
        """Its score less the expected one, for each pair of each stretch."""
        self.noise: list[float] = []

    def add(self, meetings: int, excess: float, noise: float) -> None:
        """Add *meetings* with one rival; *noise* is the variance of their sum."""
        self.meetings += meetings
        self.excess.append(excess)
        self.noise.append(noise)


def find_changes(stretches: Sequence[Stretch], known: Fit, of: Parameters) -> tuple[BotChange, ...]:
    """Return the bots that surely change, the surest first; *stretches* are in the order of their matches.

    A bot's matches are cut at the end of the stretch that is nearest to the half of them.  One bot that
    changes moves the results of all others, so the surest is found first, and then others without it.
    """
    bound = _sure_at(len(known.bots))
    found: list[BotChange] = []
    while True:
        without = {each.bot for each in found}
        played = [_meetings_of(stretch, without) for stretch in stretches]
        cuts = {bot: _cut([each.get(bot, 0) for each in played]) for bot in known.bots}

        def is_late(bot: Bot, number: int, cuts: Mapping[Bot, int] = cuts) -> bool:
            return number >= cuts[bot]

        most = _surest(stretches, known, of, without, is_late)
        if most is None or abs(most.z) <= bound:
            return tuple(found)
        found.append(most)


def find_machine_gaps(by_name: Mapping[str, Stretch], known: Fit, of: Parameters) -> tuple[MachineGap, ...]:
    """Return the bots that surely play otherwise on one machine than elsewhere, the surest first.

    *by_name* are the results on each machine.  As in find_changes, a bot that was found is left out of the
    search for the next; of each bot the surest machine is told.
    """
    names, parts = list(by_name), list(by_name.values())
    # Of two machines, each is the rest of the other: that is one comparison.
    each_against_rest = range(1, len(names)) if len(names) == 2 else range(len(names) if names[1:] else 0)
    bound = _sure_at(len(known.bots) * len(each_against_rest))
    found: list[MachineGap] = []
    while True:
        without = {each.bot for each in found}
        gaps = []
        for place in each_against_rest:

            def is_there(_: Bot, number: int, place: int = place) -> bool:
                return number == place

            if most := _surest(parts, known, of, without, is_there):
                gaps.append(MachineGap(most.bot, names[place], most.second, most.first, most.z))
        surest = max(gaps, key=lambda gap: abs(gap.z), default=None)
        if surest is None or abs(surest.z) <= bound:
            return tuple(found)
        found.append(surest)


def _sure_at(comparisons: int) -> float:
    """Return the standard errors that chance reaches in ERROR of all games with so many comparisons."""
    return NormalDist().inv_cdf(1 - ERROR / 2 / max(comparisons, 1))


def _surest(
    stretches: Sequence[Stretch], known: Fit, of: Parameters, without: set[Bot], is_second: _IsSecond
) -> BotChange | None:
    """Return the bot whose halves differ most surely, by the meetings *without* some bots."""
    model, index = MeetingModel(of), {bot: i for i, bot in enumerate(known.bots)}
    halves: dict[Bot, tuple[_Half, _Half]] = {}
    expected: dict[tuple[Bot, Bot, int], tuple[float, float]] = {}
    for number, stretch in enumerate(stretches):
        for (a, b, seats), (wins, draws, losses) in stretch.items():
            if a in without or b in without or a not in index or b not in index:
                continue
            at = (a, b, seats)
            if at not in expected:
                difference = known.mu[index[a]] - known.mu[index[b]]
                win, draw, _ = model.chances(difference, 0.0, seats)
                score = win + draw / 2
                # The meetings of a table share their luck: see results.rating.pairs.weight_of_pair.
                noise = (win + draw / 4 - score * score) * known.deviation * (seats + 1) / 3
                expected[at] = score, noise
            score, noise = expected[at]
            meetings = wins + draws + losses
            excess = wins + draws / 2 - meetings * score
            for bot, own in ((a, excess), (b, -excess)):
                both = halves.setdefault(bot, (_Half(), _Half()))
                both[is_second(bot, number)].add(meetings, own, meetings * noise)
    changes = [change for bot, both in sorted(halves.items()) if (change := _compare(bot, *both))]
    return max(changes, key=lambda change: abs(change.z), default=None)


def _meetings_of(stretch: Stretch, without: set[Bot]) -> dict[Bot, int]:
    """Return the number of meetings of each bot."""
    found: dict[Bot, int] = {}
    for (a, b, _), results in stretch.items():
        if a not in without and b not in without:
            for bot in (a, b):
                found[bot] = found.get(bot, 0) + sum(results)
    return found


def _cut(meetings: Sequence[int]) -> int:
    """Return the number of the first stretch of the second half."""
    total, before, best, at = sum(meetings), 0, sum(meetings), 0
    for number, here in enumerate(meetings):
        if abs(total - 2 * before) < best:
            best, at = abs(total - 2 * before), number
        before += here
    return at


def _compare(bot: Bot, first: _Half, second: _Half) -> BotChange | None:
    """Return how far the halves are apart; None if one of them is too small to say."""
    noise = [math.fsum(half.noise) for half in (first, second)]
    if min(noise) < LEAST_NOISE:
        return None
    means = [math.fsum(half.excess) / half.meetings for half in (first, second)]
    error = math.hypot(math.sqrt(noise[0]) / first.meetings, math.sqrt(noise[1]) / second.meetings)
    return BotChange(bot, means[0], means[1], (means[1] - means[0]) / error)
