"""`ladder bots retire`."""

from __future__ import annotations

from ladder.cli.options import BotArgument, HomeOption, existing_home, note

__all__ = ["retire"]


def retire(bot: BotArgument, home: HomeOption = None) -> None:
    """Keep a bot out of future runs; its results stay.

    NAME retires all versions; NAME@NUMBER or NAME@HASH retires one, and the newest of the others plays on.
    A retired bot still plays where a run names it.

    Example: ladder bots retire my_bot
    """
    where = existing_home(home)
    version = where.roster.find(bot)
    retired = where.roster.retire([version] if "@" in bot else where.roster.versions_of(version.bot))
    left = [other for other in where.roster.active() if other.bot == version.bot]
    if not retired:
        note(f"nothing has changed: {bot} is retired already", "ladder bots --all")
        return
    names = ", ".join(f"{other.bot}@{other.number}" for other in retired)
    print(f"retired: {names}")
    plays = f"; {left[0].bot}@{left[0].number} plays on" if left else ""
    note(f"submit it again to bring it back{plays}", "ladder bots")
