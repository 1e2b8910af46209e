"""`ladder bots rename`."""

from typing import Annotated

from ladder.cli.options import HomeOption, existing_home, note
from ladder.run.option import Argument


def rename(
    old: Annotated[str, Argument("The name of the bot.", metavar="OLD", completes="bots")],
    new: Annotated[str, Argument("Its new name.", metavar="NEW")],
    home: HomeOption = None,
) -> None:
    """Give a bot another name, also in all its past matches.

    Its matches, ratings and replays are shown under the new name. Stored matches stay as they are, so `ladder
    home digest` prints what it printed before. No other bot can have the old name.

    Example: ladder bots rename s01 alice-bot
    """
    from ladder.home.bot_life import rename

    where = existing_home(home)
    rename(where, old, new)
    print(f"renamed: {old} is {new} now")
    note("its author submits it under the new name from now on", f"ladder bots {new}; ladder leaderboard")
    file = where.path / "ladder.toml"
    for game, numbers in where.settings.ratings.items():
        if (numbers.anchor or "").partition("@")[0] == old:
            note(f"warning: {old} is the anchor of {game} in {file}", f"write {new} there")
