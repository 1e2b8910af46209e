"""`ladder replay`: one match, step by step."""

from __future__ import annotations

from typing import Annotated

import typer

from ladder.cli.options import HomeOption, JsonOption, existing_home, store_of

__all__ = ["replay"]


def replay(
    match: Annotated[
        str, typer.Argument(metavar="MATCH", help="RUN/NUMBER, last, or the name a bot was told.")
    ],
    json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Show a match: the moves step by step, the table at the end, and what went wrong.

    With --json, the whole record: game, version, options, deal, seats, moves, ranks, scores, faults.

    Example: ladder replay last
    """
    from ladder.replay import record_of, told
    from results.tables import plain

    record = record_of(store_of(existing_home(home)), match)
    if json:
        import json as text

        print(text.dumps(record, indent=2))
        return
    for line in told(record):
        print("\n".join(plain(part) for part in line.split("\n")))
