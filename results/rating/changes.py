"""Whether a bot changes: its first matches against its later ones, each machine against the others.

What is compared is its score less what the ratings expect, so that other opponents are no change.  That is
done at each table size by itself and by the ratings of that size, so that other sizes are no change either.
Processes may live on for many matches: they can learn, wear out, or meet a slower machine.
"""

import math
import operator
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import NormalDist

import msgspec

from results.rating.calibration import MeetingModel
from results.rating.fit import Fit
from results.rating.outcomes import Bot
from results.rating.parameters import Parameters
from results.rating.stretches import Stretch

ERROR = 0.005
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
        self.excess: list[float] = []
        """Its score less the expected one, for each pair of each stretch..."""
        self.noise: list[float] = []
        """...and the variance of that."""


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
        cuts = _cuts(stretches, without)
        most = _surest(stretches, known, by_size, of, without, cuts)
        if most is None or abs(most.z) <= bound:
            return tuple(found)
        earlier = _count_meetings(stretches[: cuts[most.bot]], ())
        matches = sum(earlier[most.bot, seats] // (seats - 1) for seats in most.sizes)
        found.append(msgspec.structs.replace(most, matches=matches))


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
) -> BotChange | None:
    """Return the bot whose parts differ most surely, by the meetings *without* some bots.

    The second part of a bot begins with the stretch whose number *cuts* has.  Matches are not counted.
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
                part = both[number >= cuts[bot]]
                part.meetings += meetings
                part.excess.append(own)
                part.noise.append(meetings * noise)
    changes = [change for bot, of_bot in sorted(parts.items()) if (change := _compare(bot, of_bot))]
    return max(changes, key=lambda change: abs(change.z), default=None)


def _count_meetings(stretches: Iterable[Stretch], without: Collection[Bot]) -> Counter[tuple[Bot, int]]:
    found: Counter[tuple[Bot, int]] = Counter()
    for stretch in stretches:
        for (a, b, seats), results in stretch.items():
            if a not in without and b not in without:
                found[a, seats] += sum(results)
                found[b, seats] += sum(results)
    return found


def _cuts(stretches: Sequence[Stretch], without: Collection[Bot]) -> dict[Bot, int]:
    """Return for each bot the number of the stretch with which its second part begins.

    It is where most can be compared: m meetings before and n after tell as much as m n / (m + n), and those
    of several sizes are added.
    """
    totals, before = _count_meetings(stretches, without), Counter[tuple[Bot, int]]()
    told = {bot: 0.0 for bot, _ in totals}
    best, cuts = dict(told), dict.fromkeys(told, 0)
    for number, stretch in enumerate(stretches, 1):
        for at, meetings in _count_meetings([stretch], without).items():
            total, earlier = totals[at], before[at]
            before[at] = now = earlier + meetings
            told[at[0]] += (now * (total - now) - earlier * (total - earlier)) / total
        for bot, much in told.items():
            if much > best[bot]:
                best[bot], cuts[bot] = much, number
    return cuts


def _compare(bot: Bot, by_size: Mapping[int, tuple[_Part, _Part]]) -> BotChange | None:
    """Return how far two parts of the matches of *bot* are apart; None if one of them is too small to say.

    The parts at each table size are compared with each other alone; sizes count by inverse variance.
    """
    sizes, noises, weights, means = list[int](), list[float](), list[float](), list[list[float]]()
    for seats, parts in sorted(by_size.items()):
        noise = [math.fsum(part.noise) for part in parts]
        if min(noise) > 0.0:
            sizes.append(seats)
            noises.append(noise[0] * noise[1] / (noise[0] + noise[1]))
            means.append([math.fsum(part.excess) / part.meetings for part in parts])
            errors = (each / part.meetings**2 for each, part in zip(noise, parts, strict=True))
            weights.append(1 / math.fsum(errors))
    # Two parts that both have the least variance come to half of it.
    if math.fsum(noises) < LEAST_NOISE / 2:
        return None
    total = math.fsum(weights)
    first, second = (
        math.fsum(map(operator.mul, weights, of_part)) / total for of_part in zip(*means, strict=True)
    )
    return BotChange(bot, tuple(sizes), 0, first, second, (second - first) * math.sqrt(total))
