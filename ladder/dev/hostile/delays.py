"""B60 to B63: a confederate takes the core from a bot, so that the machine seems to be busy, or it is busy.

All bots share one core.  Whether or not the confederate is charged, the hostile bot loses its
matches by a fault of its own, and no other bot is charged.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Thread

import msgspec

from ladder.dev.hostile import case_trial
from ladder.dev.hostile.case import OK, QUICK, Case, sinner
from ladder.machine.cores import run_on, usable_cores
from ladder.process.patience import MOST_TIMES
from ladder.referee.table_events import BotStarted, Event
from ladder.registry.bundled import copy_bundled
from ladder.sandbox.confinement import Confinement
from ladder.worker.practice import practice_setup
from ladder.worker.worker import Worker
from ladder.worker.worker_messages import Unplayed
from protocol.messages import Json, Limits
from results import record
from results.record import Contest

ELSEWHERE = Case(
    "B60",
    "its confederate elsewhere takes the core",
    ("timeout",),
    "spins",
    limits=QUICK,
    always=True,
    most_times=MOST_TIMES,
)
CROWD: Mapping[str, Json] = {"processes": 16}
UNPLAYABLE = Case(
    "B61",
    "its confederate makes a block unplayable",
    ("timeout",),
    "spins",
    limits=Limits(start_ms=10_000, move_ms=100, bank_ms=0, processes=64),
    always=True,
    opponent="starves_others",
    opponent_config=CROWD,
    most_times=MOST_TIMES,
)
LOOPS = 20
"""How many programs compute on the core of the bots: there a bot gets a twentieth of it."""
SPIN = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"
KEPT = Limits(start_ms=10_000, move_ms=400, bank_ms=100)
SLEEPS = "sleeps while its children wait for a core"
ASLEEP = Case("B62", SLEEPS, ("timeout",), "sleeps_on_tails", {"tails": 1}, limits=KEPT, most_times=200)
AWAITING = Case("B63", "waits for its workers", (OK,), "awaits_workers", limits=KEPT, most_times=200)


def _share_a_core(event: Event) -> None:
    """Let all bots that are started share one core."""
    if isinstance(event, BotStarted) and event.player.process:
        event.player.process.run_on(usable_cores()[:1])


@contextmanager
def _worker(
    case: Case, tier: str, mark: str, spare: str = "manners", *, patient: bool = False
) -> Iterator[Worker]:
    """Yield a worker with the bots of *case*, and two more, one of which runs *spare*."""
    contest = Contest(
        "stellar", 2, {}, (case_trial.SINNER, case_trial.HONEST, case_trial.SPARE, case_trial.OTHER)
    )
    with copy_bundled(case_trial.programs()) as folder:
        bots = (
            case_trial.version_of(case_trial.SINNER, folder, case.program, mark, case.config),
            case_trial.version_of(case_trial.HONEST, folder, case.opponent, mark, case.opponent_config),
            case_trial.version_of(case_trial.SPARE, folder, spare, mark, CROWD),
            case_trial.version_of(case_trial.OTHER, folder, "manners", mark, {}),
        )
        settings = record.RunSettings(limits=msgspec.to_builtins(case.limits), freeze="off")
        setup = practice_setup((contest,), bots, settings, Confinement(tier), secret=case_trial.SECRET)
        with Worker(setup, on_event=_share_a_core, practice=True, patient=patient) as worker:
            worker.watch_tables()  # as in a run
            yield worker


def try_confederate(tier: str) -> case_trial.CaseResult:
    """Let a bot and a confederate elsewhere spin: both lose by timeout, and those they play have no fault."""
    began, mark = time.monotonic(), case_trial.new_mark()
    elsewhere: list[record.Block | Unplayed] = []
    with _worker(ELSEWHERE, tier, mark, "crowds_the_core") as worker:
        # Two tables at once, as in a run: the confederate must take the core while the other one thinks.
        other = Thread(
            target=lambda: elsewhere.extend(
                worker.attempt([case_trial.block_of(1, (case_trial.SPARE, case_trial.OTHER))])
            )
        )
        other.start()
        mine = [*worker.attempt([case_trial.block_of(0)])]
        other.join()
    problems = _problems(ELSEWHERE, mine)
    if len(elsewhere) != 1:
        problems.append("the other table did not end")
    for block in elsewhere:
        charged = {fault.bot for fault in block.faults} if isinstance(block, record.Block) else {"no bot"}
        if charged != {worker.setup.bots[case_trial.SPARE].bot}:
            problems.append(f"at the other table {' and '.join(sorted(charged))} is charged")
    return _result(ELSEWHERE, tier, mine, began, problems, mark)


def try_unplayable(tier: str) -> case_trial.CaseResult:
    """Let a bot spin while its opponent takes the core from it: as soon as it alone is late, it is charged.

    If its block is void in every attempt, it is played alone, and its delays are its own: what a run does in
    the end.
    """
    began, mark = time.monotonic(), case_trial.new_mark()
    with _worker(UNPLAYABLE, tier, mark) as worker:
        played = [*worker.attempt([case_trial.block_of(0)])]
        for unplayed in [block for block in played if isinstance(block, Unplayed)]:
            charge = unplayed.late[0] if len(unplayed.late) == 1 and unplayed.in_time else ""
            played = [*worker.attempt([case_trial.block_of(0)], alone=True, charge=charge)]
    return _result(UNPLAYABLE, tier, played, began, _problems(UNPLAYABLE, played), mark)


def try_on_a_busy_core(case: Case, tier: str) -> case_trial.CaseResult:
    """Let the bot of *case* sleep while its children wait for a core: no match is played again."""
    began, mark = time.monotonic(), case_trial.new_mark()
    spin = [sys.executable, "-S", "-c", SPIN]
    # each in a session of its own, where a system divides the core among them
    loops = [os.posix_spawn(spin[0], spin, os.environ, setsid=True) for _ in range(LOOPS)]
    try:
        for loop in loops:
            run_on(loop, usable_cores()[:1])
        with _worker(case, tier, mark, patient=True) as worker:
            played = [*worker.attempt([case_trial.block_of(0)])]
    finally:
        for loop in loops:
            os.kill(loop, signal.SIGKILL)
            os.waitpid(loop, 0)
    return _result(case, tier, played, began, _problems(case, played), mark)


def _problems(case: Case, played: Sequence[record.Block | Unplayed]) -> list[str]:
    """Return what differs from the expected result of the hostile bot's block."""
    problems = []
    for block in played:
        if isinstance(block, Unplayed):
            problems.append(f"not charged: {block.reason}")
            continue
        for match in block.matches:
            found = sinner(match).fault or OK
            if found not in case.expected:
                problems.append(f"expected {' or '.join(case.expected)}, found {found}")
            problems += case_trial.harm(case, match)
    return problems


def _result(
    case: Case,
    tier: str,
    played: Sequence[record.Block | Unplayed],
    began: float,
    problems: Sequence[str],
    mark: str,
) -> case_trial.CaseResult:
    left = case_trial.survivors(mark)
    # a bot that outlives its match could go on taking the core
    problems = [*problems, *([f"left running: {left}"] if left else [])]
    matches = [match for block in played if isinstance(block, record.Block) for match in block.matches]
    kinds = {sinner(match).fault or OK for match in matches}
    longest = max((match.duration_us for match in matches), default=0)
    return case_trial.CaseResult(
        case, tier, ", ".join(sorted(kinds)) or "void", longest // 1000, (*problems,)
    )
