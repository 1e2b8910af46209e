"""`ladder tournament TOURNAMENT`: rounds, tables and the standing of a tournament."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Annotated, Any

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_json, print_rows
from ladder.cli.streams import paint
from ladder.run.option import Argument, Option

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.run.tournament.stored_tournaments import StoredTournament

COLUMNS = (60, 160)
"""The least and the most width of what is drawn; 80 where there is no terminal."""


def tournament_show(
    name: Annotated[str, Argument("Its name.", metavar="TOURNAMENT")],
    rounds: Annotated[
        bool, Option("One row for each seat of each table, in place of brackets, cross tables and standing.")
    ] = False,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show the rounds, the tables and the standing of a tournament.

    Numbers behind names are the share of the others at the table that a bot has beaten, in percent. An arrow
    shows where a bot advances to. With --format json: everything; with csv or md: the standing, or with
    --rounds all tables.

    Example: ladder tournament spring --rounds --format csv
    """
    from ladder.run.tournament.stored_tournaments import find_tournament

    where = existing_home(home)
    found = find_tournament(where.results, name)
    if rounds and format != "json":
        _print_rounds(where, found, format)
    else:
        print_tournament(where, found, format)


def print_tournament(home: Home, found: StoredTournament, form: str) -> None:
    """Print what was played of a tournament, and its standing."""
    from ladder.run.tournament.event_rows import stages_json
    from ladder.run.tournament.forecast import judge_winner
    from ladder.run.tournament.stored_tournaments import shown_event
    from ladder.run.tournament.table_lists import Drawing
    from ladder.run.tournament.tournament_report import (
        STANDING,
        names_of,
        standing_rows,
        tell_certainty,
        tell_tournament,
    )
    from results.storage.store import Store

    names, event = names_of(found, home.roster.numbers()), shown_event(found)
    rows = standing_rows(event, names)
    sure = judge_winner(found, Store(home.results).contents(), event) if event.over else None
    if form == "json":
        told: dict[str, Any] = {"tournament": found.terms.name, "game": found.run.settings.contests[0].game}
        told |= {"over": event.over, "stages": stages_json(event, names), "standing": rows}
        told |= {"secret_sha256": found.run.secret_hash, "secret": found.told_secret}
        print_json({**told, "best_of_field": sure and sure._asdict()})
    else:
        if form == "table":
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
            drawing = Drawing(names, min(max(COLUMNS[0], width), COLUMNS[1]), lambda text: paint(text, "1"))
            for line in tell_tournament(event, drawing):
                print(line)
        print_rows(rows, STANDING, form)
    if sure:
        _note_sure(tell_certainty(sure))
    name = found.terms.name
    if found.run.finished is None:
        note(f"\n{name} is not over", f"ladder tournament run {name}")
    elif found.is_hidden:
        note(f"\n{name} is over, and secret", f"ladder tournament reveal {name}")
    elif found.is_rated:
        note("\nthese matches count in the ratings", f"ladder leaderboard, ladder replay {found.run.run}/0")
    else:
        note("\nthese matches do not count", f"ladder matches --in {name}, ladder replay {name}/0")
    if found.told_secret:
        note(f"its secret: {found.told_secret}")
        note(f"SHA-256 of it: {found.run.secret_hash}", "ladder home verify")


def _note_sure(certainty: str) -> None:
    note(
        f"\nthe winner is the best bot with a probability of {certainty}, by the tables of this tournament"
        " and the ratings; more matches make this surer",
        piped=80,
    )


def _print_rounds(home: Home, found: StoredTournament, form: str) -> None:
    """Print one row for each seat of each table."""
    from ladder.run.tournament.event_rows import SEATS, seat_rows
    from ladder.run.tournament.stored_tournaments import shown_event
    from ladder.run.tournament.tournament_report import names_of

    names = names_of(found, home.roster.numbers())
    print_rows(seat_rows(shown_event(found), names), SEATS, form)
