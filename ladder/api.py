"""The ladder from Python: `import ladder` offers what stands here."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

from ladder.admission.house import add
from ladder.admission.submit import submit
from ladder.errors import UsageProblem
from ladder.executors.in_process import InProcessExecutor
from ladder.executors.local import Pin
from ladder.home.home import Home, create_home, find_home, house_bots
from ladder.home.home import open_home as open_existing
from ladder.process.function import Function
from ladder.registry.manifest import NAME, BotManifest
from ladder.registry.version import Version
from ladder.run.request import Request
from ladder.run.session import Options, Tell, play_session
from results.record import ScheduleKind, Until

if TYPE_CHECKING:
    from results.storage.schema import Table

__all__ = ["PlayedRun", "open_home", "play"]

Bot: TypeAlias = "str | Path | Function"
"""The name of a submitted bot, the path of a bot to submit, or a Python function, class or object."""


@dataclass(frozen=True)
class PlayedRun:
    """A run that `play` has played: its number, and its home."""

    home: Home
    number: int

    def matches(self, columns: Iterable[str] | None = None) -> Table:
        """Return the matches of this run as a pyarrow table: see Home.matches."""
        return self.home.matches(columns, self.number)

    def leaderboard(self, game: str, *, all_versions: bool = False) -> Table:
        """Return the leaderboard of *game* after all runs of the home: see Home.leaderboard."""
        return self.home.leaderboard(game, all_versions=all_versions, run=self.number)


def open_home(path: str | Path | None = None) -> Home:
    """Return the home at *path*; create it if needed.

    Without *path* it is the one that commands use: the nearest folder upwards with a ladder.toml, else
    ./ladder-home.  Raises UsageProblem for a folder with other files, and for wrong settings.
    """
    where = find_home(None if path is None else Path(path))
    if (where / "ladder.toml").is_file():
        return open_existing(where)
    return create_home(where, house_bots())


def play(
    bots: Sequence[Bot] = (),
    *,
    game: str | Sequence[str] = (),
    games: int | None = None,
    seconds: float | None = None,
    seats: Sequence[int] = (),
    options: Sequence[str] = (),
    seed: int | None = None,
    schedule: ScheduleKind | None = None,
    until: Until | None = None,
    home: Home | str | Path | None = None,
    jobs: int | None = None,
    pin: Pin = "auto",
    sandbox: str | None = None,
    resume: bool = False,
    new: bool = False,
    tell: Tell = lambda event: None,
) -> PlayedRun:
    """Let *bots* play, rate them, and return the run.  The arguments are the options of `ladder run`.

    A string is the name of a submitted bot or of a house bot: NAME, NAME@NUMBER or NAME@HASH.  A Path is
    submitted first.  A function, class or object is what protocol.client.serve takes: it plays in this
    process, under its own name, unconfined; then all matches of the run are played in this process, one
    after another.  Its version is a hash of its source.  No bots: all that were submitted.

    With *schedule* "gauntlet" the first bot plays at every table, against the others or, alone, against all.
    *game* names a game or several, *games* is the number of matches (1000), *seconds* is a time limit;
    with both, whichever comes first ends the run.  *tell* is called with every event: see ladder.run.session.

    Raises LadderError, as the command fails.  Ctrl-C stops the run after the matches in hand and raises
    RunStopped; the same call continues it.
    """
    where = home if isinstance(home, Home) else open_home(home)
    names, guests, functions = _enter(where, bots)
    request = Request(
        bots=tuple(names),
        games=(game,) if isinstance(game, str) else tuple(game),
        seats=tuple(seats),
        options=tuple(options),
        matches=games,
        seconds=seconds,
        seed=seed,
        schedule=schedule,
        until=until,
    )
    how = Options(
        jobs=jobs,
        pin=pin,
        tier=sandbox,
        resume=resume,
        new=new,
        guests=guests,
        open_executor=(lambda setup: closing(InProcessExecutor.open(setup, functions))) if guests else None,
    )
    with _no_main_module():
        played = play_session(nullcontext(where), request, how, add, tell)
    return PlayedRun(played.home, played.run.run)


def _enter(home: Home, bots: Sequence[Bot]) -> tuple[list[str], list[Version], dict[str, Function]]:
    """Submit those of *bots* that are paths.

    Return the names of all, and for those that are functions the versions, and the functions by their ids.
    """
    names: list[str] = []
    guests: list[Version] = []
    functions: dict[str, Function] = {}
    for bot in bots:
        if isinstance(bot, Path):
            names.append(submit(home, bot).bot)
        elif isinstance(bot, str):
            names.append(bot)
        else:
            guest = _guest(home, bot)
            functions[guest.id] = bot
            guests.append(guest)
            names.append(guest.id)
    return names, guests, functions


def _guest(home: Home, function: Function) -> Version:
    """Return *function* as a version of a bot that was not submitted.

    Raises UsageProblem for a name that no bot can have, or that another bot has.
    """
    is_named = inspect.isfunction(function) or inspect.isclass(function)
    named = function if is_named else type(function)
    name = named.__name__
    if not NAME.fullmatch(name):
        raise UsageProblem(
            f"a bot cannot be called {name!r}", "define the bot with def, under a name of its own"
        )
    taken = {version.bot for version in home.roster.versions()} | home.roster.names.keys()
    if name in house_bots() or name in taken:
        raise UsageProblem(f"there is another bot {name!r}", "give the function another name")
    try:
        source = inspect.getsource(named)
    except (OSError, TypeError):  # typed in where nothing keeps it
        source = named.__qualname__
    version = sha256(source.encode()).hexdigest()[:12]
    return Version(name, version, ".", BotManifest(name=name, run=("a function of another program",)))


@contextmanager
def _no_main_module() -> Iterator[None]:
    """Let worker processes import no main module: the caller's would run again in each of them."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
