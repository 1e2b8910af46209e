"""The options of a duel, which are the request for one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from ladder.errors import short, suggest
from ladder.run.match_options import GAME, SEATS, MatchOptions
from ladder.run.option import Argument, Option, Section, WrongOption, percent, whole, wins

ALPHA = 5.0
"""How often a verdict may be wrong, in percent."""
APART = 1.5
"""The default of apart, in wins of 100.

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


class ChosenTerms(NamedTuple):
    """How a duel is judged: *apart* and *expect* are in wins of 100, *alpha* in percent; None: not given."""

    apart: float | None = None
    expect: float | None = None
    alpha: float = ALPHA
    adjusted: bool = False


_TERMS: Mapping[str, Callable[[str], float]] = {
    "apart": wins(0, 50, "1.5, which means 48.5 to 51.5 of 100"),
    "expect": wins(0, 100, "55, which means that NEW is expected to win 55 of 100"),
    "alpha": percent(0, 50),
}


def _check_term(text: str) -> str:
    """Return *text*, which is a term of a duel.  Raises ValueError for any other."""
    _read_term(text)
    return text


def _read_term(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if text == "adjusted":
        return text, True
    if name not in _TERMS or not equals:
        forms = "apart=WINS, expect=WINS, alpha=PERCENT or adjusted"
        near = suggest(name, [*_TERMS, "adjusted"])
        raise ValueError(f"expected {forms}, got: {short(text)!r}{near}")
    try:
        return name, _TERMS[name](value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


@dataclass(frozen=True)
class DuelRequest(MatchOptions):
    """A duel that is asked for.  What is not given is the default of the ladder.

    *margin* and *no_worse* are in wins of 100, where a draw is half a win.  *games* is for each contest.
    Raises WrongOption for two questions at once.
    """

    new_bot: Annotated[
        str, Argument("NAME, NAME@NUMBER, NAME@HASH or a path.", metavar="NEW", completes="bots")
    ]
    old_bot: Annotated[str, Argument("The bot to compare it with.", metavar="OLD", completes="bots")]
    _: KW_ONLY
    game: Annotated[str | Sequence[str], replace(GAME, default="those of `ladder run` that both play")] = ()
    seats: Annotated[Sequence[int], replace(SEATS, default="the smallest that both play")] = ()
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
    terms: Annotated[
        Sequence[str],
        Option(
            "How it is judged; may be repeated. apart=WINS: also stop once the two are surely within WINS "
            f"of each other ({APART:g} of 100, if not given). expect=WINS: your guess of NEW's wins in 100; "
            "a good guess saves deals, a bad one costs some; the verdict stays valid. alpha=PERCENT: how "
            f"often a verdict may be wrong ({ALPHA:g}, if not given). adjusted: correct results for luck in "
            "the draw; similar bots then need fewer deals.",
            metavar="TERM",
            read=_check_term,
            section=Section.END,
        ),
    ] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        values = {"--margin": self.margin, "--no-worse": self.no_worse, "--terms apart": self.chosen.apart}
        asked = [flag for flag, value in values.items() if value is not None]
        if len(asked) > 1:
            raise WrongOption(asked[1], f"each is a question of its own: give {' or '.join(asked)}")

    @cached_property
    def chosen(self) -> ChosenTerms:
        """The terms, each with its default.  Raises WrongOption if one is given twice."""
        found = dict(map(_read_term, self.terms))
        if len(found) < len(self.terms):
            raise WrongOption("--terms", "a term is given twice")
        return ChosenTerms(**found)
