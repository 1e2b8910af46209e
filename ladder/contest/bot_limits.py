"""The limits of a bot: those of the run, with what is set apart for the bot and its game."""

from collections.abc import Iterable

import msgspec
from msgspec import UNSET

from protocol.messages import Limits
from results.record import RunSettings


def limits_at(settings: RunSettings, bot: str, game: str) -> Limits:
    """Return the limits of the bot with this name in matches of *game*."""
    return msgspec.convert(settings.limits_at(bot, game), Limits)


def limits_told(settings: RunSettings, bot: str, games: Iterable[str]) -> Limits:
    """Return the limits that the bot's hello has, if it plays *games*: the least that any of them gives."""
    held = [limits_at(settings, bot, game) for game in games] or [limits_at(settings, bot, "")]
    if len(held) == 1:
        return held[0]
    seconds = [limits.match_s for limits in held if limits.match_s is not UNSET]
    return msgspec.structs.replace(
        held[0],
        move_ms=min(limits.move_ms for limits in held),
        bank_ms=min(limits.bank_ms for limits in held),
        match_s=min(seconds, default=UNSET),
    )
