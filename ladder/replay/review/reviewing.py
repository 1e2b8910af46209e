"""Reviews of stored matches: those that are stored, and those that are still to be made, in parallel."""

import gc
import logging
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from types import FrameType
from typing import Any, Final, NamedTuple

from engines import GAMES, GameNotLoaded
from engines.game import Seat
from engines.games import BUILT_IN
from ladder.errors import LadderError
from ladder.machine.plugged_in import go_on_without
from ladder.machine.pool import Pool
from ladder.replay.replay import make_whole
from ladder.replay.review.account import ACCOUNT
from ladder.replay.review.effort import COARSE, FULL, Effort, scale_effort
from ladder.replay.review.match_review import (
    NoReview,
    digest_of,
    hide_others,
    judge_for,
    judging,
    review_match,
)
from results.errors import DiskFailed, ResultsError
from results.record import Json, Match
from results.reviewed import ReviewedStep, ReviewKey
from results.storage.contents import Contents
from results.storage.review_rows import review_table
from results.storage.reviews import Reviews
from results.storage.schema import Table, records_from

logger = logging.getLogger(__name__)

CHUNK = 16
"""The number of matches after which the results are stored: a kill loses no more."""
MOST_CPU_S = 300.0
"""The CPU time that one match may take, in seconds: a judge that hangs must not hang the command."""
MOST_SLEEP_S = 60.0
"""How long a judge may use no CPU time at all, in seconds: one that waits must not hang it, either."""
_PULSE_S: Final = 0.001
"""The CPU time in seconds that even a process which hardly gets a core uses meanwhile."""


class Reviewing(NamedTuple):
    """How far the reviews of some matches are."""

    done: int
    total: int
    problem: str
    """Why the last match could not be reviewed; empty if it was."""


class Remade(NamedTuple):
    """Reviews that were made again."""

    made: int
    outdated: int
    """How many were not: they follow from another judge, estimate or match than now, or have no account."""
    wrong: list[str]
    """The matches whose reviews differ."""


def record_to_review(contents: Contents, match: Match) -> dict[str, Any]:
    """Return the record of *match* with the number of its run, as reviews are stored under it."""
    return make_whole(contents, match) | {"run": match.run}


def _read_review(reviews: Reviews, record: Mapping[str, Json]) -> list[ReviewedStep]:
    """Return the stored rows of the match of *record*, by step and seat."""
    table = reviews.read(record["run"], record["number"])
    return records_from(table, ReviewedStep)


def find_review(contents: Contents, match: Match) -> list[ReviewedStep]:
    """Return the rows of the full review of *match*; no rows if it has none, or an outdated one."""
    reviews = Reviews(contents.folder)
    if not reviews.files() or match.void:
        return []
    try:
        record = record_to_review(contents, match)
        digest = digest_of(record, judge_for(record), FULL)
    except (LadderError, GameNotLoaded):  # a match that cannot be reviewed here, or dealt again
        return []
    return [row for row in _read_review(reviews, record) if row.match_digest == digest]


def shown_review(contents: Contents, match: Match) -> list[ReviewedStep]:
    """Return what find_review does; no rows and a warning if unreadable, which must not cost a page."""
    try:
        return find_review(contents, match)
    except ResultsError as error:
        logger.warning("reviews are not shown: %s", error)
        return []


def reviewed_matches(contents: Contents) -> set[tuple[int, int]]:
    """Return the run and the number of each match with a review; none, and a warning, as shown_review."""
    try:
        return {(key.run, key.number) for key in Reviews(contents.folder).matches()}
    except ResultsError as error:
        logger.warning("reviews are not shown: %s", error)
        return set()


def make_reviews(
    contents: Contents, matches: Sequence[Match], effort: Effort, jobs: int
) -> Iterator[Reviewing]:
    """Review those of *matches* of which no review is stored that is as good, and store what is found.

    Yields after each match that is reviewed or cannot be.  What is found is stored after each CHUNK of
    matches, and at the end, also if the caller stops.  Raises what Reviews.add does.
    """
    reviews, judges = Reviews(contents.folder), _Judges()
    stored = {(key.run, key.number): key for key in reviews.matches()}
    todo: list[Match] = []
    problems: list[str] = []
    for match in matches:
        try:
            record = record_to_review(contents, match)
            if not _is_there(stored.get((match.run, match.number)), record, effort):
                todo.append(match)  # its record is made again when its turn comes: all at once are large
        except (LadderError, GameNotLoaded) as error:  # without a judge, or of rules that are not here
            problems.append(str(error))
    done, total = len(matches) - len(todo) - len(problems), len(matches)
    held: list[ReviewedStep] = []
    records = (record_to_review(contents, match) for match in todo)
    for problem in problems:
        done += 1
        yield Reviewing(done, total, problem)
    if todo:
        with reviews.hold():  # where nothing can be written, that is said before the work
            pass
    try:
        with Pool(max(1, min(jobs, len(todo)))) as pool:
            for _, (rows, problem) in pool.each(partial(_review, effort), records):
                held += rows
                done += 1
                if done % CHUNK == 0:
                    reviews.add(held, judges.lack)
                    held = []
                yield Reviewing(done, total, problem)
    finally:
        reviews.add(held, judges.lack)


def review_now(
    contents: Contents, match: Match, record: Mapping[str, Any], seat: Seat | None, worlds: int | None
) -> tuple[Sequence[ReviewedStep], bool]:
    """Return the review of a match, and whether it is stored: it is made if it is not there.

    One in another number of *worlds*, or where nothing may be written, is not stored.  With *seat*, it is
    that of one seat.  Raises NoReview, and LadderError for a match that cannot be reviewed.
    """
    judge = judge_for(record)
    if worlds is not None:
        return review_safely(record, scale_effort(worlds / judge.worlds), seat), False
    try:
        for progress in make_reviews(contents, [match], FULL, 1):
            if progress.problem:
                raise LadderError(progress.problem, f"ladder replay {record['run']}/{record['number']}")
    except DiskFailed as error:
        if not error.may_not_write:
            raise
        return review_safely(record, FULL, seat), False
    rows = _read_review(Reviews(contents.folder), record)
    return rows if seat is None else hide_others(rows, seat), True


def read_reviewed(contents: Contents, bot: str, matches: Sequence[Match]) -> Table:
    """Return what the decisions of *bot* in *matches* cost, where a review is stored."""
    wanted = {(match.run, match.number, bot) for match in matches}
    table = Reviews(contents.folder).read()
    keys = zip(*(table.column(name).to_pylist() for name in ("run", "number", "bot")), strict=True)
    return table.filter([key in wanted for key in keys])


def remake_reviews(contents: Contents, most: int) -> Remade:
    """Make *most* reviews again, spread over all, and compare them; those without a match are left out."""
    reviews = Reviews(contents.folder)
    strays = reviews.strays(contents)
    keys = sorted(key for key in reviews.matches() if (key.run, key.number) not in strays)
    made, outdated, wrong = 0, 0, []
    for key in keys[:: max(1, len(keys) // most)][:most]:
        try:
            record = record_to_review(contents, contents.match(key.run, key.number))
            judge = judge_for(record)
        except (LadderError, GameNotLoaded):
            continue
        effort = COARSE if key.quick else FULL
        if key.match_digest != digest_of(record, judge, effort) or not (key.quick or key.account == ACCOUNT):
            outdated += 1
            continue
        made += 1
        stored = _bare_rows(reviews.read(key.run, key.number))
        again = _bare_rows(review_table(review_match(record, judge, effort)))
        if stored != again:
            wrong.append(f"{contents.folder.name_run(key.run)}/{key.number}")
    return Remade(made, outdated, wrong)


def _bare_rows(table: Table) -> list[dict[str, Json]]:
    """Return the rows of a review without words and names of bots, which may be others today."""
    rows = table.drop_columns(["bot", "version", "decision_kind", "why"]).to_pylist()
    return sorted(rows, key=lambda row: (row["step"], row["seat"]))


class _Judges:
    """The names of the judges of all games.  Games are loaded one after another, until a name is found."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._games = chain(BUILT_IN, GAMES)  # other packages are searched only if it comes to that
        self._all_known = True

    def lack(self, key: ReviewKey) -> bool:
        """Return whether the review with this *key* is by a judge which no game has any more.

        While a game cannot be loaded, or names no judge but raises an error, its judge is not known: no.
        """
        while key.judge not in self._names and (name := next(self._games, None)):
            named = go_on_without(
                f"the judges of {name} are not known", partial(_name_judges, name), None, name
            )
            self._names.update(named or ())
            self._all_known = self._all_known and named is not None
        return self._all_known and key.judge not in self._names


def _name_judges(game: str) -> set[str]:
    judges = [GAMES[game].judge(seats) for seats in GAMES[game].seats]
    return {judge.name for judge in judges if judge is not None}


def _is_there(key: ReviewKey | None, record: Mapping[str, Json], effort: Effort) -> bool:
    """Return whether the review with this *key* is what *effort* would find, or better."""
    if key is None:
        return False
    judge = judge_for(record)
    if key.match_digest == digest_of(record, judge, FULL):
        return key.account == ACCOUNT or not effort.line
    return key.match_digest == digest_of(record, judge, effort)


def _review(effort: Effort, record: Mapping[str, Json]) -> tuple[list[ReviewedStep], str]:
    """Return the rows of a review, or none and why there are none."""
    try:
        return review_safely(record, effort), ""
    except NoReview as error:
        return [], str(error)


def review_safely(
    record: Mapping[str, Json], effort: Effort, seat: Seat | None = None, cpu_s: float = 0.0
) -> list[ReviewedStep]:
    """Return what review_match does in *cpu_s* seconds, or MOST_CPU_S.  Raises NoReview."""
    judge = judge_for(record)
    with judging(record["game"]), _end_after(cpu_s or MOST_CPU_S), _seldom_collecting():
        return review_match(record, judge, effort, seat)


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Collect cycles a hundred times less often: a review makes many objects, hardly any in a cycle."""
    before = gc.get_threshold()
    gc.set_threshold(70_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _end_after(seconds: float) -> Iterator[None]:
    """Raise NoReview after *seconds* of CPU time, or MOST_SLEEP_S without any; in the main thread alone."""
    used = time.process_time()

    def stop(number: int, frame: FrameType | None) -> None:
        raise NoReview(
            f"a review of this match takes more than {seconds:.0f} s, so it was stopped",
            "ladder review MATCH --worlds 2 tries less",
        )

    def look(number: int, frame: FrameType | None) -> None:
        nonlocal used
        before, used = used, time.process_time()
        if used - before < _PULSE_S:
            raise NoReview(
                f"a review has done nothing for {MOST_SLEEP_S:.0f} s: it was stopped",
                "a judge computes and does not wait: tell its author",
            )

    try:
        before = {
            each: signal.signal(each, does) for each, does in ((signal.SIGPROF, stop), (signal.SIGALRM, look))
        }
    except ValueError:  # not the main thread
        yield
        return
    # again and again, in case that a judge goes on all the same
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    signal.setitimer(signal.ITIMER_REAL, MOST_SLEEP_S, MOST_SLEEP_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        for each, handler in before.items():
            signal.signal(each, handler)
