"""Try hostile bots on this machine.  Case ids come in; the result of each case goes out.

  case        one misdeed of a bot, and the expected result
  bad_lines   L01 to L70: bad lines written instead of an answer
  behaviours  B01 to B59: misdeeds besides answering
  case_trial  plays a case against an honest bot, then looks for leftovers
  delays      B60 to B63: bots on a busy core, which confederates and children make busier

A case plays a block in which the bot sins, once in each seat, and then a block in which it does not, with the
same worker and the same honest processes.  It passes if the sin has the expected fault in time, the honest
bot has no harm from it, and no process, file or signal is left.

The programs are tests/bad_bots; an installation has them as ladder/bad_bots.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from string import ascii_lowercase

from ladder.dev.hostile import delays
from ladder.dev.hostile.bad_lines import LINES
from ladder.dev.hostile.behaviours import BEHAVIOURS
from ladder.dev.hostile.case import OK, Case
from ladder.dev.hostile.case_trial import CaseResult, try_cases
from ladder.errors import LadderError, TooBusy, UsageProblem, suggest
from ladder.process.tiers import choose
from ladder.sandbox import TIERS

__all__ = ["BEHAVIOURS", "CASES", "LINES", "OK", "RUNS", "run_cases", "select_cases", "tiers_to_try"]

CASES: tuple[Case, ...] = LINES + BEHAVIOURS
RUNS: Mapping[str, Callable[[str], CaseResult]] = {
    "B60": delays.try_confederate,
    "B61": delays.try_unplayable,
    "B62": partial(delays.try_on_a_busy_core, delays.ASLEEP),
    "B63": partial(delays.try_on_a_busy_core, delays.AWAITING),
}
"""Cases that are tried in a way of their own under a tier."""


def tiers_to_try(wanted: str = "auto", every: bool = False) -> list[str]:
    """Return the tier of a run that asks for *wanted*; with *every*, all tiers that hold here.

    Raises UsageProblem for an unknown tier, LadderError for one that does not hold, TooBusy.
    """
    if not every:
        return [choose(wanted).tier]
    found = []
    for tier in TIERS:
        try:
            found.append(choose(tier).tier)
        except TooBusy:
            raise
        except LadderError:
            continue
    return found


def select_cases(names: Sequence[str], full: bool) -> list[str]:
    """Return the ids of the cases in *names*, each an id or an id without its variant letter.

    Without names, return all cases if *full*, else the short ones.  Raises UsageProblem for an unknown name.
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
    """Try the cases with these *ids* that *tier* claims to stop."""
    cases = [case for case in CASES if case.id in ids and tier in case.tiers]
    together = [case for case in cases if case.sin]  # these differ only in their sins
    if together:
        yield from try_cases(together, tier)
    for case in cases:
        if not case.sin:
            yield from try_cases([case], tier)
    for id_, try_run in RUNS.items():
        if id_ in ids and Path("/proc/self").exists():
            yield try_run(tier)
