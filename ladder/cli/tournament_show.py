"""`ladder tournament TOURNAMENT`: rounds, tables and the standing of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ladder.api.asked import EventRequest
from ladder.cli.options import FormatOption, existing_home, note, print_json, print_rows
from ladder.cli.show_document import show_document
from ladder.run.option import Option
from results.reports.document import BotRef

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.run.tournament.certainty import Chance
    from ladder.run.tournament.stored_tournaments import StoredTournament


def tournament_show(
    asked: EventRequest,
    rounds: Annotated[
        bool, Option("One row for each seat of each table, in place of brackets, cross tables and standing.")
    ] = False,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show the rounds, the tables and the standing of a tournament.

    Numbers behind names are the share of the others at the table that a bot has beaten, in percent.
    With --format json: everything; with csv or md: the standing, or with --rounds all tables.

    Example: ladder tournament spring --rounds --format csv
    """
    from ladder.run.tournament.stored_tournaments import find_tournament

    where = existing_home(asked.home)
    found = find_tournament(where.results, asked.name)
    if rounds and format != "json":
        _print_rounds(where, found, format)
    else:
        print_tournament(where, found, format)


def print_tournament(home: Home, found: StoredTournament, form: str) -> None:
    """Print what was played of a tournament, and its standing."""
    from ladder.api.event_answer import EventAnswer
    from ladder.run.tournament.event_document import event_document
    from ladder.run.tournament.event_rows import STANDING

    answer = EventAnswer.of(home, found)
    event = answer.event
    if form == "json":
        print_json(answer.details)
    elif form == "table":
        bots = [BotRef(*bot) for bot in event.entrants]
        show_document(event_document(event, bots, "operator"), home.roster.numbers())
    else:
        print_rows(answer.details["standing"], STANDING, form)
    _print_notes(found, answer.sure)


def _print_notes(found: StoredTournament, sure: Chance | None) -> None:
    """Say how sure the winner is, and what to type next."""
    from ladder.run.tournament.event_words import tell_sure

    if sure:
        by = "by the tables of this tournament and the ratings; more matches make this surer"
        note(f"\n{tell_sure(sure)}, {by}", piped=80)
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


def _print_rounds(home: Home, found: StoredTournament, form: str) -> None:
    """Print one row for each seat of each table."""
    from ladder.run.tournament.event_rows import SEATS, names_of, seat_rows
    from ladder.run.tournament.stored_tournaments import shown_event

    names = names_of(found.run, numbers := home.roster.numbers())
    handles = names_of(found.run, {**numbers}) if form in ("json", "csv") else names
    print_rows(seat_rows(shown_event(found).report(), handles, names), SEATS, form)
