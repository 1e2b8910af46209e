"""What a run is: a schedule of blocks, and a rule that ends it before the last of them.

Both follow from the stored settings of the run alone.  The planner takes any of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ladder.contest.keys import Keys
from ladder.run.duel import Duel
from ladder.run.schedule import Schedule
from ladder.run.until.clock import TimeLimit
from ladder.run.until.faults import MaxFaults
from ladder.run.until.named import read_rule
from ladder.run.until.rule import FirstOf, StoppingRule
from ladder.run.until.verdict import Decided
from ladder.worker.worker_messages import Setup
from results.record import Run, RunSettings

__all__ = ["Plan", "plan_of"]


class Plan(NamedTuple):
    """The schedule and the stopping rule of a run."""

    schedule: Schedule | Duel
    rule: FirstOf


def plan_of(run: Run, setup: Setup, duel: Duel | None = None) -> Plan:
    """Return the plan of *run* before its first block; *duel* is what the run is, if it is one."""
    return Plan(duel or _schedule(run.settings, setup), FirstOf(*_rules(run.settings, duel)))


def _schedule(settings: RunSettings, setup: Setup) -> Schedule:
    shard = range(settings.shard.first, settings.shard.end) if settings.shard else None
    return Schedule(
        setup.contests, Keys(setup.secret), settings.schedule, settings.blocks, settings.epochs, shard
    )


def _rules(settings: RunSettings, duel: Duel | None) -> Iterator[StoppingRule]:
    """Yield the rules of a run, in the order in which they speak when it has ended."""
    if settings.for_s is not None:
        yield TimeLimit()
    if settings.until is not None:
        yield read_rule(settings.until)
    if settings.max_faults is not None:
        yield MaxFaults(settings.max_faults)
    if duel is not None:
        yield Decided(duel)
