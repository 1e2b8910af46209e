"""Play hostile bots against honest ones, through real pipes, then look for leftovers.

In a first block the hostile bot sins, once in each seat; in a second block it does not.  Both have the same
worker and the same honest processes; the hostile bot gets new ones.
"""

import contextlib
import os
import secrets
import shutil
import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ladder.contest.blocks import PlannedBlock, ScheduledMatch, matches_of
from ladder.contest.keys import Keys, secret_of_seed
from ladder.dev.hostile.case import HOSTILE, OK, Case, sinner
from ladder.machine.installation import ROOT
from ladder.machine.user_home import user_home
from ladder.process.procfs import find_marked
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.bundled import copy_bundled
from ladder.registry.version import Version
from ladder.sandbox.confinement import Confinement
from ladder.worker.practice import practice_setup
from ladder.worker.worker import Worker
from ladder.worker.worker_messages import Setup
from protocol.messages import Json
from results import record
from results.record import Contest

SECRET = secret_of_seed(0)
KEYS = Keys(SECRET)
PATIENCE = 60.0
"""How long killed processes may take to end, in seconds: they end slowly on a busy machine."""
LATE_MS = 1_000
"""How long after its deadline a fault may be found."""
SINNER = 0
HONEST = 1
SPARE = 2
OTHER = 3
NAMES = (HOSTILE, "honest", "spare", "other")
WRITABLE = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/usr", "/etc", "/")  # noqa: S108
"""Folders in which an unconfined bot would leave files, beside the home of the user."""


class CaseResult(NamedTuple):
    """The result of a case."""

    case: Case
    tier: str
    found: str
    """The kinds of faults, or OK."""
    ms: int
    """The longest of the matches in which it sinned."""
    problems: tuple[str, ...]
    """The differences from the expected result."""

    def row(self) -> dict[str, Json]:
        """Return the result as a row of a table; a fault that was found too late is a problem here."""
        problems = list(self.problems)
        if self.ms > (most := self.case.limit_ms + LATE_MS):
            problems.append(f"expected an end within {most:,} ms, found {self.ms:,}")
        return {
            "case": self.case.id,
            "what": self.case.what,
            "tier": self.tier,
            "expected": " or ".join(self.case.expected),
            "found": self.found,
            "ms": self.ms,
            "ok": not problems,
            "problems": "; ".join(problems) or None,
        }


class _Pair(NamedTuple):
    """The two cases of a block, by rotation, with its matches and those of the clean block after it."""

    cases: tuple[Case, Case]
    sinned: record.Block
    clean: record.Block
    survivors: list[int]


def new_mark() -> str:
    """Return a mark of its own for the processes and files of a trial."""
    return f"hostile-{secrets.token_hex(8)}"


def programs() -> Path:
    """Return the folder of the hostile programs, in the tests or in an installation."""
    installed = Path(ROOT, "ladder", "bad_bots")
    return installed if installed.is_dir() else Path(ROOT, "tests", "bad_bots")


def survivors(
    mark: str, among: Collection[int] | None = None, meanwhile: Callable[[], None] | None = None
) -> list[int]:
    """Kill and return processes with *mark*, only *among* these, that outlast PATIENCE; call *meanwhile*."""
    deadline = time.monotonic() + PATIENCE
    while found := [pid for pid in find_marked(mark) if among is None or pid in among]:
        if time.monotonic() > deadline:
            break
        if meanwhile:
            meanwhile()
        time.sleep(0.01)
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return found


def try_cases(cases: Sequence[Case], tier: str) -> list[CaseResult]:
    """Play *cases*, which differ only in their sins, with one worker under *tier*, two in each block."""
    mark = new_mark()
    pairs = _pair_cases(cases)
    contest = Contest("stellar", 2, {}, (SINNER, HONEST, SPARE, OTHER))
    with copy_bundled(programs()) as folder, _collect_signals() as signals:
        try:
            with Worker(_setup(pairs, contest, mark, tier, folder)) as worker:
                worker.watch_tables()  # as in a run
                played = [_play(worker, pair, i, mark) for i, pair in enumerate(pairs)]
        finally:
            left_running = survivors(mark)
        left = [f"left running: {left_running}"] if left_running else []
        left += [f"left behind: {path}" for path in litter(mark, folder)]
    left += ["a signal has reached the referee"] if signals else []
    return [_verdict(case, pair, tier, left) for case in cases for pair in played if case in pair.cases]


@contextlib.contextmanager
def _collect_signals() -> Iterator[list[int]]:
    """Yield a list that collects the SIGURG signals sent to this process; they have no other effect."""
    came: list[int] = []
    before = signal.signal(signal.SIGURG, lambda number, _: came.append(number))
    try:
        yield came
    finally:
        signal.signal(signal.SIGURG, before)


def _pair_cases(cases: Sequence[Case]) -> list[tuple[Case, Case]]:
    """Pair *cases*, those without a fault among themselves; a single one is paired with itself."""
    pairs = []
    for harmless in (True, False):
        alike = [case for case in cases if case.harmless == harmless]
        pairs += [(a, b) for a, b in zip(alike[::2], [*alike, *alike[-1:]][1::2], strict=True)]
    return pairs


def _setup(pairs: Sequence[tuple[Case, Case]], contest: Contest, mark: str, tier: str, folder: Path) -> Setup:
    """Return the setup of a worker for *pairs*, whose programs are in *folder*."""
    first = pairs[0][0]
    sins: list[dict[str, Json]] = [{}, {}]
    for i, pair in enumerate(pairs):
        for scheduled, case in zip(matches_of(block_of(2 * i), contest), pair, strict=True):
            for bot in (SINNER, HONEST):
                seat = scheduled.bots.index(bot)
                sins[bot][KEYS.name(scheduled.match, seat)] = {**_ids(scheduled, seat), **case.sin}
    config = {"referee": os.getpid(), **first.config, "sins": sins[SINNER]}
    other = {**first.opponent_config, **({} if first.opponent_expected == OK else {"sins": sins[HONEST]})}
    bots = (
        version_of(SINNER, folder, first.program, mark, config, first.run),
        version_of(HONEST, folder, first.opponent, f"{mark}-other", other),
        *(version_of(bot, folder, "manners", f"{mark}-other", {}) for bot in (SPARE, OTHER)),
    )
    return practice_setup(
        (contest,),
        bots,
        record.RunSettings(limits=msgspec.to_builtins(first.limits)),
        Confinement(tier, scratch_mb=first.scratch_mb),
        secret=SECRET,
    )


def version_of(
    bot: int, folder: Path, program: str, mark: str, config: Mapping[str, Json], run: tuple[str, ...] = ()
) -> Version:
    """Return a version of the bot called NAMES[bot], which runs *program* in *folder*, with *mark*."""
    run = run or ("{python}", "-S", f"{program}.py")  # -S: a third of the time to start
    manifest = BotManifest(NAMES[bot], run=(*run, mark), config=dict(config))
    return Version(NAMES[bot], "1", str(folder), manifest)


def block_of(number: int, bots: tuple[int, int] = (SINNER, HONEST)) -> PlannedBlock:
    """Return the block with this *number* of the first contest."""
    return PlannedBlock(number, 2 * number, 0, bots)


def _ids(scheduled: ScheduledMatch, seat: int) -> dict[str, Json]:
    """Return ids that a bot can only guess: of its own later decision and of the other seat's first."""
    other = [KEYS.decisions(scheduled.match, 1 - seat, steps) for steps in (0, 1)]
    return {"later": KEYS.decisions(scheduled.match, seat, 2)[0], "other": other[0] + other[1]}


def _play(worker: Worker, cases: tuple[Case, Case], index: int, mark: str) -> _Pair:
    (sinned,) = worker.play([block_of(2 * index)])
    all_faulted = all(sinner(match).fault for match in sinned.matches)
    # as a worker does between matches: a bot told to leave may stay
    left = survivors(f"{mark}\0", meanwhile=worker.look) if all_faulted else []
    (clean,) = worker.play([block_of(2 * index + 1, _clean(cases[0]))])
    return _Pair(cases, sinned, clean, left)


def _clean(case: Case) -> tuple[int, int]:
    """Return the bots of the clean block: the same, except bots that always sin."""
    if not case.always:
        return SINNER, HONEST
    return (SPARE, HONEST) if case.opponent_expected == OK else (SPARE, OTHER)


def litter(mark: str, folder: Path) -> Iterator[Path]:
    """Remove files whose names contain *mark*, and core dumps beside programs in *folder*; yield paths."""
    places = (*map(Path, WRITABLE), user_home() or folder, folder)
    found = {path for place in places for path in place.glob(f"{mark}*")}
    for path in found | set(folder.glob("core*")):
        yield path
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


def _verdict(case: Case, pair: _Pair, tier: str, left: Sequence[str]) -> CaseResult:
    matches = [m for m, c in zip(pair.sinned.matches, pair.cases, strict=True) if c is case]
    faults = [fault for fault in pair.sinned.faults if fault.number in {match.number for match in matches}]
    found = sorted({sinner(match).fault or OK for match in matches})
    problems = [*left]
    if not set(found) <= set(case.expected):
        reasons = "; ".join(sorted({fault.reason for fault in faults}))
        problems.append(
            f"expected {' or '.join(case.expected)}, found {', '.join(found)}"
            + (f": {reasons}" if reasons else "")
        )
    problems += [problem for match in matches for problem in harm(case, match)]
    problems += [problem for fault in faults for problem in _missing_details(case, fault)]
    if pair.survivors:
        problems.append(f"left running after its match: {pair.survivors}")
    problems += [f"the next match: {fault.bot} {fault.kind}: {fault.reason}" for fault in pair.clean.faults]
    if any(seat.score is None for match in pair.clean.matches for seat in match.seats):
        problems.append("the next match did not come to its end")
    if case.check and not problems and (wrong := case.check(matches, pair.clean.matches)):
        problems.append(wrong)
    return CaseResult(case, tier, ", ".join(found), max(m.duration_us for m in matches) // 1000, (*problems,))


def harm(case: Case, match: record.Match) -> Iterator[str]:
    """Yield the errors at the other seat."""
    mine, other = sorted(match.seats, key=lambda seat: seat.bot != HOSTILE)
    if (other.fault or OK) != case.opponent_expected:
        yield f"the other seat: expected {case.opponent_expected}, found {other.fault or OK}"
    elif mine.fault is None:
        if mine.score is None or other.score is None:
            yield "the match did not come to its end"
    elif (mine.score, other.score) != (None, None):
        yield f"expected no scores, found {mine.score} and {other.score}"
    elif (expected := (1, 1) if other.fault else (2, 1)) != (mine.rank, other.rank):
        yield f"expected the ranks {expected}, found {mine.rank, other.rank}"


def _missing_details(case: Case, fault: record.Fault) -> Iterator[str]:
    """Yield what *fault* should say but does not."""
    if not fault.charged and fault.kind != "timeout":  # the machine may have caused it: the match is replayed
        yield f"charged to no match: {fault.kind}: {fault.reason}"
    if fault.bot == HOSTILE:
        if case.reason not in fault.reason:
            yield f"expected the reason to say {case.reason!r}, found {fault.reason!r}"
        if case.statuses and fault.exit_status not in case.statuses:
            yield f"expected the exit status {case.statuses[0]}, found {fault.exit_status}"
