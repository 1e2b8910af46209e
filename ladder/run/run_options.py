"""The options of runs and duels, which commands and the Python API share: names, units, defaults, help.

`ladder run` and `ladder duel` take these structs with arguments of their own (ladder/cli/run_arguments.py and
duel_arguments.py), `ladder.play` with those of Python.  `request_of` and `Options.of` read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from ladder.contest.seed import LEAST, Seed
from ladder.machine.cores import Pin
from ladder.run.option import Option, Section, WrongOption, duration, whole
from ladder.run.shard import read_secret
from ladder.run.until.by_name import check_rule, named_rules
from results.words import ScheduleKind, Until

__all__ = ["GAME", "HOME", "JOBS", "SEATS", "MatchOptions", "RunOptions"]

Tier: TypeAlias = Literal["auto", "bwrap", "landlock", "none"]

GAME = Option(
    "Play this game; may be repeated.",
    ("--game",),
    metavar="GAME",
    default="all",
    completes="games",
    section=Section.WHAT,
)
SEATS = Option(
    "Play at tables of N seats; may be repeated.",
    metavar="N",
    default="every size",
    read=whole(2, 6),
    section=Section.WHAT,
)
JOBS = Option("Worker processes.", ("--jobs", "-j"), metavar="N", default="one per core", read=whole(0, 4096))
HOME = Option(
    "The ladder's folder.",
    metavar="FOLDER",
    default="the nearest ladder.toml, else ./ladder-home",
    variable="LADDER_HOME",
)


@dataclass(frozen=True, kw_only=True)
class MatchOptions:
    """What all that play many matches take.  Raises WrongOption for a seed beside a file with a secret."""

    game: Annotated[str | Sequence[str], GAME] = ()
    seats: Annotated[Sequence[int], SEATS] = ()
    seed: Annotated[
        Seed | int | None,
        Option(
            "Repeat the deals of this seed. Bots can guess a number and then know every card: use one in "
            f"tests only. Bots cannot guess a text of {LEAST} characters or more, but other users of this "
            "machine can see it in the list of processes; prefer --secret-file.",
            metavar="N|TEXT",
            default="secret",
            read=Seed.read,
            section=Section.DEALS,
        ),
    ] = None
    secret_file: Annotated[
        Path | None,
        Option(
            "Read the secret, 32 hex digits, from a file. The same secret gives the same deals.",
            metavar="FILE",
            default="a new one",
            section=Section.DEALS,
        ),
    ] = None
    jobs: Annotated[int | None, replace(JOBS, section=Section.WORKERS)] = None
    sandbox: Annotated[
        Tier | None,
        Option(
            "How bots are confined: bwrap, landlock, none, or auto.",
            metavar="TIER",
            default="the first that works here",
            section=Section.SANDBOX,
        ),
    ] = None
    require_sandbox: Annotated[bool, Option("Refuse to play without a sandbox.", section=Section.SANDBOX)] = (
        False
    )

    def __post_init__(self) -> None:
        if self.secret_file and self.seed is not None:
            raise WrongOption("--secret-file", "give either --seed or --secret-file")

    @property
    def game_names(self) -> tuple[str, ...]:
        """The games that are named."""
        return (self.game,) if isinstance(self.game, str) else tuple(self.game)

    @property
    def seed_number(self) -> int | None:
        """The seed if it is a number, which can be guessed."""
        return self.seed.number if isinstance(self.seed, Seed) else self.seed

    def read_secret(self) -> bytes | None:
        """Return the secret that the file or the text of the seed gives; None if there is neither.

        Raises UsageProblem for a file that holds no secret.
        """
        if self.secret_file:
            return read_secret(self.secret_file)
        return self.seed.secret if isinstance(self.seed, Seed) else None


@dataclass(frozen=True, kw_only=True)
class RunOptions(MatchOptions):
    """What `ladder run` and `ladder.play` take.  Raises WrongOption for what does not go together."""

    options: Annotated[
        Sequence[str],
        Option(
            "A rule option, see `ladder games`; may be repeated.",
            ("--option", "-o"),
            metavar="GAME.OPTION=VALUE",
            default="as in ladder.toml",
            section=Section.WHAT,
        ),
    ] = ()
    games: Annotated[
        int | None,
        Option(
            "Number of matches.",
            ("--games", "-g"),
            metavar="N",
            default="1000, or with --for no limit",
            read=whole(1),
            section=Section.WHAT,
        ),
    ] = None
    seconds: Annotated[
        float | None,
        Option(
            "Stop after this time: 90s, 30m, 1h30m; with --games, whichever comes first.",
            ("--for",),
            metavar="TIME",
            read=duration,
            section=Section.WHAT,
        ),
    ] = None
    schedule: Annotated[
        ScheduleKind | None,
        Option(
            "How bots are paired. In a gauntlet, the first BOT plays at every table.",
            default="adaptive",
            section=Section.WHAT,
        ),
    ] = None
    until: Annotated[
        Until | None,
        Option(
            f"Stop earlier, {'; or '.join(rule.help for rule in named_rules().values())}.",
            metavar=f"[{'|'.join(named_rules())}]",
            read=check_rule,
            section=Section.WHAT,
        ),
    ] = None
    max_faults: Annotated[
        int | None,
        Option(
            "Stop earlier, with fault number N; of one bot at most 20 count, and fewer than N.",
            metavar="N",
            read=whole(2),
            section=Section.WHAT,
        ),
    ] = None
    resume: Annotated[
        bool, Option("Continue the unfinished run with its own options.", section=Section.UNFINISHED)
    ] = False
    without: Annotated[
        Sequence[str],
        Option(
            "With --resume: leave this bot out; may be repeated.",
            metavar="BOT",
            completes="bots",
            section=Section.UNFINISHED,
        ),
    ] = ()
    new: Annotated[
        bool, Option("End the unfinished run as it is and start another.", section=Section.UNFINISHED)
    ] = False
    in_progress: Annotated[
        int,
        Option(
            "Matches that a worker plays at once with bots that allow several.",
            metavar="N",
            read=whole(1, 1024),
            section=Section.WORKERS,
        ),
    ] = 32
    pin: Annotated[Pin, Option("Keep each worker and its bots on one core.", section=Section.WORKERS)] = (
        "auto"
    )

    def __post_init__(self) -> None:
        if self.resume and self.new:
            raise WrongOption("--new", "give either --resume or --new")
        if self.without and not self.resume:
            raise WrongOption("--without", "it needs --resume: it is for the unfinished run")
        super().__post_init__()
