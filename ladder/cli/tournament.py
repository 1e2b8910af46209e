"""`ladder tournament`, which lists them, and its short commands.  The longer ones are in tournament_*.py."""

from typing import Annotated

import typer

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_rows
from ladder.run.option import Argument


def tournament(
    context: typer.Context,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Hold a tournament.

    A tournament is an event with an end and a winner. It has stages: a swiss, groups, a knock-out, a final.
    Its matches do not count in the ratings unless you ask for --rated. Three examples:

    A class of 24 in one lesson, at a game for four:
    `ladder tournament new lesson --game stella --seats 4 --stages swiss:4 --blocks 2`

    The cup of a club of 16:
    `ladder tournament new cup --game stellar --stages knockout:16`

    A final of the best six:
    `ladder tournament new best --game stella --seats 6 --stages final:6,50`

    Alone, the command lists tournaments. With the name of one, it shows its rounds, tables and standing:
    `ladder tournament TOURNAMENT --help`.

    Example: ladder tournament
    """
    if context.invoked_subcommand:
        return
    from ladder.run.tournament.event_rows import TOURNAMENTS, tournament_row
    from ladder.run.tournament.stored_tournaments import find_tournaments
    from results.reports.labels import display_of

    opened = existing_home(home)
    found, numbers = find_tournaments(opened.results), opened.roster.numbers()
    rows = [tournament_row(each) for each in reversed(found.values())]
    for row in rows if format == "table" else ():
        row["winner"] = row["winner"] and ", ".join(
            display_of(bot, numbers) for bot in row["winner"].split(", ")
        )
    print_rows(rows, TOURNAMENTS, format)
    if not found:
        note("no tournaments yet", "ladder tournament new spring --game stellar")
        return
    name = next(reversed(found))
    note("\nthe newest is the first", f"ladder tournament {name}")


def reveal(
    name: Annotated[str, Argument("Its name.", metavar="TOURNAMENT")],
    round: Annotated[  # noqa: A002
        str | None,
        Argument(
            "Reveal the rounds up to this one, such as swiss/3 or knockout/quarter.",
            metavar="ROUND",
            default="all finished rounds",
        ),
    ] = None,
    home: HomeOption = None,
) -> None:
    """Reveal the results of a secret tournament.

    A revealed round shows its pairings and results, and cannot be hidden again. Matches are shown when the
    tournament is over and all its rounds are revealed. The tournament may be in progress.

    Example: ladder tournament reveal spring
    """
    from ladder.run.tournament.revealing import reveal_tournament

    revealed = reveal_tournament(existing_home(home).results, name, round)
    what = "all is revealed" if revealed.whole else f"revealed up to round {revealed.rounds[-1]}"
    note(f"tournament {name}: {what}", f"ladder tournament {name}")


def remove(
    name: Annotated[str, Argument("Its name.", metavar="TOURNAMENT")], home: HomeOption = None
) -> None:
    """Remove a tournament before its first match.

    Example: ladder tournament remove spring
    """
    from ladder.run.tournament.tournament_session import remove_tournament

    remove_tournament(existing_home(home).results, name)
    note(f"tournament {name} is removed", "ladder tournament")
