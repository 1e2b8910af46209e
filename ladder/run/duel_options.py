"""The options of a duel, which are the request for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from ladder.run.match_options import GAME, SEATS, MatchOptions
from ladder.run.option import Argument, Option, Section, percent, whole

__all__ = ["DuelRequest"]


@dataclass(frozen=True, kw_only=True)
class DuelRequest(MatchOptions):
    """A duel that is asked for.  What is not given is the default of the ladder.

    *margin*, a mean score, and *alpha*, a probability, are in percent.  *games* is for each contest.
    """

    game: Annotated[str | Sequence[str], replace(GAME, default="all that both play")] = ()
    seats: Annotated[Sequence[int], replace(SEATS, default="the smallest of each game")] = ()
    new_bot: Annotated[
        str, Argument("NAME, NAME@NUMBER, NAME@HASH or a path.", metavar="NEW", completes="bots")
    ]
    old_bot: Annotated[str, Argument("The bot to compare it with.", metavar="OLD", completes="bots")]
    field: Annotated[
        Sequence[str] | None,
        Option(
            "A bot for the other seats of larger tables; may be repeated.",
            metavar="BOT",
            default="those nearest in rating",
            completes="bots",
            section=Section.WHAT,
        ),
    ] = None
    without: Annotated[
        Sequence[str],
        Option(
            "Leave this bot out of the field, also of an unfinished duel; may be repeated.",
            metavar="BOT",
            completes="bots",
            section=Section.WHAT,
        ),
    ] = ()
    rated: Annotated[bool, Option("Let the matches count in the ladder's ratings.", section=Section.WHAT)] = (
        False
    )
    new: Annotated[
        bool, Option("Begin another, even if this one is unfinished or undecided.", section=Section.WHAT)
    ] = False
    games: Annotated[
        int | None,
        Option(
            "The most matches of each game and table size. More of them play an undecided duel on.",
            ("--games", "-g"),
            metavar="N",
            default="20000 deals",
            read=whole(1),
            section=Section.END,
        ),
    ] = None
    margin: Annotated[
        float | None,
        Option(
            "End, too, when NEW is sure to be no more than this better.",
            metavar="PERCENT",
            read=percent(0, 100),
            section=Section.END,
        ),
    ] = None
    alpha: Annotated[
        float,
        Option(
            "How often a verdict may be false, in percent.",
            metavar="PERCENT",
            read=percent(0, 50),
            section=Section.END,
        ),
    ] = 5.0
    adjusted: Annotated[
        bool,
        Option(
            "Count results less the luck of the draws: fewer deals between like bots. For stellar.",
            section=Section.END,
        ),
    ] = False
