"""What a duel says: lines for people, and an object for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, assert_never

from results.rating.betting import Interval, log_wealth
from results.rating.duel_question import BEFORE, DuelQuestion, Verdict, judge, judge_together
from results.rating.duel_tally import Tally
from results.rating.stop_lean import estimate_mean
from results.rating.wins import elo_of, wins_of
from results.record import LUCK_UNITS, DuelTerms, Json
from results.words import count

TOLD = 0.02
"""What an undecided duel without a margin compares itself with: a mean score, of 51 wins of 100."""


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

    It is also None in duels from before that rule.
    """
    question: DuelQuestion = BEFORE
    total: int = 0
    """The most blocks that it may have."""
    ended: bool = True
    """Whether it is decided, or had its last deal."""

    @property
    def where(self) -> str:
        """The game, with the size of larger tables."""
        return self.game if self.tally.seats == 2 else f"{self.game} for {self.tally.seats}"

    @property
    def estimate(self) -> float | None:
        """The mean score of the blocks, without the lean of the stop where one ended the contest.

        Where a verdict must hold without faults, too, the stop has another rule, and the mean stays as it is.
        """
        if not self.ended or self.without:
            return self.tally.mean
        total = max(self.total, self.tally.blocks)
        estimate = estimate_mean(self.tally, self.question, self.alpha, total)
        return None if estimate is None else min(max(estimate, self.interval.low), self.interval.high)


def verdict_of(results: Sequence[ContestResult]) -> Verdict:
    """Return the verdict over all contests."""
    return judge_together(result.verdict for result in results)


def progress(results: Sequence[ContestResult], names: Names) -> Iterator[str]:
    """Yield a line for each contest that is under way."""
    for each in results:
        if not each.tally.blocks:
            continue
        told = "" if each.verdict is Verdict.UNDECIDED else f" ({each.verdict})"
        counts = f"{count(sum(each.tally.matches), 'match')}, {_deals(each.tally.blocks)}"
        line = f"{each.where}: {counts}: {names.new} wins {_wins_of(each.tally, each.interval)}{told}"
        yield f"{line}; {_two_means(each, names)}" if each.without else line


def answer(results: Sequence[ContestResult], names: Names) -> Iterator[str]:
    """Yield the lines that say which bot is better, by how much, and how sure that is."""
    for each in results:
        yield _sentence(each, names)
        yield from _details(each, names)
    if len(results) > 1:
        yield f"together: {_claim(verdict_of(results), names, results[0].question)}"


def _sentence(each: ContestResult, names: Names) -> str:
    blocks, low, high = each.tally.blocks, *map(_wins, each.interval)
    after = f"after {_deals(blocks)} ({count(sum(each.tally.matches), 'match')})"
    sure = f"with {100 * (1 - each.alpha):.4g} % confidence from {low} to {high} wins of 100"
    claim = _claim(each.verdict, names, each.question)
    if not blocks:
        return f"{claim} at {each.where}: no deal was played"
    if differing := _differing(each, names):
        return f"{claim} at {each.where}: {differing}; {after}"
    line = f"{claim} at {each.where}: {sure}, {after}"
    # An answer to "how much longer?": by the variance so far, which is known long before the mean is.
    effect, bound = each.question.margin or TOLD, 50.0
    if each.question.rule == "margin":
        effect, bound = TOLD, wins_of(each.question.passes_above)
    if each.verdict is Verdict.UNDECIDED and (needed := each.tally.blocks_to_tell(effect, each.alpha)):
        other = bound + 50 * effect
        line += f"; to tell {other:g} from {bound:g} wins of 100 takes about {_about(needed):,} deals"
    return line


def _claim(verdict: Verdict, names: Names, question: DuelQuestion) -> str:
    new, old = names
    margin = _of_100(question.margin or 0.0)
    match verdict:
        case Verdict.BETTER:
            more = question.passes_above
            return f"{new} is better than {old}" + (f" by more than {_of_100(more)}" if more else "")
        case Verdict.WORSE:
            return f"{new} is worse than {old}"
        case Verdict.NOT_BETTER:
            return f"{new} is no more than {margin} better than {old}"
        case Verdict.NO_WORSE:
            return f"{new} is no more than {margin} worse than {old}"
        case Verdict.NOT_APART:
            return f"{new} and {old} are no more than {margin} apart"
        case Verdict.UNDECIDED:
            return "undecided"
        case _:
            assert_never(verdict)


def _details(each: ContestResult, names: Names) -> Iterator[str]:
    """Yield a line about the size of the difference and one about the matches, of a contest that has some."""
    matches = each.tally.matches
    if not (total := sum(matches)):
        return
    yield f"  {_size(each)}"
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
        plain = f"with it, the mean is {_wins(matches.score)}"
        share = f"was {100 * saved:.0f} % of the variance"
        if saved < 0:
            share = f"is hard to tell between these two: the variance is {1 - saved:.2f} times that with it"
        yield f"  less {100 * (each.tally.share or 0):.0f} % of the luck of the draws, which {share}; {plain}"


def _size(each: ContestResult) -> str:
    """Return the estimate with its interval, and the plain mean where it leans."""
    mean, estimate = each.tally.mean, each.estimate
    assert mean is not None
    assert estimate is not None
    told = f"wins {_wins(estimate)} of 100 ({_wins(each.interval.low)} to {_wins(each.interval.high)})"
    if each.tally.seats == 2:
        points = [_elo(score) for score in (estimate, *each.interval)]
        told += ", Elo {} ({} to {})".format(*points)
    if _wins(mean) != _wins(estimate):
        told += f"; the mean of its deals, {_wins(mean)}, leans because of the stop"
    return told


def _faults(each: ContestResult, names: Names) -> str:
    told = []
    for name, kinds in zip(names, each.faults, strict=True):
        if count := sum(kinds.values()):
            listed = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
            told.append(f"{count:,} {'fault' if count == 1 else 'faults'} of {name} ({listed})")
    return ", ".join(told) or "0 faults"


def _differing(each: ContestResult, names: Names) -> str | None:
    """Return the verdicts with and without faults; None if they agree, or if only one counts."""
    if each.without is None:
        return None
    # Bots often fail when they are losing, so the deals without faults alone would favour who fails: both
    # must agree.
    if each.verdict is not Verdict.UNDECIDED:
        return None
    every, clean = (judge(interval, each.question) for interval in (each.interval, each.without.interval))
    if every is clean:
        return None
    told = [_claim(verdict, names, each.question) for verdict in (every, clean)]
    whose = "its" if sum(map(bool, each.faults)) == 1 else "their"
    return f"with {whose} faults, {told[0]}; without those deals, {told[1]}"


def _two_means(each: ContestResult, names: Names) -> str:
    """Return whose faults ended how many matches, and the mean with and without their deals."""
    assert each.without
    of = " and ".join(name for name, kinds in zip(names, each.faults, strict=True) if kinds)
    share = f"{100 * each.faulted / sum(each.tally.matches):.1f} % of the matches ended by faults of {of}"
    tally, interval = each.without
    every = f"with those deals it wins {_wins_of(each.tally, each.interval)}"
    if tally.mean is None:
        return f"{share}: {every}, without them no deal is left"
    return f"{share}: {every}, without them {_wins_of(tally, interval)} in {_deals(tally.blocks)}"


def _wins_of(tally: Tally, interval: Interval) -> str:
    return f"{_wins(tally.mean or 0.0)} of 100 ({_wins(interval.low)} to {_wins(interval.high)})"


def _wins(score: float) -> str:
    """Return a mean score as wins of 100."""
    return f"{wins_of(score):.1f}"


def _of_100(score: float) -> str:
    """Return how many wins of 100 a difference in *score* is, as it was typed."""
    wins = round(50 * score, 9)
    return f"{wins:g} {'win' if wins == 1 else 'wins'} of 100"


def _elo(score: float) -> str:
    elo = elo_of(score)
    return ("+inf" if score > 0 else "-inf") if elo is None else f"{round(elo) + 0:+d}"


def _deals(blocks: int) -> str:
    return f"{blocks:,} {'deal' if blocks == 1 else 'deals'}"


def _about(count: int) -> int:
    """Return *count*, rounded to two digits."""
    return round(count, 1 - math.floor(math.log10(count))) if count >= 100 else count


def as_json(results: Sequence[ContestResult], terms: DuelTerms) -> dict[str, Json]:
    """Return a duel for programs: scores from -1 to 1, wins of 100, and Elo; nothing rounded."""
    return {
        "verdict": str(verdict_of(results)),
        "alpha": terms.alpha,
        "margin": terms.margin,
        "rule": terms.rule,
        "least": terms.least,
        "expect": terms.expect,
        "fault_rule": terms.faults,
        "luck_rule": terms.luck,
        "blocks": sum(each.tally.blocks for each in results),
        "matches": sum(sum(each.tally.matches) for each in results),
        "contests": [_contest_json(each) for each in results],
    }


def told_in_wins(each: ContestResult) -> dict[str, Json]:
    """Return the estimate of a contest and its interval in wins of 100 and, at two seats, in Elo."""
    estimate = each.estimate
    scores = {"": estimate, "_low": each.interval.low, "_high": each.interval.high}
    found: dict[str, Json] = {"estimate": estimate}
    for end, score in scores.items():
        found[f"wins{end}"] = None if score is None else wins_of(score)
    for end, score in scores.items():
        found[f"elo{end}"] = None if score is None or each.tally.seats != 2 else elo_of(score)
    return found


def _contest_json(each: ContestResult) -> dict[str, Json]:
    tally = each.tally
    return {
        "game": each.game,
        "seats": tally.seats,
        "verdict": str(each.verdict),
        "mean": tally.mean,
        "low": each.interval.low,
        "high": each.interval.high,
        **told_in_wins(each),
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
        "verdict_with_faults": str(judge(each.interval, each.question)),
        "without_faults": _remainder_json(each.without, each.question),
    }


def _remainder_json(without: Remainder | None, question: DuelQuestion) -> Json:
    """Return what a verdict must agree with; None if faults are few, or were not asked about."""
    if without is None:
        return None
    tally, interval = without
    return {
        "verdict": str(judge(interval, question)),
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
        "share": tally.share,
        "scores": [{"score": score, "blocks": count} for score, count in tally.by_score()],
    }
