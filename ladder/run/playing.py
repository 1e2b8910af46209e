"""A stored run, a duel or not, is played to its end: workers, events, and what is said of it afterwards."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias, assert_never

import msgspec

from ladder.errors import LadderError, first_of
from ladder.home.home import Home
from ladder.machine.cores import Pin, usable_cores
from ladder.registry.version import Version
from ladder.run.coordinator import Coordinator
from ladder.run.duel import Duel
from ladder.run.executors.base import Executor, Waiting, WorkerSpeed
from ladder.run.executors.local import LocalExecutor
from ladder.run.planner import Reason
from ladder.run.run_events import Ended, OperatorNote, Planned, Progress, Tell
from ladder.run.run_options import RunOptions
from ladder.run.setup import setup_of
from ladder.run.signals import stopping
from ladder.run.status import Status
from ladder.run.stored_run import leave_out
from ladder.worker.spending import Spending
from ladder.worker.worker_messages import Setup, TranscriptPlace
from results.rating.rated import Rated
from results.record import Run
from results.reports.labels import labels
from results.storage.store import Store
from results.words import count

_LEFT_OUT: Mapping[Reason, tuple[str, str]] = {
    "suspended": ("were suspended", "ladder faults"),
    "without": ("the run continued without", "ladder matches"),
    "spent": ("had spent their share of the budget", "ladder matches"),
}
"""Which bots those are whose matches are left out, and what shows it."""
SETTLED_SECONDS = 2.0
"""A number of tables that has not changed for so long has settled."""
WAITED_SECONDS = 5.0
"""What a run waits for is told after so long, also where the number of its tables goes on changing."""
OpenExecutor: TypeAlias = Callable[[Setup], AbstractContextManager[Executor]]


@dataclass(frozen=True)
class Means:
    """By what means a run is played: what only some callers have.  Nothing here changes its matches."""

    cluster: str | None = None
    """Where a cluster is, as `ladder run --on` takes it; None: this machine."""
    tls: Path | None = None
    """A folder with certificates for *cluster*."""
    transcript: bool = False
    """Write down every line to and from the bots; workers of this machine only."""
    open_executor: OpenExecutor | None = None
    """Opens what plays; None: workers of this machine, or those of *cluster*."""
    carried: bytes = b""
    """Python functions that play in the workers of this machine: see ladder.process.carried."""
    log: logging.Handler = field(default_factory=logging.NullHandler)
    """What takes the log of worker processes."""


class Played(NamedTuple):
    """A run that was played."""

    home: Home
    run: Run
    rated: dict[str, Rated]
    """The ratings after it, by game; those of this run alone if it is not rated."""
    store: Store
    duel: Duel | None = None
    stop_code: int = 0
    """The exit code of a signal that came during its last matches; 0: none came."""


def play_stored(
    home: Home, store: Store, run: Run, how: RunOptions, guests: Sequence[Version], means: Means, tell: Tell
) -> Played:
    """Play *run*, which is stored, to its end, with the workers *how* says; *guests* were not submitted."""
    tell(Planned(home, run, store.folder.name_run(run.run)))
    jobs = how.jobs or home.settings.run.jobs or len(usable_cores())
    setup = setup_of(home, run, how.in_progress or home.settings.run.in_progress, guests)
    if means.cluster and (remote := [bot.id for bot in setup.bots if bot.manifest.remote]):
        run = leave_out(home, store, run, remote)
        tell(OperatorNote(f"left out: {', '.join(remote)}: workers elsewhere do not reach remote bots"))
    if setup.caps:
        names = [" and ".join({setup.bots[bot].bot: 0 for bot in cap.bots}) for cap in setup.caps]
        caps = [f"{cap.seats:,} of {name}" for name, cap in zip(names, setup.caps, strict=True)]
        hint = "write `tables` below [limits.bots.NAME] in ladder.toml for another number"
        tell(OperatorNote(f"seats in progress at once: at most {first_of(caps, 5)}", hint))
    if means.transcript:
        place = _make_transcript_place(home, store.folder.name_run(run.run))
        setup = msgspec.structs.replace(setup, transcript=place)
    open_executor = means.open_executor or _on_cluster(means.cluster, means.tls)
    if open_executor is None:
        if jobs > (cores := len(usable_cores())):
            told = "bots compete for cores and may run out of time"
            tell(OperatorNote(f"warning: {count(jobs, 'job')} on {count(cores, 'core')}: {told}"))
        open_executor = _local(jobs, how.pin or home.settings.run.pin, means)

    waits = WaitingNote(jobs)

    def report(status: Status) -> None:
        if note := waits.note(status):
            tell(note)
        tell(Progress(status, coordinator.duel, coordinator.tournament))

    # `report` names the coordinator before there is one: it is called only once the run is recovered
    coordinator = Coordinator.resume(store, run, setup, report, lambda *said: tell(OperatorNote(*said)))
    _tell_continued(coordinator, store, tell)
    report(coordinator.status)
    workers: Sequence[WorkerSpeed] = ()
    try:
        with stopping(tell) as stop, open_executor(setup) as executor:
            try:
                coordinator.play(executor, stop)
            finally:
                workers = executor.speeds()
        # workers report their last starts and ends as they are closed
        coordinator.hear_outlays(executor)
    finally:
        tell(Ended(coordinator.status, workers))
    _tell_end(coordinator, store, tell)
    _tell_spending(home, run, coordinator.spending, tell)
    stop_code = stop.exit_code if stop.asked else 0
    return Played(home, coordinator.run, coordinator.rated, store, coordinator.duel, stop_code)


def _make_transcript_place(home: Home, run: int | str) -> TranscriptPlace:
    """Make the folder for the transcripts of *run*, the number of a run or the name of an unrated one.

    They show every card, so others may not read them.  Raises LadderError if the folder cannot be made.
    """
    folder = home.transcripts / str(run)
    try:
        home.transcripts.mkdir(mode=0o700, exist_ok=True)
        folder.mkdir(exist_ok=True)
    except OSError as error:
        what = f"the folder for transcripts cannot be made: {error}"
        raise LadderError(what, "correct that; or the same command without --transcript") from None
    return TranscriptPlace(str(folder.resolve()))


def _local(jobs: int, pin: Pin, means: Means) -> OpenExecutor:
    level = logging.getLogger().level
    return lambda setup: closing(LocalExecutor.start(setup, jobs, pin, means.log, level, means.carried))


def _on_cluster(where: str | None, tls: Path | None) -> OpenExecutor | None:
    if where is None:
        return None
    from ladder.run.executors.cluster import on_cluster

    return lambda setup: on_cluster(where, setup, tls)


def _tell_continued(coordinator: Coordinator, store: Store, tell: Tell) -> None:
    run = coordinator.run
    name = f"{'duel' if coordinator.duel else 'run'} {store.folder.name_run(run.run)}"
    for left in run.settings.without:
        since = f"planned without it from block {left.since:,} on; its matches before that are void"
        tell(OperatorNote(f"{name} continues without {left.name}@{left.version}: {since}"))
    if done := coordinator.status.done:
        tell(OperatorNote(f"{name} continues: {count(done, 'match')} done"))


def _tell_end(coordinator: Coordinator, store: Store, tell: Tell) -> None:
    """Tell what has ended a run, and how many of its matches do not count, by the reason."""
    for words in coordinator.last_words():
        tell(OperatorNote(*words))
    name = store.folder.unrated_name
    for reason, matches in coordinator.left_out.reasons.items():
        of, hint = _LEFT_OUT[reason]
        hint += f" --in {name}" if name else ""
        tell(OperatorNote(f"left out: {count(matches, 'match')} of bots that {of}; they do not count", hint))


def _tell_spending(home: Home, run: Run, spending: Spending, tell: Tell) -> None:
    """Tell which bots took far more time than others, or were waited for, or had to be killed."""
    label = labels(run.bot_keys, home.roster.numbers())
    names = {f"{name}@{version}": text for (name, version), text in label.items()}
    for share in spending.outliers():
        spent = f"{share.think_s:,.1f} s thinking, {share.start_s:,.1f} s in {count(share.starts, 'start')}"
        hint = "a line match_s = SECONDS in [limits] of ladder.toml bounds a bot's time in a match"
        tell(OperatorNote(f"{names[share.bot]} used {share.part:.0%} of the time: {spent}", hint))
    for bot, (times, seconds, others) in spending.waited_for().items():
        waited = f"{names[bot]} was waited for {count(times, 'time')}, {seconds:,.0f} s in all"
        tell(OperatorNote(f"{waited}; the other bots {count(others, 'time')}"))
    for bot, killed in spending.count_overstays().items():
        tell(OperatorNote(f"{names[bot]} did not exit after bye: {count(killed, 'process')} killed"))


class WaitingNote:
    """Tells once that a run waits for its bots, when the number of its tables has settled, or soon."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._told = False
        self._tables, self._since = 0, 0.0
        self._waits_since: float | None = None

    def note(self, status: Status) -> OperatorNote | None:
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
        return OperatorNote(status.wait, self._hint(status, status.waiting))

    def _hint(self, status: Status, waiting: Waiting) -> str:
        if status.is_crowded:
            return "end other programs, or play with fewer workers: -j"
        if status.is_held_back:
            return "--schedule round-robin, which does not wait for results, fills more tables"
        if not status.has_more:
            return ""
        match waiting.bound:
            case "workers":
                return f"-j {2 * self._jobs}, which holds more tables at once"
            case "processes":
                return "a larger number at `processes` in [run] of ladder.toml: it bounds the tables"
            case "memory":
                return "more free memory, which bounds the tables: end other programs"
            case "":
                return ""
            case _:
                assert_never(waiting.bound)
