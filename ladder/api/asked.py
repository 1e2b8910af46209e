"""What commands and the functions of Python are asked: for each a struct of its options.

Those of runs, duels and measurements stand where they are played.  This module loads no home and no tables.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from ladder.errors import UsageProblem
from ladder.run.match_options import GAME, OWN_JOBS, AnyHome, games_named
from ladder.run.option import Argument, Option, WrongOption, whole

if TYPE_CHECKING:
    from ladder.admission.submission import Submission

TRIED_MATCHES = 4000
"""The most matches of each game in which a change is tried: an author waits for the answer."""
FIRST_OPPONENT = "greedy"
"""The house bot that a bot is tried against before it has an older version."""
MATCHES = "RUN/NUMBER, d1/NUMBER for a duel, TOURNAMENT/NUMBER, last"
"""How a match is named."""
NEED_BOT = "--matches, --worst, --game and --full need --bot"

MATCH = Argument(
    "RUN/NUMBER, d1/NUMBER, last, or the id that its bots read.", metavar="MATCH", completes="matches"
)
GameOption: TypeAlias = Annotated[
    str | None, Option("Only this game.", metavar="GAME", completes="games", short=True)
]
SeasonOption: TypeAlias = Annotated[
    str | None,
    Option(
        "Another season: ladder home season lists them.",
        metavar="NAME",
        default="the current one",
        completes="seasons",
    ),
]
TrialsOption: TypeAlias = Annotated[
    Sequence[str],
    Option(
        "Try it at this game, or at `all`; may be repeated. Bots that name their games are tried at those.",
        metavar="GAME",
        default="the games that `ladder run` plays here",
    ),
]
InOption: TypeAlias = Annotated[
    str | None,
    Option(
        "Only this run (1, 2), duel or unrated run (d1, d2), or tournament (its name).",
        ("--in",),
        metavar="RUN",
        default="all runs that count",
        completes="duels",
    ),
]
TopOption: TypeAlias = Annotated[
    int | None,
    Option("Only the first N bots of each game.", ("--top", "-n"), metavar="N", read=whole(2), short=True),
]
AllVersionsOption: TypeAlias = Annotated[bool, Option("Also show older versions, and bots that do not play.")]


# -- bots


# -- matches


# -- ratings


@dataclass(frozen=True)
class SubmitRequest:
    """How bots are submitted."""

    _: KW_ONLY
    name: Annotated[
        str | None, Option("Give the bot this name.", metavar="NAME", default="its own name", short=True)
    ] = None
    message: Annotated[
        str,
        Option(
            "What is new, as a note that `ladder bots` shows.",
            ("--message", "-m"),
            metavar="NOTE",
            short=True,
        ),
    ] = ""
    check: Annotated[
        Literal["full", "quick", "none"],
        Option(
            "Its matches against itself. quick: one only, at the smallest table, for bots whose decisions "
            "are slow. none: copy and build the bot only.",
            short=True,
        ),
    ] = "full"
    game: TrialsOption = ()
    limits: Annotated[
        Sequence[str],
        Option(
            "A limit of its matches against itself: move_ms=60000; may be repeated.",
            ("--limit",),
            metavar="KEY=VALUE",
            default="as in ladder.toml",
        ),
    ] = ()
    home: AnyHome = None

    def submission_of(self, path: Path, **more: Any) -> "Submission":
        """Return the submission of the bot at *path*; *more* are fields of it."""
        from ladder.admission.submission import Submission

        games = games_named(self.game)
        return Submission(
            path, name=self.name or "", note=self.message, checks=self.check, games=games, **more
        )


@dataclass(frozen=True)
class CheckRequest:
    """What `ladder check` tests."""

    bot: Annotated[
        str,
        Argument(
            "A script, a folder with bot.toml, a manifest, or a bot of this ladder.",
            metavar="BOT",
            completes="bots",
        ),
    ]
    _: KW_ONLY
    game: TrialsOption = ()
    home: AnyHome = None


@dataclass(frozen=True)
class TryRequest:
    """A change that `ladder try` tries."""

    bot: Annotated[str, Argument("A script, a folder with bot.toml, or an archive.", metavar="BOT")]
    _: KW_ONLY
    message: Annotated[
        str, Option("What you changed: a note for the list of tries.", ("--message", "-m"), metavar="TEXT")
    ] = ""
    against: Annotated[
        str | None,
        Option(
            "Try it against this bot or version.",
            metavar="BOT",
            default=f"its version that plays here, else its last one, else {FIRST_OPPONENT}",
            completes="bots",
        ),
    ] = None
    game: Annotated[Sequence[str], replace(GAME, default="those of `ladder run` that both play")] = ()
    games: Annotated[
        int, Option("The most matches of each game.", ("--games", "-g"), metavar="N", read=whole(2))
    ] = TRIED_MATCHES
    home: AnyHome = None


@dataclass(frozen=True)
class ReplayRequest:
    """The match that is shown."""

    match: Annotated[
        str, Argument(f"{MATCHES}, or the id that its bots read.", metavar="MATCH", completes="matches")
    ]
    _: KW_ONLY
    seat: Annotated[int | None, Option("Show only what seat N saw and noted.", metavar="N", short=True)] = (
        None
    )
    no_notes: Annotated[bool, Option("Leave out the notes of the bots.")] = False
    home: AnyHome = None


@dataclass(frozen=True)
class ReviewRequest:
    """What is reviewed.  Raises WrongOption for what does not go together."""

    match: Annotated[str | None, MATCH] = None
    _: KW_ONLY
    bot: Annotated[
        str | None,
        Option(
            "Review the newest matches of this bot instead: NAME, NAME@NUMBER or NAME@HASH.",
            metavar="BOT",
            completes="bots",
            short=True,
        ),
    ] = None
    matches: Annotated[int, Option("With --bot: at most N of its matches.", metavar="N", read=whole(1))] = 100
    seat: Annotated[
        int | None,
        Option(
            "Show only what this seat knew: no open cards, no other seat.",
            metavar="N",
            read=whole(0, 63),
            short=True,
        ),
    ] = None
    worlds: Annotated[
        int | None,
        Option(
            "Try all options in N worlds, then only the better half of them. Nothing is stored.",
            metavar="N",
            default="what the judge of the game says",
            read=whole(2, 1000),
        ),
    ] = None
    full: Annotated[bool, Option("With --bot: whole reviews, which take ten times as long.")] = False
    game: Annotated[
        str | None,
        Option("With --bot: only matches of this game.", metavar="GAME", completes="games", short=True),
    ] = None
    jobs: Annotated[int | None, replace(OWN_JOBS, help="With --bot: processes that review matches.")] = None
    home: AnyHome = None

    def __post_init__(self) -> None:
        if self.bot is None and (self.matches != 100 or self.full or self.game):
            raise WrongOption("--game" if self.game else "--matches", NEED_BOT)
        if self.match is None and (self.seat is not None or self.worlds is not None):
            raise WrongOption("--seat", "--seat and --worlds are for one match")
        self.check_one(self.match is not None, self.bot is not None)

    def check_one(self, *given: bool) -> None:
        """Raise WrongOption unless exactly one is *given* of what may be asked."""
        if sum(given) != 1:
            raise WrongOption("MATCH", "expected a match, or a bot (--bot BOT)")


@dataclass(frozen=True, kw_only=True)
class MatchesRequest:
    """The matches that are listed.  Raises WrongOption for what does not go together."""

    bot: Annotated[
        str | None,
        Option("Only matches of this bot: NAME, NAME@NUMBER or NAME@HASH.", metavar="BOT", completes="bots"),
    ] = None
    lost: Annotated[bool, Option("Only matches that this bot lost.")] = False
    fault: Annotated[bool, Option("Only matches with a fault, of this bot if --bot is given.")] = False
    within: InOption = None
    top: Annotated[int, Option("Show at most N matches.", ("--top", "-n"), metavar="N", read=whole(1))] = 20
    game: GameOption = None
    home: AnyHome = None

    def __post_init__(self) -> None:
        if self.lost and not self.bot:
            raise WrongOption("--lost", "needs --bot, to know which bot lost")


@dataclass(frozen=True)
class ExportRequest:
    """What is written to a file or a folder, or audited.  Raises UsageProblem (WrongOption)."""

    path: Annotated[Path | None, Argument("A file that ends in .parquet, .csv or .xlsx.", metavar="FILE")] = (
        None
    )
    _: KW_ONLY
    per: Annotated[
        Literal["match", "seat", "decision"],
        Option("One row per match, per seat or, in Parquet, per decision.", short=True),
    ] = "seat"
    to: Annotated[
        Path | None,
        Option("Write all decisions to a new FOLDER, with a data card.", metavar="FOLDER", short=True),
    ] = None
    check: Annotated[bool, Option("Audit the decisions in FILE, which may be a folder.", short=True)] = False
    game: GameOption = None
    seats: Annotated[
        int | None, Option("Only decisions at tables of N seats.", metavar="N", read=whole(2))
    ] = None
    numbers: Annotated[
        bool, Option("Also write views and moves of decisions as numbers, for one game at one table a file.")
    ] = False
    within: InOption = None
    jobs: Annotated[
        int | None, replace(OWN_JOBS, help="With --per decision, --to or --check: processes at work.")
    ] = None
    home: AnyHome = None

    def __post_init__(self) -> None:
        of_decisions = {
            "--to": self.to,
            "--game": self.game,
            "--seats": self.seats,
            "--numbers": self.numbers,
        }
        if self.rows != "decision" and (wrong := [name for name, value in of_decisions.items() if value]):
            raise WrongOption(wrong[0], "it goes with --per decision")
        if (self.path is None) == (self.to is None) or (self.check and self.to):
            raise UsageProblem("expected a FILE, or --to FOLDER", "ladder export seats.parquet")

    @property
    def rows(self) -> Literal["match", "seat", "decision"]:
        """What a row stands for."""
        return "decision" if self.to and self.per == "seat" else self.per


@dataclass(frozen=True)
class LeaderboardRequest:
    """The ratings that are shown."""

    game: GameOption = None
    _: KW_ONLY
    seats: Annotated[
        int | None,
        Option(
            "Compute ratings from the matches at tables of N seats only.",
            metavar="N",
            read=whole(2),
            short=True,
        ),
    ] = None
    top: TopOption = None
    season: SeasonOption = None
    bar: Annotated[
        str | None, Option("Mark the bots that are surely better than BOT.", ("--pass",), metavar="BOT")
    ] = None
    columns: Annotated[
        str | None,
        Option(
            "Show these columns beside the bots: any of --format csv; costs: cost_usd, total_cost_usd,"
            " input_tokens, output_tokens, requests, fallbacks, matches_with_usage; reviews: error (per"
            " decision) and luck (per match), in % of a result, reviewed_matches, matches_with_luck; faults:"
            " clean (the rating without them), played (the share of its matches without one).",
            metavar="A,B",
        ),
    ] = None
    limits: Annotated[
        Literal["current"] | None,
        Option("Compute ratings only from matches under the limits that bots have now."),
    ] = None
    clean: Annotated[
        bool, Option("Compute ratings only from matches in which no bot was charged with a fault.")
    ] = False
    all_versions: AllVersionsOption = False
    home: AnyHome = None


@dataclass(frozen=True)
class EventRequest:
    """The tournament that is shown."""

    name: Annotated[str, Argument("Its name.", metavar="TOURNAMENT")]
    home: AnyHome = None
