"""One command that plays: it takes a home and a request, and returns the run with the ratings after it.

`ladder run` and `ladder.play` call `play_session`.  What happens meanwhile is told as events: a caller may
print them, show them, or drop them.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import msgspec

from ladder.errors import FIRST_RUN, LadderError, UsageProblem
from ladder.home.home import Home
from ladder.home.house_bots import Say, candidates, check_here, pending
from ladder.machine.cores import Pin, usable_cores
from ladder.process.tiers import chosen
from ladder.registry.version import Version
from ladder.run.coordinator import Coordinator
from ladder.run.duel import Duel
from ladder.run.duel_request import DuelPlan, DuelRequest, TakePath, expected_bots, plan_duel
from ladder.run.duel_stored import begin_duel, extend_duel, find_duel, leave_out_of_field
from ladder.run.executors.base import Executor, Waiting
from ladder.run.executors.local import LocalExecutor
from ladder.run.request import Request, begin, changes, check_request, differences, leave_out
from ladder.run.run_options import RunOptions
from ladder.run.setup import setup_of
from ladder.run.status import STARVED, Status, Stop
from ladder.run.transcript import make_place
from ladder.worker.spending import Spending
from ladder.worker.worker_messages import Setup
from results.rating.rated import Rated
from results.record import Run
from results.reports.labels import labels
from results.storage.layout import UNRATED
from results.storage.store import Store
from results.storage.unrated import make_unrated, unrated_stores

__all__ = [
    "Ended",
    "Event",
    "Note",
    "Options",
    "Planned",
    "Played",
    "Progress",
    "Tell",
    "play_duel",
    "play_session",
]


_WITHOUT = "ladder run --resume --without"
"""The command in the hint of an error that one bot of a run has caused."""


# -- what is told


class Note(NamedTuple):
    """A sentence for the operator, and what to type next."""

    text: str
    hint: str = ""


class Planned(NamedTuple):
    """The run is stored: its matches come next."""

    home: Home
    run: Run
    name: int | str
    """What the run is called: its number, or the name of its unrated store."""


class Progress(NamedTuple):
    """How far the run is."""

    status: Status
    duel: Duel | None


class Ended(NamedTuple):
    """The last match was played, or the run stopped."""

    status: Status


Event: TypeAlias = Note | Planned | Progress | Ended
Tell: TypeAlias = Callable[[Event], object]
LetIn: TypeAlias = Callable[[Home, Sequence[str], Say], object]
"""Submits the house bots of these names; admission.house.add is the one there is.

A caller hands it in: how a bot gets in is a room of its own, and a run does without it.
"""
SETTLED_SECONDS = 2.0
"""A number of tables that has not changed for so long has settled."""
WAITED_SECONDS = 5.0
"""What a run waits for is told after so long, also where the number of its tables goes on changing."""
OpenExecutor: TypeAlias = Callable[[Setup], AbstractContextManager[Executor]]


@dataclass(frozen=True)
class Options:
    """How a run is played: nothing here changes which matches it has."""

    jobs: int | None = None
    in_progress: int = 32
    """How many matches a table has at once, if its bots allow several."""
    pin: Pin = "auto"
    cluster: str | None = None
    """The address of a scheduler; None: this machine."""
    tier: str | None = None
    """The sandbox tier; None: that of the home's settings."""
    require_sandbox: bool = False
    resume: bool = False
    new: bool = False
    """End an unfinished run as it is; an unrated one stays as it is, and can be continued."""
    unrated: bool = False
    """Keep the matches in a store of their own: they do not count."""
    transcript: bool = False
    """Write down every line to and from the bots; workers of this machine only."""
    without: Sequence[str] = ()
    """Bots that a resumed run goes on without."""
    guests: Sequence[Version] = ()
    """Bots that were not submitted: *open_executor* knows how they play."""
    open_executor: OpenExecutor | None = None
    """Where matches are played; None: by worker processes, or on the cluster."""
    log: logging.Handler = field(default_factory=logging.NullHandler)
    """What takes the log of worker processes."""

    @classmethod
    def of(cls, asked: RunOptions, **more: Any) -> Options:
        """Return how to play what was *asked* for, and *more* that only some callers give."""
        return cls(
            jobs=asked.jobs,
            in_progress=asked.in_progress,
            pin=asked.pin,
            tier=asked.sandbox,
            require_sandbox=asked.require_sandbox,
            resume=asked.resume,
            new=asked.new,
            without=asked.without,
            **more,
        )


class Played(NamedTuple):
    """A run that was played."""

    home: Home
    run: Run
    rated: dict[str, Rated]
    """The ratings after it, by game; those of this run alone if it is not rated."""
    store: Store
    duel: Duel | None = None


# -- the session


def play_session(
    opening: AbstractContextManager[Home], request: Request, options: Options, let_in: LetIn, tell: Tell
) -> Played:
    """Play the run that *request* describes, or continue it, in the home that *opening* yields.

    *opening* ends once the run is stored: a home made for a run that cannot begin can be removed then.
    SIGINT, SIGTERM and SIGHUP stop the run after the matches in hand, a second one at once; before the first
    match SIGTERM and SIGHUP raise SystemExit.  Raises LadderError (RunStopped among them) and ResultsError.
    """
    with ExitStack() as stack:
        stack.enter_context(_on_signals(_leave, signal.SIGTERM, signal.SIGHUP))
        with opening as home:
            home = confined(home, options, tell)
            store = _unrated(home, request, options) if options.unrated else Store(home.results)
            if store.unfinished_run():  # another process may be playing it: then nothing else matters
                stack.enter_context(store.lock())
            if not _to_continue(store, request, options):
                _check(home, request, options, let_in, tell)
            if not store.is_locked:
                if options.unrated:
                    store = make_unrated(home.results)
                stack.enter_context(store.lock())
            run = _to_continue(store, request, options) or _begin(home, store, request, options, tell)
            if options.without:
                run = leave_out(home, store, run, options.without)
        return _play(home, store, run, options, tell)


def play_duel(
    opening: AbstractContextManager[Home],
    request: DuelRequest,
    options: Options,
    let_in: LetIn,
    take_path: TakePath,
    tell: Tell,
) -> Played:
    """Play the duel that *request* describes in the home that *opening* yields, or continue it.

    One that ended undecided with fewer matches goes on to as many as are asked for now.  A duel has a store
    of its own unless *options* say that it is rated; for the rest see play_session.
    """
    with ExitStack() as stack:
        stack.enter_context(_on_signals(_leave, signal.SIGTERM, signal.SIGHUP))
        with opening as home:
            home = confined(home, options, tell)
            if coming := expected_bots(home, request):
                let_in(home, coming, lambda text: tell(Note(text)))
            plan = plan_duel(home, request, take_path)
            store, run = _open_duel(home, plan, options, tell)
            stack.enter_context(store.lock())
            run = run or begin_duel(home, store, plan, request)
        with _duel_hints(run):
            played = None
            if run.finished is None:
                run = leave_out_of_field(home, store, run, request.without)
                played = _play(home, store, run, options, tell)
            if settings := extend_duel(store, store.runs()[-1], plan):
                run = leave_out_of_field(home, store, store.reopen(settings), request.without)
                played = _play(home, store, run, options, tell)
        assert played  # a finished duel that cannot be extended is not opened
        return played


@contextmanager
def _duel_hints(run: Run) -> Iterator[None]:
    """Let an error whose hint is to leave a bot out of a run say what to type for *run*, a duel."""
    try:
        yield
    except LadderError as error:
        if _WITHOUT in error.hint:
            ids = [f"{bot['name']}@{bot['version']}" for bot in run.bots]
            if len(ids) == 2 or any(id_ in error.hint for id_ in ids[:2]):
                error.hint = "correct or replace that bot, then begin another duel"
            else:
                error.hint = error.hint.replace(_WITHOUT, "the same command with --without")
        raise


def _open_duel(home: Home, plan: DuelPlan, options: Options, tell: Tell) -> tuple[Store, Run | None]:
    """Return the store of a duel, and its run if it is to be continued."""
    stores = unrated_stores(home.results) if options.unrated else {"": Store(home.results)}
    if not options.new and (found := find_duel(stores, plan)):
        store, run = found
        if run.finished is None or extend_duel(store, run, plan):
            return store, run
        _tell_undecided(store, run, tell)
    if options.unrated:
        return make_unrated(home.results), None
    store = stores[""]
    if unfinished := store.unfinished_run():
        raise UsageProblem(
            f"run {unfinished.run} is not finished, and a rated duel has to come after it",
            "ladder run --resume, and then the duel; or the duel without --rated, which can be played now",
        )
    return store, None


def _tell_undecided(store: Store, run: Run, tell: Tell) -> None:
    """Tell of a duel that the same command could play on, if it is undecided."""
    duel = Duel.of(run)
    if duel is None:
        return
    duel.hear_all(store.contents(), run.run)
    if any(each.verdict == "undecided" for each in duel.results()):
        name = store.folder.name_run(run.run)
        tell(
            Note(
                f"{name}, the same duel, ended undecided; this is another one, with other deals",
                f"the same command with --games {2 * duel.most_matches}, which continues {name}",
            )
        )


def _unrated(home: Home, request: Request, options: Options) -> Store:
    """Return the store of the unrated run that this command continues, or one where none was played."""
    stores = unrated_stores(home.results)
    for store in () if options.new else reversed(stores.values()):
        run = store.unfinished_run()
        if run and not run.settings.duel and (options.resume or not differences(request, run)):
            return store
    return Store(home.results / UNRATED / "new")


def confined(home: Home, options: Options, tell: Tell) -> Home:
    """Return *home* with the tier of *options*, if they name one; tell what is not protected."""
    if options.tier:
        home = home.with_tier(options.tier)
    if warning := chosen(home.settings.sandbox.tier, options.require_sandbox).warning:
        tell(Note(f"warning: {warning}"))
    return home


def _to_continue(store: Store, request: Request, options: Options) -> Run | None:
    """Return the unfinished run if this is its command, None for a new one.  Raises UsageProblem."""
    unfinished = store.unfinished_run()
    if unfinished is None and options.resume:
        raise UsageProblem("there is no unfinished run to resume", FIRST_RUN)
    if unfinished is None or options.new:
        return None
    if changed := changes(unfinished):
        raise UsageProblem(
            f"run {unfinished.run} is not finished, and cannot be continued: {'; '.join(changed)}",
            "ladder run --new, which ends it as it is; or continue it with the ladder that began it",
        )
    if not options.resume and (differing := differences(request, unfinished)):
        raise UsageProblem(
            f"run {unfinished.run} is not finished, and this command differs: {'; '.join(differing)}",
            "ladder run --resume, which continues it; or add --new, to end it as it is and begin this one",
        )
    return unfinished


def _check(home: Home, request: Request, options: Options, let_in: LetIn, tell: Tell) -> None:
    """Refuse what cannot be played, before anything is stored; let in the house bots that are expected."""
    guests = {guest.id for guest in options.guests}
    check_here(home, [name for name in request.bots if name not in guests])
    coming = pending(home, request.field)
    check_request(home, request, [*candidates(home, coming), *options.guests])
    if coming:
        let_in(home, coming, lambda text: tell(Note(text)))
        check_request(home, request, options.guests)


def _begin(home: Home, store: Store, request: Request, options: Options, tell: Tell) -> Run:
    """Begin a new run, and end an unfinished one as it is."""
    if unfinished := store.unfinished_run():
        store.abandon(unfinished.run)
        tell(Note(f"run {unfinished.run} is ended as it is"))
    return begin(home, store, request, options.guests)


def _play(home: Home, store: Store, run: Run, options: Options, tell: Tell) -> Played:
    """Play *run*, which is stored, to its end."""
    tell(Planned(home, run, store.folder.name_run(run.run)))
    jobs = options.jobs or home.settings.run.jobs or len(usable_cores())
    setup = setup_of(home, run, options.in_progress, options.guests)
    if options.transcript:
        place = make_place(home, store.folder.name_run(run.run))
        setup = msgspec.structs.replace(setup, transcript=place)
    open_executor = options.open_executor or _on_cluster(options.cluster)
    if open_executor is None:
        if jobs > (cores := len(usable_cores())):
            told = f"{jobs} jobs on {cores} cores: bots compete for cores and may run out of time"
            tell(Note(f"warning: {told}"))
        open_executor = _local(jobs, options)

    waits = _Waits(jobs)

    def report(status: Status) -> None:
        if note := waits.note(status):
            tell(note)
        tell(Progress(status, coordinator.duel))

    coordinator = Coordinator.resume(store, run, setup, report, lambda *said: tell(Note(*said)))
    _tell_continued(coordinator, store, tell)
    report(coordinator.status)
    try:
        with _stopping(tell) as stop, open_executor(setup) as executor:
            coordinator.play(executor, stop)
        coordinator.hear_outlays(executor)
    finally:
        tell(Ended(coordinator.status))
    _tell_end(coordinator, store, tell)
    _tell_spending(home, run, coordinator.spending, tell)
    return Played(home, run, coordinator.rated, store, coordinator.duel)


def _local(jobs: int, options: Options) -> OpenExecutor:
    level = logging.getLogger().level
    return lambda setup: closing(LocalExecutor.start(setup, jobs, options.pin, options.log, level))


class _Waits:
    """Tells once that a run waits for its bots, when the number of its tables has settled, or soon."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._told = False
        self._tables, self._since = 0, 0.0
        self._waits_since: float | None = None

    def note(self, status: Status) -> Note | None:
        """Return the note to tell at *status*, if there is one."""
        tables = status.waiting.tables if status.waiting else 0
        if tables != self._tables:
            self._tables, self._since = tables, status.seconds
        if self._told or status.waiting is None or not status.wait:
            self._waits_since = None
            return None
        if self._waits_since is None:
            self._waits_since = status.seconds
        settled = status.seconds - self._since >= SETTLED_SECONDS
        if not settled and status.seconds - self._waits_since < WAITED_SECONDS:
            return None
        self._told = True
        return Note(status.wait, self._hint(status, status.waiting))

    def _hint(self, status: Status, waiting: Waiting) -> str:
        if waiting.starved >= STARVED:
            return "end other programs, or play with fewer workers: -j"
        if status.is_held_back:
            return "--schedule round-robin, which does not wait for results, fills more tables"
        return f"-j {2 * self._jobs}, which holds more tables at once" if waiting.full else ""


def _on_cluster(address: str | None) -> OpenExecutor | None:
    if address is None:
        return None
    from ladder.run.executors.cluster import on_cluster

    return lambda setup: on_cluster(address, setup)


def _tell_continued(coordinator: Coordinator, store: Store, tell: Tell) -> None:
    run = coordinator.run
    name = f"{'duel' if coordinator.duel else 'run'} {store.folder.name_run(run.run)}"
    for left in run.settings.without:
        since = f"planned without it from block {left.since:,} on; its matches before that are void"
        tell(Note(f"{name} continues without {left.name}@{left.version}: {since}"))
    if done := coordinator.status.done:
        tell(Note(f"{name} continues: {done:,} matches are done"))


def _tell_end(coordinator: Coordinator, store: Store, tell: Tell) -> None:
    """Tell what has ended a run, and how many matches it has not for a suspended bot."""
    for words in coordinator.last_words():
        tell(Note(*words))
    if left_out := coordinator.left_out.matches:
        name = store.folder.unrated_name
        hint = "ladder faults" + (f" --duel {name}" if name else "")
        tell(Note(f"left out: {left_out:,} matches of bots that were suspended; they do not count", hint))


def _tell_spending(home: Home, run: Run, spending: Spending, tell: Tell) -> None:
    """Tell which bots took far more time than the others, and which had to be killed after `bye`."""
    label = labels(((bot["name"], bot["version"]) for bot in run.bots), home.roster.numbers())
    names = {f"{name}@{version}": text for (name, version), text in label.items()}
    for share in spending.outliers():
        spent = f"{share.think_s:,.1f} s thinking, {share.start_s:,.1f} s in {share.starts:,} starts"
        hint = "a line match_s = SECONDS in [limits] of ladder.toml bounds a bot's time in a match"
        tell(Note(f"{names[share.bot]} used {share.part:.0%} of the time: {spent}", hint))
    for bot, count in spending.overstayed().items():
        tell(Note(f"{names[bot]} did not exit after bye: {count:,} of its processes were killed"))


# -- signals


@contextmanager
def _on_signals(handler: Callable[[int, object], None], *numbers: signal.Signals) -> Iterator[None]:
    """Call *handler* for these signals, except those that were ignored when we started, as by nohup.

    Only the main thread of a program can do that: elsewhere signals stay as they are.
    """
    before = {}
    with suppress(ValueError):  # not the main thread
        for number in numbers:
            if (handled := signal.getsignal(number)) != signal.SIG_IGN:
                signal.signal(number, handler)
                before[number] = handled
    try:
        yield
    finally:
        for number, handled in before.items():
            signal.signal(number, handled)


def _leave(number: int, _: object) -> None:
    """End the program before the first match, or after the last.

    Not by a LadderError: it could be taken for that of a house bot, and be skipped.
    """
    raise SystemExit(128 + signal.SIGTERM)


@contextmanager
def _stopping(tell: Tell) -> Iterator[Stop]:
    """Turn signals that end programs into a Stop, which the run looks at between two blocks."""
    stop = Stop()

    def ask(number: int, _: object) -> None:
        stop.asked += 1
        stop.exit_code = 130 if number == signal.SIGINT else 143
        if stop.asked == 1:
            with suppress(RuntimeError):  # the signal came in the middle of another print
                tell(Note("stopping: matches in hand may finish; once more to stop at once"))

    with _on_signals(ask, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        yield stop
