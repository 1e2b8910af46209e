"""Blocks that are left out: their matches are recorded as void, whether they were played or not.

A bot that the run continues without, one that was suspended, or one that has spent its share of a budget, is
the reason.  A block that tables played
before this was known gets the same record as one that was not played.
"""

from collections import Counter

from ladder.contest.blocks import PlannedBlock, ScheduledMatch, matches_of
from ladder.contest.keys import Keys
from ladder.referee.records import void_record
from ladder.run.planner import Planner, Reason
from ladder.worker.worker_messages import Setup
from results.record import Block, encode_block
from results.storage.finishes import standing_matches
from results.storage.store import Store


class LeftOut:
    """The blocks that are left out of a run."""

    def __init__(self, store: Store, setup: Setup, keys: Keys, planner: Planner) -> None:
        """Leave out what *planner* says."""
        self.reasons: Counter[Reason] = Counter()
        """The matches so far that are void, by what one of their bots did."""
        self._store = store
        self._setup = setup
        self._keys = keys
        self._planner = planner
        self._index = {(bot.bot, bot.version): i for i, bot in enumerate(setup.bots)}
        self._contests = {(contest.game, contest.seats): i for i, contest in enumerate(setup.contests)}
        self._replaced: dict[int, bytes] = {}
        """The records in place of blocks that were played, until they are stored."""

    @property
    def matches(self) -> int:
        """All of these matches."""
        return self.reasons.total()

    def skip(self, block: PlannedBlock) -> bool:
        """Return whether *block* is left out, and count it."""
        reason = self._planner.why_ruled_out(block)
        if reason and reason != "without":  # those were counted where they were not handed out
            self.reasons[reason] += len(block.bots)
        return reason is not None

    def record(self, block: PlannedBlock) -> Block:
        """Journal *block*, which was not played, and return its record."""
        record = self._void(block)
        if self._planner.is_without(block):
            self.reasons["without"] += len(block.bots)
        self._store.append(block.number, encode_block(record))
        return record

    def rule_out(self, record: Block) -> Block:
        """Return the next block to be rated, or the record in its place: the same wherever it is played."""
        block = self._block(record)
        if not (self.skip(block) and standing_matches(record)):
            return record
        void = self._void(block)
        self._replaced[block.number] = encode_block(void)
        return void

    def keep(self) -> None:
        """Store records in place of played blocks; after a crash before, they follow from earlier blocks."""
        if self._replaced:
            self._store.replace(self._replaced)
            self._replaced = {}

    def fixtures(self, block: PlannedBlock) -> list[ScheduledMatch]:
        """Return the matches of *block*."""
        return matches_of(block, self._setup.contests[block.contest])

    def _void(self, block: PlannedBlock) -> Block:
        setup = self._setup
        matches = [
            void_record(
                setup.run, setup.confinement.tier, self._keys, fixture, [setup.bots[i] for i in fixture.bots]
            )
            for fixture in self.fixtures(block)
        ]
        return Block(block.number, matches, [])

    def _block(self, record: Block) -> PlannedBlock:
        """Return the planned block of *record*."""
        first = min(record.matches, key=lambda match: match.number)
        bots = tuple(self._index[seat.bot, seat.version] for seat in first.seats)
        return PlannedBlock(record.number, first.number, self._contests[first.game, len(bots)], bots)
