"""A duel: which blocks it plays, and the block after which it ends.

Each block seats the new bot, the old one and, at larger tables, others of the field.  The bots bet on whole
blocks (results.rating.betting), and it is looked at only after every 16th block of a contest, so the end
follows from the results alone and not from how many blocks are played at once.

With several contests, each gets an equal number of blocks at a time until it is decided.  What a part of the
plan depends on was known two parts earlier (see Coordinator), so a contest that is decided plays on for at
most two parts.  Those blocks are kept, and not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from ladder.contest.blocks import Block, Contest
from ladder.contest.keys import Keys
from ladder.run.schedule import Known
from results.rating.betting import LOOK_BLOCKS, Interval, Tally, Verdict, find_interval, judge
from results.record import DuelTerms
from results.reports.duel import ContestResult
from results.storage.finishes import Finish

__all__ = ["Duel"]

GROWTH = 8
"""A part of the plan has one 16 of blocks of each contest, and one more for each 8 that were planned before.

Many workers then have enough to do, and few blocks are played that do not count.
"""


class Duel:
    """The plan of a duel and its results so far.  It plans as ladder.run.schedule.Schedule does."""

    def __init__(
        self,
        contests: Sequence[Contest],
        bots: Sequence[tuple[str, str]],
        keys: Keys,
        terms: DuelTerms,
        totals: Sequence[int],
    ) -> None:
        """Start before the first block of *contests* between *bots*, by name and version.

        *totals* is the most blocks of each contest.  The first two bots of each are the new and the old one.
        """
        alpha = terms.alpha / len(contests)
        self.ends: list[int] = []
        """The number of blocks of the duel up to the end of each part planned so far."""
        self.end: int | None = None
        """The number of the block before which the duel ends; None while a contest is open."""
        self._keys = keys
        self._matches = 0
        self._contests = [
            _Contest(i, contest, [bots[bot] for bot in contest.bots[:2]], alpha, terms.margin, total)
            for i, (contest, total) in enumerate(zip(contests, totals, strict=True))
        ]
        self._by_name = {contest.contest.name: contest for contest in self._contests}

    @property
    def over(self) -> bool:
        """Whether nothing is left to be planned."""
        return not self._open_contests()

    def planned(self) -> int:
        """Return the most matches that the duel can have."""
        left = sum(c.contest.seats * (c.total - c.planned) for c in self._open_contests())
        return self._matches + left

    def next_epoch(self, known: Known) -> list[Block]:
        """Return the blocks of the next part, the contests one after another.

        The last contest that is open gets all the blocks it may have: its plan depends on nothing.
        """
        start = self.ends[-1] if self.ends else 0
        contests = self._open_contests()
        rounds = 1 + max(c.planned for c in contests) // (LOOK_BLOCKS * GROWTH)
        blocks: list[Block] = []
        for contest in contests:
            left = contest.total - contest.planned
            for _ in range(left if len(contests) == 1 else min(left, rounds * LOOK_BLOCKS)):
                number = start + len(blocks)
                blocks.append(Block(number, self._matches, contest.index, contest.seat(self._keys, number)))
                self._matches += contest.contest.seats
        self.ends.append(start + len(blocks))
        return blocks

    def _open_contests(self) -> list[_Contest]:
        """Return the contests that the next part has: not those decided before the last part began."""
        known = self.ends[-2] if len(self.ends) > 1 else 0
        return [c for c in self._contests if c.planned < c.total and not c.is_decided_before(known)]

    def hear(self, finishes: Iterable[Finish]) -> None:
        """Take the results of the next blocks, in number order."""
        for number, block in groupby(finishes, attrgetter("block")):
            matches = [list(match) for _, match in groupby(block, attrgetter("number"))]
            contest = self._by_name[f"{matches[0][0].game}-{len(matches[0])}"]
            contest.hear(number, matches)
            if self.end is None and all(each.decided is not None for each in self._contests):
                self.end = number + 1

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
        margin: float | None,
        total: int,
    ) -> None:
        self.index = index
        self.contest = contest
        self.total = total
        self.planned = 0
        self.decided: int | None = None
        """The number of the block that decided it, or that was its last."""
        self._duelists = duelists
        self._alpha = alpha
        self._margin = margin
        self._tally = Tally(contest.seats)
        self._faults: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._heard = 0
        self._interval = Interval(-1.0, 1.0)
        self._verdict = Verdict.UNDECIDED
        self._order: list[int] = []

    def is_decided_before(self, block: int) -> bool:
        return self.decided is not None and self.decided < block

    def seat(self, keys: Keys, number: int) -> tuple[int, ...]:
        """Return the bots of its next block, which has this *number*.

        At two seats the order is that of the rotations anyway.  In as many blocks as the field has bots, each
        of them plays equally often.
        """
        new, old, *field = self.contest.bots
        index, others = self.planned, self.contest.seats - 2
        self.planned += 1
        if not others:
            return (new, old)
        if index % len(field) == 0:
            rng = keys.schedule(self.contest.name, index // len(field))
            self._order = sorted(field, key=lambda bot: (rng.random(), bot))
        first = index % len(field) * others
        table = [new, old, *(self._order[(first + i) % len(field)] for i in range(others))]
        rng = keys.duel(number)
        return tuple(sorted(table, key=lambda bot: rng.random()))

    def hear(self, number: int, matches: Sequence[Sequence[Finish]]) -> None:
        """Count a block, unless the contest was decided before it; look if it is time.

        A block of which a match is void, for a bot was left out, does not count.
        """
        if self.decided is not None:
            return
        self._heard += 1
        if len(matches) == self.contest.seats:
            seats = [[_seat_of(bot, match) for bot in self._duelists] for match in matches]
            self._tally.add((new.rank, old.rank) for new, old in seats)
            for pair in seats:
                for seat, faults in zip(pair, self._faults, strict=True):
                    faults.update([seat.fault] if seat.fault else [])
        if self._heard % LOOK_BLOCKS == 0 or self._heard == self.total:
            self._look()
            if self._verdict is not Verdict.UNDECIDED or self._heard == self.total:
                self.decided = number

    def _look(self) -> None:
        self._interval = find_interval(self._tally, self._alpha)
        self._verdict = judge(self._interval, self._margin)

    def result(self) -> ContestResult:
        if self.decided is None:
            self._interval = find_interval(self._tally, self._alpha)
        return ContestResult(
            self.contest.game, self._tally, self._interval, self._verdict, self._alpha, self._faults
        )


def _seat_of(bot: tuple[str, str], match: Sequence[Finish]) -> Finish:
    return next(seat for seat in match if seat.bot == bot)
