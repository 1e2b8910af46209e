"""The list of the tournaments of a home."""

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_rows


def tournament_list(
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List tournaments, newest first."""
    from ladder.run.tournament.event_rows import TOURNAMENTS, tournament_row
    from ladder.run.tournament.stored_tournaments import find_tournaments

    found = find_tournaments(existing_home(home).results)
    print_rows([tournament_row(each) for each in reversed(found.values())], TOURNAMENTS, format)
    if not found:
        note("no tournaments yet", "ladder tournament new spring --game stellar")
        return
    name = next(reversed(found))
    note("\nthe newest is the first", f"ladder tournament {name}")
