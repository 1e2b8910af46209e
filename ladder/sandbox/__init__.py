"""How a bot process is confined.

Three tiers, the strongest first:

  bwrap     bubblewrap: namespaces of its own for files, processes, network; a filter of system calls; limits
  landlock  files by Landlock, the same filter and limits, a process group that cannot be left
  none      limits and a group of its own: no protection from a bot that means harm

`confine` says what is to be started, `plan_of` what the spawner does for it (ladder/spawner).
`ladder.process.tiers` tries the tiers on this machine and chooses one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ladder.sandbox import bwrap, landlock
from ladder.sandbox.plan import (
    BOUNDS,
    BUILD,
    ENVIRONMENT,
    Bounds,
    CannotConfine,
    Confined,
    Plan,
    limits_of,
)

__all__ = [
    "BOUNDS",
    "BUILD",
    "ENVIRONMENT",
    "TIERS",
    "Bounds",
    "CannotConfine",
    "Confined",
    "Plan",
    "confine",
    "plan_of",
]

TIERS = ("bwrap", "landlock", "none")
"""The tiers that this version knows, the strongest first."""


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
    """Return how to start *arguments* in *folder* under *tier*; *passed* joins the environment.

    Raises ValueError for a tier that is not one of TIERS.
    """
    if tier not in TIERS:
        raise ValueError(f"expected one of the tiers {', '.join(TIERS)}, got: {tier!r}")
    environment = {**ENVIRONMENT, **passed}
    return Confined(tier, tuple(arguments), environment, folder, bounds, network, readable=tuple(readable))


def plan_of(confined: Confined, user: int | None, scratch: Path | None = None) -> Plan:
    """Return what the spawner does to start *confined* as *user* (see Confined.needs_user).

    *scratch*: a folder for a build's temporary files where the tier has none of its own.
    Raises CannotConfine where the tier is not to be had.
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
        filter=None,
    )
    if scratch and not confined.namespaced:
        plan["environment"] |= {"TMPDIR": str(scratch), "HOME": str(scratch)}
    match confined.tier:
        case "bwrap":
            bwrap.apply(plan, confined, user)
        case "landlock":
            landlock.apply(plan, confined, user, scratch)
    return plan
