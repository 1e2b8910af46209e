"""The ladder from Python: `import ladder` offers what stands here."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

from ladder.admission.house import add
from ladder.admission.submission import Submission
from ladder.admission.submit import submit
from ladder.admission.trials import try_games
from ladder.home.home import Home, create_home, find_home, first_house_bots
from ladder.home.home import open_home as open_existing
from ladder.run.executors.in_process import InProcessExecutor
from ladder.run.guests import Bot, Function, Players, entries_of, guest_of
from ladder.run.option import taking
from ladder.run.playing import Means
from ladder.run.request import AskedRun
from ladder.run.run_events import Event, Planned, Tell
from ladder.run.run_options import RunOptions, RunRequest
from ladder.run.session import Admission
from ladder.run.session import play as play_asked
from results.storage.store import Store

if TYPE_CHECKING:
    from results.storage.schema import Table

__all__ = ["Bot", "PlayedRun", "open_home", "play"]

Entry: TypeAlias = "str | Path | Bot | Function"
"""The name of a submitted bot, the path of a bot to submit, a Bot, or a plain Python function."""
_players = Players()


@dataclass(frozen=True)
class PlayedRun:
    """A run that `play` has played: its number, and its home."""

    home: Home
    number: int

    def matches(self, columns: Iterable[str] | None = None) -> "Table":
        """Return the matches of this run as a pyarrow table: see Home.matches."""
        return self.home.matches(columns, self.number)

    def leaderboard(self, game: str, *, all_versions: bool = False) -> "Table":
        """Return the leaderboard of *game* after all runs of the home: see Home.leaderboard."""
        return self.home.leaderboard(game, all_versions=all_versions, run=self.number)


def open_home(path: str | Path | None = None) -> Home:
    """Return the home at *path*; create it if needed.

    Without *path* it is the one that commands use: the nearest folder upwards with a ladder.toml, else
    ./ladder-home.  Raises UsageProblem for a folder with other files, and for wrong settings.
    """
    where = find_home(path)
    if (where / "ladder.toml").is_file():
        return open_existing(where)
    return create_home(where, first_house_bots())


@dataclass(frozen=True, kw_only=True)
class PythonArguments(RunOptions):
    """What `play` takes: the options that `ladder run` has, too, and what only Python gives."""

    bots: Sequence[Entry] | Mapping[str, Function] = field(default=(), kw_only=False)
    home: Home | str | Path | None = None
    tell: Tell = lambda event: None


@taking(PythonArguments)
def play(asked: PythonArguments) -> PlayedRun:
    """Let *bots* play, rate them, and return the run.

    The arguments are the options of `ladder run`, as ladder.run.run_options.RunOptions declares them.

    A string is the name of a submitted bot or of a house bot: NAME, NAME@NUMBER or NAME@HASH.  A Path is
    submitted first.  No bots: all that were submitted.

    A function of a module plays under its own name; its version is a hash of its source.  An object, a class
    and a function that keeps values need a name and a version, because their source does not tell them
    apart: {"learner@1000": learner} in place of the list, or Bot(learner, name="learner", version="1000") in
    it.  They are what protocol.client.serve takes.  They play in this process, unconfined; then all matches
    of the run are played in this process, one after another.

    With *schedule* "gauntlet" the first bot plays at every table, against the others or, alone, against all.
    *game* names a game or several, *games* is the number of matches (1000), *seconds* is a time limit;
    with both, whichever comes first ends the run.  *tell* is called with every event of
    ladder.run.run_events.

    Raises LadderError, as the command fails.  Ctrl-C stops the run after the matches in hand and raises
    RunStopped; the same call continues it.  Another object than the one that began a run never continues it.
    """
    where = asked.home if isinstance(asked.home, Home) else open_home(asked.home)
    entries = [
        submit(where, Submission(bot)).bot if isinstance(bot, Path) else bot for bot in entries_of(asked.bots)
    ]
    guests = [guest_of(where, bot) for bot in entries if not isinstance(bot, str)]
    functions = {guest.id: function for guest, function in guests}
    ids = iter([guest.id for guest, _ in guests])
    names = [bot if isinstance(bot, str) else next(ids) for bot in entries]
    unfinished = Store(where.results).unfinished_run() if functions and not asked.new else None
    if unfinished:
        _players.check(where, unfinished, functions)
    request = RunRequest(bots=names, **{each.name: getattr(asked, each.name) for each in fields(RunOptions)})
    means = Means(
        open_executor=(lambda setup: closing(InProcessExecutor.open(setup, functions))) if guests else None,
    )

    def hear(event: Event) -> None:
        if isinstance(event, Planned):
            _players.keep(where, event.run, functions)
        asked.tell(event)

    run, admission = AskedRun(request, [guest for guest, _ in guests]), Admission(add, try_games)
    with _no_main_module():
        played = play_asked(nullcontext(where), run, means, admission, hear)
    return PlayedRun(played.home, played.run.run)


@contextmanager
def _no_main_module() -> Iterator[None]:
    """Let worker processes import no main module: the caller's would run again in each of them."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
