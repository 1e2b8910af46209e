"""`ladder matches`: a list of matches."""

from typing import Annotated

from ladder.cli.options import (
    FormatOption,
    GameOption,
    HomeOption,
    InOption,
    existing_home,
    known_game,
    note,
    nothing_yet,
    print_rows,
    results_in,
)
from ladder.run.option import Option, WrongOption, whole


def matches(
    bot: Annotated[
        str | None,
        Option("Only matches of this bot: NAME, NAME@NUMBER or NAME@HASH.", metavar="BOT", completes="bots"),
    ] = None,
    lost: Annotated[bool, Option("Only matches that this bot lost.")] = False,
    fault: Annotated[bool, Option("Only matches with a fault, of this bot if --bot is given.")] = False,
    within: InOption = None,
    top: Annotated[int, Option("Show at most N matches.", ("--top", "-n"), metavar="N", read=whole(1))] = 20,
    game: GameOption = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List matches, newest first.

    Matches of duels and of unrated runs are listed with --in only; `ladder duel` lists those.

    Example: ladder matches --bot greedy --lost
    """
    from results.reports.row_sets import MATCHES, PLACE, Selection, label_matches, select_newest
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
    chosen = results_in(where, within)
    rows, found = select_newest(chosen.contents, wanted, top, chosen.run)
    listed = rows_of(rows, chosen.unrated and within)
    if format in ("table", "md"):
        listed = label_matches(listed, where.roster.numbers())
    print_rows(listed, (*MATCHES, *(PLACE if format not in ("table", "md") else ())), format)
    if found:
        shown = f"{len(listed):,} of {found:,}, newest first; --top N shows more" if found > top else ""
        note(shown or f"{found:,} in all", f"ladder replay {listed[0]['match']}")
    elif chosen.contents.runs:
        note("no such matches", "ladder matches, which lists all")
    else:
        nothing_yet("matches")
