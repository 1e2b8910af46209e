"""Whether the bots of a run answer at once, by what is said of them before it begins.

An epoch of the adaptive schedule rests on the results up to two epochs before it, so short epochs find the
order of the bots sooner.  Slow bots need long ones: their matches take minutes, and many tables must play
side by side.  Nothing is measured: the same run has the same epochs on any machine, however busy it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UnsetType

from ladder.registry.version import Version

__all__ = ["all_fast"]

FAST_MS = 50
"""The most time that a decision of a fast bot takes, in milliseconds."""


def all_fast(bots: Iterable[Version], limits: Mapping[str, int]) -> bool:
    """Return whether every decision of a run with these *limits* takes FAST_MS at most, as far as is said.

    House bots do; of another bot its manifest may say so, and a limit says it of all.
    """
    if limits.get("move_ms", FAST_MS + 1) + limits.get("bank_ms", 0) <= FAST_MS:
        return True
    return all(bot.of_house or _says_so(bot) for bot in bots)


def _says_so(bot: Version) -> bool:
    think_ms = bot.manifest.think_ms
    return not isinstance(think_ms, UnsetType) and think_ms <= FAST_MS
