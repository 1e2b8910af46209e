"""The parent of a run: hands out blocks, journals them as they arrive, rates and seals them in order."""

from __future__ import annotations

import logging
import re
import time
from collections import deque
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from ladder.blocks import Block, ScheduledMatch, matches_of
from ladder.errors import LadderError, RunStopped
from ladder.executors.base import Executor
from ladder.executors.local import block_error
from ladder.keys import Keys
from ladder.referee.lapses import Lapses
from ladder.referee.records import void_record
from ladder.run.discipline import Conduct
from ladder.run.schedule import Known, Schedule, Skill
from ladder.run.status import Status, Stop
from ladder.worker.messages import Setup
from ladder.worker.spending import Spending
from results.rating import cache
from results.rating.fold import Fold
from results.record import Block as BlockRecord
from results.record import Run, WithoutBot, encode_block
from results.storage.finishes import Ending, standing_matches
from results.storage.store import Store

__all__ = ["Coordinator"]

log = logging.getLogger(__name__)

_SEAT = re.compile(r"\$\.matches\[(\d+)\]\.seats\[(\d+)\]")
"""Where a record that cannot be kept is wrong, as the reason names it: which match, which seat."""

SEAL_MATCHES = 10_000
"""The journal is sealed into a segment whenever so many matches are rated."""
COMMIT_SECONDS = 1.0
"""What has arrived is made safe at least so often."""
CHUNK_BLOCKS = 64
"""The most blocks of a chunk."""
UNPIN_US = 1_000
"""Bots that think longer than this on average get the whole machine, not a core shared with a referee."""
DRAIN_SECONDS = 10.0
"""How long blocks in hand may take to finish after the first Ctrl-C."""


class Coordinator:
    """A run while it is being played."""

    @classmethod
    def resume(cls, store: Store, run: Run, setup: Setup, report: Callable[[Status], None]) -> Coordinator:
        """Take up *run* where its committed blocks end; a new run ends before its first block.

        *report* is called with every news.
        """
        coordinator = cls(store, run, setup, report, cache.fold_before(store, run))
        coordinator._recover()
        coordinator._settle_without()
        return coordinator

    def __init__(
        self, store: Store, run: Run, setup: Setup, report: Callable[[Status], None], fold: Fold
    ) -> None:
        """Begin before the first block of *run*: *fold* has rated all blocks of earlier runs."""
        self.run = run
        self.status = Status(limit_s=run.settings.for_s)
        self._store = store
        self._setup = setup
        self._report = report
        shard = run.settings.shard
        self._shard = range(shard.first, shard.end) if shard else None
        totals = run.settings.blocks
        self._keys = Keys(setup.secret)
        self._schedule = Schedule(
            setup.contests,
            self._keys,
            run.settings.schedule,
            [run.ratings[contest.game]["beta"] for contest in setup.contests],
            totals,
            run.settings.epochs,
            self._shard,
        )
        self._without: dict[int, int | None] = {
            index: left.since
            for left in run.settings.without
            for index, bot in enumerate(setup.bots)
            if (bot.bot, bot.version) == (left.name, left.version)
        }
        """The bots that the run goes on without, each with the first block that is planned without it."""
        self._refused: LadderError | None = None
        """Why a block could not be recorded, if one could not."""
        self.fold = fold
        self._next = run.first_block
        """The first block that is not rated."""
        self._arrived: dict[int, BlockRecord] = {}
        """Blocks behind the first that is not rated."""
        self._conduct = Conduct()
        self._lapses = Lapses()
        self.spending = Spending()
        """Who has used the time of this command."""
        self._known: list[Known] = []
        """What was known at the end of each epoch."""
        self._plan: deque[Block] = deque()
        self._in_hand: dict[int, Block] = {}
        """What the executor has, by number."""
        self._unsealed = 0
        self._block_s = 0.0
        """How long a block keeps a worker busy, on a moving average."""
        self._think_us = 0.0
        self._decisions = 0
        """How long bots have thought in all, and how often."""
        self._committed_at = time.monotonic()
        self._promised = 0
        """The last block that was committed before this command: the clock ends no run before it."""

    def _recover(self) -> None:
        """Rate what is committed, planning the epochs again as they were.

        What is sealed is an unbroken prefix, read a segment at a time, and no more of it than ratings need.
        """
        contents = self._store.contents()
        for finishes in contents.sealed_finishes(self.run.run):
            while finishes.blocks:
                self._plan_ahead()
                epoch_end = next(end for end in self._schedule.ends if end > self._next)
                rated, finishes = finishes.split(epoch_end)
                while self._plan and self._plan[0].number < rated.blocks.stop:
                    self._plan.popleft()
                self.fold.add_finished(rated)
                self._count(rated.blocks.stop, rated.matches, rated.endings())
        self.status.faults.update(contents.count_charged(self.run.run))
        for bot, version, reason in contents.uncharged_faults(self.run.run):
            self._lapses.hear(f"{bot}@{version}", reason)
        for block in contents.journal_blocks:
            self._arrived[block.number] = block
            self._hear_of(block)
            self._plan_ahead()
            if self._plan and self._plan[0].number == block.number:
                self._plan.popleft()
            self._rate()
        self._plan_ahead()
        self._plan = deque(block for block in self._plan if block.number not in self._arrived)
        self._promised = max(self._arrived, default=0)
        self.status.before = self.status.done
        if self.status.limit_s is not None:
            self.status.limit_s = max(0.0, self.status.limit_s - _covered_s(contents.spans(self.run.run)))
        self._unsealed = 0

    def _settle_without(self) -> None:
        """Fix, once, from which block on the run is planned without a bot: what is planned by now stays."""
        if None not in self._without.values():
            return
        first = max([*self._schedule.ends[-1:], *(number + 1 for number in self._arrived), 0])
        self._without = {bot: first if since is None else since for bot, since in self._without.items()}
        bots = self._setup.bots
        without = tuple(
            WithoutBot(bots[bot].bot, bots[bot].version, since) for bot, since in self._without.items()
        )
        self.run = self._store.amend(replace(self.run.settings, without=without))

    def play(self, executor: Executor, stop: Stop) -> Run:
        """Play the run to its end and return it.

        Raises RunStopped if *stop* asks, after what it allows, and LadderError for what ends the run: then
        all other work that is done, or gets done in time, is kept.
        """
        began = time.monotonic()
        if self._lapses.counts:
            executor.tell(self._lapses.counts)
        while not self._done():
            if stop.asked:
                self._stopped(executor, stop)
            try:
                self._hand_out(executor)
                for number, payload in executor.results(timeout=0.1):
                    self._arrive(number, payload, executor)
                if self._refused:
                    raise self._refused
            except LadderError:
                self._drain(executor, stop)
                raise
            self.hear_outlays(executor)
            self.status.at(time.monotonic() - began)
            self._keep(executor)
            self._report(self.status)
        if self._without and self.status.total is not None:  # what was left out is not to come any more
            self.status.total = self.status.done
        run = self._store.finish(self.run.run, self._next)
        self.fold.finish()
        cache.save(self._store, self.fold)
        return run

    def hear_outlays(self, executor: Executor) -> None:
        """Take in what workers have told of starts and ends, their last word of it after they are closed."""
        for outlays in executor.outlays():
            self.spending.add(outlays)

    def _done(self) -> bool:
        return not self._in_hand and not self._due()

    def _due(self) -> bool:
        """Return whether there is a block to hand out: in time, or before one that is committed already."""
        self._plan_ahead()
        return bool(self._plan) and (not self._time_is_up() or self._plan[0].number < self._promised)

    def _time_is_up(self) -> bool:
        return self.status.limit_s is not None and self.status.seconds >= self.status.limit_s

    # -- handing out

    def _plan_ahead(self) -> None:
        """Plan every epoch for which enough is known: all that comes before the one before it is rated.

        What steers epochs are results of the whole run, so nothing steers those of a shard.
        """
        ends = self._schedule.ends
        while not self._schedule.over and (len(ends) < 2 or self._next >= ends[-2]):
            epoch = len(ends)
            known = self._known[epoch - 2] if epoch >= 2 and self._shard is None else Known()
            blocks = self._schedule.next_epoch(self._known_without(known))
            self._plan.extend(block for block in blocks if block.number not in self._arrived)
            self.status.total = self._schedule.planned()

    def _known_without(self, known: Known) -> Known:
        """Return *known* with the bots that the next epoch is planned without; a shard plans like others."""
        start = self._schedule.ends[-1] if self._schedule.ends else 0
        left = {bot for bot, since in self._without.items() if since is not None and since <= start}
        return known._replace(suspended={*known.suspended, *left}) if left and not self._shard else known

    def _hand_out(self, executor: Executor) -> None:
        while self._due() and executor.room():
            if not self._without.keys().isdisjoint(self._plan[0].bots):
                self._leave_out(self._plan.popleft())
                continue
            chunk = self._chunk(executor)
            self._in_hand.update((block.number, block) for block in chunk)
            executor.submit(chunk)

    def _chunk(self, executor: Executor) -> list[Block]:
        """Take the next blocks of one table off the plan, as many as should be played in a row."""
        size = round(executor.chunk_s / self._block_s) if self._block_s else 1
        size = min(max(size, executor.parallel(self._plan[0])), CHUNK_BLOCKS)
        chunk = [self._plan.popleft()]
        while self._plan and len(chunk) < size and self._plan[0].seating == chunk[0].seating:
            chunk.append(self._plan.popleft())
        return chunk

    def _leave_out(self, block: Block) -> None:
        """Record *block*, of a bot that the run goes on without, as matches that were not played."""
        setup = self._setup
        bots = [[setup.bots[i] for i in fixture.bots] for fixture in self._fixtures(block)]
        matches = [
            void_record(self.run.run, setup.confinement.tier, self._keys, fixture, seated)
            for fixture, seated in zip(self._fixtures(block), bots, strict=True)
        ]
        record = BlockRecord(block.number, matches, [])
        self._store.append(block.number, encode_block(record))
        self._arrived[block.number] = record
        self._rate()

    def _fixtures(self, block: Block) -> list[ScheduledMatch]:
        return matches_of(block, self._setup.contests[block.contest])

    # -- taking in

    def _arrive(self, number: int, payload: bytes, executor: Executor) -> None:
        """Journal a block, which is its commit, and rate what has become the unbroken prefix."""
        in_hand = self._in_hand.pop(number, None)
        try:
            block = self._store.append(number, payload)
        except ValueError as error:
            self._refused = self._refused or self._refusal(number, in_hand, str(error))
            return
        if block is None:  # a second result of a block is not wanted
            return
        self._arrived[number] = block
        self.status.came += len(standing_matches(block))
        if self._hear_of(block):
            executor.tell(self._lapses.counts)
        self._time(block, executor.parallel(in_hand) if in_hand else 1)
        self._rate()

    def _hear_of(self, block: BlockRecord) -> bool:
        """Count what bots were forgiven in *block*; return whether there is something."""
        forgiven = [fault for fault in block.faults if not fault.charged]
        return sum(self._lapses.hear(f"{f.bot}@{f.version}", f.reason) for f in forgiven) > 0

    def _refusal(self, number: int, block: Block | None, why: str) -> LadderError:
        """Return what to say of a block that cannot be recorded."""
        bots = [self._setup.bots[i].id for i in block.bots] if block else []
        found = _SEAT.search(why)
        if found and block and int(found[1]) < len(fixtures := self._fixtures(block)):
            bots = [self._setup.bots[fixtures[int(found[1])].bots[int(found[2])]].id]
        return block_error(f"block {number} of run {self.run.run} cannot be recorded: {why}", bots)

    def _time(self, block: BlockRecord, parallel: int) -> None:
        """See how long *block* took; where matches were *parallel*, each lasted while others were served."""
        seconds = sum(match.duration_us for match in block.matches) / 1e6 / parallel
        self._block_s += (seconds - self._block_s) * (0.05 if self._block_s else 1.0)
        self.spending.add_matches(seconds)
        for match in block.matches:
            for seat in match.seats:
                think_us = sum(seat.think_us) / parallel
                self._think_us += think_us
                self._decisions += len(seat.think_us)
                self.spending.add_thinking(f"{seat.bot}@{seat.version}", think_us)

    def _rate(self) -> None:
        while block := self._arrived.pop(self._next, None):
            self._unsealed += len(block.matches)
            self.status.faults.update(fault.kind for fault in block.faults if fault.charged)
            self.fold.add(block)
            matches = standing_matches(block)
            endings = (((seat.bot, seat.version), seat.fault) for match in matches for seat in match.seats)
            self._count(block.number + 1, len(matches), endings)

    def _count(self, end: int, matches: int, endings: Iterable[Ending]) -> None:
        """Take note that the blocks before number *end* are rated, of *matches* more and how they ended."""
        for bot, fault in endings:
            self._conduct.add(bot, fault)
        self._next = end
        self.status.done += matches
        if self._shard is None and self._next == self._schedule.ends[len(self._known)]:
            self._known.append(self._known_now())
            self._plan_ahead()  # what is behind a lost segment may reach into epochs beyond

    def _known_now(self) -> Known:
        """Return what is known now of every bot; say who is newly suspended or on probation."""
        bots = self._setup.bots
        held = [
            {i for i, bot in enumerate(bots) if (bot.bot, bot.version) in of}
            for of in (self._conduct.suspended, self._conduct.on_probation)
        ]
        before = self._known[-1] if self._known else Known()
        for bot in sorted(held[0] - set(before.suspended)):
            log.warning("%s is suspended: it could not be started in three matches in a row", bots[bot].id)
        for bot in sorted(held[1] - set(before.on_probation) - held[0]):
            log.warning("%s is on probation: it faulted in most of its last 20 matches", bots[bot].id)
        return Known(self._skills(), *held)

    def _skills(self) -> dict[int, dict[int, Skill]]:
        """Return what the ratings know now of every bot of every contest."""
        bots = self._setup.bots
        return {
            index: {
                bot: Skill(*self.fold.rating(contest.game, bots[bot].bot, bots[bot].version))
                for bot in contest.bots
            }
            for index, contest in enumerate(self._setup.contests)
        }

    def _keep(self, executor: Executor) -> None:
        """Make safe what has arrived, seal what is rated, and see whether bots should leave their core."""
        if time.monotonic() - self._committed_at >= COMMIT_SECONDS:
            self._store.commit()
            self._committed_at = time.monotonic()
            if self._think_us > UNPIN_US * self._decisions:
                executor.unpin()
        if self._unsealed >= SEAL_MATCHES:
            self._store.seal()
            cache.save(self._store, self.fold)  # so that a leaderboard need not rate all that is played
            self._unsealed = 0

    def _drain(self, executor: Executor, stop: Stop) -> None:
        """Commit the blocks in hand as far as they finish in time."""
        deadline = time.monotonic() + DRAIN_SECONDS
        for done in executor.drain():
            for number, payload in done:
                self._arrive(number, payload, executor)
            if stop.asked > 1 or time.monotonic() > deadline:
                break
        self._store.commit()
        self._report(self.status)

    def _stopped(self, executor: Executor, stop: Stop) -> None:
        """Keep what is in hand, then raise RunStopped."""
        self._drain(executor, stop)
        raise RunStopped(
            f"stopped: {self.status.done:,} matches of run {self.run.run} are kept",
            "ladder run --resume; the same command continues it, too",
            stop.exit_code,
        )


def _covered_s(spans: list[tuple[int, int]]) -> float:
    """Return how much time *spans* (from, to, in microseconds) cover together, in seconds."""
    covered = end = 0
    for start, stop in sorted(spans):
        covered += max(0, stop - max(start, end))
        end = max(end, stop)
    return covered / 1e6
