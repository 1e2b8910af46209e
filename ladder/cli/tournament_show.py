"""`ladder tournament TOURNAMENT`: rounds, tables and the standing of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_json, print_rows, store_of
from ladder.cli.show_document import show_document
from ladder.run.option import Argument, Option
from results.reports.document import BotRef

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.run.tournament.certainty import Chance
    from ladder.run.tournament.stored_tournaments import StoredTournament


def tournament_show(
    name: Annotated[str, Argument("Its name.", metavar="TOURNAMENT")],
    rounds: Annotated[
        bool, Option("One row for each seat of each table, in place of brackets, cross tables and standing.")
    ] = False,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show the rounds, the tables and the standing of a tournament.

    Numbers behind names are the share of the others at the table that a bot has beaten, in percent.
    With --format json: everything; with csv or md: the standing, or with --rounds all tables.

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
    from ladder.run.tournament.event_document import event_document
    from ladder.run.tournament.event_facts import facts_of, read_state
    from ladder.run.tournament.event_rows import STANDING, names_of, stages_json, standing_rows
    from ladder.run.tournament.forecast import judge_winner

    numbers, state = home.roster.numbers(), read_state(found)
    event = facts_of(found, numbers, state)
    handles = names_of(found.run, {**numbers})
    rows = standing_rows(state.standing, handles, event.names)
    sure = judge_winner(found, store_of(home).contents(), state) if state.is_over else None
    if form == "json":
        told: dict[str, Any] = {"tournament": event.name, "game": event.game}
        told |= {"over": state.is_over, "stages": stages_json(state.report, handles), "standing": rows}
        told |= {"secret_sha256": found.run.secret_hash, "secret": found.told_secret}
        print_json({**told, "best_of_field": sure and sure.as_json()})
    elif form == "table":
        bots = [BotRef(*bot) for bot in event.entrants]
        show_document(event_document(event, bots, "operator"), numbers)
    else:
        print_rows(rows, STANDING, form)
    _print_notes(found, sure)


def _print_notes(found: StoredTournament, sure: Chance | None) -> None:
    """Say how sure the winner is, and what to type next."""
    from ladder.run.tournament.event_words import tell_chance

    if sure:
        told = tell_chance(sure)
        about = "about " if told[0].isdigit() else ""
        note(
            f"\nthe winner is the best bot with a probability of {about}{told}, by the tables of"
            " this tournament and the ratings; more matches make this surer",
            piped=80,
        )
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
