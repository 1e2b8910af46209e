"""`ladder tournament show`: rounds, tables and the standing of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_rows
from ladder.run.option import Argument

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.run.tournament.stored_tournaments import StoredTournament

__all__ = ["print_tournament", "tournament_show"]


def tournament_show(
    name: Annotated[str, Argument("Its name.", metavar="TOURNAMENT")],
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show the rounds, the tables and the standing of a tournament.

    Numbers behind names are the share of the others at the table that a bot has beaten, in percent. With
    --format json, csv or md: the standing alone.

    Example: ladder tournament show spring
    """
    from ladder.run.tournament.stored_tournaments import find_tournament

    where = existing_home(home)
    print_tournament(where, find_tournament(where.results, name), format)


def print_tournament(home: Home, found: StoredTournament, form: str) -> None:
    """Print what was played of a tournament, and its standing."""
    from ladder.run.tournament.stored_tournaments import shown_event
    from ladder.run.tournament.tournament_report import STANDING, names_of, standing_rows, tell_tournament

    names, event = names_of(found, home.roster.numbers()), shown_event(found)
    if form == "table":
        for line in tell_tournament(event, names):
            print(line)
    print_rows(standing_rows(event, names), STANDING, form)
    name = found.terms.name
    if found.run.finished is None:
        note(f"\n{name} is not over", f"ladder tournament run {name}")
    elif found.is_hidden:
        note(f"\n{name} is over, and secret", f"ladder tournament reveal {name}")
    elif found.is_rated:
        note("\nthese matches count in the ratings", f"ladder leaderboard, ladder replay {found.run.run}/0")
    else:
        note("\nthese matches do not count", f"ladder matches --duel {name}, ladder replay {name}/0")
    if found.told_secret:
        note(f"its secret: {found.told_secret}, SHA-256 {found.run.secret_hash}", "ladder home verify")
