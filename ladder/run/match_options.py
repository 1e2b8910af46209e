"""The options of all that play many matches; RunOptions, DuelRequest, commands and Python add theirs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from ladder.contest.seed import LEAST, Seed
from ladder.errors import NotFound, suggest
from ladder.run.option import Option, Section, WrongOption, whole
from ladder.run.shard import read_secret

Tier: TypeAlias = Literal["auto", "required", "bwrap", "landlock", "none"]

GAME = Option(
    "Play this game; may be repeated.",
    ("--game",),
    metavar="GAME",
    default="as in ladder.toml, else all",
    completes="games",
    section=Section.WHAT,
    short=True,
)
SEATS = Option(
    "Play at tables of N seats; may be repeated.",
    metavar="N",
    default="as in ladder.toml, else every size",
    read=whole(2, 6),
    section=Section.WHAT,
)
JOBS = Option(
    "Worker processes.",
    ("--jobs", "-j"),
    metavar="N",
    default="as in ladder.toml, else one per core",
    read=whole(0, 4096),
)
OWN_JOBS = replace(JOBS, default="one per core")
"""For commands that play no run."""
WAIT = Option("Wait while another process uses the home; `wait` in ladder.toml is for all commands.")
QUIET = Option("Print only what is wrong.", ("--quiet", "-q"))
HOME = Option(
    "The ladder's folder.",
    metavar="FOLDER",
    default="$LADDER_HOME, else the nearest ladder.toml, else ./ladder-home",
    variable="LADDER_HOME",
)
AnyHome: TypeAlias = Annotated[PathLike[str] | str | None, HOME]
"""A folder, or in Python also a Home."""


def known_game(name: str) -> str:
    """Return *name*.  Raises NotFound if there is no such game."""
    from engines import GAMES

    if name not in GAMES:
        raise NotFound(f"there is no game {name!r}{suggest(name, GAMES)}", "ladder games")
    return name


def games_named(names: Sequence[str]) -> tuple[str, ...]:
    """Return the games that are *names*, all if `all` is among them.  Raises NotFound for another name."""
    from engines import GAMES

    return tuple(GAMES) if "all" in names else tuple(map(known_game, names))


@dataclass(frozen=True, kw_only=True)
class MatchOptions:
    """What all that play many matches take.  Raises WrongOption for a seed beside a file with a secret."""

    game: Annotated[str | Sequence[str], GAME] = ()
    seats: Annotated[Sequence[int], SEATS] = ()
    seed: Annotated[
        Seed | int | None,
        Option(
            "Repeat the deals of this seed. SEED is @FILE, a file of 32 hex digits; or a text of at least "
            f"{LEAST} characters, which other users of this machine can see in the list of processes; "
            "or a number, which bots can guess, and then know every card: use one in tests only.",
            metavar="SEED",
            default="a new secret",
            read=Seed.read,
            section=Section.DEALS,
            short=True,
        ),
    ] = None
    secret_file: Annotated[
        Path | None, Option("A file of 32 hex digits, as --seed @FILE names one.", python_only=True)
    ] = None
    jobs: Annotated[int | None, replace(JOBS, section=Section.WORKERS)] = None
    sandbox: Annotated[
        Tier | None,
        Option(
            "How bots are confined: bwrap, landlock, none, auto, or required (auto, or refuse to play).",
            metavar="TIER",
            default="as in ladder.toml, else the first that works here",
            section=Section.SANDBOX,
        ),
    ] = None
    require_sandbox: Annotated[bool, Option("Refuse to play without a sandbox.", python_only=True)] = False

    def __post_init__(self) -> None:
        if self.secret_file and self.seed is not None:
            raise WrongOption("secret_file", "give either seed or secret_file")

    @property
    def game_names(self) -> tuple[str, ...]:
        """The games that are named."""
        return (self.game,) if isinstance(self.game, str) else tuple(self.game)

    @property
    def file_of_secret(self) -> Path | None:
        """The file that holds the secret, if one is named."""
        return self.seed.file if isinstance(self.seed, Seed) else self.secret_file

    @property
    def seed_number(self) -> int | None:
        """The seed if it is a number, which can be guessed."""
        return self.seed.number if isinstance(self.seed, Seed) else self.seed

    @cached_property
    def secret(self) -> bytes | None:
        """The secret of the file, read once (it may be a pipe), or text; else None.  Raises UsageProblem."""
        if file := self.file_of_secret:
            return read_secret(file)
        return self.seed.secret if isinstance(self.seed, Seed) else None

    @property
    def secret_mark(self) -> str | None:
        """What a run keeps of a secret that is given, to know it again: the first digits of its hash."""
        return None if self.secret is None else f"{sha256(self.secret).hexdigest()[:8]}..."
