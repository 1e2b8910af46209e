"""Compare what the ratings say with what happened: on blocks that the fit has not seen, and pair by pair.

A meeting is two bots at a table: a match of n seats has n (n - 1) / 2.  The ratings say how often the first
bot wins a meeting (comes before the second), draws or loses.  This is TrueSkill's model: performances are
normal around the skills, and a difference below the draw margin is a draw.  That is exact at two seats.  At
more, each pair is taken as if it sat alone.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import NamedTuple, TypeAlias
from zlib import crc32

from results.rating.draw_probability import measure_draws
from results.rating.fit import Fit, fit
from results.rating.one_sided import bots_in, chance_below
from results.rating.outcomes import Bot, Counts, FinishOrder
from results.rating.parameters import Parameters, parameters_of
from results.rating.standings import Totals
from results.rating.update import draw_margin
from results.storage.arrow import pa, pc
from results.storage.contents import Contents

HELD_OUT = 3
"""The number of blocks in ten that are predicted from the others."""
BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The limits of the favourite's expected score, by which the curve sorts meetings."""
WRONG = 0.03
"""From this misfit on, in points of score, ratings are called wrong for a game..."""
WRONG_Z = 5.0
"""...if its square is this many standard errors.  Chance passed that in 2 of 1,600 ladders."""
MORE_THAN_CHANCE = 2.3
"""In 19 of 20 ladders chance alone keeps the square of a misfit below this many standard errors."""
LEAST_NOISE = 0.05
"""The least share of a pair's noise that the fit can have taken up.  With less left, its z is no test."""
RARE = 1e-300
"""The least probability whose logarithm is taken."""
Chances: TypeAlias = tuple[float, float, float]
"""The probabilities of a win, a draw and a loss."""


def is_held_out(run: int, block: int) -> bool:
    """Return whether a block is one of those that calibration predicts: three of ten.

    A hash decides, not the last digit of the number: in a round robin of five bots, each pair would have all
    its blocks on the same side.
    """
    return crc32(b"%d/%d" % (run, block)) % 10 < HELD_OUT


class PredictionLoss(NamedTuple):
    """The mean logarithmic loss of predictions, a meeting; 0 is perfect."""

    ratings: float
    """Of the ratings."""
    pairs: float
    """Of each pair's own results in the other blocks, (wins + 1) / (wins + losses + 2): no ratings at all."""
    difference_se: float
    """The standard error of ratings - pairs, by blocks."""


class Bin(NamedTuple):
    """The held-out meetings with about the same expected score, from the side of the favourite."""

    low: float
    high: float
    meetings: int
    said: Chances
    """The mean of what the ratings said."""
    happened: Chances
    """The shares of wins, draws and losses."""


class PairMisfit(NamedTuple):
    """What the fit of all blocks says of a pair, and its score: 1 for a win, 1/2 for a draw, 0 for a loss."""

    a: Bot
    b: Bot
    meetings: int
    said: float
    """The expected score of a."""
    happened: float
    """Its score."""
    z: float
    """The difference in standard errors, by the deviance, so that it holds for rare losses as well."""


class Cycle(NamedTuple):
    """Three bots of which each surely beats the next, and the last the first."""

    bots: tuple[Bot, Bot, Bot]
    scores: tuple[float, float, float]
    """The score of each against the next."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How well the ratings of a game predict it."""

    fitted: int
    """The number of matches in the blocks that the predictions were made from."""
    predicted: int
    """The number of held-out matches."""
    left_out: int
    """Held-out meetings of bots whose difference the other blocks do not tell."""
    before: PredictionLoss | None
    """Of who comes before whom, over meetings without a draw; None if there is no such meeting."""
    win_draw_loss: float | None
    """The mean logarithmic loss of win, draw and loss, over all held-out meetings."""
    curve: tuple[Bin, ...]
    """The held-out meetings by what the ratings expected; bins without a meeting are left out."""
    misfit: float
    """How far the scores of pairs are from the expected ones, less what is chance: root mean square."""
    misfit_z: float
    """The square of the misfit, divided by its standard error."""
    pairs: tuple[PairMisfit, ...]
    """All pairs that met, the worst first."""
    sure_z: float
    """Beyond this z a pair deviates with 95 % confidence, whatever the number of pairs (Bonferroni)."""
    cycles: tuple[Cycle, ...]
    """All cycles of three that are sure, with 95 % confidence for all of them together."""

    @property
    def sure_pairs(self) -> tuple[PairMisfit, ...]:
        """The pairs that deviate surely."""
        return tuple(pair for pair in self.pairs if abs(pair.z) > self.sure_z)

    @property
    def misfits(self) -> bool:
        """Whether the misfit is more than chance, with 95 % confidence."""
        return self.misfit_z > MORE_THAN_CHANCE

    @property
    def is_wrong(self) -> bool:
        """Whether one rating a bot is the wrong picture of this game: it has a cycle, or misfits by WRONG."""
        return bool(self.cycles) or is_wrong_picture(self.misfit, self.misfit_z)


def is_wrong_picture(misfit: float, misfit_z: float) -> bool:
    """Return whether a *misfit* says that one rating a bot is the wrong picture, whatever the cycles."""
    return misfit_z > WRONG_Z and misfit >= WRONG


def sure_pair_z(pairs: int) -> float:
    """Return the z beyond which one of this many *pairs* deviates with 95 % confidence (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / max(pairs, 1))


def calibrate(fitted: Counts, held_out: Counts, of: Parameters) -> Calibration:
    """Return how the fit of the blocks *fitted* predicts those *held_out*, and where that of all misses."""
    known, everything = fit(fitted, of), Counts()
    everything.update(fitted)
    everything.update(held_out)
    of_all = fit(everything, of)
    pairs, misfit, misfit_z, by_pair = compare_pairs(of_all, everything, {}, of)
    held = _meetings(held_out)
    said = _predict(known, MeetingModel(of), held)
    return Calibration(
        fitted=fitted.matches,
        predicted=held_out.matches,
        left_out=sum(sum(results) for at, results in held.items() if at not in said),
        before=_before(said, _meetings(fitted), held, held_out),
        win_draw_loss=_win_draw_loss(said, held),
        curve=_curve(said, held),
        misfit=misfit,
        misfit_z=misfit_z,
        pairs=pairs,
        sure_z=sure_pair_z(len(pairs)),
        cycles=tuple(sorted(_find_cycles(by_pair, of_all.deviation))),
    )


# --- the blocks of a store


def read_calibrations(contents: Contents, seats: int | None = None) -> dict[str, Calibration]:
    """Return the calibration of each game, or of its tables of *seats* alone; reads the whole season."""
    parameters, (fitted, held_out) = parameters_of(contents.rated_runs), _divide(contents)
    found = {}
    for game in sorted(fitted.keys() | held_out.keys()):
        known, unknown = fitted.get(game, Counts()), held_out.get(game, Counts())
        if seats:
            known, unknown = known.at_tables_of(seats), unknown.at_tables_of(seats)
        if known.matches or unknown.matches:
            everything, of = Counts(), parameters.get(game) or Parameters()
            everything.update(known)
            everything.update(unknown)
            of = of.with_draws(measure_draws(everything, of.beta))  # as the ratings have them
            found[game] = calibrate(known, unknown, of)
    return found


def _divide(contents: Contents) -> tuple[dict[str, Counts], dict[str, Counts]]:
    """Return the counts of all blocks by game: those to fit, and those held out."""
    from results.rating.counting import count_matches

    halves = Totals(), Totals()
    for run in contents.rated_runs:
        for finishes in contents.finishes(run.run):
            blocks = finishes.seats.column("block")
            held_out = [block for block in pc.unique(blocks).to_pylist() if is_held_out(run.run, block)]
            is_held = pc.is_in(blocks, pa.array(held_out, blocks.type))
            for half, mask in zip(halves, (pc.invert(is_held), is_held), strict=True):
                if len(seats := finishes.seats.filter(mask)):
                    half.add(count_matches(finishes._replace(seats=seats), run.run))
    return halves[0].counts, halves[1].counts


# --- meetings

At: TypeAlias = tuple[Bot, Bot, int]
"""A pair of bots, in the order of their names, and the size of the table."""
Results: TypeAlias = list[int]
"""The numbers of wins, draws and losses of the first bot of a pair."""


def _list_meetings(outcome: FinishOrder) -> Iterator[tuple[At, int]]:
    """Yield each meeting of a match, with 0 if the first bot of its pair won, 1 for a draw, 2 for a loss."""
    for i, first in enumerate(outcome.bots):
        # bots are in the order of rank: they tie as long as all ties between them hold
        tied = True
        for j in range(i + 1, outcome.seats):
            tied = tied and outcome.ties[j - 1]
            other = outcome.bots[j]
            if first < other:
                yield (first, other, outcome.seats), 1 if tied else 0
            else:
                yield (other, first, outcome.seats), 1 if tied else 2


def _meetings(counts: Counts) -> dict[At, Results]:
    """Return the results of all meetings, in sorted order."""
    found: dict[At, Results] = {}
    for outcome, count in counts.outcomes.items():
        for at, result in _list_meetings(outcome):
            found.setdefault(at, [0, 0, 0])[result] += count
    return dict(sorted(found.items()))


class MeetingModel:
    """What TrueSkill says of a meeting, given the skills of both."""

    def __init__(self, of: Parameters) -> None:
        self._variance = 2 * of.beta**2
        self._parameters = of

    def chances(self, difference: float, variance: float, seats: int) -> Chances:
        """Return the chances of a bot that is better by N(difference, variance), at a table of *seats*."""
        margin, root = self._margin(seats), math.sqrt(self._variance + variance)
        win, loss = chance_below((difference - margin) / root), chance_below((-difference - margin) / root)
        # rounding may leave a draw of less than nothing where there are hardly any
        return win, max(1 - win - loss, 0.0), loss

    def slope(self, difference: float, seats: int) -> float:
        """Return how much the expected score grows with the difference of the skills."""
        margin, normal = self._margin(seats), NormalDist(0.0, math.sqrt(self._variance))
        return (normal.pdf(difference - margin) + normal.pdf(difference + margin)) / 2

    def _margin(self, seats: int) -> float:
        """Return the largest difference of performances in a draw."""
        return draw_margin(self._parameters.draw_probability[seats], self._parameters.beta)


# --- held-out blocks


def _predict(known: Fit, model: MeetingModel, held: Iterable[At]) -> dict[At, Chances]:
    """Return what the fit *known* says of the meetings *held*, if it knows the difference of both bots."""
    index = {bot: i for i, bot in enumerate(known.bots)}
    group_of = {bot: n for n, group in enumerate(known.groups()) for bot in group}
    found = {}
    for a, b, seats in held:
        if a in group_of and group_of[a] == group_of.get(b):
            estimate = known.difference(index[a], index[b])
            # By the spread of all skills: of many differences, the largest are so by chance as well.
            found[a, b, seats] = model.chances(*known.spread.expect(*estimate), seats)
    return found


def _log(probability: float) -> float:
    return math.log(max(probability, RARE))


def _before(
    said: Mapping[At, Chances], earlier: Mapping[At, Results], held: Mapping[At, Results], counts: Counts
) -> PredictionLoss | None:
    """Return the loss of who comes before whom: of what the fit *said*, and of *earlier* results of a pair.

    *held* are the meetings of *counts*.
    """
    own: dict[tuple[Bot, Bot], tuple[int, int]] = {}
    for (a, b, _), (wins, _, lost) in earlier.items():
        before = own.get((a, b), (0, 0))
        own[a, b] = (before[0] + wins, before[1] + lost)
    losses: dict[At, tuple[Chances, Chances]] = {}
    """By result, the loss of the ratings and of the pairs; a draw says nothing."""
    for (a, b, seats), (win, _, loss) in said.items():
        wins, lost = own.get((a, b), (0, 0))
        by_fit, by_pair = win / (win + loss), (wins + 1) / (wins + lost + 2)
        losses[a, b, seats] = (
            (-_log(by_fit), 0.0, -_log(1 - by_fit)),
            (-_log(by_pair), 0.0, -_log(1 - by_pair)),
        )
    meetings = sum(held[at][0] + held[at][2] for at in losses)
    if not meetings:
        return None
    ratings, pairs = (
        math.fsum(count * loss for at in losses for count, loss in zip(held[at], losses[at][by], strict=True))
        for by in (0, 1)
    )
    squares = math.fsum(
        count * math.fsum(
            losses[at][0][result] - losses[at][1][result]
            for outcome in block
            for at, result in _list_meetings(outcome)
            if at in losses
        ) ** 2
        for block, count in counts.blocks.items()
    )  # fmt: skip
    blocks = sum(counts.blocks.values())
    mean = (ratings - pairs) / max(blocks, 1)
    variance = max(squares - blocks * mean * mean, 0.0)
    return PredictionLoss(ratings / meetings, pairs / meetings, math.sqrt(variance) / meetings)


def _win_draw_loss(said: Mapping[At, Chances], held: Mapping[At, Results]) -> float | None:
    meetings = sum(sum(held[at]) for at in said)
    losses = (
        -count * _log(chance)
        for at, chances in said.items()
        for chance, count in zip(chances, held[at], strict=True)
    )
    return math.fsum(losses) / meetings if meetings else None


def _curve(said: Mapping[At, Chances], held: Mapping[At, Results]) -> tuple[Bin, ...]:
    """Return the meetings sorted by what the ratings expected of the favourite."""
    within: list[list[tuple[Chances, Results]]] = [[] for _ in BINS[1:]]
    for at, chances in said.items():
        results = held[at]
        # from the side of the favourite, so that both halves of the curve are one
        if chances[0] < chances[2]:
            chances, results = chances[::-1], results[::-1]
        expected = chances[0] + chances[1] / 2
        within[sum(expected >= limit for limit in BINS[1:-1])].append((chances, results))
    return tuple(
        _bin(low, high, meetings)
        for (low, high), meetings in zip(pairwise(BINS), within, strict=True)
        if meetings
    )


def _bin(low: float, high: float, meetings: list[tuple[Chances, Results]]) -> Bin:
    total = sum(sum(results) for _, results in meetings)
    said = tuple(
        math.fsum(chances[i] * sum(results) for chances, results in meetings) / total for i in range(3)
    )
    happened = tuple(sum(results[i] for _, results in meetings) / total for i in range(3))
    return Bin(low, high, total, (said[0], said[1], said[2]), (happened[0], happened[1], happened[2]))


# --- pairs and cycles


ByPair: TypeAlias = Mapping[tuple[Bot, Bot], list[tuple[int, Results]]]
"""The results of each pair, by table size."""


def compare_pairs(
    known: Fit, counts: Counts, by_size: Mapping[int, Fit], of: Parameters
) -> tuple[tuple[PairMisfit, ...], float, float, ByPair]:
    """Return what the fit *known* of all *counts* says of each pair, the misfit, its z, and the results.

    At the table sizes that *by_size* has a fit of, that one says it.
    """
    model = MeetingModel(of)
    by_pair: dict[tuple[Bot, Bot], list[tuple[int, Results]]] = {}
    for (a, b, seats), results in _meetings(counts).items():
        by_pair.setdefault((a, b), []).append((seats, results))
    places = {id(each): {bot: i for i, bot in enumerate(each.bots)} for each in (known, *by_size.values())}
    pairs: list[PairMisfit] = []
    beyond, spread, total = [], [], 0
    for (a, b), parts in by_pair.items():
        fits = [by_size.get(seats, known) for seats, _ in parts]
        ratings = [(each, places[id(each)][a], places[id(each)][b]) for each in fits]
        pair, noise = _pair(a, b, parts, ratings, model)
        pairs.append(pair)
        # what chance explains is taken off, so the sum is 0 on average for ratings that are right
        beyond.append(pair.meetings * ((pair.happened - pair.said) ** 2 - noise))
        spread.append(_variance_of_square(pair, noise))
        total += pair.meetings
    excess, error = math.fsum(beyond), math.sqrt(math.fsum(spread))
    pairs.sort(key=lambda pair: (-abs(pair.z), pair.a, pair.b))
    misfit = math.sqrt(max(excess, 0.0) / total) if total else 0.0
    return tuple(pairs), misfit, excess / error if error else 0.0, by_pair


def _pair(
    a: Bot,
    b: Bot,
    parts: Sequence[tuple[int, Results]],
    ratings: Sequence[tuple[Fit, int, int]],
    model: MeetingModel,
) -> tuple[PairMisfit, float]:
    """Return the misfit of a pair with *parts*, its results by table size, and the variance of its score.

    *ratings* has for each part the fit that says what to expect, and the places of both bots there.  The
    score of n meetings has the variance of its chances, times the block factor.  The fit has seen these
    meetings, too, and follows them: the variance of what it expects is taken off, as for all residuals.
    """
    meetings, won, expected, noise, follows = 0, 0.0, 0.0, 0.0, dict[int, float]()
    for (seats, results), (known, i, j) in zip(parts, ratings, strict=True):
        difference, se = known.difference(i, j)
        win, draw, _ = model.chances(difference, 0.0, seats)
        count = sum(results)
        score = win + draw / 2
        meetings += count
        won += results[0] + results[1] / 2
        expected += count * score
        noise += count * (win + draw / 4 - score * score) * known.deviation
        follows[id(known)] = follows.get(id(known), 0.0) + count * model.slope(difference, seats) * se
    followed = math.fsum(each * each for each in follows.values())
    left = max(noise - followed, LEAST_NOISE * noise) / meetings**2
    said, happened = expected / meetings, won / meetings
    z = (
        _deviance_root(happened, said, meetings) * math.sqrt(said * (1 - said) / meetings / left)
        if left
        else 0.0
    )
    return PairMisfit(a, b, meetings, said, happened, z), left


def _variance_of_square(pair: PairMisfit, noise: float) -> float:
    """Return the variance of (happened - said)^2 times the meetings of *pair*; *noise* is that of its score.

    Twice the square of the variance for a normal distribution.  Rare losses are not normal: a binomial share
    has a fourth moment of its own, with the excess kurtosis (1 - 6 p q) / (n p q).
    """
    share = pair.said * (1 - pair.said)
    kurtosis = (1 - 6 * share) / (pair.meetings * share) if share > 0 else 0.0
    return (2 + max(kurtosis, 0.0)) * (pair.meetings * noise) ** 2


def _deviance_root(happened: float, said: float, meetings: int) -> float:
    """Return the signed root of the deviance of a score, as of a share of *meetings*."""
    parts = [
        share * math.log(share / max(chance, RARE))
        for share, chance in ((happened, said), (1 - happened, 1 - said))
        if share > 0
    ]
    return math.copysign(math.sqrt(max(2 * meetings * math.fsum(parts), 0.0)), happened - said)


def _sure_edges(
    by_pair: ByPair, deviation: float
) -> tuple[list[tuple[float, int, int]], dict[tuple[int, int], float]]:
    """Return who surely beats whom, the surest first, and the score of each against each other.

    An edge is how sure it is, the winner and the loser, by their places among all bots, sorted.  All three
    edges of a cycle must be sure, so the least sure one decides; the bound is that for all
    B (B - 1) (B - 2) / 3 cycles that there might be.
    """
    bots = sorted({bot for pair in by_pair for bot in pair})
    sure, score = list[tuple[float, int, int]](), dict[tuple[int, int], float]()
    possible = len(bots) * (len(bots) - 1) * (len(bots) - 2) // 3
    if not possible:
        return sure, score
    bound = NormalDist().inv_cdf(1 - 0.05 / possible)
    place = {bot: i for i, bot in enumerate(bots)}
    for (a, b), parts in by_pair.items():
        i, j = place[a], place[b]
        wins, draws, losses = (sum(results[k] for _, results in parts) for k in range(3))
        meetings = wins + draws + losses
        score[i, j] = (wins + draws / 2) / meetings
        score[j, i] = 1 - score[i, j]
        if wins != losses and abs(wins - losses) > bound * (noise := math.sqrt((wins + losses) * deviation)):
            winner, loser = (i, j) if wins > losses else (j, i)
            sure.append((abs(wins - losses) / noise, winner, loser))
    return sorted(sure, key=lambda edge: (-edge[0], *edge[1:])), score


def surest_cycle(by_pair: ByPair, deviation: float) -> Cycle | None:
    """Return the cycle of three whose least sure step is the surest; None if no cycle is sure."""
    return next(_find_cycles(by_pair, deviation), None)


def _find_cycles(by_pair: ByPair, deviation: float) -> Iterator[Cycle]:
    """Yield the cycles of three that are sure, each when its least sure step is added to those surer."""
    bots = sorted({bot for pair in by_pair for bot in pair})
    sure, score = _sure_edges(by_pair, deviation)
    beats, beaten_by = [0] * len(bots), [0] * len(bots)
    for _, i, j in sure:
        beats[i] |= 1 << j
        beaten_by[j] |= 1 << i
        for k in bots_in(beats[j] & beaten_by[i]):
            # the same cycle begins with the same bot, whichever edge has closed it
            a, b, c = (i, j, k) if i < min(j, k) else (j, k, i) if j < k else (k, i, j)
            found = Cycle((bots[a], bots[b], bots[c]), (score[a, b], score[b, c], score[c, a]))
            if _is_of_one_size(found.bots, by_pair):
                yield found


def _is_of_one_size(bots: Sequence[Bot], by_pair: ByPair) -> bool:
    """Return whether there is a table size at which each of *bots* beats the next.

    Two orders at two sizes can make a cycle of their sums, and each of them is an order.
    """
    sizes = []
    for bot, rival in zip(bots, (*bots[1:], bots[0]), strict=True):
        for_bot = 1 if bot < rival else -1
        results = by_pair[min(bot, rival), max(bot, rival)]
        sizes.append({seats for seats, (wins, _, losses) in results if for_bot * (wins - losses) > 0})
    return bool(set.intersection(*sizes))
