"""How a bot process is confined.

One tier exists so far, `none`: a process group of its own, an environment that is the same for every seat,
and no more.  The tiers that confine come here, behind the same function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ENVIRONMENT", "TIERS", "Confined", "confine"]

TIERS = ("none",)
"""The tiers that this version knows, the strongest first."""

ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - a bot has no home; some runtimes insist on the variable
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",  # a snapshot never changes
}
"""All that a bot finds in its environment, in whichever seat, besides what its manifest may pass through."""


@dataclass(frozen=True)
class Confined:
    """What to start: the arguments, the whole environment, the folder to start in."""

    arguments: Sequence[str]
    environment: Mapping[str, str]
    folder: Path


def confine(tier: str, arguments: Sequence[str], folder: Path, passed: Mapping[str, str]) -> Confined:
    """Return how to start *arguments* in *folder* under *tier*; *passed* joins the environment."""
    if tier not in TIERS:
        raise ValueError(f"expected one of the tiers {', '.join(TIERS)}, got: {tier!r}")
    return Confined(tuple(arguments), {**ENVIRONMENT, **passed}, folder)
