"""A duel: which blocks it plays, and the block after which it ends.

Each block seats the new bot, the old one and, at larger tables, others of the field.  The bots bet on whole
blocks (results.rating.betting), and it is looked at only after every 16th block of a contest, so the end
follows from the results alone and not from how many blocks are played at once.

With several contests, each gets an equal number of blocks at a time until it is decided.  What an epoch of
the plan depends on was known two epochs earlier (see Coordinator), so a contest that is decided plays on for
at most two epochs.  Those blocks are kept, and not counted.

If faults of the two bots ended many matches, a contest ends only where it would end without the blocks of
those matches, too (results.rating.faulted).  Duels of before that rule count faults like all results.

A duel that is undecided can be extended: its first part stays as it was planned, and another part follows.
A duel of one contest then has the same blocks as one that was asked for that many from the start.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from ladder.contest.blocks import Block, Contest
from ladder.contest.keys import Keys
from ladder.run.schedule import Known
from results.rating.betting import LOOK_BLOCKS, Verdict
from results.rating.faulted import UNKNOWN, FaultyTally
from results.record import DuelTerms, Run, WithoutBot
from results.reports.duel_report import ContestResult, Remainder
from results.storage.contents import Contents
from results.storage.finishes import Finish

__all__ = ["Duel"]

GROWTH = 8
"""An epoch has one 16 of blocks of each contest, and one more for each 8 that were planned before.

Many workers then have enough to do, and few blocks are played that do not count.
"""


class Duel:
    """The plan of a duel and its results so far.  It plans as ladder.run.schedule.Schedule does."""

    @classmethod
    def of(cls, run: Run) -> Duel | None:
        """Return the duel that *run* is, before its first block.

        None if *run* is of another kind, or its plan or its secret is not here.
        """
        settings = run.settings
        if settings.duel is None or settings.blocks is None or not run.has_secret:
            return None
        bots = [(bot["name"], bot["version"]) for bot in run.bots]
        keys = Keys(bytes.fromhex(run.secret))
        return cls(settings.contests, bots, keys, settings.duel, settings.blocks, settings.without)

    def __init__(
        self,
        contests: Sequence[Contest],
        bots: Sequence[tuple[str, str]],
        keys: Keys,
        terms: DuelTerms,
        totals: Sequence[int],
        without: Sequence[WithoutBot] = (),
    ) -> None:
        """Start before the first block of *contests* between *bots*, by name and version.

        *totals* is the most blocks of each contest.  The first two bots of each are the new and the old one.
        *without* are bots of the field, and the first block that is planned without each.
        """
        alpha = terms.alpha / len(contests)
        self.ends: list[int] = []
        """The number of blocks of the duel up to the end of each epoch planned so far."""
        self.end: int | None = None
        """The number of the block before which the duel ends; None while a contest is open."""
        self._keys = keys
        self._matches = 0
        self._parts = [*terms.parts]
        """The parts before the last that are not planned yet."""
        gone = {
            bots.index((left.name, left.version)): left.since for left in without if left.since is not None
        }
        self._contests = [
            _Contest(i, contest, [bots[bot] for bot in contest.bots[:2]], alpha, terms, total, gone)
            for i, (contest, total) in enumerate(zip(contests, totals, strict=True))
        ]
        self._by_name = {contest.contest.name: contest for contest in self._contests}
        self._begin_part()

    def _begin_part(self) -> None:
        """Let the contests have as many blocks as in the first of the parts that are left."""
        limits = self._parts[0].totals if self._parts else [contest.total for contest in self._contests]
        for contest, limit in zip(self._contests, limits, strict=True):
            contest.limit = limit

    @property
    def over(self) -> bool:
        """Whether nothing is left to be planned."""
        return not self._open_contests()

    def planned(self) -> int:
        """Return the most matches that the duel can have."""
        known = self._known
        left = [c for c in self._contests if c.planned < c.total and not c.is_decided_before(known)]
        return self._matches + sum(c.contest.seats * (c.total - c.planned) for c in left)

    def next_epoch(self, known: Known) -> list[Block]:
        """Return the blocks of the next epoch, the contests one after another.

        The last contest that is open gets all the blocks it may have: its plan depends on nothing.
        """
        start = self.ends[-1] if self.ends else 0
        end = self._parts[0].end if self._parts else math.inf
        contests = self._open_contests()
        rounds = 1 + max(c.planned for c in contests) // (LOOK_BLOCKS * GROWTH)
        blocks: list[Block] = []
        for contest in contests:
            left = contest.limit - contest.planned
            count = left if len(contests) == 1 else min(left, rounds * LOOK_BLOCKS)
            first = start + len(blocks)
            for number in range(first, int(min(first + count, end))):
                blocks.append(Block(number, self._matches, contest.index, contest.seat(self._keys, number)))
                self._matches += contest.contest.seats
        self.ends.append(start + len(blocks))
        if self.ends[-1] == end:
            self._parts.pop(0)
            self._begin_part()
        return blocks

    @property
    def _known(self) -> int:
        """The number of blocks whose results the next epoch may depend on."""
        return self.ends[-2] if len(self.ends) > 1 else 0

    def _open_contests(self) -> list[_Contest]:
        """Return the contests that the next epoch has: not those decided before the last one began."""
        known = self._known
        return [c for c in self._contests if c.planned < c.limit and not c.is_decided_before(known)]

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

    def hear_all(self, contents: Contents, run: int) -> None:
        """Take all results of *run*, the run of this duel, that *contents* have without a gap."""
        for finishes in contents.finishes(run):
            self.hear(finishes.rows())

    def raise_totals(self, totals: Sequence[int]) -> tuple[int, ...] | None:
        """Return the most blocks of each contest if the duel, which has ended, goes on up to *totals*.

        A contest that is decided has no more blocks.  None if no other one would have more.
        """
        open_ = [contest for contest in self._contests if not contest.is_sure]
        if all(totals[contest.index] <= contest.total for contest in open_):
            return None
        return tuple(
            contest.heard if contest.is_sure else max(contest.total, total)
            for contest, total in zip(self._contests, totals, strict=True)
        )

    def results(self) -> list[ContestResult]:
        """Return what is known of each contest now, whether it is looked at or not."""
        return [contest.result() for contest in self._contests]


class _Contest:
    """A contest of a duel: its blocks so far and what follows from them."""

    def __init__(
        self,
        index: int,
        contest: Contest,
        duelists: Sequence[tuple[str, str]],
        alpha: float,
        terms: DuelTerms,
        total: int,
        gone: Mapping[int, int],
    ) -> None:
        self.index = index
        self.contest = contest
        self.total = total
        """The most blocks that it may have."""
        self.limit = total
        """The most blocks that it may have up to the end of the part that is planned."""
        self.planned = 0
        self.decided: int | None = None
        """The number of the block that decided it, or that was its last."""
        self._duelists = duelists
        self._alpha = alpha
        self._margin = terms.margin
        self._adjusted = terms.most_luck is not None
        self._tally = FaultyTally(contest.seats, terms.most_luck, terms.faults)
        self.heard = 0
        """The number of its blocks until it was decided."""
        self._intervals = UNKNOWN
        self._verdict = Verdict.UNDECIDED
        self._gone = gone
        """The first block without each bot of the field that was left out."""
        self._field: list[int] = []
        self._order: list[int] = []
        self._rounds = 0
        """How often the field was brought into an order..."""
        self._turn = 0
        """...and the blocks planned since then."""

    @property
    def is_sure(self) -> bool:
        """Whether there is a verdict."""
        return self._verdict is not Verdict.UNDECIDED

    def is_decided_before(self, block: int) -> bool:
        return self.decided is not None and self.decided < block

    def seat(self, keys: Keys, number: int) -> tuple[int, ...]:
        """Return the bots of its next block, which has this *number*.

        At two seats the order is that of the rotations anyway.  In as many blocks as the field has bots, each
        of them plays equally often.
        """
        new, old, *field = self.contest.bots
        others = self.contest.seats - 2
        self.planned += 1
        if not others:
            return (new, old)
        field = [bot for bot in field if number < self._gone.get(bot, math.inf)]
        if field != self._field or self._turn == len(field):
            rng = keys.schedule(self.contest.name, self._rounds)
            self._order = sorted(field, key=lambda bot: (rng.random(), bot))
            self._field, self._turn, self._rounds = field, 0, self._rounds + 1
        first = self._turn * others
        self._turn += 1
        table = [new, old, *(self._order[(first + i) % len(field)] for i in range(others))]
        rng = keys.duel(number)
        return tuple(sorted(table, key=lambda bot: rng.random()))

    def hear(self, number: int, matches: Sequence[Sequence[Finish]]) -> None:
        """Count a block, unless the contest was decided before it; look if it is time.

        A block of which a match is void, for a bot was left out, does not count.
        """
        if self.decided is not None:
            return
        self.heard += 1
        if len(matches) == self.contest.seats:
            seats = [[_seat_of(bot, match) for bot in self._duelists] for match in matches]
            luck = sum(new.luck for new, _ in seats) if self._adjusted else 0
            self._tally.add([((new.rank, new.fault), (old.rank, old.fault)) for new, old in seats], luck)
        if self.heard % LOOK_BLOCKS == 0 or self.heard == self.total:
            self._look()
            if self._verdict is not Verdict.UNDECIDED or self.heard == self.total:
                self.decided = number

    def _look(self) -> None:
        self._intervals = self._tally.find_intervals(self._alpha)
        self._verdict = self._intervals.judge(self._margin)

    def result(self) -> ContestResult:
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
        )


def _seat_of(bot: tuple[str, str], match: Sequence[Finish]) -> Finish:
    return next(seat for seat in match if seat.bot == bot)
