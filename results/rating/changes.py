"""Whether a bot changes: the first half of its matches against the second, each machine against the others.

What is compared is its score less what the ratings expect, so that other opponents are no change.  Processes
may live on for many matches: they can learn, wear out, or meet a slower machine.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist

import msgspec

from results.rating.calibration import MeetingModel
from results.rating.fit import Fit
from results.rating.outcomes import Bot
from results.rating.parameters import Parameters
from results.rating.stretches import Stretch

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
        most = _surest(stretches, known, of, without, cuts)
        if most is None or abs(most.z) <= bound:
            return tuple(found)
        found.append(most)


def find_machine_gaps(by_name: Mapping[str, Stretch], known: Fit, of: Parameters) -> tuple[MachineGap, ...]:
    """Return the bots that surely play otherwise on one machine than elsewhere, the surest first.

    *by_name* are the results on each machine.  As in find_changes, a bot that was found is left out of the
    search for the next; of each bot the surest machine is told.
    """
    # Of two machines, each is the rest of the other: that is one comparison.
    names = [*by_name][1:] if len(by_name) == 2 else [*by_name] if len(by_name) > 2 else []
    bound = _sure_at(len(known.bots) * len(names))
    found: list[MachineGap] = []
    while True:
        without = {each.bot for each in found}
        gaps = []
        for name in names:
            rest = [results for other, results in by_name.items() if other != name]
            cuts = dict.fromkeys(known.bots, len(rest))
            if most := _surest([*rest, by_name[name]], known, of, without, cuts):
                gaps.append(MachineGap(most.bot, name, most.second, most.first, most.z))
        surest = max(gaps, key=lambda gap: abs(gap.z), default=None)
        if surest is None or abs(surest.z) <= bound:
            return tuple(found)
        found.append(surest)


def _sure_at(comparisons: int) -> float:
    """Return the z beyond which one of this many *comparisons* lies in ERROR of all games, by chance."""
    return NormalDist().inv_cdf(1 - ERROR / 2 / max(comparisons, 1))


def _surest(
    stretches: Sequence[Stretch], known: Fit, of: Parameters, without: set[Bot], cuts: Mapping[Bot, int]
) -> BotChange | None:
    """Return the bot whose halves differ most surely, by the meetings *without* some bots.

    The second half of a bot begins with the stretch whose number *cuts* has.
    """
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
                both[number >= cuts[bot]].add(meetings, own, meetings * noise)
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
