"""The request to see or to play a match.  It loads neither games nor a home: `ladder --help` reads it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from ladder.contest.seed import Seed
from ladder.run.option import Argument, Option, whole


@dataclass(frozen=True, kw_only=True)
class PlayRequest:
    """The match that somebody wants to see or to play."""

    game: Annotated[str, Argument("The game.", metavar="GAME", completes="games")]
    bots: Annotated[
        Sequence[str],
        Argument(
            "NAME, NAME@NUMBER, NAME@HASH or a path, for the other seats in order; they repeat if there are "
            "more seats.",
            metavar="BOT",
            completes="bots",
        ),
    ] = ()
    human: Annotated[
        int | None,
        Option(
            "Take this seat yourself, 0 for the first.",
            metavar="SEAT",
            default="bots take all seats",
            read=whole(0, 63),
            short=True,
        ),
    ] = None
    connect: Annotated[
        int | None,
        Option(
            "Leave this seat to a bot that you start yourself, for example in a debugger. It has no clock.",
            metavar="SEAT",
            read=whole(0, 63),
            short=True,
        ),
    ] = None
    seats: Annotated[
        int | None,
        Option(
            "Play at a table of N seats.",
            metavar="N",
            default="the smallest with room that all play",
            read=whole(1, 64),
            short=True,
        ),
    ] = None
    seed: Annotated[
        Seed | None,
        Option(
            "Repeat the deal of this seed. Bots can guess a number and then know every card.",
            metavar="N|TEXT|@FILE",
            default="a new deal",
            read=Seed.read,
            short=True,
        ),
    ] = None
    deal: Any = None
    """A deal in the game's format, instead of one that follows from *seed*."""
    no_clock: Annotated[bool, Option("Lift the clock of the bots as well.")] = False
