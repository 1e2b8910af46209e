"""What a run is: a schedule of blocks, and a rule that ends it before the last of them.

Both follow from the stored settings of the run alone.  The planner takes any of the two.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ladder.contest.keys import Keys
from ladder.pairing.tournament import Tournament
from ladder.run.duel import Duel
from ladder.run.duel_schedule import DuelSchedule
from ladder.run.persons import Persons
from ladder.run.reference_schedule import ReferenceSchedule
from ladder.run.run_schedule import RunSchedule
from ladder.run.schedule import Schedule
from ladder.run.tournament_schedule import TournamentSchedule
from ladder.run.until.budget import MaxCost, MaxTokens
from ladder.run.until.by_name import read_rule
from ladder.run.until.decided import Decided, Rounds
from ladder.run.until.max_faults import MaxFaults
from ladder.run.until.rule import FirstOf, StoppingRule
from ladder.run.until.time_limit import TimeLimit
from ladder.worker.worker_messages import Setup
from results.record import Run, RunSettings


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
        return DuelSchedule(settings.contests, keys, settings.blocks, settings.duel.parts, left_out)
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
