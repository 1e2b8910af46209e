"""The parent of a run: hands out blocks, journals them as they arrive, rates and seals them in order."""

import logging
import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from math import inf

from msgspec.structs import replace

from ladder.contest.blocks import PlannedBlock
from ladder.contest.keys import Keys
from ladder.errors import LadderError, RunStopped, TooBusy
from ladder.referee.lapses import Lapses
from ladder.registry.seat_caps import UNCAPPED, SeatsInProgress
from ladder.run.delayed import BESIDE_BLOCKS, DelayedBlocks
from ladder.run.discipline import Say, log_notice, text_of
from ladder.run.executors.base import Executor, Result
from ladder.run.executors.local import block_error
from ladder.run.left_out import LeftOut
from ladder.run.planner import HELD_BLOCKS, Planner
from ladder.run.ratings import RunRatings
from ladder.run.run_plan import plan_run
from ladder.run.status import Status, Stop
from ladder.run.until.rule import RatedBlocks, StoppingRule, Words
from ladder.worker.spending import Spending
from ladder.worker.worker_messages import Bound, Setup, Unplayed
from protocol.faults import ABSENT
from results.rating.rated import Rated
from results.record import Block, Fault, Run
from results.storage.finishes import rows_of, standing_matches, usages_of
from results.storage.store import Store
from results.words import count

log = logging.getLogger(__name__)

_SEAT = re.compile(r"\$\.matches\[(\d+)\]\.seats\[(\d+)\]")
"""The match and the seat in an error message of a record that cannot be stored."""

SEAL_MATCHES = 10_000
"""Seal the journal into a segment after this many rated matches."""
COMMIT_SECONDS = 1.0
"""Commit arrived blocks at least this often."""
CHUNK_BLOCKS = 64
"""The most blocks of a chunk."""
AHEAD_SECONDS = 5.0
"""To save starts of processes, blocks that a worker plays within this time are handed out of turn."""
AHEAD_BLOCKS = 512
"""The most blocks among which the next one is chosen."""
UNPIN_US = 50_000
"""Bots that think longer than this on average use every core, instead of one together with the referee.

Measured with two workers on two cores and bots that compute: with each worker and its bots on one core, runs
took 0.86 of the time at 0.3 ms a decision, 0.68 at 3 ms, 0.81 at 10 ms, and no more at 30 ms.
"""
RESUME = "end other programs, or wait until they have ended; then: ladder run --resume"
"""What helps when this machine is too busy for a run."""
LOG_SECONDS = 60.0
"""How often the log tells what keeps more tables from being in progress."""
_BOUNDS: dict[Bound, str] = {
    "": "they need the cores",
    "workers": "no worker holds more",
    "processes": "[run] processes allows no more",
    "memory": "more would need too much of the memory",
}
DRAIN_SECONDS = 10.0
"""The time for blocks in hand to finish after the first Ctrl-C."""


class Coordinator:
    """A run while it is being played."""

    @classmethod
    def resume(
        cls,
        store: Store,
        run: Run,
        setup: Setup,
        report: Callable[[Status], None],
        say: Say = log_notice,
        clock: Callable[[], float] = time.monotonic,
    ) -> "Coordinator":
        """Continue *run* after its committed blocks.  A new run has none.

        *report* is called with the status after each step, *say* with what the operator should know: a
        sentence, and what to type next.  *clock* tells the time in seconds.
        """
        coordinator = cls(store, run, setup, report, say, clock)
        coordinator._recover()
        # what is planned as a whole is planned once more: its next blocks are other ones without that bot
        if coordinator._settle_without() and coordinator._planner.is_whole:
            return cls.resume(store, coordinator.run, setup, report, say, clock)
        return coordinator

    def __init__(
        self,
        store: Store,
        run: Run,
        setup: Setup,
        report: Callable[[Status], None],
        say: Say = log_notice,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start before the first block of *run*."""
        self.run = run
        self.status = Status(limit_s=run.settings.for_s)
        self._store = store
        self._setup = setup
        self._report = report
        self._say = say
        self._clock = clock
        self._refused: LadderError | None = None
        """The error of the first block that could not be recorded, or not be played."""
        self.rated: dict[str, Rated] = {}
        """The ratings by game, once the run is finished."""
        self._ratings = RunRatings(store, run)
        plan = plan_run(run, setup)
        self.duel, self.tournament = plan.duel, plan.tournament
        """The duel or the tournament that this run is, if it is one."""
        self._planner = Planner(store, run, setup, self._ratings, plan)
        self.left_out = LeftOut(store, setup, Keys(setup.secret), self._planner)
        """The blocks that count as void because of one of their bots."""
        self._next = run.first_block
        """The number of the first block that is not rated."""
        self._arrived: dict[int, Block] = {}
        """Blocks that arrived before an earlier block; they wait for it."""
        counts = self.duel is None and not store.folder.unrated_name
        self._hint = f"{'ladder run --resume; ' if counts else ''}the same command continues it"
        self._delayed = DelayedBlocks(say, RESUME if counts else "", clock)
        """The blocks that the machine has delayed."""
        self._hurries = time.time() > run.started / 1e6 + (run.settings.for_s or inf)
        """Whether workers know that its time is up; if it was before this command, they are not told."""
        self._given_back: list[Unplayed] = []
        """The blocks whose bots waited for their service when the time was up."""
        self._lapses, self.spending = Lapses(), Spending()
        """The lapses of each bot, and the time it used in this command."""
        self._plan: deque[PlannedBlock] = deque()
        """The planned blocks that are not handed out."""
        self._in_hand: dict[int, PlannedBlock] = {}
        """The blocks that the executor has, by number."""
        self._seats = SeatsInProgress(setup.caps)
        self._unsealed, self._block_s = 0, 0.0
        """The time that a block keeps a worker busy: a moving average."""
        self._think_us, self._decisions = 0.0, 0
        """The total thinking time of all bots, and the number of decisions."""
        self._committed_at, self._logged_s = time.monotonic(), 0.0
        self._promised = 0
        """The last block that was committed before this command, or handed out of turn.

        A time limit ends the run after it.
        """
        self._end: int | None = None
        """The number of the first block that the run will not have; None if no rule has ended it."""

    def _recover(self) -> None:
        """Rate the committed blocks, and plan their epochs again as they were.

        Sealed blocks are an unbroken prefix.  They are read a segment at a time, as far as ratings need them.
        """
        contents = self._store.contents()
        budget = self.run.settings.max_cost, self.run.settings.max_tokens
        more = () if budget == (None, None) else ("seats.usage",)
        sealed = (contents.files.finishes(segment, more) for segment in contents.segments(self.run.run))
        for finishes in chain.from_iterable(sealed):
            while finishes.blocks:
                self._plan_ahead()
                rated, finishes = finishes.split(self._planner.end_of_epoch(self._next))
                skipped = []
                while self._plan and self._plan[0].number < rated.blocks.stop:
                    skipped.append(self._plan.popleft())
                self._ratings.add_finished(rated)
                endings = [*rated.endings()]
                end, matches = rated.blocks.stop, rated.matches
                self._count(RatedBlocks(end, matches, endings, rated.rows, rated.usages))
                for planned in skipped:
                    self.left_out.skip(planned)
                self._tell()
        self.status.faults.update(contents.count_charged(self.run.run))
        for bot, version, lapse in contents.lapses(self.run.run):
            self._lapses.add(f"{bot}@{version}", lapse)
        for block in contents.journal_blocks:
            self._arrived[block.number] = block
            self._count_lapses(block)
            self._plan_ahead()
            if self._plan and self._plan[0].number == block.number:
                self._plan.popleft()
            self._rate()
        self._plan_ahead()
        self._plan = deque(block for block in self._plan if block.number not in self._arrived)
        self._promised = max(self._arrived, default=0)
        self.status.before = self.status.done
        if self.status.limit_s is not None:
            self.status.limit_s = max(0.0, self.status.limit_s - contents.seconds_played(self.run.run))
        self._unsealed = 0

    def _settle_without(self) -> bool:
        """Fix the first block that is planned without a bot, once; return whether one was fixed.

        Blocks that are planned by now stay.  The plan of a duel may be whole already: there, all blocks up to
        the last one that was played stay.
        """
        if None not in self._planner.without.values():
            return False
        end = self._next if self._planner.is_whole else self._planner.end
        first = max([end, *(number + 1 for number in self._arrived)])
        without = self._planner.settle_without(first)
        self.run = self._store.amend(replace(self.run.settings, without=without))
        return True

    def play(self, executor: Executor, stop: Stop) -> Run:
        """Play the run to its end and return it.

        Raises RunStopped if *stop* asks for it, and LadderError for an error that ends the run.  Both keep
        all other blocks that are done, or are done in time.
        """
        try:
            return self._play(executor, stop)
        finally:
            self._ratings.close()

    def _play(self, executor: Executor, stop: Stop) -> Run:
        began = self._clock()
        if self._lapses.counts:
            executor.tell(self._lapses.counts)
        while self._in_hand or self._due() or self._delayed:
            if stop.asked:
                self._stop_run(executor, stop)
            try:
                self._hand_out(executor)
                for result in executor.results(timeout=0.1):
                    self._take(result, executor)
                if self._refused:
                    raise self._refused
            except LadderError:
                self._drain(executor, stop)
                raise
            self.hear_outlays(executor)
            self.status.at(self._clock() - began - self._delayed.paused_s)
            if self.status.time_is_up and not self._hurries:
                self._hurries = True
                executor.hurry()
            self.status.pause_left_s = self._delayed.pause_left_s
            self.status.waiting = executor.waiting()
            self.status.is_held_back = not self._plan and not self._planner.is_over and executor.room() > 0
            self.status.has_more = bool(self._plan) and self._seats.room(self._plan[0].bots) > 0
            self._log_tables()
            self._keep(executor)
            self._report(self.status)
        if self.status.total is not None:  # blocks that were left out will not come
            self.status.total = self.status.done
        self.left_out.keep()
        if self._given_back and self._next != self._end:
            self._leave_open()
        else:
            self.run = self._store.finish(self.run.run, self._next, drop_rest=self._end is not None)
        self.rated = self._ratings.finish()
        return self.run

    def _leave_open(self) -> None:
        """Keep the run unfinished, for the blocks that were given back, and say so."""
        self._store.commit()
        for each in {each.absent: each for each in self._given_back}.values():
            what = f"block {each.block} is to be played again: {' and '.join(each.absent)}: {each.reason}"
            self._say(what, "" if self.run.settings.link else self._hint)

    @property
    def ended_by(self) -> StoppingRule | None:
        """The rule that has ended the run before its last block, if one has."""
        return self._planner.rule.by

    def last_words(self) -> list[Words]:
        """Return what is to be said of the run, which has ended, by what has ended it."""
        name = self._store.folder.name_run(self.run.run)
        return self._planner.rule.all_words(name, self.status)

    def _log_tables(self) -> None:
        """Log how many tables are in progress, and why no more, now and then."""
        waiting, seconds = self.status.waiting, self.status.seconds
        if waiting is None or seconds - self._logged_s < LOG_SECONDS:
            return
        self._logged_s = seconds
        if self._delayed.has_turn:
            why = "a match that the machine has delayed is played alone"
        elif self._plan:
            why = _BOUNDS[waiting.bound] if self.status.has_more else "`tables` in ladder.toml allow no more"
        elif self._planner.is_over:
            why = "no match is left to begin"
        else:
            why = "the next matches are planned from the results of these"
        log.info("%s in progress, no more: %s", count(waiting.tables, "table"), why)

    def hear_outlays(self, executor: Executor) -> None:
        """Count the starts and ends that workers report.  The last report comes when they are closed."""
        for outlays in executor.outlays():
            self.spending.add(outlays)

    def _due(self) -> bool:
        """Return whether there is a block to hand out: within the time limit, or before a committed block."""
        self._plan_ahead()
        if not self._plan or self._delayed.is_stuck:
            return False
        first = self._plan[0].number
        if self._planner.is_whole and self._delayed and first >= self._delayed.first + BESIDE_BLOCKS:
            return False
        if self._given_back:  # the run stays unfinished: what is left can wait
            return False
        return not self._planner.rule.halts(self.status) or first < self._promised

    def _heed_rule(self) -> None:
        """End the run where a rule has ended it: later blocks are dropped, also those that have come already.

        Such a rule follows from the rated blocks alone, so the run ends at the same block however it is
        played.  All blocks before that one are planned.
        """
        number = self._planner.run_end
        if number is None or self._end is not None:
            return
        self._end = number
        self._plan = deque(block for block in self._plan if block.number < number)
        self._in_hand = {key: block for key, block in self._in_hand.items() if key < number}
        self._delayed.drop_from(number)
        blocks = (*self._plan, *self._in_hand.values(), *self._delayed.blocks)
        coming = {block.number: len(block.bots) for block in blocks}
        coming |= {key: len(standing_matches(block)) for key, block in self._arrived.items() if key < number}
        self.status.total = self.status.done + sum(coming.values())

    # -- handing out

    def _plan_ahead(self) -> None:
        """Plan every epoch whose basis is rated; a rule may end the run instead."""
        if self._end is not None:
            return
        # a block that the machine has delayed waits for the blocks that are planned by now, and for no more
        held = HELD_BLOCKS if self._delayed else len(self._plan)
        blocks = self._planner.extend(self._next, held)
        self._plan.extend(block for block in blocks if block.number not in self._arrived)
        if (matches := self._planner.matches) is not None:
            self.status.total = matches - self.left_out.matches
        self._heed_rule()

    def _hand_out(self, executor: Executor) -> None:
        is_alone = self._delayed and not self._in_hand and (self._delayed.has_turn or not self._due())
        if is_alone and executor.room() and (turn := self._delayed.take()):  # None while the run pauses
            self._in_hand[turn.block.number] = turn.block
            executor.submit([turn.block], alone=True, charge=turn.charge)
        if self._delayed.has_turn:
            return
        while self._due() and executor.room():
            if self._planner.is_left_out(self._plan[0]):
                block = self._plan.popleft()
                self._arrived[block.number] = self.left_out.record(block)
                self._rate()
                continue
            if (index := self._choose(executor)) is None:
                return
            chunk = self._chunk(executor, index)
            for block in chunk:
                self._seats.take(block.number, block.bots)
                self._in_hand[block.number] = block
            executor.submit(chunk)

    def _chunk(self, executor: Executor, index: int) -> list[PlannedBlock]:
        """Remove blocks of one seating from the plan: as many as should be played in a row."""
        first = self._plan[index]
        room, parallel = self._seats.room(first.bots), executor.parallel(first)
        size = round(executor.chunk_s / self._block_s) if self._block_s and room == UNCAPPED else 1
        size = min(max(size, parallel), room, CHUNK_BLOCKS)
        chunk: list[PlannedBlock] = []
        while len(chunk) < size and index < len(self._plan) and self._plan[index].seating == first.seating:
            chunk.append(self._plan[index])
            del self._plan[index]
        if index:  # a run that the clock ends has all blocks up to the last one
            self._promised = max(self._promised, chunk[-1].number)
        return chunk

    def _choose(self, executor: Executor) -> int | None:
        """Return the place in the plan of the block to hand out next; None if none fits what caps leave.

        It need not be the first: results count in the order of the plan, in whatever order they come.  But no
        block goes long before the first one that is left, since nothing behind that is rated.
        """
        first, ahead = self._plan[0].number, self._ahead()
        end = first + ahead
        if self._planner.waits:
            end = min(end, self._planner.end_of_epoch(first))
        places: list[int] = []

        def candidates() -> Iterator[PlannedBlock]:
            before = None
            for place, block in enumerate(islice(self._plan, ahead)):
                if block.number >= end:  # the next epoch but one waits for all of this one
                    return
                is_new = block.seating != before and not self._planner.is_left_out(block)
                if is_new and self._seats.room(block.bots) > 0:
                    places.append(place)
                    yield block
                before = block.seating

        fitting = candidates()
        first_fitting = next(fitting, None)
        return places[executor.choose(chain([first_fitting], fitting))] if first_fitting else None

    def _ahead(self) -> int:
        """Return among how many planned blocks to choose: those of the next seconds.

        Slow bots gain nothing by it, and a run with a time limit must still play what is left before them.
        """
        limit = self.status.limit_s
        if self.status.time_is_up:
            return 1
        if self._seats.room(self._plan[0].bots) <= 0:  # it waits for a seat: others go before
            return AHEAD_BLOCKS if limit is None else len(self._in_hand)
        if not self._block_s:
            return 1 if limit is not None else CHUNK_BLOCKS
        seconds = AHEAD_SECONDS if limit is None else min(AHEAD_SECONDS, limit / 20)
        return min(max(int(seconds / self._block_s), 1), AHEAD_BLOCKS)

    # -- taking in

    def _take(self, result: Result, executor: Executor) -> None:
        """Take in a block that was played, or let one wait that the machine has delayed.

        One that it delays although nothing else is played, or when the time is up, ends the run.
        """
        self._seats.give_back(result.block if isinstance(result, Unplayed) else result.number)
        if not isinstance(result, Unplayed):
            self._arrive(*result, executor)
        elif block := self._in_hand.pop(result.block, None):
            if result.absent:
                self._delayed.forget(block.number)
                if result.cut_short:
                    self._given_back.append(result)
                    return
                self._leave_silent(dict.fromkeys(result.absent, result.reason))
                if not self._refused:
                    self._arrived[block.number] = self.left_out.record(block)
                    self._rate()
                return
            try:
                self._delayed.add(block, result)
            except TooBusy as error:
                self._refused = self._refused or error

    def _arrive(self, number: int, payload: bytes, executor: Executor) -> None:
        """Append a block to the journal, and rate the blocks that now follow without a gap."""
        in_hand = self._in_hand.pop(number, None)
        self._delayed.forget(number)
        if self._end is not None and number >= self._end:
            return
        try:
            block = self._store.append(number, payload)
        except ValueError as error:
            self._refused = self._refused or self._refusal(number, in_hand, str(error))
            return
        if block is None:  # the first result of a block stands
            return
        self._arrived[number] = block
        self.status.came += len(standing_matches(block))
        if self._count_lapses(block):
            executor.tell(self._lapses.counts)
        self._time(block, executor.parallel(in_hand) if in_hand else 1)
        self._rate()
        silent = [fault for fault in block.faults if fault.kind == "transport" and fault.charged]
        self._leave_silent({f"{fault.bot}@{fault.version}": fault.reason for fault in silent})

    def _count_lapses(self, block: Block) -> bool:
        """Count the lapses in *block*; return whether there are any."""
        lapses = [(f"{fault.bot}@{fault.version}", fault.lapse) for fault in block.faults if fault.lapse]
        for bot, lapse in lapses:
            self._lapses.add(bot, lapse)
        return bool(lapses)

    def _leave_silent(self, silent: Mapping[str, str]) -> None:
        """Go on without *silent*: the ids of bots whose service did not answer or that were absent, and why.

        What is planned by now stays in the plan, and is void.  A run that is about single bots ends instead.
        """
        settings = self.run.settings
        left = {
            index: bot
            for index, bot in enumerate(self._setup.bots)
            if bot.id in silent and index not in self._planner.without
        }
        if not left or settings.tournament:
            return
        if not self._planner.heeds_conduct:
            bot = next(iter(left.values()))
            self._refused = self._refused or TooBusy(silent[bot.id], judged=bot.id)
            return
        first = self._planner.end
        self._planner.leave_out(left)
        without = self._planner.settle_without(first)
        self.run = self._store.amend(replace(settings, without=without))
        for bot in left.values():
            reason = silent[bot.id]
            hint = "" if reason.startswith(ABSENT) else f"ladder faults {bot.bot}"
            self._say(f"left out from block {first} on: {bot.bot}, {reason}", hint)

    def _refusal(self, number: int, block: PlannedBlock | None, why: str) -> LadderError:
        """Return the error of a block that cannot be recorded."""
        bots = [self._setup.bots[i].id for i in block.bots] if block else []
        found = _SEAT.search(why)
        if found and block and int(found[1]) < len(fixtures := self.left_out.fixtures(block)):
            bots = [self._setup.bots[fixtures[int(found[1])].bots[int(found[2])]].id]
        return block_error(f"block {number} of run {self.run.run} cannot be recorded: {why}", bots)

    def _time(self, block: Block, parallel: int) -> None:
        """Count the time that *block* took; *parallel* matches share it."""
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
        while self._next != self._end and (arrived := self._arrived.pop(self._next, None)):
            block = self.left_out.rule_out(arrived)
            self._unsealed += len(block.matches)
            self.status.faults.update(fault.kind for fault in block.faults if fault.charged)
            self._ratings.add(block)
            matches = standing_matches(block)
            endings = [((seat.bot, seat.version), seat.fault) for match in matches for seat in match.seats]
            rows, usages = partial(rows_of, block), partial(usages_of, block)
            self._count(RatedBlocks(block.number + 1, len(matches), endings, rows, usages))
            self._tell(block.faults)

    def _count(self, rated: RatedBlocks) -> None:
        """Record that the next blocks are rated; a rule may end the run after them."""
        self._next = rated.end
        self.status.done += rated.matches
        ends_epoch = self._planner.rate(rated)
        self._heed_rule()
        if ends_epoch:
            self._plan_ahead()  # blocks behind a lost segment may belong to later epochs

    def _tell(self, faults: Sequence[Fault] = ()) -> None:
        """Tell which bots are newly suspended or on probation; *faults* are those of the last block."""
        for notice in self._planner.take_notices():
            unrated, steers = self._store.folder.unrated_name, self._planner.heeds_conduct
            self._say(*text_of(notice, faults, unrated, steers=steers))
        for text, hint in self._planner.rule.take_news():
            self._say(text, hint)

    def _keep(self, executor: Executor) -> None:
        """Commit arrived blocks, seal rated ones, keep ratings, and unpin bots that think for long."""
        if time.monotonic() - self._committed_at >= COMMIT_SECONDS:
            self._store.commit()
            self.left_out.keep()
            self._committed_at = time.monotonic()
            if self._think_us > UNPIN_US * self._decisions:
                executor.unpin()
        if self._unsealed >= SEAL_MATCHES and self._end is None:  # what is sealed cannot be dropped
            self.left_out.keep()
            self._store.seal()
            self._ratings.rate_if_grown()
            self._unsealed = 0
        self._ratings.store_rated()

    def _drain(self, executor: Executor, stop: Stop) -> None:
        """Commit the blocks in hand that finish in time."""
        deadline = time.monotonic() + DRAIN_SECONDS
        for done in executor.drain():
            for result in done:
                if not isinstance(result, Unplayed):
                    self._arrive(*result, executor)
            if stop.asked > 1 or time.monotonic() > deadline:
                break
        self._store.commit()
        self.left_out.keep()
        self._report(self.status)

    def _stop_run(self, executor: Executor, stop: Stop) -> None:
        """Keep the blocks in hand, then raise RunStopped."""
        self._drain(executor, stop)
        name, done = self._store.folder.name_run(self.run.run), self.status.done
        what = "duel" if self.duel else "run"
        raise RunStopped(
            f"stopped: {count(done, 'match')} of {what} {name} {'is' if done == 1 else 'are'} kept",
            self._hint,
            stop.exit_code,
        )
