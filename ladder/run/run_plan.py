"""What a run is: a schedule of blocks, and a rule that ends it before the last of them.

Both follow from the stored settings of the run alone.  The planner takes any of the two.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar, NamedTuple

from ladder.contest.blocks import PlannedBlock
from ladder.contest.keys import Keys
from ladder.pairing.tournament import Tournament
from ladder.run.adaptive import Persons
from ladder.run.duel import Duel
from ladder.run.run_schedule import RunSchedule
from ladder.run.schedule import NOTHING, Epoch, KnownResults, Schedule
from ladder.run.tournament_schedule import TournamentSchedule
from ladder.run.until.budget import MaxCost, MaxTokens
from ladder.run.until.by_name import read_rule
from ladder.run.until.decided import Decided, Rounds
from ladder.run.until.max_faults import MaxFaults
from ladder.run.until.rule import FirstOf, StoppingRule
from ladder.run.until.time_limit import TimeLimit
from ladder.worker.worker_messages import Setup
from results.rating.betting import LOOK_BLOCKS
from results.record import Contest, DuelPart, ReferenceTerms, Run, RunSettings

GROWTH = 8
"""An epoch has one 16 of blocks of each contest, and one more for each 8 that were planned before.

Many workers then have enough to do, and few blocks are played that do not count.
"""


class _DuelSchedule(Schedule):
    """The blocks of a duel.  It seats its bots whatever they do: it looks at no ratings and no faults."""

    is_whole: ClassVar[bool] = True

    def __init__(
        self,
        contests: Sequence[Contest],
        keys: Keys,
        totals: Sequence[int],
        parts: Sequence[DuelPart] = (),
        gone: Mapping[int, int] | None = None,
    ) -> None:
        """Start before the first block.

        *totals* is the most blocks of each contest, *parts* are the parts before the last one.  *gone* has
        the bots of the field that are left out, and the first block that is planned without each.
        """
        super().__init__(contests)
        self._totals = totals
        self._parts = [*parts]
        self._tables = [_Tables(contest, keys, gone or {}) for contest in contests]

    def count_planned(self) -> int:
        """Return the most matches that the duel can have."""
        left = self._left(self._totals)
        return self._matches + sum(n * contest.seats for n, contest in zip(left, self.contests, strict=True))

    def plan(self, known: KnownResults = NOTHING) -> Epoch:
        """Return the plan of the next epoch, the contests one after another."""
        number = self.ends[-1] if self.ends else 0
        end = self._parts[0].end if self._parts else math.inf
        seated: list[tuple[int, tuple[int, ...]]] = []
        for index, count in enumerate(self._next_blocks()):
            for _ in range(count):
                if number < end:
                    seated.append((index, self._tables[index].seat(number)))
                    number += 1
        rows = tuple((index, bots, len([*row])) for (index, bots), row in groupby(seated))
        return Epoch(rows, (), ())

    def add(self, epoch: Epoch) -> list[PlannedBlock]:
        """Add *epoch*, which may be the last of a part, and return its blocks."""
        blocks = super().add(epoch)
        if self._parts and self.ends[-1] == self._parts[0].end:
            self._parts.pop(0)
        return blocks

    def _next_blocks(self) -> list[int]:
        left = self._left(self._parts[0].totals if self._parts else self._totals)
        if sum(map(bool, left)) <= 1:  # the plan of the last contest that is open depends on nothing
            return left
        most = max(blocks for blocks, more in zip(self._blocks, left, strict=True) if more)
        rounds = 1 + most // (LOOK_BLOCKS * GROWTH)
        return [min(more, rounds * LOOK_BLOCKS) for more in left]

    def _left(self, totals: Sequence[int]) -> list[int]:
        """Return how many blocks each contest may still have, of *totals*."""
        return [
            0 if index in self._closed else max(0, total - blocks)
            for index, (total, blocks) in enumerate(zip(totals, self._blocks, strict=True))
        ]


class _Tables:
    """The tables of a contest, block after block."""

    def __init__(self, contest: Contest, keys: Keys, gone: Mapping[int, int]) -> None:
        self._contest = contest
        self._keys = keys
        self._gone = gone
        self._field: list[int] = []
        self._order: list[int] = []
        self._rounds = 0
        """How often the field was brought into an order..."""
        self._turn = 0
        """...and the blocks planned since then."""

    def seat(self, number: int) -> tuple[int, ...]:
        """Return the bots of the next block, which has this *number*.

        At two seats the order is that of the rotations anyway.  In as many blocks as the field has bots, each
        of them plays equally often.
        """
        new, old, *field = self._contest.bots
        if not (others := self._contest.seats - 2):
            return (new, old)
        field = [bot for bot in field if number < self._gone.get(bot, math.inf)]
        if field != self._field or self._turn == len(field):
            rng = self._keys.schedule(self._contest.name, self._rounds)
            self._order = sorted(field, key=lambda bot: (rng.random(), bot))
            self._field, self._turn, self._rounds = field, 0, self._rounds + 1
        first = self._turn * others
        self._turn += 1
        table = [new, old, *(self._order[(first + i) % len(field)] for i in range(others))]
        rng = self._keys.duel(number)
        return tuple(sorted(table, key=lambda bot: rng.random()))


EPOCH = 64
"""The blocks of an epoch.  Nothing depends on how many they are: no epoch waits for results."""


class ReferenceSchedule(Schedule):
    """The blocks of a measurement.  They follow from the keys alone."""

    def __init__(self, contest: Contest, keys: Keys, terms: ReferenceTerms, total: int) -> None:
        """Start before the first block; *total* is the number of blocks."""
        super().__init__([contest])
        self._keys = keys
        self._terms = terms
        self._total = total
        self._orders: dict[int, list[int]] = {}
        """The order of the bots that do little work, in each round of them."""

    def count_planned(self) -> int:
        """Return the number of matches."""
        return self._total * self.contests[0].seats

    def plan(self, known: KnownResults = NOTHING) -> Epoch:
        """Return the plan of the next epoch."""
        first = self.ends[-1] if self.ends else 0
        seated = [self._seat(first + i) for i in range(self._next_blocks()[0])]
        return Epoch(tuple((0, bots, len([*row])) for bots, row in groupby(seated)), (), ())

    def _next_blocks(self) -> list[int]:
        return [0 if self._closed else min(EPOCH, self._total - self._blocks[0])]

    def _seat(self, number: int) -> tuple[int, ...]:
        """Return the bots of the block with this *number*; the tested one is the first of the contest."""
        tested, *others = self.contests[0].bots
        little, wanted = others[: self._terms.little], self.contests[0].seats - 1
        later = number - self._terms.blocks
        if later < 0:
            table = [little[self._order(*divmod(number * wanted + i, len(little)))] for i in range(wanted)]
            if len(set(table)) < wanted:  # it goes over the end of a round, whose next one begins alike
                table = self._fill(table, little, number)
        else:
            more = others[self._terms.little :]
            table = self._fill([more[later % len(more)]] * wanted, others, number)
        rng = self._keys.duel(number)
        return tuple(sorted([tested, *table], key=lambda bot: rng.random()))

    def _order(self, turn: int, place: int) -> int:
        """Return which bot of those that do little work has this *place* in round number *turn*."""
        if turn not in self._orders:
            order = [*range(self._terms.little)]
            self._keys.schedule(self.contests[0].name, turn).shuffle(order)
            self._orders[turn] = order
        return self._orders[turn][place]

    def _fill(self, table: list[int], others: list[int], number: int) -> list[int]:
        """Return *table* with other bots where one has a second seat."""
        kept = [*dict.fromkeys(table)]
        rng = self._keys.schedule(f"{self.contests[0].name}/table", number)
        left = [bot for bot in others if bot not in kept]
        return kept + rng.sample(left, len(table) - len(kept))


class RunPlan(NamedTuple):
    """The schedule and the stopping rule of a run."""

    schedule: Schedule
    rule: FirstOf
    duel: Duel | None = None
    """What hears the results, if the run is a duel."""

    @property
    def tournament(self) -> Tournament | None:
        """What hears the results, if the run is a tournament."""
        return self.schedule.event if isinstance(self.schedule, TournamentSchedule) else None


def plan_run(run: Run, setup: Setup) -> RunPlan:
    """Return the plan of *run* before its first block."""
    duel = Duel.of(run)
    schedule = _schedule(run, setup, duel)
    return RunPlan(schedule, FirstOf(*_rules(run.settings, duel, schedule)), duel)


def rests_on_ratings(settings: RunSettings) -> bool:
    """Return whether a plan with *settings* follows from ratings: not in a shard, nor in a duel."""
    if settings.shard is not None or settings.duel is not None:
        return False
    return settings.schedule == "adaptive" or judges_epochs(settings)


def judges_epochs(settings: RunSettings) -> bool:
    """Return whether the rule that `--until` names looks at what is believed at the end of an epoch."""
    return settings.until is not None and read_rule(settings.until).judges_epochs


def _schedule(run: Run, setup: Setup, duel: Duel | None) -> Schedule:
    settings, keys = run.settings, Keys(setup.secret)
    if duel and settings.duel and settings.blocks:
        gone = {run.bot_keys.index((left.name, left.version)): left.since for left in settings.without}
        left_out = {bot: since for bot, since in gone.items() if since is not None}
        return _DuelSchedule(settings.contests, keys, settings.blocks, settings.duel.parts, left_out)
    if tournament := TournamentSchedule.of(run):
        return tournament
    if settings.reference and settings.blocks:
        return ReferenceSchedule(settings.contests[0], keys, settings.reference, settings.blocks[0])
    shard = range(settings.shard.first, settings.shard.end) if settings.shard else None
    owed = settings.link.owed if settings.link else None
    return RunSchedule(
        *(setup.contests, keys, settings.schedule, settings.blocks, settings.epochs, shard, owed),
        Persons(settings.persons or ()),
    )


def _rules(settings: RunSettings, duel: Duel | None, schedule: Schedule) -> Iterator[StoppingRule]:
    """Yield the rules of a run, in the order in which they speak when it has ended."""
    if settings.for_s is not None:
        yield TimeLimit()
    if settings.until is not None:
        yield read_rule(settings.until)
    if settings.max_faults is not None:
        yield MaxFaults(settings.max_faults)
    if settings.max_cost is not None:
        yield MaxCost(settings.max_cost)
    if settings.max_tokens is not None:
        yield MaxTokens(settings.max_tokens)
    if duel is not None:
        yield Decided(duel)
    if isinstance(schedule, TournamentSchedule):
        yield Rounds(schedule)
