"""What a duel says: lines for people, and an object for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from results.rating.betting import Interval, Tally, Verdict, judge, judge_together, log_wealth
from results.record import LUCK_UNITS, DuelTerms, Json

__all__ = ["ContestResult", "Names", "Remainder", "answer", "as_json", "progress", "verdict_of"]

TOLD = 0.02
"""What an undecided duel without a margin compares itself with: a mean score."""


class Names(NamedTuple):
    """What the two bots of a duel are called."""

    new: str
    old: str


class Remainder(NamedTuple):
    """What is known of a contest without the blocks in which one of the two bots made a fault."""

    tally: Tally
    interval: Interval


class ContestResult(NamedTuple):
    """What is known of one game at tables of one size."""

    game: str
    tally: Tally
    """The blocks that count."""
    interval: Interval
    verdict: Verdict
    alpha: float
    """The share of the duel's alpha that this contest has."""
    faults: Sequence[Mapping[str, int]]
    """By kind, those of the new bot, then those of the old one."""
    faulted: int = 0
    """The number of matches that ended by a fault of one of the two, or of both."""
    without: Remainder | None = None
    """What a verdict must agree with, because these matches are many; None if they are few.

    It is None, too, in duels of before that rule.
    """

    @property
    def where(self) -> str:
        """The game, with the size of larger tables."""
        return self.game if self.tally.seats == 2 else f"{self.game} for {self.tally.seats}"


def verdict_of(results: Sequence[ContestResult]) -> Verdict:
    """Return the verdict over all contests."""
    return judge_together(result.verdict for result in results)


def progress(results: Sequence[ContestResult], names: Names) -> Iterator[str]:
    """Yield a line for each contest that is under way."""
    for each in results:
        if not each.tally.blocks:
            continue
        low, high = map(_points, each.interval)
        told = "" if each.verdict is Verdict.UNDECIDED else f" ({each.verdict})"
        counts = f"{sum(each.tally.matches):,} matches, {_deals(each.tally.blocks)}"
        line = f"{each.where}: {counts}: {names.new} {_percent(each)}, surely between {low} and {high}{told}"
        yield f"{line}; {_two_means(each, names)}" if each.without else line


def answer(results: Sequence[ContestResult], names: Names, margin: float | None) -> Iterator[str]:
    """Yield the lines that say which bot is better, by how much, and how sure that is."""
    for each in results:
        yield _sentence(each, names, margin)
        yield from _details(each, names)
    if len(results) > 1:
        yield f"together: {_claim(verdict_of(results), names, margin)}"


def _sentence(each: ContestResult, names: Names, margin: float | None) -> str:
    blocks, low, high = each.tally.blocks, *map(_points, each.interval)
    after = f"after {_deals(blocks)} ({sum(each.tally.matches):,} matches)"
    sure = f"with {100 * (1 - each.alpha):.4g} % confidence from {low} to {high}"
    claim = _claim(each.verdict, names, margin)
    if not blocks:
        return f"{claim} at {each.where}: no deal was played"
    if differing := _differing(each, names, margin):
        return f"{claim} at {each.where}: {differing}; {after}"
    line = f"{claim} at {each.where}: {_percent(each)}, {sure}, {after}"
    effect = margin or TOLD
    # An answer to "how much longer?": by the variance so far, which is known long before the mean is.
    if each.verdict is Verdict.UNDECIDED and (needed := each.tally.blocks_to_tell(effect, each.alpha)):
        line += f"; to tell {100 * effect:g} % apart takes about {_about(needed):,} deals"
    return line


def _claim(verdict: Verdict, names: Names, margin: float | None) -> str:
    match verdict:
        case Verdict.BETTER:
            return f"{names.new} is better than {names.old}"
        case Verdict.WORSE:
            return f"{names.new} is worse than {names.old}"
        case Verdict.NOT_BETTER:
            return f"{names.new} is no more than {100 * (margin or 0):g} % better than {names.old}"
    return "undecided"


def _details(each: ContestResult, names: Names) -> Iterator[str]:
    """Yield a line about the matches of a contest that has some."""
    matches = each.tally.matches
    if not (total := sum(matches)):
        return
    parts = zip(("wins", "draws", "losses"), matches, strict=True)
    told = [", ".join(f"{word} {100 * count / total:.1f} %" for word, count in parts)]
    if worth := each.tally.worth:
        seats = each.tally.seats
        every, matches_of = ("both seats", "two") if seats == 2 else (f"all {seats} seats", f"{seats}")
        told.append(f"a deal from {every} was worth {worth:.2f} times {matches_of} independent matches")
    yield f"  {'; '.join([*told, _faults(each, names)])}"
    if each.without:
        yield f"  {_two_means(each, names)}"
    if (saved := each.tally.luck_saved) is not None:
        plain = f"with it, the mean is {_points(matches.score)} %"
        share = f"was {100 * saved:.0f} % of the variance"
        if saved < 0:
            share = f"is hard to tell between these two: the variance is {1 - saved:.2f} times that with it"
        yield f"  less the luck of the draws, which {share}; {plain}"


def _faults(each: ContestResult, names: Names) -> str:
    told = []
    for name, kinds in zip(names, each.faults, strict=True):
        if count := sum(kinds.values()):
            listed = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
            told.append(f"{count:,} {'fault' if count == 1 else 'faults'} of {name} ({listed})")
    return ", ".join(told) or "0 faults"


def _differing(each: ContestResult, names: Names, margin: float | None) -> str | None:
    """Return the verdicts with and without faults; None if they agree, or if only one counts."""
    if each.without is None:
        return None
    # Bots often fail when they are losing, so the deals without faults alone would favour who fails: both
    # must agree.
    every, clean = (judge(interval, margin) for interval in (each.interval, each.without.interval))
    if every is clean:
        return None
    told = [_claim(verdict, names, margin) for verdict in (every, clean)]
    whose = "its" if sum(map(bool, each.faults)) == 1 else "their"
    return f"with {whose} faults, {told[0]}; without those deals, {told[1]}"


def _two_means(each: ContestResult, names: Names) -> str:
    """Return whose faults ended how many matches, and the mean with and without their deals."""
    assert each.without
    of = " and ".join(name for name, kinds in zip(names, each.faults, strict=True) if kinds)
    share = f"{100 * each.faulted / sum(each.tally.matches):.1f} % of the matches ended by faults of {of}"
    tally, interval = each.without
    low, high = map(_points, each.interval)
    every = f"with those deals {_percent(each)} ({low} to {high})"
    if tally.mean is None:
        return f"{share}: {every}, without them no deal is left"
    low, high = map(_points, interval)
    clean = f"without them {_points(tally.mean)} % ({low} to {high}, {_deals(tally.blocks)})"
    return f"{share}: {every}, {clean}"


def _percent(each: ContestResult) -> str:
    return f"{_points(each.tally.mean or 0.0)} %"


def _points(score: float) -> str:
    """Return a mean score in percent, with its sign; zero has a plus."""
    return f"{round(100 * score, 1) + 0.0:+.1f}"


def _deals(blocks: int) -> str:
    return f"{blocks:,} {'deal' if blocks == 1 else 'deals'}"


def _about(count: int) -> int:
    """Return *count*, rounded to two digits."""
    return round(count, 1 - math.floor(math.log10(count))) if count >= 100 else count


def as_json(results: Sequence[ContestResult], terms: DuelTerms) -> dict[str, Json]:
    """Return a duel for programs: scores from -1 to 1, nothing rounded."""
    return {
        "verdict": str(verdict_of(results)),
        "alpha": terms.alpha,
        "margin": terms.margin,
        "fault_rule": terms.faults,
        "blocks": sum(each.tally.blocks for each in results),
        "matches": sum(sum(each.tally.matches) for each in results),
        "contests": [_contest_json(each, terms.margin) for each in results],
    }


def _contest_json(each: ContestResult, margin: float | None) -> dict[str, Json]:
    tally = each.tally
    return {
        "game": each.game,
        "seats": tally.seats,
        "verdict": str(each.verdict),
        "mean": tally.mean,
        "low": each.interval.low,
        "high": each.interval.high,
        "alpha": each.alpha,
        "blocks": tally.blocks,
        "matches": sum(tally.matches),
        # At m = 0, and with all digits: another program can check the verdict by Ville's inequality from
        # these two.
        "log_wealth": {
            "better": log_wealth(tally, 0.0),
            "worse": log_wealth(tally, 0.0, above=False),
        },
        "worth": tally.worth,
        "adjusted": _adjusted_json(tally),
        "counts": [{**result._asdict(), "blocks": count} for result, count in sorted(tally.counts.items())],
        "faults": dict(zip(("new", "old"), map(dict, each.faults), strict=True)),
        "faulted": each.faulted,
        "verdict_with_faults": str(judge(each.interval, margin)),
        "without_faults": _remainder_json(each.without, margin),
    }


def _remainder_json(without: Remainder | None, margin: float | None) -> Json:
    """Return what a verdict must agree with; None if faults are few, or were not asked about."""
    if without is None:
        return None
    tally, interval = without
    return {
        "verdict": str(judge(interval, margin)),
        "mean": tally.mean,
        "low": interval.low,
        "high": interval.high,
        "blocks": tally.blocks,
        "matches": sum(tally.matches),
    }


def _adjusted_json(tally: Tally) -> Json:
    """Return what the luck of the draws was; None if scores count with it."""
    if tally.most_luck is None:
        return None
    return {
        "most_luck": tally.most_luck / LUCK_UNITS,
        "plain_mean": tally.matches.score if tally.blocks else None,
        "plain_variance": tally.plain_variance,
        "variance": tally.variance,
        "saved": tally.luck_saved,
        "scores": [{"score": score, "blocks": count} for score, count in tally.by_score()],
    }
