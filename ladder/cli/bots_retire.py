"""`ladder bots retire` and `ladder bots activate`: which bots and versions play."""

from typing import TYPE_CHECKING

from ladder.cli.options import BotArgument, HomeOption, existing_home, note

if TYPE_CHECKING:
    from ladder.home.bot_life import Change


def retire(bot: BotArgument, home: HomeOption = None) -> None:
    """Keep a bot out of future runs; its results stay.

    NAME retires all versions; NAME@NUMBER or NAME@HASH retires one, and the newest of the others plays.
    A retired bot still plays where a run names it. `ladder bots activate` brings it back.

    Example: ladder bots retire my_bot
    """
    from ladder.home.bot_life import retire

    change = retire(existing_home(home), bot)
    if not change.versions:
        note(f"nothing has changed: {bot} is already retired", "ladder bots --all-versions")
        return
    names = ", ".join(f"{other.bot}@{other.number}" for other in change.versions)
    print(f"retired: {names}")
    for going_on, version in change.unfinished:
        without = "" if going_on.run.settings.duel else f"{going_on.without(version.id)}, to leave it out"
        note(f"{going_on.called} is unfinished and continues with {version.bot}", without)
    say_stopped(change)
    plays = f"; {change.plays.bot}@{change.plays.number} keeps playing" if change.plays else ""
    note(f"submit it again to bring it back{plays}", f"ladder bots activate {bot}")


def activate(bot: BotArgument, home: HomeOption = None) -> None:
    """Choose which version of a bot plays.

    A retired bot comes back, or an older version plays in place of a newer one. NAME alone brings back the
    version that played last. `ladder bots --all-versions` lists the versions.

    Example: ladder bots activate my_bot@1
    """
    from ladder.home.bot_life import activate

    change = activate(existing_home(home), bot)
    if not change.versions:
        note(f"nothing has changed: {bot} already plays", "ladder bots --all-versions")
        return
    (version,) = change.versions
    print(f"active: {version.bot}@{version.number}")
    note("it plays from the next run on", "ladder run")


def say_stopped(change: "Change") -> None:
    """Say which games have too few bots now."""
    if change.stopped:
        what = "; ".join(change.stopped)
        note(f"warning: {what}", "ladder submit PATH; or ladder bots house add, which adds the house bots")
