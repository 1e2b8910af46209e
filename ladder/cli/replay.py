"""`ladder replay`: one match, move by move."""

from __future__ import annotations

from typing import Annotated

import typer

from ladder.cli.options import HomeOption, JsonOption, complete_matches, existing_home

__all__ = ["replay"]


def replay(
    match: Annotated[
        str,
        typer.Argument(
            metavar="MATCH",
            help="RUN/NUMBER, d1/NUMBER for a duel, last, or the name a bot was told.",
            autocompletion=complete_matches,
        ),
    ],
    json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Show one match, move by move.

    At the end stand the final table, the ranks and the faults. With --json: the whole record, with game,
    version, options, deal, seats, moves, ranks, scores and faults.

    Example: ladder replay last
    """
    from ladder.replay.replay import narrate, record_of
    from results.reports.render import escape
    from results.storage.unrated import contents_with

    where = existing_home(home)
    record = record_of(*contents_with(where.results, match))
    if json:
        import json as text

        print(text.dumps(record, indent=2))
        return
    for line in narrate(record, where.roster.numbers()):
        print("\n".join(escape(part) for part in line.split("\n")))
