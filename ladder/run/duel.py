"""What a duel has found, and the block after which it ends.

The bots bet on whole blocks (results.rating.betting), and it is looked at only after every 16th block of a
contest, so the end follows from the results alone and not from how many blocks are played at once.

What an epoch of the schedule depends on was known two epochs earlier (see Planner), so a contest that is
decided plays on for at most two epochs.  Those blocks are kept, and not counted.

If faults of the two bots ended many matches, a contest ends only where it would end without the blocks of
those matches, too (results.rating.duel_question).  Older duels count faults like all results.

A duel keeps the question with which it began (results.rating.duel_question): DuelTerms name its rule.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from results.rating.betting import LOOK_BLOCKS
from results.rating.duel_question import UNKNOWN, DuelQuestion, FaultyTally, Verdict
from results.record import Contest, DuelTerms, Run
from results.reports.duel_report import ContestResult, Remainder
from results.storage.contents import Contents
from results.storage.finishes import Finish


class Duel:
    """The results of a duel so far.  ladder.run.run_plan plans it, ladder.run.until.decided ends it."""

    @classmethod
    def of(cls, run: Run, contents: Contents | None = None) -> "Duel | None":
        """Return the duel that *run* is, with all of its results that *contents* have without a gap.

        Without *contents*, it stands before its first block.  None if *run* is of another kind, or its
        plan or its secret is not here.
        """
        settings = run.settings
        if settings.duel is None or settings.blocks is None or not run.has_secret:
            return None
        duel = cls(settings.contests, run.bot_keys, settings.duel, settings.blocks)
        for finishes in contents.finishes(run.run) if contents else ():
            duel.hear(finishes.rows())
        return duel

    def __init__(
        self,
        contests: Sequence[Contest],
        bots: Sequence[tuple[str, str]],
        terms: DuelTerms,
        totals: Sequence[int],
    ) -> None:
        """Start before the first block of *contests* between *bots*, by name and version.

        *totals* is the most blocks of each contest.  The first two bots of each are the new and the old one.
        """
        # Bonferroni: a wrong verdict in any contest is as rare as was asked for
        alpha = terms.alpha / len(contests)
        self.end: int | None = None
        """The number of the block before which the duel ends; None while a contest is open."""
        self._contests = [
            _Contest(contest, [bots[bot] for bot in contest.bots[:2]], alpha, terms, total)
            for contest, total in zip(contests, totals, strict=True)
        ]
        self._by_name = {contest.contest.name: contest for contest in self._contests}

    @property
    def decided(self) -> set[int]:
        """The contests, by their index, that have a verdict or their last deal."""
        return {index for index, contest in enumerate(self._contests) if contest.decided is not None}

    def hear(self, finishes: Iterable[Finish]) -> None:
        """Take the results of the next blocks, in number order."""
        for number, block in groupby(finishes, attrgetter("block")):
            matches = [list(match) for _, match in groupby(block, attrgetter("number"))]
            contest = self._by_name[f"{matches[0][0].game}-{len(matches[0])}"]
            contest.hear(number, matches)
            if self.end is None and all(each.decided is not None for each in self._contests):
                self.end = number + 1

    @property
    def most_matches(self) -> int:
        """The most matches that a contest may have."""
        return max(contest.total * contest.contest.seats for contest in self._contests)

    def raise_totals(self, totals: Sequence[int]) -> tuple[int, ...] | None:
        """Return the most blocks of each contest if the duel, which has ended, goes on up to *totals*.

        A contest that is decided has no more blocks.  None if no other one would have more.
        """
        pairs = [*zip(self._contests, totals, strict=True)]
        if all(contest.is_sure or total <= contest.total for contest, total in pairs):
            return None
        return tuple(
            contest.heard if contest.is_sure else max(contest.total, total) for contest, total in pairs
        )

    def results(self) -> list[ContestResult]:
        """Return what is known of each contest now, whether it is looked at or not."""
        return [contest.result() for contest in self._contests]


class _Contest:
    """A contest of a duel: its results so far and what follows from them."""

    def __init__(
        self,
        contest: Contest,
        duelists: Sequence[tuple[str, str]],
        alpha: float,
        terms: DuelTerms,
        total: int,
    ) -> None:
        self.contest = contest
        self.total = total
        """The most blocks that it may have."""
        self.decided: int | None = None
        """The number of the block that decided it, or that was its last."""
        self._duelists = duelists
        self._alpha = alpha
        self._question = DuelQuestion.of(terms)
        self._adjusted = terms.most_luck is not None
        self._tally = FaultyTally(
            contest.seats,
            terms.most_luck,
            terms.faults,
            learns=terms.luck == "learnt",
            guess=self._question.guess(terms.expect),
        )
        self.heard = 0
        """The number of its blocks until it was decided."""
        self._intervals = UNKNOWN
        self._verdict = Verdict.UNDECIDED

    @property
    def is_sure(self) -> bool:
        return self._verdict is not Verdict.UNDECIDED

    def hear(self, number: int, matches: Sequence[Sequence[Finish]]) -> None:
        """Count a block, unless the contest was decided before it; look if it is time.

        A block of which a match is void, for a bot was left out, does not count.
        """
        if self.decided is not None:
            return
        self.heard += 1
        # a block counts in the number of blocks even so: when a duel is looked at must not depend on results
        if len(matches) == self.contest.seats:
            by_bot = ({seat.bot: seat for seat in match} for match in matches)
            seats = [[match[bot] for bot in self._duelists] for match in by_bot]
            luck = sum(new.luck for new, _ in seats) if self._adjusted else 0
            self._tally.add([((new.rank, new.fault), (old.rank, old.fault)) for new, old in seats], luck)
        if self.heard % LOOK_BLOCKS == 0 or self.heard == self.total:
            self._intervals = self._tally.find_intervals(self._alpha)
            self._verdict = self._intervals.judge(self._question)
            if self.heard % LOOK_BLOCKS == 0:
                self._tally.learn()
            if self._verdict is not Verdict.UNDECIDED or self.heard == self.total:
                self.decided = number

    def result(self) -> ContestResult:
        # between two looks: to be shown, not to decide
        if self.decided is None:
            self._intervals = self._tally.find_intervals(self._alpha)
        tally, (interval, clean) = self._tally, self._intervals
        return ContestResult(
            self.contest.game,
            tally.every,
            interval,
            self._verdict,
            self._alpha,
            tally.faults,
            tally.faulted,
            None if clean is None else Remainder(tally.clean, clean),
            self._question,
            self.total,
        )
