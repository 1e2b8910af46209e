"""The plan of a run as it grows: an epoch is planned when the one before the last is rated.

In a tournament it is planned when the last one is rated: no round begins before all of it is known.

What was planned is stored before any of it is handed out: a resumed run takes it from there.  If that is
lost, it follows from the matches once more.

A plain round robin waits for no results: its epochs are planned as tables need them.  So a bot that is
suspended stays in the plan, and its blocks are left out from two epochs later on.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from ladder.contest.blocks import PlannedBlock
from ladder.run.belief import Belief, Beliefs, Evidence
from ladder.run.discipline import Conduct, Notice
from ladder.run.ratings import RunRatings
from ladder.run.run_plan import RunPlan, judges_epochs, rests_on_ratings
from ladder.run.schedule import FREE_PLAN, Epoch, KnownResults
from ladder.run.until.rule import RatedBlocks
from ladder.worker.worker_messages import Setup
from results.rating.parameters import Parameters
from results.record import Run, WithoutBot
from results.storage.store import Store

Reason: TypeAlias = Literal["suspended", "spent", "without"]
"""Why later matches of a bot are void: suspended, its share of a budget spent, or left out by --without."""

HELD_BLOCKS = 1_024
"""A plan that waits for no results is continued when fewer blocks than this are not handed out."""
AHEAD_BLOCKS = 50_000
"""... and goes no further than this beyond the first block that is not rated.  It bounds memory."""


class _Line(msgspec.Struct, frozen=True):
    """A line of the stored plan."""

    number: int
    epoch: Epoch | None
    """None: a rule ends the run before this epoch."""


class _Basis(NamedTuple):
    """What was known at the end of an epoch, which steers the epoch after the next."""

    belief: Belief | None
    known: KnownResults
    closed: Collection[int]
    """The contests that need no more blocks."""


class Planner:
    """The epochs of a run: those that are planned, and what the next one rests on."""

    def __init__(self, store: Store, run: Run, setup: Setup, ratings: RunRatings, plan: RunPlan) -> None:
        """Plan nothing yet."""
        settings = run.settings
        self.rule = plan.rule
        """What ends the run before its schedule is over."""
        self.run_end: int | None = None
        """The number of the first block that the run will not have; None while no rule has ended it."""
        self.without: dict[int, int | None] = {
            index: left.since
            for left in settings.without
            for index, bot in enumerate(setup.bots)
            if (bot.bot, bot.version) == (left.name, left.version)
        }
        """The bots that the run continues without, with the first block that is planned without them."""
        self._bots = setup.bots
        self._store = store
        self._is_shard = settings.shard is not None
        self._rests_on_ratings = rests_on_ratings(settings)
        self.waits = _waits_for_results(run)
        """Whether an epoch is planned only when the one before the last is rated."""
        apart = settings.duel, settings.shard, settings.reference, settings.tournament
        self.heeds_conduct = not any(apart)
        """Whether bots are suspended, or on probation."""
        self._schedule = plan.schedule
        self._goes_on = settings.link is not None and settings.link.owed is not None
        self._conduct = Conduct()
        self._beliefs = Beliefs(
            Evidence(
                setup.contests,
                [(bot.bot, bot.version) for bot in setup.bots],
                {game: Parameters.read(numbers) for game, numbers in run.ratings.items()},
                ratings.before,
                lambda: ratings.tally.totals.counts,
            )
        )
        self._known: list[_Basis] = []
        """What was known at the end of each epoch, which steers the epoch after the next."""
        self._stored = {line.number: line for line in map(_decode, store.plan(run.run)) if line}

    @property
    def end(self) -> int:
        """The number of blocks that are planned."""
        return self._schedule.ends[-1] if self._schedule.ends else 0

    @property
    def is_over(self) -> bool:
        """Whether the whole run is planned."""
        return self._schedule.over

    @property
    def is_whole(self) -> bool:
        """Whether all that is left of the run may be planned at once."""
        return self._schedule.is_whole

    @property
    def matches(self) -> int | None:
        """The number of matches that the run will have; None if the clock ends it."""
        return self._schedule.count_planned()

    def end_of_epoch(self, block: int) -> int:
        """Return the number of blocks up to the end of the epoch of this *block*, which is planned."""
        return next(end for end in self._schedule.ends if end > block)

    def extend(self, rated: int, held: int = HELD_BLOCKS) -> list[PlannedBlock]:
        """Plan every epoch whose basis is known, when the blocks before number *rated* are rated.

        The basis is all blocks up to the end of the epoch before the last.  A shard has no results of the
        whole run, so its epochs are planned without knowledge.  A plan that waits for no results goes on
        while few planned blocks are left; *held* is their number.
        """
        blocks: list[PlannedBlock] = []
        while self._is_open() and self._may_plan(rated, held + len(blocks)):
            if (epoch := self._next()) is not None:
                blocks += self._schedule.add(epoch)
            else:
                self.rule.settle()
                self.run_end = self.end if self.run_end is None else self.run_end
                self._schedule.close(range(len(self._schedule.contests)))
        return blocks

    def _is_open(self) -> bool:
        """Return whether more can be planned, now that the rule may have closed contests."""
        if basis := self._basis:
            self._schedule.close(basis.closed)
        return not self._schedule.over

    @property
    def _basis(self) -> _Basis | None:
        """What the next epoch rests on; None if that is nothing, or not known yet."""
        number, lag = len(self._schedule.ends), self._schedule.lag
        return self._known[number - lag] if self.waits and lag <= number < len(self._known) + lag else None

    def _may_plan(self, rated: int, held: int) -> bool:
        ends, lag = self._schedule.ends, self._schedule.lag
        if len(ends) < lag or rated >= ends[-lag]:
            return True
        if self.waits or held >= HELD_BLOCKS:
            return False
        return ends[-1] + self._schedule.next_size <= rated + AHEAD_BLOCKS

    def is_left_out(self, block: PlannedBlock) -> bool:
        """Return whether *block* is void for its bots, as known now: final once all before it are rated."""
        return self.is_without(block) or self.why_ruled_out(block) is not None

    def why_ruled_out(self, block: PlannedBlock) -> Reason | None:
        """Return why the results before *block* leave it out, as far as they are known; None: they do not."""
        is_spent = self._is_spent(block)
        if not (is_spent or self.is_suspended(block)):
            return None
        return "without" if self.is_without(block) else "spent" if is_spent else "suspended"

    def _is_spent(self, block: PlannedBlock) -> bool:
        """Return whether *block* has a bot that a rule has left out by then."""
        gone = self.rule.gone
        return bool(gone) and any(
            block.number >= gone.get((self._bots[bot].bot, self._bots[bot].version), block.number + 1)
            for bot in block.bots
        )

    def is_without(self, block: PlannedBlock) -> bool:
        """Return whether *block* has a bot that the run continues without."""
        return not self.without.keys().isdisjoint(block.bots)

    def is_suspended(self, block: PlannedBlock) -> bool:
        """Return whether *block* has a bot that was suspended by the end of the epoch before the last."""
        if self.waits or not self.heeds_conduct:
            return False
        epoch = bisect_right(self._schedule.ends, block.number)
        if not 2 <= epoch <= len(self._known) + 1:
            return False
        return not set(block.bots).isdisjoint(self._known[epoch - 2].known.suspended)

    def _next(self) -> Epoch | None:
        """Return the next epoch, as it is stored or as it follows from what is known; None to end the run."""
        schedule, basis = self._schedule, self._basis
        number = len(schedule.ends)
        stored = self._stored.get(number)
        # those without which the run continues by now
        left = {bot for bot, since in self.without.items() if since is not None and since <= self.end}
        rows = stored.epoch.rows if stored and stored.epoch else ()
        if stored is not None and all(left.isdisjoint(bots) for _, bots, _ in rows):
            return stored.epoch
        belief = basis.belief if basis else self._initial
        known = basis.known if basis else KnownResults()
        if left and not self._is_shard:
            known = known._replace(suspended={*known.suspended, *left})
        held = {*known.suspended, *known.on_probation}
        # a belief that is reused was judged before, and has nothing new to say
        is_new = basis is not None and belief is not None and belief.end == schedule.ends[-2]
        epoch: Epoch | None = None
        if not (belief and is_new and self.rule.is_settled(belief, held)):
            epoch = schedule.plan(known._replace(orders=belief.orders if belief else {}))
        if self._rests_on_ratings:
            self._store.append_plan(msgspec.json.encode(_Line(number, epoch)))
        return epoch

    @cached_property
    def _initial(self) -> Belief | None:
        """What is known before the first block: in a link of a chain, what all earlier runs say."""
        return self._beliefs.at(0) if self._goes_on else None

    def leave_out(self, bots: Iterable[int]) -> None:
        """Go on without *bots*; `settle_without` fixes from which block on."""
        self.without |= dict.fromkeys(bots)

    def settle_without(self, first: int) -> tuple[WithoutBot, ...]:
        """Plan the blocks from *first* on without the bots for which no first block is fixed; return all."""
        self.without = {bot: first if since is None else since for bot, since in self.without.items()}
        return tuple(
            WithoutBot(self._bots[bot].bot, self._bots[bot].version, since)
            for bot, since in self.without.items()
        )

    def rate(self, rated: RatedBlocks) -> bool:
        """Take the results of the next, rated, blocks; return whether an epoch ends: more may be planned."""
        for bot, fault in rated.endings:
            self._conduct.add(bot, fault)
        self.rule.hear(rated)
        if self.run_end is None:
            self.run_end = self.rule.end
        end = rated.end
        if self._is_shard or end != self._schedule.ends[len(self._known)]:
            return False
        belief = self._beliefs.at(end) if self._rests_on_ratings else None
        self._known.append(_Basis(belief, self._known_now(), self.rule.closed))
        return True

    def _known_now(self) -> KnownResults:
        """Return which bots are suspended or on probation now."""
        out = {*self._conduct.suspended, *self.rule.gone}
        held = [
            {i for i, bot in enumerate(self._bots) if (bot.bot, bot.version) in of}
            for of in (out, self._conduct.on_probation)
        ]
        return KnownResults({}, *held)

    def take_notices(self) -> list[Notice]:
        """Return which bots are newly suspended or on probation since the last call."""
        return self._conduct.take_notices()


def _waits_for_results(run: Run) -> bool:
    """Return whether the plan of *run* follows from its results, or is of a version that waits for them."""
    settings = run.settings
    if int(run.versions.get("plan", "1")) < FREE_PLAN or settings.duel or settings.tournament:
        return True
    return settings.shard is None and (settings.schedule != "round-robin" or judges_epochs(settings))


def _decode(line: bytes) -> _Line | None:
    try:
        return msgspec.json.decode(line, type=_Line)
    except msgspec.MsgspecError:  # of another version
        return None
