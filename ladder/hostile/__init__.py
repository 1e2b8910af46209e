"""Hostile bots, tried on this machine: every line and every behaviour that a referee must survive.

  case        one sin and what it should get
  lines       L01 to L70: what is written where one answer is asked for
  behaviours  B01 to B55: what is done beside answering
  trial       plays a case against an honest bot, and looks at what is left of everybody
  runner      whole runs: the runner killed at random instants, continued, stopped

The programs are tests/bad_bots; an installation has them as ladder/bad_bots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from string import ascii_lowercase

from ladder.errors import LadderError, UsageProblem, suggest
from ladder.hostile import kills
from ladder.hostile.behaviours import BEHAVIOURS
from ladder.hostile.case import OK, Case
from ladder.hostile.lines import LINES
from ladder.hostile.trial import CaseResult, try_cases
from ladder.process.tiers import choose
from ladder.sandbox import TIERS

__all__ = [
    "BEHAVIOURS",
    "CASES",
    "LINES",
    "OK",
    "RUNS",
    "Case",
    "CaseResult",
    "run_cases",
    "select_cases",
    "tiers_to_try",
]

CASES: tuple[Case, ...] = LINES + BEHAVIOURS
KILLS = 100
RUNS: Mapping[str, Callable[[str], CaseResult]] = {
    "B54": kills.try_continuing,
    "B55": kills.try_stopping,
    "kills": partial(kills.try_kills, KILLS),
}
"""What is tried with whole runs, under a tier: minutes, not seconds."""


def tiers_to_try(wanted: str = "auto", every: bool = False) -> list[str]:
    """Return the tier that a run takes where *wanted* is asked for; or *every* tier that holds here.

    Raises UsageProblem for an unknown tier, LadderError for one that does not hold.
    """
    if not every:
        return [choose(wanted).tier]
    found = []
    for tier in TIERS:
        try:
            found.append(choose(tier).tier)
        except LadderError:
            continue
    return found


def select_cases(names: Sequence[str], full: bool) -> list[str]:
    """Return the ids of the cases that *names* mean, by id or with all variants; without names, all or some.

    Raises UsageProblem for a name that means none.
    """
    known = [case.id for case in CASES] + list(RUNS)
    if not names:
        return known if full else [case.id for case in CASES if case.short]
    found = []
    for name in names:
        meant = [id_ for id_ in known if name in (id_, id_.rstrip(ascii_lowercase))]
        if not meant:
            raise UsageProblem(
                f"there is no case {name!r}{suggest(name, known)}", "ladder selftest --full tries them all"
            )
        found += meant
    return list(dict.fromkeys(found))


def run_cases(ids: Sequence[str], tier: str) -> Iterator[CaseResult]:
    """Try the cases with these *ids* under *tier*, as far as it claims to stop them."""
    cases = [case for case in CASES if case.id in ids and tier in case.tiers]
    together = [case for case in cases if case.sin]  # they differ by that alone
    if together:
        yield from try_cases(together, tier)
    for case in cases:
        if not case.sin:
            yield from try_cases([case], tier)
    for id_, try_run in RUNS.items():
        if id_ in ids and (id_ == "B54" or Path("/proc/self").exists()):
            yield try_run(tier)
