"""`ladder bots house`: add or remove the bots that come with the ladder."""

from collections.abc import Sequence
from typing import Annotated, Literal

from ladder.cli.options import HomeOption, existing_home, note
from ladder.errors import FIRST_RUN
from ladder.run.option import Argument


def house(
    action: Annotated[Literal["add", "remove"], Argument("Add them or remove them.", metavar="add|remove")],
    names: Annotated[
        Sequence[str],
        Argument(
            "Only these. [default: add those of a new ladder; remove all]",
            metavar="BOT",
            completes="house bots",
        ),
    ] = (),
    home: HomeOption = None,
) -> None:
    """Add or remove the house bots, which come with the ladder.

    The first run of a new ladder adds the quick ones. `search` and its settings `search-light` and
    `search-deep` look far ahead, and are added only by name; so are the bots of the reference set, such as
    `r1-greedy`, one of which may be the `anchor` of a game. A removed bot no longer plays, except where a run
    names it. Its results stay.

    Example: ladder bots house add random-c
    """
    from ladder.admission.house import add
    from ladder.home.home import first_house_bots, house_bots, reference_bots
    from ladder.home.house_bots import check_names, remove

    every = first_house_bots() if action == "add" else [*house_bots(), *reference_bots()]
    wanted = list(dict.fromkeys(names or every))
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
