"""`ladder bots retire`, `activate` and `ban`: which bots and versions play."""

from typing import TYPE_CHECKING, Annotated

from ladder.cli.options import BotArgument, HomeOption, existing_home, note
from ladder.run.option import Argument, Option, WrongOption

if TYPE_CHECKING:
    from ladder.home.bot_life import Change
    from ladder.home.home import Home


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
    _say_stopped(change)
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


def ban(
    bot: Annotated[str, Argument("The name of the bot.", metavar="NAME", completes="bots")],
    why: Annotated[str, Option("The reason, in one line.", metavar="TEXT")] = "",
    lift: Annotated[bool, Option("Lift the ban.")] = False,
    home: HomeOption = None,
) -> None:
    """Ban a bot from all play, even where a run names it; its results stay.

    Submissions under its name are refused with the reason. `ladder bots --all-versions` lists it.

    Example: ladder bots ban cheater --why "it reads the files of other bots"
    """
    if lift and why:
        raise WrongOption("--lift", "give either --why or --lift")
    if not (lift or why):
        raise WrongOption("--why", "say why the bot is banned")
    where = existing_home(home)
    if lift:
        _lift(where, bot)
    else:
        _ban(where, bot, why)


def _ban(home: "Home", bot: str, why: str) -> None:
    from ladder.home.bot_life import ban

    change = ban(home, bot, why)
    print(f"banned: {bot}")
    for going_on, version in change.unfinished:
        what = f"{going_on.called} is unfinished and cannot continue with {version.bot}"
        note(f"{what}; if it is playing now, stop it", going_on.without(version.id))
    _say_stopped(change)
    note("its results stay, and submissions under its name are refused", f"ladder bots ban {bot} --lift")


def _lift(home: "Home", bot: str) -> None:
    from ladder.home.bot_life import lift_ban

    change = lift_ban(home, bot)
    if not change.versions:
        note(f"nothing has changed: {bot} is not banned", "ladder bots --all-versions")
        return
    print(f"no longer banned: {bot}")
    if change.plays:
        note(f"{bot}@{change.plays.number} plays again", "ladder run")
    else:
        note(
            "all its versions are retired", f"ladder bots activate {bot}, which lets the last one play again"
        )


def _say_stopped(change: "Change") -> None:
    """Say which games have too few bots now."""
    if change.stopped:
        what = "; ".join(change.stopped)
        note(f"warning: {what}", "ladder submit PATH; or ladder bots house add, which adds the house bots")
