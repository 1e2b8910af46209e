"""Whether a bot changes: its first matches against its later ones, each machine against the others.

What is compared is its score less what the ratings expect, so that other opponents are no change.  That is
done at each table size by itself and by the ratings of that size, so that other sizes are no change either.
Processes may live on for many matches: they can learn, wear out, or meet a slower machine.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import msgspec

from results.rating.calibration import MeetingModel
from results.rating.fit import Fit
from results.rating.outcomes import Bot
from results.rating.parameters import Parameters
from results.rating.stretches import Stretch

ERROR = 0.01
"""The probability that any bot of a game that plays evenly is said to change."""
LEAST_NOISE = 4.0
"""The least variance of the points in a part: with less they are not normal, and nothing is said."""


class BotChange(msgspec.Struct, frozen=True):
    """A bot that surely plays otherwise in its first matches than later."""

    bot: Bot
    sizes: tuple[int, ...]
    """The table sizes at which both parts have matches, which alone are compared."""
    matches: int
    """The number of its first matches there."""
    first: float
    """Its score in a meeting less the expected one, in these..."""
    second: float
    """...and later."""
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


class _Part:
    """What a bot has done at one table size in some stretches."""

    def __init__(self) -> None:
        self.meetings = 0
        self._excess: list[float] = []
        self._noise: list[float] = []

    def add(self, meetings: int, excess: float, noise: float) -> None:
        """Add *meetings* with one rival: its score less the expected one, and the variance of that."""
        self.meetings += meetings
        self._excess.append(excess)
        self._noise.append(noise)

    @property
    def mean(self) -> float:
        """The excess of a meeting."""
        return math.fsum(self._excess) / self.meetings

    @property
    def noise(self) -> float:
        """The variance of the sum of all excesses."""
        return math.fsum(self._noise)


class _Apart(NamedTuple):
    """How far two parts of the matches of a bot are apart."""

    bot: Bot
    sizes: tuple[int, ...]
    """The table sizes that were compared."""
    first: float
    second: float
    z: float


def find_changes(
    stretches: Sequence[Stretch], known: Fit, by_size: Mapping[int, Fit], of: Parameters
) -> tuple[BotChange, ...]:
    """Return the bots that surely change, the surest first; *stretches* are in the order of their matches.

    *by_size* has the fits of table sizes, where there are several; at others, *known* counts.  A bot's
    matches are cut where most can be compared: near the half of them, or of those at one size where sizes
    follow each other.  One bot that changes moves the results of all others, so the surest is found first,
    and then others without it.
    """
    bound = _sure_at(len(known.bots))
    found: list[BotChange] = []
    while True:
        without = {each.bot for each in found}
        cuts = _cuts([_meetings_of(stretch, without) for stretch in stretches])
        most = _surest(stretches, known, by_size, of, without, cuts)
        if most is None or abs(most.z) <= bound:
            return tuple(found)
        earlier = _add_up(_meetings_of(stretch, ()) for stretch in stretches[: cuts[most.bot]])
        matches = sum(earlier[most.bot, seats] // (seats - 1) for seats in most.sizes)
        found.append(BotChange(most.bot, most.sizes, matches, most.first, most.second, most.z))


def find_machine_gaps(
    by_name: Mapping[str, Stretch], known: Fit, by_size: Mapping[int, Fit], of: Parameters
) -> tuple[MachineGap, ...]:
    """Return the bots that surely play otherwise on one machine than elsewhere, the surest first.

    *by_name* are the results on each machine.  As in find_changes, ratings are those of the table size, and
    a bot that was found is left out of the search for the next; of each bot the surest machine is told.
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
            if most := _surest([*rest, by_name[name]], known, by_size, of, without, cuts):
                gaps.append(MachineGap(most.bot, name, most.second, most.first, most.z))
        surest = max(gaps, key=lambda gap: abs(gap.z), default=None)
        if surest is None or abs(surest.z) <= bound:
            return tuple(found)
        found.append(surest)


def _sure_at(comparisons: int) -> float:
    """Return the z beyond which one of this many *comparisons* lies in ERROR of all games, by chance."""
    return NormalDist().inv_cdf(1 - ERROR / 2 / max(comparisons, 1))


def _surest(
    stretches: Sequence[Stretch],
    known: Fit,
    by_size: Mapping[int, Fit],
    of: Parameters,
    without: Collection[Bot],
    cuts: Mapping[Bot, int],
) -> _Apart | None:
    """Return the bot whose parts differ most surely, by the meetings *without* some bots.

    The second part of a bot begins with the stretch whose number *cuts* has.
    """
    model, expected = MeetingModel(of), dict[tuple[Bot, Bot, int], tuple[float, float]]()
    ratings = {id(each): dict(zip(each.bots, each.mu, strict=True)) for each in (known, *by_size.values())}
    parts: dict[Bot, dict[int, tuple[_Part, _Part]]] = {}
    for number, stretch in enumerate(stretches):
        for (a, b, seats), (wins, draws, losses) in stretch.items():
            at, of_size = (a, b, seats), by_size.get(seats, known)
            mu = ratings[id(of_size)]
            if a in without or b in without or a not in mu or b not in mu:
                continue
            if at not in expected:
                win, draw, _ = model.chances(mu[a] - mu[b], 0.0, seats)
                score = win + draw / 2
                # The meetings of a table share their luck: see results.rating.pairs.weight_of_pair.
                noise = (win + draw / 4 - score * score) * of_size.deviation * (seats + 1) / 3
                expected[at] = score, noise
            score, noise = expected[at]
            meetings = wins + draws + losses
            excess = wins + draws / 2 - meetings * score
            for bot, own in ((a, excess), (b, -excess)):
                both = parts.setdefault(bot, {}).setdefault(seats, (_Part(), _Part()))
                both[number >= cuts[bot]].add(meetings, own, meetings * noise)
    found = [apart for bot, of_bot in sorted(parts.items()) if (apart := _compare(bot, of_bot))]
    return max(found, key=lambda apart: abs(apart.z), default=None)


def _meetings_of(stretch: Stretch, without: Collection[Bot]) -> dict[tuple[Bot, int], int]:
    """Return the number of meetings of each bot by table size."""
    found: dict[tuple[Bot, int], int] = {}
    for (a, b, seats), results in stretch.items():
        if a not in without and b not in without:
            for bot in (a, b):
                found[bot, seats] = found.get((bot, seats), 0) + sum(results)
    return found


def _add_up(parts: Iterable[Mapping[tuple[Bot, int], int]]) -> dict[tuple[Bot, int], int]:
    """Return the sums of the numbers in *parts*."""
    found: dict[tuple[Bot, int], int] = {}
    for part in parts:
        for at, meetings in part.items():
            found[at] = found.get(at, 0) + meetings
    return found


def _cuts(stretches: Sequence[Mapping[tuple[Bot, int], int]]) -> dict[Bot, int]:
    """Return for each bot the number of the stretch with which its second part begins.

    It is where most can be compared: m meetings before and n after tell as much as m n / (m + n), and those
    of several sizes are added.  *stretches* have the numbers of meetings.
    """
    totals, before = _add_up(stretches), dict[tuple[Bot, int], int]()
    told = {bot: 0.0 for bot, _ in totals}
    best, cuts = dict(told), dict.fromkeys(told, 0)
    for number, stretch in enumerate(stretches, 1):
        for at, meetings in stretch.items():
            total, earlier = totals[at], before.get(at, 0)
            before[at] = now = earlier + meetings
            told[at[0]] += (now * (total - now) - earlier * (total - earlier)) / total
        for bot, much in told.items():
            if much > best[bot]:
                best[bot], cuts[bot] = much, number
    return cuts


def _compare(bot: Bot, by_size: Mapping[int, tuple[_Part, _Part]]) -> _Apart | None:
    """Return how far two parts of the matches of *bot* are apart; None if one of them is too small to say.

    The parts at each table size are compared with each other alone; sizes count by inverse variance.
    """
    compared = {seats: both for seats, both in sorted(by_size.items()) if all(part.noise for part in both)}
    sizes = [*compared.values()]
    # As much as two parts that both have this variance.
    if math.fsum(1 / (1 / one.noise + 1 / other.noise) for one, other in sizes) < LEAST_NOISE / 2:
        return None
    weights = [1 / math.fsum(part.noise / part.meetings**2 for part in both) for both in sizes]
    total = math.fsum(weights)
    first, second = (
        math.fsum(weight * both[i].mean for weight, both in zip(weights, sizes, strict=True)) / total
        for i in (0, 1)
    )
    return _Apart(bot, (*compared,), first, second, (second - first) * math.sqrt(total))
