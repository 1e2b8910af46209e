"""`ladder connect`: let a bot on this machine play on a ladder elsewhere."""

from typing import Annotated

from ladder.run.option import Argument, Option, whole


def connect(
    url: Annotated[str, Argument("Where the ladder is: https://example.org/ladder.", metavar="URL")],
    name: Annotated[str, Argument("The name of the bot there.", metavar="NAME")],
    command: Annotated[list[str], Argument("What starts the bot here, behind --.", metavar="COMMAND")],
    tables: Annotated[int, Option("Play at up to N tables at once.", metavar="N", read=whole(1, 64))] = 4,
    new_version: Annotated[
        str, Option("Begin a new version, with a rating of its own.", metavar="NOTE")
    ] = "",
) -> None:
    """Let a bot on this machine play on a ladder elsewhere.

    One connection goes out, and the command starts once for each seat, until Ctrl-C. The token is in
    LADDER_TOKEN, or where `ladder push --login URL` has put it. The ladder gives away the same as one file,
    /connect.py, which needs Python and websockets alone.

    Example: ladder connect https://example.org/ladder mine -- python bot.py
    """
    from ladder.errors import UsageProblem
    from ladder.machine.extras import check_web

    check_web("ladder connect", "websockets")
    from ladder.live.connect import NotAdmitted, play_from_here

    try:
        play_from_here(url, name, tables, new_version, command)
    except NotAdmitted as refused:
        raise UsageProblem(str(refused), "correct it, and type the same command") from None
