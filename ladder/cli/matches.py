"""`ladder matches`: a list of matches."""

from __future__ import annotations

from typing import Annotated

from ladder.cli.options import (
    DuelOption,
    FormatOption,
    GameOption,
    HomeOption,
    RunOption,
    existing_home,
    known_game,
    known_run,
    note,
    nothing_yet,
    print_rows,
    store_of,
)
from ladder.run.option import Option, WrongOption, whole


def matches(
    bot: Annotated[
        str | None,
        Option("Only matches of this bot: NAME, NAME@NUMBER or NAME@HASH.", metavar="BOT", completes="bots"),
    ] = None,
    lost: Annotated[bool, Option("Only matches that this bot lost.")] = False,
    fault: Annotated[bool, Option("Only matches with a fault, of this bot if --bot is given.")] = False,
    run: RunOption = None,
    duel: DuelOption = None,
    limit: Annotated[
        int, Option("Show at most N matches.", ("--limit", "-n"), metavar="N", read=whole(1))
    ] = 20,
    game: GameOption = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List matches, newest first.

    Matches of duels and of unrated runs are listed with --duel only; `ladder home duels` lists those.

    Example: ladder matches --bot greedy --lost
    """
    from results.reports.query import Selection, select_newest
    from results.reports.row_sets import MATCHES, PLACE, label_matches
    from results.reports.row_sets import matches as rows_of

    if lost and not bot:
        raise WrongOption("--lost", "needs --bot, to know which bot lost")
    where = existing_home(home)
    version = where.roster.find(bot) if bot else None
    wanted = Selection(
        bot=version.bot if version else None,
        version=version.version if version and bot and "@" in bot else None,
        lost=lost,
        fault=fault,
        game=known_game(game) if game else None,
    )
    contents = store_of(where, duel).contents()
    rows, found = select_newest(contents, wanted, limit, known_run(contents, run))
    listed = rows_of(rows, duel)
    if format in ("table", "md"):
        listed = label_matches(listed, where.roster.numbers())
    print_rows(listed, (*MATCHES, *(PLACE if format not in ("table", "md") else ())), format)
    if found:
        shown = f"{len(listed):,} of {found:,}, newest first; --limit shows more" if found > limit else ""
        note(shown or f"{found:,} in all", f"ladder replay {listed[0]['match']}")
    elif contents.runs:
        note("no such matches", "ladder matches, which lists all")
    else:
        nothing_yet("matches")
