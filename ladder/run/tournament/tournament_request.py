"""The request for a tournament, which is the options of `ladder tournament new`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from typing import Annotated

from ladder.registry.bot_names import look_of
from ladder.registry.handles import LONGEST_DISPLAY, derive_handle, is_display_name
from ladder.run.match_options import GAME, SEATS, MatchOptions, Tier
from ladder.run.option import Argument, Option, Section, WrongOption, whole

NAMES = "a letter, then at most 31 letters, digits, dots, dashes and underscores"
"""What a tournament may be called, in words."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,31}")
_TAKEN = re.compile(r"d[0-9]+|last")
"""Names that mean matches of something else."""


def _of_ladder_toml(key: str) -> Option:
    return Option(f"As {key} in ladder.toml.", python_only=True)


def read_name(text: str) -> str:
    """Return *text*, the name of a tournament, or its title.  Raises ValueError for any other text."""
    name = name_for(text)
    if not _NAME.fullmatch(name):
        raise ValueError(f"expected {NAMES}, got: {text!r}")
    if _TAKEN.fullmatch(look_of(name)):
        raise ValueError(f"{text} is what other matches are called: take another name")
    return text


def name_for(title: str) -> str:
    """Return the name of a tournament with this *title*, which may be that name."""
    # a name that can be typed as it is stays so: tournaments of before are found by it
    return derive_handle(title) if is_display_name(title) and not _NAME.fullmatch(title) else title


def _read_title(text: str) -> str:
    """Return the title of a tournament.  Raises ValueError for any other text."""
    if not is_display_name(text):
        raise ValueError(f"expected a title of at most {LONGEST_DISPLAY} visible characters, got: {text!r}")
    return text


def read_moment(text: str) -> datetime:
    """Return the moment of a UTC time, or of a date: its end.  Raises ValueError for any other text."""
    try:
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise ValueError(f"expected a date such as 2027-05-01, got: {text!r}") from None
    if len(text) <= len("2027-05-01"):
        moment = datetime.combine(moment, time.max)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class TournamentRequest(MatchOptions):
    """A tournament that is asked for.  Raises WrongOption for what does not go together."""

    name: Annotated[str, Argument("The tournament's name.", metavar="NAME", read=read_name)]
    game: Annotated[
        str | Sequence[str],
        replace(GAME, help="The game of all its matches.", default="the one of ladder.toml"),
    ] = ()
    bots: Annotated[
        Sequence[str],
        Argument("NAME, NAME@NUMBER or NAME@HASH; without it, all bots.", metavar="BOT", completes="bots"),
    ] = ()
    stages: Annotated[
        str,
        Option(
            "What is played, joined by +: swiss:ROUNDS, round-robin, groups:G,TAKE, knockout:N, "
            "double-knockout:N, final:SEATS,BLOCKS.",
            metavar="STAGES",
            section=Section.WHAT,
            short=True,
        ),
    ] = "swiss"
    seats: Annotated[
        Sequence[int],
        replace(
            SEATS,
            help="Preferred table size; other sizes are used where needed so that everyone plays.",
            default="the smallest of the game",
        ),
    ] = ()
    options: Annotated[
        Sequence[str],
        Option(
            "A rule option, see `ladder games`; may be repeated.",
            ("--option", "-o"),
            metavar="OPTION=VALUE",
            default="as in ladder.toml",
            section=Section.WHAT,
        ),
    ] = ()
    blocks: Annotated[
        int | None,
        Option(
            "Deals of a round and of a series, each played from every seat.",
            metavar="N",
            default="enough to find a bot that wins 55 of 100 in 80 % of cases",
            read=whole(1, 10_000),
            section=Section.WHAT,
            short=True,
        ),
    ] = None
    hidden: Annotated[
        bool, Option("Show no results before `ladder tournament reveal`.", section=Section.WHAT, short=True)
    ] = False
    title: Annotated[
        str | None,
        Option("What people see it called.", metavar="TEXT", read=_read_title, section=Section.WHAT),
    ] = None
    sandbox: Annotated[Tier | None, _of_ladder_toml("tier")] = None
    jobs: Annotated[int | None, _of_ladder_toml("jobs")] = None
    rated: Annotated[bool, Option("Let its matches count in the ratings.", section=Section.WHAT)] = False
    freeze: Annotated[
        datetime | None,
        Option(
            "Play the versions that were submitted by DATE, in UTC; a day counts to its end.",
            metavar="DATE",
            default="now",
            read=read_moment,
            section=Section.WHAT,
            short=True,
        ),
    ] = None
    yes: Annotated[bool, Option("Do not ask: begin with all bots, however many matches that takes.")] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.game_names) > 1:
            raise WrongOption("--game", "a tournament plays one game")
        if len(self.seats) > 1:
            raise WrongOption(
                "--seats", "a tournament has one preferred table size; it uses others where needed"
            )
        if self.rated and self.hidden:
            raise WrongOption("--rated", "ratings would reveal the results of a secret tournament")
