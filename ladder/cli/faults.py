"""`ladder faults`: what bots did wrong."""

from typing import Annotated

from ladder.api.asked import InOption
from ladder.cli.last_line import remember_commands
from ladder.cli.options import FormatOption, HomeOption, existing_home, note, nothing_yet, print_rows
from ladder.cli.show_document import fit_lines
from ladder.run.option import Argument, Option, whole
from results.reports.document import GAME


def faults(
    bot: Annotated[
        str | None,
        Argument("NAME, NAME@NUMBER or NAME@HASH; without it, all bots.", metavar="BOT", completes="bots"),
    ] = None,
    top: Annotated[int, Option("Show at most N faults.", ("--top", "-n"), metavar="N", read=whole(1))] = 10,
    within: InOption = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show what bots did wrong, newest first.

    Each fault is shown with the request, the answer, the time it took and what the bot logged. The formats
    json, csv and md have one row per fault.

    Example: ladder faults greedy
    """
    from ladder.home.chosen_results import results_in
    from protocol.faults import explain
    from results.reports.fault_card import COMMANDS, render_card
    from results.reports.row_sets import FAULTS, FAULTS_NEED
    from results.reports.row_sets import faults as rows_of

    where = existing_home(home)
    version = where.roster.find(bot) if bot else None
    chosen = results_in(where, within)
    contents = chosen.contents
    rows = [
        {**row, "run": within} if chosen.unrated and format == "table" else row
        for row in reversed(contents.faults().to_pylist())
        if chosen.run in (None, row["run"])
        if version is None
        or (row["bot"] == version.bot and ("@" not in (bot or "") or row["version"] == version.version))
    ]
    if format != "table":
        print_rows(rows_of(rows[:top], contents.matches(FAULTS_NEED)), [GAME, *FAULTS], format)
    else:
        numbers = where.roster.numbers()
        for i, row in enumerate(rows[:top]):
            if i:
                print()
            for line in render_card(row, *explain(row["kind"]), numbers):
                print("\n".join(fit_lines(remember_commands(line) if line.startswith(COMMANDS) else line)))
    if not contents.runs:
        nothing_yet("matches")
    elif not rows:
        note("no faults")
    else:
        shown = f"{min(top, len(rows)):,} of {len(rows):,}, newest first; --top N shows more"
        note(shown if top < len(rows) else f"{len(rows):,} in all")
