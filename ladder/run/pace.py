"""Whether the bots of a run answer at once, by what is said of them before it begins.

An epoch of the adaptive schedule rests on the results up to two epochs before it, so short epochs find the
order of the bots sooner.  Slow bots need long ones: their matches take minutes, and many tables must play
side by side.  Nothing is measured: the same run has the same epochs on any machine, however busy it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UnsetType

from ladder.registry.version import Version
from results.record import RunSettings

FAST_MS = 50
"""The most time that a decision of a fast bot takes, in milliseconds."""


def all_fast(bots: Sequence[Version], settings: RunSettings) -> bool:
    """Return whether every decision of a run with these *settings* takes FAST_MS at most, as far as is said.

    House bots do, if their manifests say nothing else; of another bot its manifest may say so, and a limit
    says it of all.
    """
    games = {contest.game for contest in settings.contests}
    held = [settings.limits_at(bot.bot, game) for bot in bots for game in games]
    if all(of.get("move_ms", FAST_MS + 1) + of.get("bank_ms", 0) <= FAST_MS for of in held):
        return True
    return all(_is_fast(bot) for bot in bots)


def _is_fast(bot: Version) -> bool:
    think_ms = bot.manifest.think_ms
    return bot.of_house if isinstance(think_ms, UnsetType) else think_ms <= FAST_MS
