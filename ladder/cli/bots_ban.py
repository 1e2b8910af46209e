"""`ladder bots ban`: bots that play nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.bots_retire import say_stopped
from ladder.cli.completion import complete_bots
from ladder.cli.options import HomeOption, existing_home, note

if TYPE_CHECKING:
    from ladder.home.home import Home

__all__ = ["ban"]


def ban(
    bot: Annotated[
        str, typer.Argument(metavar="NAME", help="The name of the bot.", autocompletion=complete_bots)
    ],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, in one line.")] = "",
    lift: Annotated[bool, typer.Option("--lift", help="Lift the ban.")] = False,
    home: HomeOption = None,
) -> None:
    """Ban a bot from all play, even where a run names it; its results stay.

    Submissions under its name are refused with the reason. `ladder bots --all` lists it.

    Example: ladder bots ban cheater --why "it reads the files of other bots"
    """
    if lift and why:
        raise typer.BadParameter("give either --why or --lift", param_hint="--lift")
    if not (lift or why):
        raise typer.BadParameter("say why the bot is banned", param_hint="--why")
    where = existing_home(home)
    if lift:
        _lift(where, bot)
    else:
        _ban(where, bot, why)


def _ban(home: Home, bot: str, why: str) -> None:
    from ladder.home.bot_life import ban

    change = ban(home, bot, why)
    print(f"banned: {bot}")
    for name, version in change.unfinished:
        go_on = f"ladder run --resume --without {version.id}" if " " in name else "begin another duel"
        note(
            f"{name} is unfinished and cannot continue with {version.bot}; if it is playing now, stop it",
            go_on,
        )
    say_stopped(change)
    note("its results stay, and submissions under its name are refused", f"ladder bots ban {bot} --lift")


def _lift(home: Home, bot: str) -> None:
    from ladder.home.bot_life import lift_ban

    change = lift_ban(home, bot)
    if not change.versions:
        note(f"nothing has changed: {bot} is not banned", "ladder bots --all")
        return
    print(f"no longer banned: {bot}")
    if change.plays:
        note(f"{bot}@{change.plays.number} plays again", "ladder run")
    else:
        note(
            "all its versions are retired", f"ladder bots activate {bot}, which lets the last one play again"
        )
