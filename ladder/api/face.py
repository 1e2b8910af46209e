"""The ladder from Python: `import ladder` offers what stands here."""

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import ModuleType
from typing import Annotated, TypeAlias

from msgspec import to_builtins

from ladder.admission.batch import SubmissionAnswer, accept
from ladder.admission.check import FailedChecks
from ladder.admission.check import check as find_problems
from ladder.admission.finding import FINDINGS
from ladder.admission.house import add
from ladder.admission.submission import Submission
from ladder.admission.submit import keep_for_duel
from ladder.admission.submit import submit as submit_bot
from ladder.admission.trials import try_games
from ladder.api.asked import (
    CheckRequest,
    EventRequest,
    ExportRequest,
    LeaderboardRequest,
    MatchesRequest,
    ReplayRequest,
    ReviewRequest,
    SubmitRequest,
    TryRequest,
)
from ladder.api.board_rows import mark_rows, read_boards
from ladder.api.duels import DuelAnswer, play_change, prepare_change
from ladder.api.event_answer import EventAnswer
from ladder.api.exports import Exported
from ladder.api.exports import export as write_rows
from ladder.api.match_rows import MATCH_COLUMNS, ReplayedMatch, list_matches, review_newest, review_one
from ladder.errors import LadderError as LadderError
from ladder.errors import UsageProblem
from ladder.home.home import Home, create_home, find_home, first_house_bots, home_to_check_in, read_home
from ladder.home.home import open_home as open_existing
from ladder.home.settings import read_limits
from ladder.reference.reference_request import ReferenceRequest
from ladder.reference.reference_result import ReferenceResult
from ladder.reference.reference_session import play_reference
from ladder.reference.reference_set import load_set
from ladder.replay.review.reviewing import read_reviewed
from ladder.replay.seat import read_record
from ladder.run.duel_options import DuelRequest
from ladder.run.duel_session import AskedDuel
from ladder.run.executors.in_process import InProcessExecutor
from ladder.run.guests import Bot as Bot
from ladder.run.guests import Function, Players, carry_stateless, entries_of, guest_of
from ladder.run.match_options import AnyHome, games_named
from ladder.run.option import Argument, taking
from ladder.run.playing import Means
from ladder.run.request import AskedRun
from ladder.run.run_events import Event, Planned, Tell
from ladder.run.run_options import RunOptions, RunRequest
from ladder.run.session import Admission
from ladder.run.session import play as play_asked
from ladder.run.tournament.stored_tournaments import find_tournament
from results.reports.leaderboard import GameBoard
from results.reports.render import table_of
from results.storage.schema import Table
from results.storage.store import Store
from results.storage.unrated import contents_with

ADMISSION = Admission(add, try_games)
Entry: TypeAlias = "str | Path | Bot | Function"
"""The name of a submitted bot, the path of a bot to submit, a Bot, or a plain Python function."""
_players = Players()


def silent(event: Event) -> None:
    """Take an event and do nothing."""


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


@contextmanager
def _no_main_module() -> Iterator[None]:
    """Let worker processes import no main module: the caller's would run again in each of them."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def open_home(path: AnyHome = None) -> Home:
    """Return the home at *path*; create it if needed.

    Without *path* it is the one that commands use: the nearest folder upwards with a ladder.toml, else
    ./ladder-home.  Raises UsageProblem for a folder with other files, and for wrong settings.
    """
    if isinstance(path, Home):
        return path
    where = find_home(path)
    if (where / "ladder.toml").is_file():
        return open_existing(where)
    return create_home(where, first_house_bots())


# -- bots


@dataclass(frozen=True, kw_only=True)
class PythonArguments(RunOptions):
    """What `play` takes: the options that `ladder run` has, too, and what only Python gives."""

    bots: Sequence[Entry] | Mapping[str, Function] = field(default=(), kw_only=False)
    home: Home | str | Path | None = None
    tell: Tell = silent


@taking(PythonArguments)
def play(asked: PythonArguments) -> PlayedRun:
    """Let *bots* play, rate them, and return the run.

    The arguments are the options of `ladder run`, as ladder.run.run_options.RunOptions declares them.

    A string is the name of a submitted bot or of a house bot: NAME, NAME@NUMBER or NAME@HASH.  A Path is
    submitted first.  No bots: all that were submitted.

    A function of a module plays under its own name; its version is a hash of its source.  An object, a class
    and a function that keeps values need a name and a version, because their source does not tell them
    apart: {"learner@1000": learner} in place of the list, or Bot(learner, name="learner", version="1000") in
    it.  They are what protocol.client.serve takes, and play unconfined.  All matches of their run are played
    in this process, one after another; or with *jobs* in that many, if all of them are functions of modules
    or classes, which keep nothing from match to match.  Others get a warning, and play in this process.

    With *schedule* "gauntlet" the first bot plays at every table, against the others or, alone, against all.
    *game* names a game or several, *games* is the number of matches (1000), *seconds* is a time limit;
    with both, whichever comes first ends the run.  *tell* is called with every event of
    ladder.run.run_events.

    Raises LadderError, as the command fails.  Ctrl-C stops the run after the matches in hand and raises
    RunStopped; the same call continues it.  Another object than the one that began a run never continues it.
    """
    if not asked.bots and asked.bots != ():  # what is given is a list or a mapping
        raise UsageProblem(
            f"bots: expected one or more, got: {asked.bots}",
            "leave bots out, and all that were submitted play",
        )
    where = open_home(asked.home)
    entries = [
        submit_bot(where, Submission(bot)).bot if isinstance(bot, Path) else bot
        for bot in entries_of(asked.bots)
    ]
    guests = [guest_of(where, bot) for bot in entries if not isinstance(bot, str)]
    functions = {guest.id: function for guest, function in guests}
    ids = iter([guest.id for guest, _ in guests])
    names = [bot if isinstance(bot, str) else next(ids) for bot in entries]
    unfinished = Store(where.results).unfinished_run() if functions and not asked.new else None
    if unfinished:
        _players.check(where, unfinished, functions)
    request = RunRequest(bots=names, **{each.name: getattr(asked, each.name) for each in fields(RunOptions)})
    means = _means_of(functions, asked.jobs) if guests else Means()

    def hear(event: Event) -> None:
        if isinstance(event, Planned):
            _players.keep(where, event.run, functions)
        asked.tell(event)

    run = AskedRun(request, [guest for guest, _ in guests])
    with _no_main_module():
        played = play_asked(nullcontext(where), run, means, ADMISSION, hear)
    return PlayedRun(played.home, played.run.run)


def _means_of(functions: Mapping[str, Function], jobs: int | None) -> Means:
    """Return by what means *functions* play, by the ids of their versions; warn if they take no *jobs*."""
    if jobs is not None and jobs != 1:
        try:
            with _no_main_module():
                return Means(carried=carry_stateless(functions))
        except LadderError as error:
            warnings.warn(f"jobs={jobs}: {error}; so one process plays. Next: {error.hint}", stacklevel=4)
    return Means(open_executor=lambda setup: closing(InProcessExecutor.open(setup, functions)))


@dataclass(frozen=True, kw_only=True)
class SubmitAsked(SubmitRequest):
    """What `submit` takes."""

    path: Annotated[Path, Argument("A script, a folder with bot.toml, or an archive.")] = field(kw_only=False)
    replace: bool = False


@taking(SubmitAsked)
def submit(asked: SubmitAsked) -> SubmissionAnswer:
    """Submit the bot at *path*; return its version, whether that is new, and what its author should know.

    The options are those of `ladder submit`.  Raises RefusedBot, FailedMatch, TooBusy.
    """
    home = open_home(asked.home).with_limits(read_limits(asked.limits))
    submission = asked.submission_of(asked.path, replace=asked.replace)
    return accept(home, submission, home.roster.versions())


@taking(CheckRequest)
def check(asked: CheckRequest) -> Table:
    """Test *bot*, a path or a name; return a table of findings.

    Raises FailedChecks, whose `findings` are all, if one is a failure.
    """
    with home_to_check_in(asked.home) as home:
        found = [*find_problems(home, asked.bot, games=games_named(asked.game))]
    if (failed := FailedChecks(asked.bot, found)).failures:
        raise failed
    return table_of(to_builtins(found), FINDINGS)


@dataclass(frozen=True, kw_only=True)
class DuelAsked(DuelRequest):
    """What `duel` takes."""

    home: AnyHome = None
    tell: Tell = silent


@taking(DuelAsked)
@_no_main_module()
def duel(asked: DuelAsked) -> DuelAnswer:
    """Find out whether *new_bot* is better than *old_bot*, each a name or a path.

    The options are those of `ladder duel`.  Raises LadderError; RunStopped at Ctrl-C, after which the same
    call continues it.
    """
    games_named(asked.game_names)
    opening, wanted = nullcontext(open_home(asked.home)), AskedDuel(asked, keep_for_duel)
    return DuelAnswer.of(play_asked(opening, wanted, Means(), ADMISSION, asked.tell))


@dataclass(frozen=True, kw_only=True)
class TryAsked(TryRequest):
    """What `try_change` takes."""

    tell: Tell = silent


@taking(TryAsked)
@_no_main_module()
def try_change(asked: TryAsked) -> DuelAnswer:
    """Check the bot at the path *bot*, and let it play its last version, as `ladder try`.

    Raises LadderError if a check fails, or if the bot makes a fault.
    """
    tried = prepare_change(open_home(asked.home), asked)
    return DuelAnswer.of(play_change(tried, asked, Means(), ADMISSION, keep_for_duel, asked.tell))


@dataclass(frozen=True, kw_only=True)
class ReferenceAsked(ReferenceRequest):
    """What `reference` takes."""

    home: AnyHome = None
    tell: Tell = silent


@taking(ReferenceAsked)
@_no_main_module()
def reference(asked: ReferenceAsked) -> list[ReferenceResult]:
    """Measure *bot* against the reference set; return what was found at each game and table size.

    `line` of each is what to quote.  The options are those of `ladder reference`.
    """
    opening, set_ = nullcontext(open_home(asked.home)), load_set()
    return [*play_reference(opening, asked, set_, Means(), ADMISSION, keep_for_duel, asked.tell)]


# -- what was played


@taking(MatchesRequest)
def matches(asked: MatchesRequest) -> Table:
    """Return the newest *top* matches, newest first, as `ladder matches --format csv`."""
    return table_of(list_matches(asked).rows, MATCH_COLUMNS)


@taking(LeaderboardRequest)
def leaderboard(asked: LeaderboardRequest) -> Table:
    """Return the ratings of *game* or of all games, as `ladder leaderboard --format csv`."""
    home = read_home(asked.home)
    found = read_boards(home, asked)
    boards = [GameBoard(each, found.hidden) for each in found.chosen]
    options = (asked.seats, asked.top, asked.bar, found.columns, found.both)
    rows, columns, _ = mark_rows(home, found.contents, boards, *options)
    return table_of(rows, columns)


@taking(ReplayRequest)
def replay(asked: ReplayRequest) -> ReplayedMatch:
    """Return the record of *match*, or what one *seat* had and did of it; `steps()` are its positions."""
    contents, wanted = contents_with(read_home(asked.home).results, asked.match)
    record = read_record(contents, wanted, asked.seat, no_notes=asked.no_notes)
    return ReplayedMatch.of(record, asked.seat)


@taking(ReviewRequest)
@_no_main_module()
def review(asked: ReviewRequest) -> Table:
    """Return what decisions cost, in a *match* or in the newest *matches* of *bot*: see Home.reviews.

    What is not reviewed yet is, and stored.  Matches of *bot* that cannot be reviewed are left out.
    """
    home = read_home(asked.home)
    if asked.match is not None:
        return review_one(home, asked)
    newest = review_newest(home, asked)
    return read_reviewed(newest.contents, newest.bot, newest.matches)


@taking(ExportRequest)
@_no_main_module()
def export(asked: ExportRequest) -> Exported:
    """Write matches, or decisions, to the file *path*, or to the folder *to*; or audit decisions (*check*).

    The options are those of `ladder export`.
    """
    return write_rows(asked)


@taking(EventRequest)
def tournament(asked: EventRequest) -> EventAnswer:
    """Return what may be shown of the tournament called *name*: its standing and its tables."""
    home = read_home(asked.home)
    return EventAnswer.of(home, find_tournament(home.results, asked.name))
