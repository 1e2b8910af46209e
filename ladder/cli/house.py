"""`ladder bots house`: add or remove the bots that come with the ladder."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ladder.cli.options import FIRST_RUN, HomeOption, existing_home, note

__all__ = ["house"]


def _complete_house(incomplete: str) -> list[str]:
    from ladder.home.home import house_bots

    return [name for name in house_bots() if name.startswith(incomplete)]


def house(
    action: Annotated[
        Literal["add", "remove"], typer.Argument(metavar="add|remove", help="Add them or remove them.")
    ],
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT", help="Only these house bots. [default: all]", autocompletion=_complete_house
        ),
    ] = None,
    home: HomeOption = None,
) -> None:
    """Add or remove the house bots, which come with the ladder.

    The first run of a new ladder adds them. A removed bot no longer plays, except where a run names it. Its
    results stay.

    Example: ladder bots house remove random-c
    """
    from ladder.admission.house import add
    from ladder.home.home import house_bots
    from ladder.home.house_bots import check_names, remove

    wanted = list(dict.fromkeys(names or house_bots()))
    check_names(wanted)
    where = existing_home(home)
    if action == "add":
        added = add(where, wanted, note)
        note(f"house bots that play: {len(added)} of {len(wanted)}", FIRST_RUN)
    elif gone := remove(where, wanted):
        note(
            f"house bots that no longer play: {', '.join(gone)}",
            "ladder bots house add, which adds them again",
        )
    else:
        note("nothing has changed: none of these house bots played", "ladder bots")
