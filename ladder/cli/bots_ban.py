"""`ladder bots ban`: bots that play nowhere."""

from typing import TYPE_CHECKING, Annotated

from ladder.cli.bots_retire import say_stopped
from ladder.cli.options import HomeOption, existing_home, note
from ladder.run.option import Argument, Option, WrongOption

if TYPE_CHECKING:
    from ladder.home.home import Home


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
    say_stopped(change)
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
