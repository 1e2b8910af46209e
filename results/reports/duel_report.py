"""What a duel has found, for programs; the rows of duels, unrated runs and played matches."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from results.rating.betting import Interval, log_wealth
from results.rating.duel_question import BEFORE, DuelQuestion, Verdict, elo_of, judge, judge_together, wins_of
from results.rating.duel_tally import Tally
from results.rating.stop_lean import estimate_mean
from results.record import LUCK_UNITS, DuelTerms, Json, Run
from results.reports.document import Interval as ShownInterval
from results.reports.document import Row, name_columns

NARROW = 5.0
"""Wins of 100: an interval that is narrower is told with a digit more."""


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

    @property
    def estimate(self) -> float | None:
        """The mean score of the blocks, without the lean of the stop where a verdict ended the contest.

        Where a verdict must hold without faults, too, the stop has another rule, and the mean stays as it is.
        """
        if self.verdict is Verdict.UNDECIDED or self.without:
            return self.tally.mean
        total = max(self.total, self.tally.blocks)
        estimate = estimate_mean(self.tally, self.question, self.alpha, total)
        return None if estimate is None else min(max(estimate, self.interval.low), self.interval.high)

    @property
    def deals_needed(self) -> int | None:
        """About how many deals would answer the question; None where it is answered, or if unknown."""
        low, high = self.question.means_to_tell
        is_open = self.verdict is Verdict.UNDECIDED
        return self.tally.blocks_to_tell(high - low, self.alpha) if is_open else None

    @property
    def answer_is_lost(self) -> bool:
        """Whether there is no verdict because faults change it."""
        # Bots often fail when they are losing, so the deals without faults alone would favour who fails: both
        # must agree.
        if self.without is None or self.verdict is not Verdict.UNDECIDED:
            return False
        return judge(self.interval, self.question) is not judge(self.without.interval, self.question)


def shown_wins(
    mean: float | None, interval: Interval, question: DuelQuestion, least: int = 0
) -> ShownInterval | None:
    """Return a *mean* score as wins of 100 in its interval, with *least* digits or one; None without a mean.

    An end that decides is never rounded onto what it excludes: it has a digit, or is rounded inwards.
    """
    if mean is None:
        return None
    wins, low, high = map(wins_of, (mean, *interval))
    bounds = [*map(wins_of, question.bounds)]
    for places in range(least, 2):
        ends = _round_low(low, bounds, places), -_round_low(-high, [-bound for bound in bounds], places)
        if high - low >= NARROW and ends == (round(low, places), round(high, places)):
            break
    return ShownInterval(min(max(wins, ends[0]), ends[1]), *ends, places)


def _round_low(low: float, bounds: Sequence[float], places: int) -> float:
    """Return *low*, rounded so that it is on the same side of all *bounds*."""
    near, step = round(low, places), 10.0**-places
    if any(near <= bound < low for bound in bounds):
        return near + step
    return near - step if any(low <= bound < near for bound in bounds) else near


def verdict_of(results: Sequence[ContestResult]) -> Verdict:
    """Return the verdict over all contests."""
    return judge_together(result.verdict for result in results)


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
        "log_wealth": {"better": log_wealth(tally, 0.0), "worse": log_wealth(tally, 0.0, above=False)},
        "worth": tally.worth,
        "adjusted": _adjusted_json(tally),
        "counts": [{**result._asdict(), "blocks": count} for result, count in sorted(tally.counts.items())],
        "faults": dict(zip(("new", "old"), map(dict, each.faults), strict=True)),
        "faulted": each.faulted,
        "deals_needed": each.deals_needed,
        "verdict_with_faults": str(judge(each.interval, each.question)),
        "without_faults": _remainder_json(each.without, each.question),
    }


def _remainder_json(without: Remainder | None, question: DuelQuestion) -> Json:
    """Return what a verdict must agree with; None if faults are few, or were not asked about."""
    if without is None:
        return None
    tally = without.tally
    return {**_judge_remainder(without, question), "blocks": tally.blocks, "matches": sum(tally.matches)}


def _judge_remainder(without: Remainder, question: DuelQuestion) -> dict[str, Json]:
    tally, (low, high) = without
    verdict = judge(without.interval, question)
    return {"verdict": str(verdict), "mean": tally.mean, "low": low, "high": high}


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


# -- rows


WITHOUT = tuple(f"{key}_without_faults" for key in ("verdict", "mean", "low", "high"))

WINS = ("estimate", *(f"{unit}{end}" for unit in ("wins", "elo") for end in ("", "_low", "_high")))

EVIDENCE = ("deals", "worth", "luck_saved", "deals_needed")

DUELS = name_columns(
    *("duel", "kind", "game", "seats", "bots", "finished", "matches"),
    *("verdict", "mean", "low", "high", "started"),
    *("faulted", "verdict_with_faults", *WITHOUT),
    *WINS,
    *EVIDENCE,
)
"""What programs get: scores from -1 to 1, wins of 100, and Elo at two seats.  Those of unrated runs are null.
So are those without faults where a verdict does not depend on them."""


def duel_rows(name: str, run: Run, results: Sequence[ContestResult]) -> list[Row]:
    """Return a row for each contest of the duel *run*, called *name*, with `shown`, its wins for people."""
    return [
        {
            **unrated_row(name, run, sum(each.tally.matches), "duel"),
            **(wins := told_in_wins(each)),
            "game": each.game,
            "seats": each.tally.seats,
            "bots": run.bots[:2],
            "verdict": str(each.verdict),
            "mean": each.tally.mean,
            "low": each.interval.low,
            "high": each.interval.high,
            "faulted": each.faulted,
            "verdict_with_faults": str(judge(each.interval, each.question)),
            **_without_faults(each),
            "deals": each.tally.blocks,
            "worth": each.tally.worth,
            "luck_saved": each.tally.luck_saved,
            "deals_needed": each.deals_needed,
            "shown": shown_wins(wins["estimate"], each.interval, each.question, 1),
        }
        for each in results
    ]


def _without_faults(each: ContestResult) -> Row:
    judged = each.without and _judge_remainder(each.without, each.question).values()
    return dict(zip(WITHOUT, judged, strict=True)) if judged else dict.fromkeys(WITHOUT)


def unrated_row(name: str, run: Run, matches: int, kind: str) -> Row:
    """Return the row of *run*, called *name*, with *matches*, that has no verdict."""
    games = sorted({contest.game for contest in run.settings.contests})
    sizes = {contest.seats for contest in run.settings.contests}
    return {
        "duel": name,
        "kind": kind,
        "game": games[0] if len(games) == 1 else None,
        "seats": min(sizes) if len(sizes) == 1 else None,
        "bots": run.bots,
        "finished": run.finished is not None,
        "matches": matches,
        **dict.fromkeys(
            (
                *("verdict", "mean", "low", "high", "faulted", "verdict_with_faults"),
                *(*WITHOUT, *WINS, *EVIDENCE, "shown"),
            )
        ),
        "started": datetime.fromtimestamp(run.started / 1e6, UTC).isoformat(timespec="seconds"),
    }
