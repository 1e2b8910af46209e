"""Confine a bot: its command comes in, a plan for the spawner goes out.

There are three tiers, the strongest first:

  bwrap     bubblewrap: own namespaces for files, processes and network; a filter of system calls; limits
  landlock  files by Landlock, the same filter and limits, a process group that a bot cannot leave
  none      limits and a process group: no protection from a hostile bot

`confine` describes the process to start, `plan_of` the steps of the spawner (ladder/spawner).
`ladder.process.tiers` tests the tiers on this machine and chooses one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ladder.sandbox.plan import BOUNDS, BUILD, ENVIRONMENT, Bounds, CannotConfine, Confined, Plan, limits_of

__all__ = [
    "AUTO",
    "BUILD",
    "ENVIRONMENT",
    "TIERS",
    "Bounds",
    "CannotConfine",
    "Confined",
    "confine",
    "plan_of",
]

AUTO = "auto"
"""The first tier that holds on a machine."""
TIERS = ("bwrap", "landlock", "none")
"""The names of the tiers, the strongest first."""


def confine(
    tier: str,
    arguments: Sequence[str],
    folder: Path,
    passed: Mapping[str, str],
    *,
    bounds: Bounds = BOUNDS,
    network: bool = False,
    readable: Sequence[Path] = (),
) -> Confined:
    """Confine *arguments* to *folder* by *tier*; *passed* extends the environment.  Raises ValueError."""
    if tier not in TIERS:
        raise ValueError(f"expected one of the tiers {', '.join(TIERS)}, got: {tier!r}")
    environment = {**ENVIRONMENT, **passed}
    return Confined(tier, tuple(arguments), environment, folder, bounds, network, readable=tuple(readable))


def plan_of(confined: Confined, user: int | None, scratch: Path | None = None) -> Plan:
    """Return the spawner's plan to start *confined* as *user* (see Confined.needs_user).

    *scratch* is a folder for a build's temporary files, used if the tier has none of its own.
    Raises CannotConfine if the tier does not work here.
    """
    plan = Plan(
        arguments=list(confined.arguments),
        attached=[],
        environment=dict(confined.environment),
        folder=str(confined.folder.absolute()),
        cores=sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [],
        limits=limits_of(confined),
        user=None,
        files=None,
        network=confined.network,
        group="",
        filter=None,
    )
    if scratch and not confined.namespaced:
        plan["environment"] |= {"TMPDIR": str(scratch), "HOME": str(scratch)}
    from ladder.sandbox import bwrap, landlock  # many commands need the names above alone

    match confined.tier:
        case "bwrap":
            bwrap.apply(plan, confined, user)
        case "landlock":
            landlock.apply(plan, confined, user, scratch)
    return plan
