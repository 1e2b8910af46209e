"""Submit many bots at once: checks run in parallel, and each submission gets an answer."""

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Literal, TypeAlias

import msgspec

from engines import GAMES
from ladder.admission.claims import in_turn, with_wanted_name
from ladder.admission.submission import Submission
from ladder.admission.submit import FailedMatch, TakenName, submit
from ladder.errors import REPORT, RefusedBot, TooBusy, UsageProblem, tell, whose
from ladder.home.home import Home, confine_home
from ladder.machine.capacity import most_processes
from ladder.machine.cores import usable_cores
from ladder.machine.pool import Pool, Tell
from ladder.machine.unexpected import summarize
from ladder.registry.place import has_right
from ladder.registry.roster import scratch_folder
from ladder.registry.version import Version
from ladder.worker.check_progress import CheckProgress
from ladder.worker.table_count import MOST_TABLES

MOST_SEATS = max(max(game.seats) for game in GAMES.values())
"""The processes of the largest table."""
TELL_SECONDS = 0.5
"""How often a check tells how far it is."""
LEFT_OUT = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini", "~$")
"""How names in a folder of submissions begin that are no submissions, besides a dot."""
UNKNOWN = "the ladder could not try it"
"""What the author reads where the cause is neither the bot nor a delay."""

_Late: TypeAlias = Literal["waits", "done", "proving", "accepted", "kept back"]
"""Not taken in yet; a wish that is done; a gate that has begun, and its two ends."""
Result: TypeAlias = (
    Literal["new bot", "new version", "older version", "unchanged", "refused", "not judged"] | _Late
)


class SubmissionAnswer(msgspec.Struct, frozen=True):
    """The answer to one submission, or to one wish."""

    path: Path
    result: Result
    bot: str = ""
    """The name of the bot; empty if it could not be read."""
    version: Version | None = None
    """The version that it is now; None if it was refused or not judged."""
    why: str = ""
    """Why it was refused, or not judged, in one line without its path."""
    details: str = ""
    """The whole reason, with what the bot or its build wrote."""
    hint: str = ""
    told: str = ""
    """What the author may read of it, without its path; empty for a submission that plays."""
    advice: str = ""
    """What the author can do."""
    said: tuple[str, ...] = ()
    """What the author of an accepted bot should know, such as a game in which it failed."""
    plays: str = ""
    """NAME@NUMBER of the version from the same place that plays although this submission was refused."""
    seconds: float = 0.0
    exit_code: int = 0
    taken: bool = False
    """Whether it was refused because a bot of this name came from another place."""
    wish: str = ""
    """The kind of wish that it answers; empty for a submission."""
    against: str = ""
    """The hash of the version that this one is to prove itself against, or has; else empty."""

    @property
    def refused(self) -> bool:
        """Whether it was refused: something is wrong with it."""
        return self.result == "refused"

    @property
    def not_judged(self) -> bool:
        """Whether something else than the bot kept it from being judged: nothing is known of it."""
        return self.result == "not judged"


class BatchProgress:
    """The progress of many checks, for a display in another thread."""

    def __init__(self, total: int, tell: Callable[[SubmissionAnswer], object] = lambda answer: None) -> None:
        """*tell* hears each answer as it comes."""
        self.total = total
        self._tell = tell
        self.answers: list[SubmissionAnswer] = []
        """The answers so far, in the order in which they came."""
        self._running: dict[Path, str] = {}

    def hear(self, submission: Submission, text: str) -> None:
        """Note how far the check of *submission* is."""
        self._running[submission.path] = text

    def end(self, answer: SubmissionAnswer) -> None:
        """Note the *answer* to a submission."""
        self._running.pop(answer.path, None)
        self.answers.append(answer)
        self._tell(answer)

    @property
    def part(self) -> float:
        """The part of all checks that is over."""
        return len(self.answers) / self.total if self.total else 1.0

    def __str__(self) -> str:
        """Return the progress in words."""
        refused = sum(answer.refused for answer in self.answers)
        not_judged = sum(answer.not_judged for answer in self.answers)
        counts = f"{len(self.answers)} of {self.total} checked" + (f", {refused} refused" if refused else "")
        counts += f", {not_judged} not judged" if not_judged else ""
        return "; ".join([counts, *list(self._running.values())])


def submissions_in(folder: Path) -> list[Path]:
    """Return the submissions in *folder*, by name: all folders, scripts and archives in it.

    Hidden files and homes are left out.  Raises UsageProblem if *folder* is not a folder, is itself a bot or
    holds no submission.
    """
    if not folder.is_dir():
        raise UsageProblem(
            f"{folder} is not a folder", "ladder submit --all FOLDER, which holds an entry for each bot"
        )
    if (folder / "bot.toml").is_file():
        raise UsageProblem(f"{folder} is itself a bot: it has a bot.toml", f"ladder submit {folder}")
    found = sorted(
        path
        for path in folder.iterdir()
        if not path.name.startswith((".", *LEFT_OUT)) and not (path / "ladder.toml").is_file()
    )
    if not found:
        raise UsageProblem(
            f"{folder} has no submissions", "put a folder, script or archive for each bot in it"
        )
    return found


def submit_all(
    home: Home,
    submissions: Iterable[Submission],
    share: Callable[..., Iterator[tuple[Submission, SubmissionAnswer | Exception]]],
    progress: BatchProgress,
    replace_bots: Collection[str] = (),
    say: Callable[[str], object] = lambda text: None,
) -> None:
    """Make all *submissions*; *progress* gets an answer to each, as it comes.

    *share* shares the work among processes, as Pool.as_done does.  A bot that is refused stops no other.  Of
    several submissions of one name only the first can be accepted, unless they replace each other: the one
    from the place where the bot came from before, else the first.  *replace_bots* are names that a submission
    from another place may have, if only one wants it.  What the machine delayed too much to judge it is tried
    once more at the end.  *say* is told what the sandbox lacks.

    An archive is opened twice: here for its name, and by the process that submits it.
    """
    named = []
    for submission in submissions:
        try:
            named.append(with_wanted_name(home, submission))
        except Exception as error:
            progress.end(refusal_of(home, submission, error))
    # Who gets a name is decided before anything is tried: else it would be the one that is checked faster.
    waiting, doubles = in_turn(home, named, replace_bots)
    for submission, why in doubles:
        progress.end(refusal_of(home, submission, why))
    if any(submission.checks != "none" for submission in waiting):
        try:
            home = confine_home(home, say)
        except Exception as error:
            if whose(error) == "caller":
                raise
            for submission in waiting:
                progress.end(refusal_of(home, submission, error))
            return
    running: set[str] = set()

    def begin_next() -> Submission | None:
        """Return the next submission whose bot is not being checked already."""
        for submission in waiting:
            if submission.bot not in running:
                waiting.remove(submission)
                running.add(submission.bot)
                return submission
        return None

    for tries_left in (1, 0):
        busy = []
        for submission, result in share(partial(submit_one, home), begin_next, progress.hear):
            running.remove(submission.bot)
            answer = refusal_of(home, submission, result) if isinstance(result, Exception) else result
            if answer.not_judged and tries_left:
                busy.append(submission)
            else:
                progress.end(answer)
        waiting += busy
        if not busy:
            break


def trial_pool(home: Home, jobs: int | None, more: int = 0, *, exact: bool) -> Pool:
    """Return a pool for *jobs* trials at once, one for each core without that, and *more*.

    Unless that is *exact*, others may be beside those that wait: as many as a run would hold tables.
    """
    jobs = jobs or len(usable_cores())
    if exact:
        return Pool(jobs + more)
    processes = home.settings.run.processes or most_processes(jobs)
    return Pool(jobs + more, jobs * min(MOST_TABLES, processes // MOST_SEATS))


def remove_left(home: Home) -> None:
    """Remove the files of submissions whose processes have ended before their time."""
    scratch_folder(home.roster.path, "staging")


def submit_one(home: Home, submission: Submission, tell: Tell) -> SubmissionAnswer:
    """Make a submission whose name was read, in a process of the pool."""
    began = time.monotonic()
    progress = CheckProgress()
    try:
        with telling(progress, tell):
            answer = accept(home, submission, home.roster.versions_of(submission.bot), progress)
    except Exception as error:
        answer = refusal_of(home, submission, error)
    return msgspec.structs.replace(answer, seconds=time.monotonic() - began)


def accept(
    home: Home, submission: Submission, before: Sequence[Version], progress: CheckProgress | None = None
) -> SubmissionAnswer:
    """Submit a bot, of which there are these versions *before*.  Raises what submit raises."""
    said: list[str] = []
    version = submit(home, submission, say=said.append, progress=progress)
    said += [f"{version.bot}: {submission.renamed}"] if submission.renamed else []
    result = _result(version, [old for old in before if old.bot == version.bot])
    return SubmissionAnswer(submission.path, result, version.bot, version, said=tuple(said))


@contextmanager
def telling(progress: CheckProgress, tell: Tell) -> Iterator[None]:
    """Tell now and then what *progress* shows, from another thread."""
    over = Event()

    def watch() -> None:
        while not over.wait(TELL_SECONDS):
            tell(str(progress), progress.waits)

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _result(version: Version, before: Sequence[Version]) -> Result:
    """Return what *version* is to the versions of its bot that were there *before*, the oldest first."""
    if not before:
        return "new bot"
    if version.id == before[-1].id:
        return "unchanged"
    return "older version" if version.id in [old.id for old in before] else "new version"


def refusal_of(home: Home, submission: Submission, error: Exception) -> SubmissionAnswer:
    """Return the answer to a submission that *error* ended: a refusal only if it is the bot's."""
    places, place, name = home.roster.places(), submission.place, submission.bot
    playing = [
        bot
        for bot in home.roster.active()
        if (bot.bot == name if name else place.is_of_one) and has_right(place, places.get(bot.bot, ()))
    ]
    is_bots = whose(error) == "bot"
    message, hint = tell(error) or (f"unexpected error: {summarize(error)}", REPORT)
    details = re.sub(r"\n\S+ continues to play$", "", message)
    # Two texts of one answer: the operator reads all, the author nothing of other bots and of the machine.
    told, advice = (details, hint) if is_bots or isinstance(error, TooBusy) else (UNKNOWN, "")
    if isinstance(error, RefusedBot):
        told, advice = error.why, error.advice
    elif isinstance(error, FailedMatch):
        hint = advice = error.advice
    return SubmissionAnswer(
        submission.path,
        "refused" if is_bots else "not judged",
        submission.bot,
        why=_brief(submission, error, details),
        details=details,
        hint=hint,
        told=told,
        advice=advice,
        plays="".join(f"{bot.bot}@{bot.number}" for bot in playing[:1]),
        exit_code=getattr(error, "exit_code", 1),
        taken=isinstance(error, TakenName),
    )


def _brief(submission: Submission, error: Exception, text: str) -> str:
    """Return why *submission* has no answer, in one line that does not begin with its path or its bot."""
    if isinstance(error, FailedMatch):
        return f"{error.game}: {error.fault.kind}: {error.fault.reason}".split("\n")[0]
    # Paths of this machine mean nothing to the author, and the path stands in another column already.
    own = rf"(?<![\w/.-]){re.escape(str(submission.path))}"
    text = re.sub(rf"{own}(?![\w.-])", submission.path.name, re.sub(rf"{own}/", "", text.split("\n")[0]))
    text = text.removeprefix(f"{submission.bot} is not judged: ")
    return text.removeprefix(f"{submission.bot}: ").removeprefix("bot.toml: ")
