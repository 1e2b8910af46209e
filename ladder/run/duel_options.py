"""The options of a duel, which are the request for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from ladder.run.match_options import GAME, SEATS, MatchOptions
from ladder.run.option import Argument, Option, Section, WrongOption, percent, whole, wins

APART = 1.5
"""The default of --apart, in wins of 100.

Duels between equals end after 8,200 deals at Stellar and 13,100 at Stella for four (98 and 82 % of them),
and bots at 51 of 100 are told to be better as often as if no duel ended so (85 for 87 %, 58 for 58).  With 2,
equals end after 4,600 and 7,700 deals, but 51 of 100 is found in 53 % only.
"""


class MarginRange(NamedTuple):
    """Two margins, in wins of 100: NEW is "better" above *least* and "not better" below *most*."""

    least: float
    most: float


def read_margin(text: str | float) -> float | MarginRange:
    """Return the margin, or the two, that *text* means.  Raises ValueError for any other text."""
    read = wins(0, 50, "2.5, which means 52.5 of 100, or 0:1")
    least, colon, most = str(text).partition(":")
    if not colon:
        return read(str(text))
    # only the lower margin may be 0, which `read` does not take
    found = MarginRange(0.0 if least in ("0", "0.0") else read(least), read(most))
    if found.least > found.most:
        raise ValueError(f"expected two margins, the smaller one first, such as 0:1; got: {text!r}")
    return found


@dataclass(frozen=True, kw_only=True)
class DuelRequest(MatchOptions):
    """A duel that is asked for.  What is not given is the default of the ladder.

    *margin*, *no_worse*, *apart* and *expect* are in wins of 100, where a draw is half a win; *alpha*, a
    probability, is in percent.  *games* is for each contest.  Raises WrongOption for two questions at once.
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
            "Leave this bot out of the field, even in an unfinished duel; may be repeated.",
            metavar="BOT",
            completes="bots",
            section=Section.WHAT,
        ),
    ] = ()
    rated: Annotated[bool, Option("Let the matches count in the ladder's ratings.", section=Section.WHAT)] = (
        False
    )
    new: Annotated[
        bool, Option("Start a new duel, even if the last is unfinished or undecided.", section=Section.WHAT)
    ] = False
    games: Annotated[
        int | None,
        Option(
            "Play at most N matches of each game and table size. A larger N continues an undecided duel.",
            ("--games", "-g"),
            metavar="N",
            default="20000 deals",
            read=whole(1),
            section=Section.END,
            short=True,
        ),
    ] = None
    margin: Annotated[
        float | MarginRange | None,
        Option(
            "Test for a lead of more than WINS (2.5 = 52.5 wins of 100). "
            'LOW:HIGH: "better" above LOW, "not better" below HIGH.',
            metavar="WINS",
            read=read_margin,
            section=Section.END,
            short=True,
        ),
    ] = None
    no_worse: Annotated[
        float | None,
        Option(
            "Test that NEW is at most WINS worse than OLD. Without a number: 2, which is 48 wins of 100.",
            metavar="WINS",
            read=wins(0, 50, "2, which means 48 of 100"),
            bare="2",
            section=Section.END,
            short=True,
        ),
    ] = None
    apart: Annotated[
        float | None,
        Option(
            "Also stop once the two are surely within WINS of each other.",
            metavar="WINS",
            default=f"{APART:g} of 100",
            read=wins(0, 50, "1.5, which means 48.5 to 51.5 of 100"),
            section=Section.END,
        ),
    ] = None
    expect: Annotated[
        float | None,
        Option(
            "Your guess of NEW's wins in 100. A good guess saves deals, a bad one costs some; the verdict "
            "stays valid.",
            metavar="WINS",
            read=wins(0, 100, "55, which means that NEW is expected to win 55 of 100"),
            section=Section.END,
        ),
    ] = None
    alpha: Annotated[
        float,
        Option(
            "How often a verdict may be wrong, in percent.",
            metavar="PERCENT",
            read=percent(0, 50),
            section=Section.END,
        ),
    ] = 5.0
    adjusted: Annotated[
        bool,
        Option(
            "Correct results for luck in the draw; similar bots then need fewer deals.",
            section=Section.END,
        ),
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        values = {"--margin": self.margin, "--no-worse": self.no_worse, "--apart": self.apart}
        asked = [flag for flag, value in values.items() if value is not None]
        if len(asked) > 1:
            raise WrongOption(asked[1], f"each is a question of its own: give {' or '.join(asked)}")
